internal import Evaluation
internal import Ink
internal import Report
internal import Text

/// How two models answer the same drawings. Its JSON keys are the properties' names and stay as
/// they are; rates are fractions in 0...1.
///
/// As in `EvaluationSummary`, the best label counts whether or not the decision refused.
package struct AnswerComparison: Encodable, Sendable {
  /// The answers of one model.
  struct Side: Encodable, Equatable, Sendable {
    /// How many drawings' best label is right.
    var right: Int
    /// Their share.
    var accuracy: Double
    /// Wilson's score interval of the accuracy.
    var confidenceInterval95: ConfidenceInterval
    /// How many drawings were refused.
    var refused: Int

    fileprivate init(_ records: [EvaluationRecord]) throws(EvaluationError) {
      right = records.count { $0.isRight }
      confidenceInterval95 = try .wilson(successes: right, trials: records.count)
      accuracy = Double(right) / Double(records.count)
      refused = records.count { !$0.recognized }
    }
  }

  /// The drawings of one label.
  struct LabelRow: Encodable, Equatable, Sendable {
    var label: String
    var count: Int
    /// How many each model gets right.
    var rightBefore: Int
    var rightAfter: Int
  }

  /// The number of drawings.
  var count: Int
  var before: Side
  var after: Side
  /// The number of drawings with another best label or decision.
  var different: Int
  /// Whether chance explains the difference in accuracy.
  var test: McNemarTest
  /// The labels of which more or fewer drawings are right, by how many, largest first.
  var labels: [LabelRow]

  /// Compares the answers to the same drawings.
  ///
  /// - Parameters:
  ///   - before: The answers of the first model, at least one.
  ///   - after: Those of the second, to the same drawings in the same order.
  /// - Throws: `EvaluationError.empty` without answers.
  init(before: [EvaluationRecord], after: [EvaluationRecord]) throws(EvaluationError) {
    precondition(before.count == after.count, "\(before.count) and \(after.count) answers")
    count = after.count
    self.before = try Side(before)
    self.after = try Side(after)
    let pairs = zip(before, after)
    different = pairs.count {
      // Models of older programs may spell an emoji in another way.
      $0.label.inLabelForm != $1.label.inLabelForm || $0.recognized != $1.recognized
    }
    test = McNemarTest(first: before.map(\.isRight), second: after.map(\.isRight))
    var rows: [String: LabelRow] = [:]
    for (before, after) in pairs {
      var row =
        rows[after.truth]
        ?? LabelRow(label: after.truth, count: 0, rightBefore: 0, rightAfter: 0)
      row.count += 1
      row.rightBefore += before.isRight ? 1 : 0
      row.rightAfter += after.isRight ? 1 : 0
      rows[after.truth] = row
    }
    labels = rows.values.filter { $0.rightBefore != $0.rightAfter }
      .sorted { ($1.change, $0.label) < ($0.change, $1.label) }
  }
}

extension AnswerComparison.LabelRow {
  /// By how many drawings the models differ.
  fileprivate var change: Int { abs(rightAfter - rightBefore) }
}

// MARK: For people

extension AnswerComparison {
  /// A table of both models, what chance explains, and the labels that changed most.
  ///
  /// - Parameter rows: How many labels to list at most.
  /// - Returns: The lines.
  func lines(rows: Int) -> [String] {
    var table = TextTable([
      (counted(count, "drawing"), .left), ("right", .right), ("accuracy", .right), ("95 %", .left),
      ("refused", .right),
    ])
    for (name, side) in [("before", before), ("after", after)] {
      let interval = side.confidenceInterval95
      table.add([
        name, grouped(side.right), percent(side.accuracy),
        "\(percent(interval.lower)) to \(percent(interval.upper))", grouped(side.refused),
      ])
    }
    let lines = table.lines + ["", verdict]
    guard !labels.isEmpty else { return lines }
    var changes = TextTable([
      ("label", .left), ("drawings", .right), ("right before", .right), ("after", .right),
    ])
    for row in labels.prefix(rows) {
      changes.add([
        TextTable.shortened(row.label), grouped(row.count), grouped(row.rightBefore),
        grouped(row.rightAfter),
      ])
    }
    return lines + [""] + changes.lines + unlisted(labels.count - rows, "label")
  }

  private var verdict: String {
    let counts =
      "The answers to \(grouped(different)) of \(counted(count, "drawing")) differ; right only "
      + "before: \(grouped(test.onlyFirst)), only after: \(grouped(test.onlySecond))."
    guard test.onlyFirst + test.onlySecond > 0 else { return counts }
    let conclusion =
      test.pValue < McNemarTest.significance
      ? "One model is better on such drawings" : "The difference may be chance"
    return "\(counts) \(conclusion) (p \(McNemarTest.text(of: test.pValue)), McNemar's exact test)."
  }
}
