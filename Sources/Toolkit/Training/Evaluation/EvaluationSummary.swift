internal import Datasets
internal import Evaluation
internal import Ink
internal import JSON
internal import Recognition
internal import Report
internal import Text

/// One evaluated drawing: what it is, and what the model answered.
package struct EvaluationRecord: Sendable {
  /// The drawing as it was read, for the pictures of the report.
  var drawing: Drawing
  /// Where the drawing was read; nil if that is not known.
  var origin: SampleSet.Origin?
  /// What was drawn.
  var truth: String
  /// Why the model refused to answer; nil if it recognized the drawing.
  var refusal: Refusal?
  /// The best label, whether or not it was recognized.
  var label: String
  /// The confidence of `label`, in 0...1.
  var confidence: Double
  /// The candidates, best first: all labels, or at least the five best.
  var candidates: [(label: String, confidence: Double)]

  /// The drawing's id; empty if it has none.
  var id: String { drawing.id }

  /// Whether the label was accepted; false if the model refused to answer.
  var recognized: Bool { refusal == nil }

  /// Whether the best label is the truth, whether or not it was recognized.
  package var isRight: Bool { label == truth }
}

extension EvaluationRecord {
  /// The answer to one of some samples.
  init(
    of samples: SampleSet, at index: Int, truth: String, decision: Decision,
    candidates: [Candidate]
  ) {
    self.init(
      drawing: samples.drawings[index],
      origin: samples.origins.isEmpty ? nil : samples.origins[index], truth: truth,
      refusal: decision.refusal, label: decision.best?.label ?? "",
      confidence: decision.best?.confidence ?? 0,
      candidates: candidates.map { ($0.label, $0.confidence) })
  }
}

/// The numbers of an evaluation. Its JSON keys are the properties' names and stay as they are;
/// rates are fractions in 0...1.
///
/// Accuracy, per-class scores and confusions count the best label whether or not the decision
/// refused; `recognizedShare` and `accuracyWhenRecognized` show the effect of refusing.
package struct EvaluationSummary: Encodable, Equatable, Sendable {
  /// The scores of one class that occurs among the truths or the answers.
  struct ClassRow: Encodable, Equatable, Sendable {
    /// The class.
    var label: String
    /// How many drawings are of this class.
    var count: Int
    /// The share of correct answers among the answers with this class; 0 without any.
    var precision: Double
    /// The share of this class's drawings that were answered with it; 0 without any.
    var recall: Double
    /// The harmonic mean of both.
    var f1: Double
  }

  /// Drawings of one class that were answered with another.
  struct Confusion: Encodable, Equatable, Sendable {
    /// What was drawn.
    var truth: String
    /// What the model answered.
    var prediction: String
    /// How often.
    var count: Int
  }

  /// The number of drawings.
  package var count: Int
  /// The share whose best label is right.
  package var accuracy: Double
  /// Wilson's score interval of the accuracy.
  var confidenceInterval95: ConfidenceInterval
  /// The share whose truth is among the five best candidates.
  var top5Accuracy: Double
  /// The mean precision of the classes that occur among truths or answers.
  var macroPrecision: Double
  /// The mean recall of these classes.
  var macroRecall: Double
  /// The mean F1 of these classes.
  var macroF1: Double
  /// The expected difference of confidence and accuracy, over 15 bins of equal width.
  var expectedCalibrationError: Double
  /// The share of drawings that were not refused.
  var recognizedShare: Double
  /// The accuracy on drawings that were not refused; nil if all were refused.
  @OrNull var accuracyWhenRecognized: Double?
  /// The area under the risk-coverage curve, with answers in descending order of confidence.
  var areaUnderRiskCoverage: Double
  /// The classes in the model's order, then those it does not have, in alphabetical order.
  var perClass: [ClassRow]
  /// The most frequent wrong answers, at most 50, most frequent first.
  var confusions: [Confusion]
  /// How the numbers were made.
  var facts: RunFacts

  /// Sums up an evaluation.
  ///
  /// - Parameters:
  ///   - records: What the model answered, at least one. Confidences outside 0...1 by a rounding
  ///     error are clamped.
  ///   - labels: The model's labels.
  ///   - facts: How the records were made.
  /// - Throws: `EvaluationError.empty` without records, `.notFinite` for a confidence that is NaN.
  init(records: [EvaluationRecord], labels: [String], facts: RunFacts) throws(EvaluationError) {
    guard !records.isEmpty else { throw .empty(what: "drawings") }
    let confidences = records.map(\.shownConfidence)
    let correct = records.map(\.isRight)
    let right = correct.count { $0 }
    let tally = ClassTally(records: records, labels: labels)
    let recognized = records.filter(\.recognized)

    count = records.count
    accuracy = Double(right) / Double(records.count)
    confidenceInterval95 = try .wilson(successes: right, trials: records.count)
    top5Accuracy = try topAccuracy(
      candidates: records.map { $0.candidates.map(\.label) }, truths: records.map(\.truth), k: 5)
    macroPrecision = tally.matrix.macroPrecision ?? 0
    macroRecall = tally.matrix.macroRecall ?? 0
    macroF1 = tally.matrix.macroF1 ?? 0
    expectedCalibrationError = try ReliabilityDiagram(confidences: confidences, correct: correct)
      .expectedCalibrationError
    recognizedShare = Double(recognized.count) / Double(records.count)
    accuracyWhenRecognized =
      recognized.isEmpty
      ? nil : Double(recognized.count { $0.isRight }) / Double(recognized.count)
    areaUnderRiskCoverage = try RiskCoverageCurve(confidences: confidences, correct: correct).area
    perClass = zip(tally.classes, tally.matrix.classScores)
      .filter { $1.support + $1.predicted > 0 }
      .map { label, score in
        ClassRow(
          label: label, count: score.support, precision: score.precision, recall: score.recall,
          f1: score.f1)
      }
    confusions = tally.matrix.confusions.prefix(50).map {
      Confusion(
        truth: tally.classes[$0.truth], prediction: tally.classes[$0.prediction], count: $0.count)
    }
    self.facts = facts
  }
}

