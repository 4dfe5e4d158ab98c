internal import Evaluation
internal import Ink
internal import Report
internal import Text

/// Several models on the same drawings, side by side. Its JSON keys are the properties' names and
/// stay as they are; rates are fractions in 0...1.
struct EvaluationComparison: Encodable, Sendable {
  /// Whether two of the models differ in accuracy.
  struct Pair: Encodable, Equatable, Sendable {
    /// The models' paths as they were given.
    var first: String
    var second: String
    var test: McNemarTest
    /// The p-value after Holm's correction for the number of pairs.
    var adjustedPValue: Double
  }

  /// The models in the order in which they were given.
  var models: [EvaluationSummary]
  /// All pairs of them.
  var pairs: [Pair]

  /// Compares answers to the same drawings in the same order.
  init(_ evaluations: [EvaluationJob.Evaluation]) {
    models = evaluations.map(\.summary)
    pairs = []
    for (index, first) in evaluations.enumerated() {
      for second in evaluations[(index + 1)...] {
        let test = McNemarTest(
          first: first.records.map(\.isRight), second: second.records.map(\.isRight))
        pairs.append(
          Pair(
            first: first.summary.facts.modelPath, second: second.summary.facts.modelPath,
            test: test, adjustedPValue: test.pValue))
      }
    }
    for (index, pValue) in holmAdjusted(pairs.map(\.test.pValue)).enumerated() {
      pairs[index].adjustedPValue = pValue
    }
  }

  /// A label's recall by each model, shape [models]; nil for a model that has not its drawings.
  typealias LabelRow = (label: String, count: Int, recalls: [Double?])

  /// The labels that were drawn; those on which the models differ most first.
  var labels: [LabelRow] {
    var rows: [String: LabelRow] = [:]
    for (number, model) in models.enumerated() {
      for row in model.perClass where row.count > 0 {
        // Models of older programs may spell an emoji in another way.
        let label = row.label.inLabelForm
        var known =
          rows[label] ?? (label, row.count, [Double?](repeating: nil, count: models.count))
        known.recalls[number] = row.recall
        rows[label] = known
      }
    }
    func spread(_ row: LabelRow) -> Double {
      let known = row.recalls.compactMap(\.self)
      return (known.max() ?? 0) - (known.min() ?? 0)
    }
    return rows.values.sorted { (spread($1), $0.label) < (spread($0), $1.label) }
  }
}

extension EvaluationComparison.Pair {
  /// "The first is better", or that chance may explain the difference.
  var verdict: String {
    guard adjustedPValue < McNemarTest.significance else { return "may be chance" }
    return "the \(test.onlyFirst > test.onlySecond ? "first" : "second") is better"
  }
}

extension McNemarTest {
  /// Below this p-value, a difference is called real.
  static let significance = 0.05

  /// "= 0.012", or "< 0.001".
  static func text(of pValue: Double) -> String {
    pValue < 0.001 ? "< 0.001" : "= " + decimal(Float(pValue))
  }
}

extension EvaluationSummary {
  /// The interval of the accuracy: "97.3 % to 98.1 %".
  var intervalText: String {
    "\(ReportNumbers.percent(confidenceInterval95.lower)) to "
      + ReportNumbers.percent(confidenceInterval95.upper)
  }
}

extension EvaluationComparison {
  /// The tables for the terminal: models, pairs, and the labels on which the models differ most.
  ///
  /// - Parameter rows: How many labels to list at most.
  /// - Returns: The lines.
  func lines(rows: Int = 15) -> [String] {
    typealias Numbers = ReportNumbers
    var table = TextTable([
      (counted(models[0].count, "drawing"), .left), ("accuracy", .right), ("95 %", .left),
      ("top 5", .right), ("macro F1", .right), ("recognized", .right), ("right of these", .right),
      ("calibration error", .right),
    ])
    for (number, model) in models.enumerated() {
      table.add([
        "\(number + 1) \(TextTable.shortened(model.facts.modelPath))",
        Numbers.percent(model.accuracy), model.intervalText, Numbers.percent(model.top5Accuracy),
        Numbers.percent(model.macroF1), Numbers.percent(model.recognizedShare),
        model.accuracyWhenRecognized.map { Numbers.percent($0) } ?? "–",
        Numbers.decimal(model.expectedCalibrationError, 3),
      ])
    }
    var tests = TextTable([
      ("models", .left), ("right only the first", .right), ("only the second", .right),
      ("p", .left), ("", .left),
    ])
    for (names, pair) in zip(numbers, pairs) {
      tests.add([
        names, grouped(pair.test.onlyFirst), grouped(pair.test.onlySecond),
        McNemarTest.text(of: pair.adjustedPValue), pair.verdict,
      ])
    }
    var recalls = TextTable(
      [("recall", .left), ("drawings", .right)]
        + models.indices.map { ("\($0 + 1)", .right) })
    for row in labels.prefix(rows) {
      recalls.add(
        [TextTable.shortened(row.label), grouped(row.count)]
          + row.recalls.map { $0.map { Numbers.percent($0) } ?? "" })
    }
    return table.lines + [""] + tests.lines + ["p: \(Self.testText)", ""] + recalls.lines
      + (labels.count > rows ? ["and \(counted(labels.count - rows, "label")) more"] : [])
  }

  /// The pairs by the models' numbers: "1 and 2".
  var numbers: [String] {
    models.indices.flatMap { first in
      models.indices.dropFirst(first + 1).map { "\(first + 1) and \($0 + 1)" }
    }
  }

  /// What the p-values are.
  static let testText =
    "McNemar’s exact test, with Holm’s correction for the number of pairs"
}
