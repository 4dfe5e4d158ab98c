internal import Text

/// A diagram with two axes as SVG, readable in light and dark mode and without color.
///
/// Marks are added in the units of the axes. The left margin depends on the length of the numbers,
/// so that the axis title never overlaps them.
package struct Plot {
  /// An axis of a plot.
  package struct Axis: Sendable {
    /// The title.
    package var title: String
    /// The values at both ends.
    package var range: ClosedRange<Double>
    /// The values and texts of the tick marks.
    package var ticks: [(value: Double, text: String)]

    package init(
      title: String, range: ClosedRange<Double>, ticks: [(value: Double, text: String)]
    ) {
      (self.title, self.range, self.ticks) = (title, range, ticks)
    }

    /// An axis in percent over `range`, with at most six ticks.
    package static func percent(_ title: String, _ range: ClosedRange<Double> = 0...1) -> Axis {
      let extent = range.upperBound - range.lowerBound
      let steps = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25]
      let step = steps.first { extent / $0 <= 5.001 } ?? 0.5
      let first = Int((range.lowerBound / step - 1e-9).rounded(.up))
      let last = Int((range.upperBound / step + 1e-9).rounded(.down))
      return Axis(
        title: title, range: range,
        ticks: (first...max(first, last)).map {
          let value = Double($0) * step
          return (value, ReportNumbers.percent(value, step < 0.01 ? 1 : 0))
        })
    }

    /// An axis of integers from 0 to `highest`, with ticks at both ends and between.
    package static func counts(_ title: String, upTo highest: Int) -> Axis {
      let top = max(1, highest)
      var unit = 1
      while top / unit >= 30 { unit *= 10 }
      let step = unit * ([5, 2].first { top / unit / $0 >= 3 } ?? 1)
      return Axis(
        title: title, range: 0...Double(top),
        ticks: stride(from: 0, through: top, by: step).map {
          (Double($0), grouped($0))
        })
    }

    /// An axis of numbers from 0 to a round number above `highest`.
    package static func numbers(_ title: String, upTo highest: Double, digits: Int) -> Axis {
      // Files of others may contain any number.
      let highest = min(max(0, highest), 1e12)
      var unit = 1e-6
      while unit * 10 <= highest { unit *= 10 }
      let step = [0.25, 0.5, 1, 2].map { $0 * unit }.first { highest / $0 <= 5 } ?? 2.5 * unit
      let count = max(1, Int((highest / step).rounded(.up)))
      return Axis(
        title: title, range: 0...Double(count) * step,
        ticks: (0...count).map {
          (Double($0) * step, ReportNumbers.decimal(Double($0) * step, digits))
        })
    }
  }

  /// The horizontal axis.
  let across: Axis
  /// The vertical axis.
  let up: Axis
  private let width: Double
  private let height: Double
  private let left: Double
  private let right = 16.0
  private let top = 10.0
  private let bottom = 42.0
  private var content = Markup()

  /// An empty plot; with `isWide`, of full width.
  package init(across: Axis, up: Axis, isWide: Bool = false) {
    self.init(across: across, up: up, width: isWide ? 1090 : 360, height: 300)
  }

  /// An empty plot of another size.
  package init(across: Axis, up: Axis, width: Double, height: Double) {
    (self.across, self.up) = (across, up)
    (self.width, self.height) = (width, height)
    // Digits of the page's font are about 0.56 of its 12 units wide.
    let widest = up.ticks.map { TextTable.width($0.text) }.max() ?? 0
    left = 20 + 6.8 * Double(widest) + 8
  }

  // MARK: Marks

  /// A box between two corners, with `title` as its tooltip.
  package mutating func box(
    _ kind: String, from low: (Double, Double), to high: (Double, Double), _ title: String
  ) {
    content += .tag(
      "rect",
      [
        "class": kind, "x": x(low.0), "y": y(high.1),
        "width": number((high.0 - low.0) * scaleAcross),
        "height": number((high.1 - low.1) * scaleUp),
      ], .tag("title", [:], Markup(title)))
  }

  /// A straight line.
  package mutating func line(_ kind: String, _ from: (Double, Double), _ to: (Double, Double)) {
    content += segment(kind, from, to)
  }

  /// A line through `points`, of which at most about 300 are kept: more cannot be seen.
  package mutating func curve(_ kind: String, _ points: [(Double, Double)]) {
    guard !points.isEmpty else { return }
    content += .tag("path", ["class": kind, "d": path(points)])
  }

  /// The area between a curve and the bottom.
  package mutating func area(_ kind: String = "area", below points: [(Double, Double)]) {
    guard let first = points.first, let last = points.last else { return }
    let bottom = up.range.lowerBound
    content += .tag(
      "path",
      [
        "class": kind,
        "d": path(points) + "L\(x(last.0)) \(y(bottom))L\(x(first.0)) \(y(bottom))Z",
      ])
  }

  /// The area between two curves with the same horizontal values.
  package mutating func band(
    _ lower: [(Double, Double)], _ upper: [(Double, Double)], kind: String = "area"
  ) {
    guard !lower.isEmpty, !upper.isEmpty else { return }
    let back = "L" + path(upper.reversed()).dropFirst()
    content += .tag("path", ["class": kind, "d": path(lower) + back + "Z"])
  }

  /// A dot of `radius` units of the picture.
  package mutating func dot(
    _ kind: String = "mark", at place: (Double, Double), radius: Double = 4, _ title: String = ""
  ) {
    content += .tag(
      "circle", ["class": kind, "cx": x(place.0), "cy": y(place.1), "r": number(radius)],
      title.isEmpty ? Markup() : .tag("title", [:], Markup(title)))
  }

  /// An error bar: a vertical line with two end marks.
  package mutating func whisker(at place: Double, from low: Double, to high: Double) {
    let foot = (across.range.upperBound - across.range.lowerBound) * 0.006
    line("whisker", (place, low), (place, high))
    line("whisker", (place - foot, low), (place + foot, low))
    line("whisker", (place - foot, high), (place + foot, high))
  }

  /// Text at a position; `anchor` is "start", "middle" or "end".
  package mutating func words(
    _ text: String, at place: (Double, Double), anchor: String, down: Double = 0
  ) {
    content += label(text, x(place.0), number(vertical(place.1) + down), anchor)
  }

  // MARK: The picture

  /// The plot as an `svg` element with a text description for screen readers.
  package func markup(describedAs description: String) -> Markup {
    .tag(
      "svg",
      [
        "class": "chart", "role": "img", "aria-label": description,
        "viewBox": "0 0 \(number(width, 0)) \(number(height, 0))",
      ], parts)
  }

  /// The plot as a standalone file.
  ///
  /// - Parameters:
  ///   - legend: The kinds and names of the lines in the legend on the right; a kind that begins
  ///     with "dot" is shown as a dot.
  ///   - style: The style sheet of the kinds.
  /// - Returns: The file's text.
  package func picture(legend: [(kind: String, name: String)], style: String) -> Markup {
    var all = Markup.tag("style", [:], Markup(style))
    all += parts
    for (row, entry) in legend.enumerated() {
      let y = number(top + 10 + 20 * Double(row))
      all +=
        entry.kind.hasPrefix("dot")
        ? .tag("circle", ["class": entry.kind, "cx": number(width + 10), "cy": y, "r": "3.5"])
        : .tag(
          "line",
          [
            "class": entry.kind, "x1": number(width), "y1": y, "x2": number(width + 20), "y2": y,
          ])
      all += label(entry.name, number(width + 26), number(top + 14 + 20 * Double(row)), "start")
    }
    let room = legend.map { 6.8 * Double(TextTable.width($0.name)) + 38 }.max() ?? 0
    return .picture(width: width + room, height: height, all)
  }

  private var parts: Markup {
    var parts = Markup()
    for tick in up.ticks {
      parts += segment(
        "grid", (across.range.lowerBound, tick.value), (across.range.upperBound, tick.value))
      parts += label(tick.text, number(left - 8), number(vertical(tick.value) + 4), "end")
    }
    for tick in across.ticks {
      let isLast =
        tick.value == across.range.upperBound && tick.text.count > 3
      parts += label(
        tick.text, isLast ? number(width - right + 8) : x(tick.value),
        number(height - bottom + 17), isLast ? "end" : "middle")
    }
    let middle = left + (width - left - right) / 2
    parts += label(across.title, number(middle), number(height - 5), "middle")
    parts += .tag(
      "text",
      [
        "x": "0", "y": "0", "text-anchor": "middle",
        "transform":
          "translate(12 \(number(top + (height - top - bottom) / 2))) rotate(-90)",
      ], Markup(up.title))
    parts += content
    parts += segment(
      "axis", (across.range.lowerBound, up.range.lowerBound),
      (across.range.upperBound, up.range.lowerBound))
    return parts
  }

  private var scaleAcross: Double {
    (width - left - right) / (across.range.upperBound - across.range.lowerBound)
  }

  private var scaleUp: Double {
    (height - top - bottom) / (up.range.upperBound - up.range.lowerBound)
  }

  private func x(_ value: Double) -> String {
    number(left + (value - across.range.lowerBound) * scaleAcross)
  }

  private func y(_ value: Double) -> String { number(vertical(value)) }

  private func vertical(_ value: Double) -> Double {
    top + (up.range.upperBound - value) * scaleUp
  }

  private func number(_ value: Double, _ digits: Int = 1) -> String {
    let text = ReportNumbers.decimal(value, digits)
    return text.hasPrefix("−") ? "-" + text.dropFirst() : text
  }

  private func path(_ points: [(Double, Double)]) -> String {
    let step = max(1, points.count / 300)
    var path = ""
    for (index, point) in points.enumerated()
    where index % step == 0 || index == points.count - 1 {
      path += (path.isEmpty ? "M" : "L") + x(point.0) + " " + y(point.1)
    }
    return path
  }

  private func segment(_ kind: String, _ from: (Double, Double), _ to: (Double, Double)) -> Markup {
    .tag("line", ["class": kind, "x1": x(from.0), "y1": y(from.1), "x2": x(to.0), "y2": y(to.1)])
  }

  private func label(_ text: String, _ x: String, _ y: String, _ anchor: String) -> Markup {
    .tag("text", ["x": x, "y": y, "text-anchor": anchor], Markup(text))
  }
}
