internal import Evaluation

/// The page's diagrams, as SVG that reads in light and dark and without colour.
enum Charts {
  private static let width = 360.0
  private static let height = 300.0
  private static let left = 44.0
  private static let bottom = 40.0
  private static let top = 10.0
  private static let right = 14.0

  private static func x(_ value: Double) -> String {
    ReportNumbers.decimal(left + value * (width - left - right), 1)
  }

  private static func y(_ value: Double) -> String {
    ReportNumbers.decimal(top + (1 - value) * (height - top - bottom), 1)
  }

  private static func rectangle(
    _ kind: String, from low: (Double, Double), to high: (Double, Double), _ title: String
  ) -> Markup {
    .tag(
      "rect",
      [
        "class": kind, "x": x(low.0), "y": y(high.1),
        "width": ReportNumbers.decimal((high.0 - low.0) * (width - left - right), 1),
        "height": ReportNumbers.decimal((high.1 - low.1) * (height - top - bottom), 1),
      ], .tag("title", [:], Markup(title)))
  }

  private static func line(_ kind: String, _ from: (Double, Double), _ to: (Double, Double))
    -> Markup
  {
    .tag(
      "line",
      ["class": kind, "x1": x(from.0), "y1": y(from.1), "x2": x(to.0), "y2": y(to.1)])
  }

  private static func label(_ text: String, x: String, y: String, _ anchor: String) -> Markup {
    .tag("text", ["x": x, "y": y, "text-anchor": anchor], Markup(text))
  }

  /// Axes with percent along the bottom and the given numbers along the side, around `content`.
  private static func frame(
    _ description: String, across: String, up: String, sideLabels: [(Double, String)],
    _ content: [Markup]
  ) -> Markup {
    var parts = Markup()
    for (value, text) in sideLabels {
      parts += line("grid", (0, value), (1, value))
      parts += label(
        text, x: ReportNumbers.decimal(left - 6, 1),
        y: ReportNumbers.decimal(top + (1 - value) * (height - top - bottom) + 4, 1), "end")
    }
    for step in 0...4 {
      let value = Double(step) / 4
      let anchor = step == 4 ? "end" : "middle"
      parts += label(
        ReportNumbers.percent(value, 0), x: x(value),
        y: ReportNumbers.decimal(height - bottom + 16, 1), anchor)
    }
    parts += label(across, x: x(0.5), y: ReportNumbers.decimal(height - 5, 1), "middle")
    parts += .tag(
      "text",
      [
        "x": "0", "y": "0", "text-anchor": "middle",
        "transform":
          "translate(11 \(ReportNumbers.decimal(top + (height - top - bottom) / 2, 1))) rotate(-90)",
      ], Markup(up))
    for part in content { parts += part }
    parts += line("axis", (0, 0), (1, 0))
    return .tag(
      "svg",
      [
        "class": "chart", "role": "img", "aria-label": description,
        "viewBox": "0 0 360 300",
      ], parts)
  }

  private static var percentSide: [(Double, String)] {
    [0, 0.25, 0.5, 0.75, 1].map { ($0, ReportNumbers.percent($0, 0)) }
  }

  /// How often answers of each confidence are right, against the line where both are equal.
  static func reliability(_ diagram: ReliabilityDiagram) -> Markup {
    var content: [Markup] = []
    for bin in diagram.bins where bin.count > 0 {
      let inset = (bin.upper - bin.lower) * 0.08
      content.append(
        rectangle(
          "right", from: (bin.lower + inset, 0), to: (bin.upper - inset, bin.accuracy),
          "\(PageText.drawings(bin.count)): confidence "
            + "\(ReportNumbers.percent(bin.meanConfidence)), right \(ReportNumbers.percent(bin.accuracy))"
        ))
    }
    content.append(line("diagonal", (0, 0), (1, 1)))
    let largest = diagram.bins.map(\.count).max() ?? 1
    for bin in diagram.bins where bin.count > 0 {
      // A mark where the line would be, the bigger the more drawings stand behind it.
      let share = Double(bin.count) / Double(max(largest, 1))
      content.append(
        .tag(
          "circle",
          [
            "class": "mark", "cx": x(bin.meanConfidence), "cy": y(bin.accuracy),
            "r": ReportNumbers.decimal(2.5 + 3.5 * share.squareRoot(), 1),
          ]))
    }
    return frame(
      "Reliability diagram: expected calibration error "
        + ReportNumbers.decimal(diagram.expectedCalibrationError, 3),
      across: "confidence", up: "share that is right", sideLabels: percentSide, content)
  }

