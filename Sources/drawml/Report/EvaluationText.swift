internal import Evaluation
internal import Report
internal import Support

extension EvaluationSummary {
  /// The report for the terminal: the headline, the classes that do worst and the pairs most often
  /// confused.
  ///
  /// - Parameter rows: How many classes and pairs to show at most.
  /// - Returns: The lines.
  func lines(rows: Int = 15) -> [String] {
    typealias Numbers = ReportNumbers
    let right = Int((accuracy * Double(count)).rounded())
    let interval =
      "\(Numbers.percent(confidenceInterval95.lower)) to \(Numbers.percent(confidenceInterval95.upper))"
    let whenRecognized =
      accuracyWhenRecognized.map { "\(Numbers.percent($0)) of these right" } ?? "none of them"
    var facts = TextTable([
      ("accuracy", .left), (Numbers.percent(accuracy), .right),
      ("\(grouped(right)) of \(grouped(count)) right; 95 %: \(interval)", .left),
    ])
    var lines: [String] = []
    facts.add(["top 5", Numbers.percent(top5Accuracy), ""])
    facts.add(["macro F1", Numbers.percent(macroF1), ""])
    facts.add(["recognised", Numbers.percent(recognizedShare), whenRecognized])
    facts.add(["calibration error", Numbers.decimal(expectedCalibrationError, 3), ""])
    facts.add(["risk-coverage area", Numbers.decimal(areaUnderRiskCoverage, 3), ""])
    lines += facts.lines

    let worst = perClassWorstFirst
    var table = TextTable([
      ("class", .left), ("drawings", .right), ("recall", .right), ("precision", .right),
      ("F1", .right),
    ])
    for row in worst.prefix(rows) {
      table.add([
        TextTable.shortened(row.label), grouped(row.count), Numbers.percent(row.recall),
        Numbers.percent(row.precision), Numbers.percent(row.f1),
      ])
    }
    lines.append("")
    if worst.count > rows { lines.append("The \(rows) worst of \(worst.count) classes:") }
    lines += table.lines

    if !confusions.isEmpty {
      var pairs = TextTable([("drawn", .left), ("answered", .left), ("times", .right)])
      for pair in confusions.prefix(rows) {
        pairs.add([
          TextTable.shortened(pair.truth), TextTable.shortened(pair.prediction),
          grouped(pair.count),
        ])
      }
      lines.append("")
      lines += pairs.lines
    }
    return lines
  }

  /// The classes by F1, lowest first; equal ones keep their order.
  var perClassWorstFirst: [ClassRow] {
    perClass.enumerated()
      .sorted { ($0.element.f1, $0.offset) < ($1.element.f1, $1.offset) }
      .map(\.element)
  }
}
