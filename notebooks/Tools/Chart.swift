package import Report

/// Lines over two named axes, with intervals, and a legend beside them.
package struct Chart: Sendable {
  package typealias Axis = Plot.Axis

  /// One value with its confidence interval.
  package struct Point: Sendable {
    /// The horizontal coordinate.
    package var x: Double
    /// The vertical coordinate.
    package var y: Double
    /// The 95 % confidence interval of y, if known.
    package var interval: ClosedRange<Double>?

    /// A value.
    package init(_ x: Double, _ y: Double, interval: ClosedRange<Double>? = nil) {
      (self.x, self.y, self.interval) = (x, y, interval)
    }
  }

  /// How values are shown.
  package enum Style: Sendable {
    /// A line, its intervals as a band.
    case line
    /// A dashed line.
    case dashed
    /// Points, their intervals as bars.
    case points
    /// Filled steps: each value holds until the next point.
    case steps
  }

  /// Values that belong together.
  package struct Series: Sendable {
    /// The name in the legend; empty to leave it out.
    package var name: String
    /// The values from left to right.
    package var points: [Point]
    /// How they are shown.
    package var style: Style
    /// A color; nil for the palette's next one.
    package var color: String?

    /// Values named `name`.
    package init(
      _ name: String, _ points: [Point], style: Style = .line, color: String? = nil
    ) {
      (self.name, self.points) = (name, points)
      (self.style, self.color) = (style, color)
    }

    /// Values at 1, 2, 3, …
    package init(_ name: String, _ values: [Double]) {
      self.init(name, values.enumerated().map { Point(Double($0 + 1), $1) })
    }

    /// The shares of `values` in `bins` equal parts of `range`; values outside count in the first
    /// or last bin.
    package static func histogram(
      _ name: String, of values: [Double], in range: ClosedRange<Double>, bins: Int,
      color: String? = nil
    ) -> Series {
      let width = (range.upperBound - range.lowerBound) / Double(bins)
      var counts = [Double](repeating: 0, count: bins)
      for value in values {
        let bin = ((value - range.lowerBound) / width).rounded(.down)
        counts[Int(max(0, min(Double(bins - 1), bin)))] += 1
      }
      let shares = counts.map { $0 / Double(max(1, values.count)) }
      let points = shares.indices.map {
        Point(range.lowerBound + Double($0) * width, shares[$0])
      }
      return Series(
        name, points + [Point(range.upperBound, 0)], style: .steps, color: color)
    }
  }

  /// The horizontal axis.
  package var across: Axis
  /// The vertical axis.
  package var up: Axis
  /// What is shown, from back to front.
  package var series: [Series]
  /// Positions on the horizontal axis with a dashed vertical line and a label.
  package var marks: [(x: Double, name: String)] = []

  /// A chart of `series`.
  package init(across: Axis, up: Axis, _ series: [Series]) {
    (self.across, self.up, self.series) = (across, up, series)
  }

  /// The picture, about as large as asked for, with the legend on its right.
  package func picture(width: Double = 420, height: Double = 280) -> Markup {
    var plot = Plot(across: across, up: up, width: width + 70, height: height + 52)
    func place(_ x: Double, _ y: Double) -> (Double, Double) { (across.inside(x), up.inside(y)) }
    for (number, series) in series.enumerated() {
      let color = "s\(number)"
      let places = series.points.map { place($0.x, $0.y) }
      let intervals = series.points.compactMap { point in
        point.interval.map { (place(point.x, $0.lowerBound), place(point.x, $0.upperBound)) }
      }
      switch series.style {
      case .line, .dashed:
        plot.band(intervals.map(\.0), intervals.map(\.1), kind: "area \(color)")
        plot.curve(kind(number), places)
        if series.style == .line, places.count <= 12 {
          for place in places { plot.dot("dot \(color)", at: place, radius: 3) }
        }
      case .points:
        for (low, high) in intervals { plot.line("line \(color)", low, high) }
        for place in places { plot.dot("dot \(color)", at: place, radius: 3.5) }
      case .steps:
        let outline = zip(places, places.dropFirst()).flatMap { [$0, ($1.0, $0.1)] }
        plot.area("area \(color)", below: outline)
        plot.curve(kind(number), outline)
      }
    }
    for mark in marks {
      plot.line(
        "axis dashed", (mark.x, up.range.lowerBound), (mark.x, up.range.upperBound))
      // A label near the right end goes to the left of its line, to stay within the plot.
      let extent = across.range.upperBound - across.range.lowerBound
      let isLate = mark.x > across.range.lowerBound + 0.6 * extent
      plot.words(
        " \(mark.name) ", at: (mark.x + (isLate ? -0.01 : 0.01) * extent, up.range.upperBound),
        anchor: isLate ? "end" : "start", down: 12)
    }
    return plot.picture(
      legend: series.enumerated().filter { !$1.name.isEmpty }.map { (kind($0), $1.name) },
      style: style)
  }

  private func kind(_ number: Int) -> String {
    switch series[number].style {
    case .line, .steps: "line s\(number)"
    case .dashed: "line dashed s\(number)"
    case .points: "dot s\(number)"
    }
  }

  private var style: String {
    var next = 0
    let colors = series.enumerated().map { number, series in
      let color = series.color ?? SVG.palette[next % SVG.palette.count]
      if series.color == nil { next += 1 }
      return ".s\(number){stroke:\(color);fill:\(color)}"
    }
    return colors.joined()
      + "text{fill:\(SVG.ink);font-size:12px}.grid{stroke:\(SVG.faint)}.axis{stroke:\(SVG.ink)}"
      + ".line{fill:none;stroke-width:2;stroke-linejoin:round}.dashed{stroke-dasharray:4 4}"
      + ".area{stroke:none;fill-opacity:.2}.dot{stroke:none}"
  }
}

