/// Lines over two named axes, with intervals, and a legend beside them.
public struct Chart: Sendable {
  /// One side of the chart.
  public struct Axis: Sendable {
    /// What is measured, with its unit.
    public var title: String
    /// The values from one end to the other.
    public var range: ClosedRange<Double>
    /// Where numbers stand.
    public var ticks: [Double]
    /// Whether a value is a share, which is written as a percentage.
    public var isShare: Bool

    /// An axis with numbers at `ticks`.
    public init(
      _ title: String, _ range: ClosedRange<Double>, ticks: [Double], isShare: Bool = false
    ) {
      self.title = title
      self.range = range
      self.ticks = ticks
      self.isShare = isShare
    }

    /// An axis from `low` to `high` or a little more, with four to eight round numbers.
    public init(_ title: String, from low: Double, to high: Double, isShare: Bool = false) {
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
    public static func inside(
      _ title: String, _ range: ClosedRange<Double>, isShare: Bool = false
    ) -> Axis {
      var axis = Axis(title, from: range.lowerBound, to: range.upperBound, isShare: isShare)
      axis.range = range.lowerBound...max(range.upperBound, range.lowerBound + 1e-9)
      let slack = (range.upperBound - range.lowerBound) * 1e-9
      axis.ticks.removeAll {
        $0 < range.lowerBound - slack || $0 > range.upperBound + slack
      }
      return axis
    }

    /// Shares from 0 to 100 %.
    public static func shares(_ title: String) -> Axis {
      Axis(title, 0...1, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], isShare: true)
    }

    fileprivate func text(_ value: Double) -> String {
      isShare ? "\(number(value * 100)) %" : number(value)
    }

    fileprivate func place(_ value: Double) -> Double {
      (max(range.lowerBound, min(range.upperBound, value)) - range.lowerBound)
        / (range.upperBound - range.lowerBound)
    }
  }

  /// One value, and where it may lie.
  public struct Point: Sendable {
    /// Along the bottom.
    public var x: Double
    /// Upwards.
    public var y: Double
    /// Where y lies with 95 % confidence, if that is known.
    public var interval: ClosedRange<Double>?

    /// A value.
    public init(_ x: Double, _ y: Double, interval: ClosedRange<Double>? = nil) {
      self.x = x
      self.y = y
      self.interval = interval
    }
  }

  /// How values are shown.
  public enum Style: Sendable {
    /// A line, its intervals as a band.
    case line
    /// A broken line.
    case dashed
    /// Points, their intervals as bars.
    case points
    /// Steps with colour below them: each value holds as far as the next one's place.
    case steps
  }

  /// Values that belong together.
  public struct Series: Sendable {
    /// What the legend says; nothing keeps it out of the legend.
    public var name: String
    /// The values from left to right.
    public var points: [Point]
    /// How they are shown.
    public var style: Style
    /// A colour; nil for the palette's next one.
    public var color: String?

    /// Values named `name`.
    public init(
      _ name: String, _ points: [Point], style: Style = .line, color: String? = nil
    ) {
      self.name = name
      self.points = points
      self.style = style
      self.color = color
    }