  /// How often answers are wrong when only the most confident ones are given.
  static func riskCoverage(_ curve: RiskCoverageCurve, recognizedShare: Double?) -> Markup {
    let highest = curve.points.map(\.risk).max() ?? 0
    let scale = [0.02, 0.05, 0.1, 0.2, 0.5].first { highest <= $0 } ?? 1
    // At most about 300 points: more cannot be seen.
    let step = max(1, curve.points.count / 300)
    var path = ""
    for (index, point) in curve.points.enumerated()
    where index % step == 0 || index == curve.points.count - 1 {
      path += (path.isEmpty ? "M" : "L") + x(point.coverage) + " " + y(point.risk / scale)
    }
    var content = [
      Markup.tag(
        "path",
        [
          "class": "area",
          "d": path + "L\(x(1)) \(y(0))L\(x(curve.points.first?.coverage ?? 0)) \(y(0))Z",
        ]), Markup.tag("path", ["class": "curve", "d": path]),
    ]
    if let recognizedShare {
      content.append(line("diagonal", (recognizedShare, 0), (recognizedShare, 1)))
      let leansLeft = recognizedShare > 0.5
      content.append(
        label(
          "\(ReportNumbers.percent(recognizedShare)) recognised",
          x: x(recognizedShare + (leansLeft ? -0.02 : 0.02)), y: y(0.93),
          leansLeft ? "end" : "start"))
    }
    return frame(
      "Risk-coverage curve: area \(ReportNumbers.decimal(curve.area, 4)), "
        + "risk at full coverage \(ReportNumbers.percent(curve.points.last?.risk ?? 0))",
      across: "share answered, most confident first", up: "share of them wrong",
      sideLabels: [0, 0.25, 0.5, 0.75, 1].map {
        ($0, ReportNumbers.percent($0 * scale, scale < 0.1 ? 1 : 0))
      }, content)
  }

  /// How many right, wrong and refused answers there are at each confidence.
  static func histogram(_ records: [EvaluationRecord]) -> Markup {
    let binCount = 20
    var counts = [[Int]](repeating: [0, 0, 0], count: binCount)
    for record in records {
      let bin = min(binCount - 1, Int(record.shownConfidence * Double(binCount)))
      counts[bin][record.recognized ? (record.isRight ? 0 : 1) : 2] += 1
    }
    let highest = max(1, counts.map { $0.reduce(0, +) }.max() ?? 1)
    var content: [Markup] = []
    for (bin, parts) in counts.enumerated() {
      let (low, high) = (Double(bin) / Double(binCount), Double(bin + 1) / Double(binCount))
      var base = 0.0
      for (kind, count) in zip(["right", "wrong", "refused"], parts) where count > 0 {
        let end = base + Double(count) / Double(highest)
        content.append(
          rectangle(
            kind, from: (low + 0.005, base), to: (high - 0.005, end),
            "\(ReportNumbers.percent(low, 0)) to \(ReportNumbers.percent(high, 0)): "
              + "\(ReportNumbers.count(count)) \(kind)"))
        base = end
      }
    }
    let right = records.count { $0.recognized && $0.isRight }
    let refused = records.count { !$0.recognized }
    return frame(
      "Histogram of confidences: \(right) right, \(records.count - right - refused) wrong, "
        + "\(refused) refused",
      across: "confidence", up: "drawings",
      sideLabels: [0, 0.5, 1].map {
        ($0, ReportNumbers.count(Int(($0 * Double(highest)).rounded())))
      }, content)
  }

  /// What the histogram's fills mean: plain, hatched and hollow, so that colour is not needed.
  static let legend: Markup = .literal(
    """
    <p class="legend"><span><svg class="key" aria-hidden="true" viewBox="0 0 12 12">\
    <rect class="right" width="12" height="12"></rect></svg> right</span> \
    <span><svg class="key" aria-hidden="true" viewBox="0 0 12 12">\
    <rect class="wrong" width="12" height="12"></rect></svg> wrong</span> \
    <span><svg class="key" aria-hidden="true" viewBox="0 0 12 12">\
    <rect class="refused" x="1" y="1" width="10" height="10"></rect></svg> refused</span></p>
    """)
}