extension Plot.Axis {
  /// An axis with numbers at `ticks`; shares are written as percentages.
  package init(
    _ title: String, _ range: ClosedRange<Double>, ticks: [Double], isShare: Bool = false
  ) {
    self.init(
      title: title, range: range,
      ticks: ticks.map { ($0, isShare ? "\(number($0 * 100)) %" : number($0)) })
  }

  /// An axis from `low` to `high` or a little more, with four to eight round numbers.
  package init(_ title: String, from low: Double, to high: Double, isShare: Bool = false) {
    let extent = high > low ? high - low : 1
    var step = 1e-6
    let factors = [2, 2.5, 2]
    var turn = 0
    while extent / step > 7 {
      step *= factors[turn % 3]
      turn += 1
    }
    let first = (low / step).rounded(.down)
    let last = ((low + extent) / step - 1e-9).rounded(.up)
    self.init(
      title, first * step...last * step,
      ticks: stride(from: first, through: last, by: 1).map { $0 * step }, isShare: isShare)
  }

  /// An axis that ends where `range` does, with round numbers inside.
  package static func inside(
    _ title: String, _ range: ClosedRange<Double>, isShare: Bool = false
  ) -> Self {
    var axis = Self(title, from: range.lowerBound, to: range.upperBound, isShare: isShare)
    axis.range = range.lowerBound...max(range.upperBound, range.lowerBound + 1e-9)
    let slack = (range.upperBound - range.lowerBound) * 1e-9
    axis.ticks.removeAll {
      $0.value < range.lowerBound - slack || $0.value > range.upperBound + slack
    }
    return axis
  }

  /// Shares from 0 to 100 %.
  package static func shares(_ title: String) -> Self {
    Self(title, 0...1, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], isShare: true)
  }

  /// The value clamped to the axis.
  fileprivate func inside(_ value: Double) -> Double {
    max(range.lowerBound, min(range.upperBound, value))
  }
}