extension EvaluationRecord {
  /// The confidence within 0...1; NaN stays, so that it is noticed.
  var shownConfidence: Double { confidence.isNaN ? confidence : min(1, max(0, confidence)) }

  /// "97 %", or "97 %, refused".
  var verdict: String { PageText.verdict(shownConfidence, isRecognized: recognized) }

  /// The line below its picture with the id, by which it is found in its file; empty without one.
  var idLine: Markup {
    id.isEmpty ? Markup() : .tag("span", ["class": "line id"], PageText.name(id))
  }
}

/// Records by class index.
struct ClassTally {
  /// The class names: the model's labels, then true labels that the model does not have.
  let classes: [String]
  /// Each record's true class, shape [N].
  let truths: [Int]
  /// Each record's answered class, shape [N].
  let predictions: [Int]
  /// The confusion counts of truths and predictions.
  let matrix: ConfusionMatrix

  init(records: [EvaluationRecord], labels: [String]) {
    var numbers: [String: Int] = [:]
    var classes: [String] = []
    func add(_ label: String) {
      guard numbers[label] == nil else { return }
      numbers[label] = classes.count
      classes.append(label)
    }
    for label in labels { add(label) }
    let others = records.flatMap { [$0.truth, $0.label] }.filter { numbers[$0] == nil }
    for label in others.sorted() { add(label) }
    self.classes = classes
    truths = records.compactMap { numbers[$0.truth] }
    predictions = records.compactMap { numbers[$0.label] }
    matrix = ConfusionMatrix(
      predictions: predictions, truths: truths, classCount: classes.count)
  }
}

extension EvaluationSummary {
  /// The report for the terminal: the headline, the classes with the lowest F1 and the pairs most
  /// often confused.
  ///
  /// - Parameter rows: How many classes and pairs to show at most.
  /// - Returns: The lines.
  package func lines(rows: Int = 15) -> [String] {
    typealias Numbers = ReportNumbers
    let right = Int((accuracy * Double(count)).rounded())
    let whenRecognized =
      accuracyWhenRecognized.map { "\(Numbers.percent($0)) of these right" } ?? "none of them"
    var facts = TextTable([
      ("accuracy", .left), (Numbers.percent(accuracy), .right),
      ("\(grouped(right)) of \(grouped(count)) right; 95 %: \(intervalText)", .left),
    ])
    var lines: [String] = []
    facts.add(["top 5", Numbers.percent(top5Accuracy), ""])
    facts.add([
      "macro F1", Numbers.percent(macroF1),
      "precision \(Numbers.percent(macroPrecision)), recall \(Numbers.percent(macroRecall))",
    ])
    facts.add(["recognized", Numbers.percent(recognizedShare), whenRecognized])
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