    /// Which share of `values` falls into each of `bins` equal parts of `range`; what is outside
    /// goes to the ends.
    public static func histogram(
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

  /// The bottom.
  public var across: Axis
  /// The left side.
  public var up: Axis
  /// What is shown, from back to front.
  public var series: [Series]
  /// Places along the bottom with a broken upright line and a word.
  public var marks: [(x: Double, name: String)] = []

  /// A chart of `series`.
  public init(across: Axis, up: Axis, _ series: [Series]) {
    self.across = across
    self.up = up
    self.series = series
  }

  /// The picture; the plot itself is `width` × `height`.
  public func picture(width: Double = 420, height: Double = 280) -> SVG {
    let (left, top, bottom) = (64.0, 16.0, 48.0)
    let named = series.filter { !$0.name.isEmpty }
    let legend = named.map { Double($0.name.count) * 6.6 + 44 }.max() ?? 12
    var svg = SVG(width: left + width + legend + 12, height: top + height + bottom)
    func x(_ value: Double) -> Double { left + across.place(value) * width }
    func y(_ value: Double) -> Double { top + (1 - up.place(value)) * height }

    for tick in up.ticks {
      svg.line([(left, y(tick)), (left + width, y(tick))], color: SVG.faint)
      svg.text(up.text(tick), x: left - 8, y: y(tick) + 4, size: 11, anchor: "end")
    }
    for tick in across.ticks {
      svg.line([(x(tick), top + height), (x(tick), top + height + 4)], color: SVG.ink)
      svg.text(across.text(tick), x: x(tick), y: top + height + 17, size: 11, anchor: "middle")
    }
    svg.line([(left, top + height), (left + width, top + height)])
    svg.text(across.title, x: left + width / 2, y: top + height + 38, anchor: "middle")
    svg.text(up.title, x: 14, y: top + height / 2, anchor: "middle", angle: -90)

    for (number, series) in series.enumerated() {
      let color = color(number)
      switch series.style {
      case .line, .dashed:
        let banded = series.points.filter { $0.interval != nil }
        svg.area(
          banded.map { (x($0.x), y($0.interval?.upperBound ?? $0.y)) }
            + banded.reversed().map { (x($0.x), y($0.interval?.lowerBound ?? $0.y)) },
          color: color, opacity: 0.18)
        svg.line(
          series.points.map { (x($0.x), y($0.y)) }, color: color, thickness: 2,
          isDashed: series.style == .dashed)
        if series.style == .line, series.points.count <= 12 {
          for point in series.points {
            svg.circle(x: x(point.x), y: y(point.y), radius: 3, color: color)
          }
        }
      case .points:
        for point in series.points {
          if let interval = point.interval {
            svg.line(
              [(x(point.x), y(interval.lowerBound)), (x(point.x), y(interval.upperBound))],
              color: color, thickness: 1.5)
          }
          svg.circle(x: x(point.x), y: y(point.y), radius: 3.5, color: color)
        }
      case .steps:
        var outline: [(x: Double, y: Double)] = []
        for (point, next) in zip(series.points, series.points.dropFirst()) {
          outline += [(x(point.x), y(point.y)), (x(next.x), y(point.y))]
        }
        if let first = outline.first, let last = outline.last {
          outline = [(first.x, y(0))] + outline + [(last.x, y(0))]
        }
        svg.area(outline, color: color, opacity: 0.25)
        svg.line(outline, color: color, thickness: 1.5)
      }
    }
    for mark in marks {
      svg.line([(x(mark.x), top), (x(mark.x), top + height)], isDashed: true)
      // A word near the right end stands on the left of its line, so that it stays within the plot.
      let isLate = across.place(mark.x) > 0.6
      svg.text(
        mark.name, x: x(mark.x) + (isLate ? -5 : 5), y: top + 12, size: 11,
        anchor: isLate ? "end" : "start")
    }
    var row = top + 8
    for (number, series) in series.enumerated() where !series.name.isEmpty {
      let (start, color) = (left + width + 16, color(number))
      switch series.style {
      case .line, .dashed:
        svg.line(
          [(start, row), (start + 20, row)], color: color, thickness: 2,
          isDashed: series.style == .dashed)
      case .points: svg.circle(x: start + 10, y: row, radius: 3.5, color: color)
      case .steps:
        svg.rectangle(x: start + 4, y: row - 6, width: 12, height: 12, fill: color)
      }
      svg.text(series.name, x: start + 26, y: row + 4)
      row += 20
    }
    return svg
  }

  private func color(_ number: Int) -> String {
    series[number].color
      ?? SVG.palette[series[..<number].count { $0.color == nil } % SVG.palette.count]
  }
}
