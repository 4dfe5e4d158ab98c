extension SVG {
  /// One line of a chart.
  public struct Series: Sendable {
    /// What the line is.
    public var name: String
    /// One value for each place along the bottom, from the first on.
    public var values: [Double]

    /// A line named `name`.
    public init(_ name: String, _ values: [Double]) {
      self.name = name
      self.values = values
    }
  }

  /// Values over places counted from 1, from `low` to `high`.
  public static func lineChart(
    _ series: [Series], across: String, up: String, from low: Double = 0, to high: Double,
    width: Double = 460, height: Double = 280
  ) -> SVG {
    var svg = SVG(width: width, height: height)
    let plot = Plot(width: width, height: height, low: low, high: high)
    svg.frame(plot, up: up)
    let count = series.map(\.values.count).max() ?? 0
    func x(_ index: Int) -> Double {
      plot.left + Double(index) / Double(max(1, count - 1)) * plot.innerWidth
    }
    for index in 0..<count where index == 0 || index == count - 1 {
      svg.text("\(index + 1)", x: x(index), y: plot.bottom + 16, anchor: "middle")
    }
    svg.text(across, x: plot.left + plot.innerWidth / 2, y: plot.bottom + 16, anchor: "middle")
    for (index, line) in series.enumerated() {
      let color = palette[index % palette.count]
      svg.line(
        line.values.enumerated().map { (x($0.offset), plot.y($0.element)) }, color: color,
        thickness: 2)
      svg.text(
        line.name, x: plot.left + Double(index) * plot.innerWidth / Double(series.count), y: 14,
        color: color)
    }
    return svg
  }

  /// How many values of each group fall into each of `bins` equal parts of `range`, as shares of
  /// the group; `mark` is a value to draw a dashed line at.
  public static func histogram(
    _ groups: [Series], in range: ClosedRange<Double>, bins: Int = 30, across: String,
    mark: (value: Double, name: String)? = nil, width: Double = 560, height: Double = 280
  ) -> SVG {
    let shares = groups.map { group in
      var counts = [Double](repeating: 0, count: bins)
      for value in group.values {
        let place = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        counts[max(0, min(bins - 1, Int(place * Double(bins))))] += 1
      }
      return counts.map { $0 / Double(max(1, group.values.count)) }
    }
    var svg = SVG(width: width, height: height)
    let top = shares.flatMap { $0 }.max() ?? 1
    let plot = Plot(
      width: width, height: height, low: 0, high: max(0.2, (top * 5).rounded(.up) / 5))
    svg.frame(plot, up: "share")
    let barWidth = plot.innerWidth / Double(bins)
    for (index, bars) in shares.enumerated() {
      let color = palette[index % palette.count]
      let thin = barWidth / Double(groups.count)
      for (bin, share) in bars.enumerated() where share > 0 {
        svg.rectangle(
          x: plot.left + Double(bin) * barWidth + Double(index) * thin, y: plot.y(share),
          width: thin * 0.9, height: plot.bottom - plot.y(share), fill: color)
      }
      svg.text(
        groups[index].name, x: plot.left + Double(index) * plot.innerWidth / Double(groups.count),
        y: 14, color: color)
    }
    for value in [range.lowerBound, range.upperBound] {
      svg.text(
        number(value),
        x: plot.left + (value == range.lowerBound ? 0 : plot.innerWidth),
        y: plot.bottom + 16, anchor: "middle")
    }
    svg.text(across, x: plot.left + plot.innerWidth / 2, y: plot.bottom + 16, anchor: "middle")
    if let mark {
      let place = (mark.value - range.lowerBound) / (range.upperBound - range.lowerBound)
      let x = plot.left + place * plot.innerWidth
      svg.line([(x, plot.top), (x, plot.bottom)], isDashed: true)
      svg.text(mark.name, x: x + 4, y: plot.top + 12)
    }
    return svg
  }

  /// A square table of colours: `values`, row-major, shape [names, names], from 0 white to 1 dark;
  /// what is below `0` counts as 0. `texts` are written into the cells; empty strings leave them
  /// blank.
  public static func heatMap(
    _ values: [Double], names: [String], texts: [String] = [], down: String, across: String
  ) -> SVG {
    // An emoji stands above its column; words would run into each other, so they are turned.
    let longest = names.map(\.count).max() ?? 0
    let isWordy = longest > 3
    let (cell, margin) = (34.0, isWordy ? 44 + Double(longest) * 6.5 : 64)
    let side = Double(names.count) * cell
    var svg = SVG(width: margin + side + 12, height: margin + side + 12)
    svg.text(across, x: margin + side / 2, y: 18, anchor: "middle")
    svg.text(down, x: 4, y: margin - 8)
    for (row, name) in names.enumerated() {
      let middle = (Double(row) + 0.5) * cell
      svg.text(name, x: margin - 8, y: margin + middle + 5, size: isWordy ? 12 : 15, anchor: "end")
      svg.text(
        name, x: margin + middle + (isWordy ? 4 : 0), y: margin - 10, size: isWordy ? 12 : 15,
        anchor: isWordy ? "start" : "middle", angle: isWordy ? -90 : 0)
      for column in names.indices {
        let index = row * names.count + column
        let value = max(0, min(1, values[index]))
        svg.rectangle(
          x: margin + Double(column) * cell, y: margin + Double(row) * cell, width: cell,
          height: cell, fill: shade(value), outline: "#eeeeee")
        if texts.indices.contains(index), !texts[index].isEmpty {
          svg.text(
            texts[index], x: margin + (Double(column) + 0.5) * cell, y: margin + middle + 4,
            size: 11, anchor: "middle", color: value > 0.5 ? "#ffffff" : ink)
        }
      }
    }
    return svg
  }

  /// White to the palette's blue.
  private static func shade(_ value: Double) -> String {
    let (red, green, blue) = (255 - 255 * value, 255 - 141 * value, 255 - 77 * value)
    return "rgb(\(Int(red)),\(Int(green)),\(Int(blue)))"
  }

  private struct Plot {
    let left = 48.0
    let top = 24.0
    let innerWidth: Double
    let bottom: Double
    let low: Double
    let high: Double

    init(width: Double, height: Double, low: Double, high: Double) {
      innerWidth = width - 48 - 20
      bottom = height - 28
      self.low = low
      self.high = high
    }

    func y(_ value: Double) -> Double {
      bottom - (max(low, min(high, value)) - low) / (high - low) * (bottom - top)
    }
  }

  private mutating func frame(_ plot: Plot, up: String) {
    for step in 0...4 {
      let value = plot.low + (plot.high - plot.low) * Double(step) / 4
      let y = plot.y(value)
      line([(plot.left, y), (plot.left + plot.innerWidth, y)], color: SVG.faint)
      text(number(value), x: plot.left - 6, y: y + 4, size: 11, anchor: "end")
    }
    text(up, x: 4, y: 14, size: 11)
  }
}
