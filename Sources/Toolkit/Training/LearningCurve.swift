internal import JSON
internal import NeuralNetwork
internal import Report

/// The epochs of a network's training, including those before it was resumed. Its JSON keys are the
/// properties' names and stay as they are; rates are fractions in 0...1.
struct LearningCurve: Encodable, Sendable {
  /// One epoch.
  struct Epoch: Codable, Equatable, Sendable {
    /// Counted from 1.
    var epoch: Int
    var trainingLoss: Double
    var trainingAccuracy: Double
    var validationLoss: Double?
    var validationAccuracy: Double?
    /// Where labels have unequally many validation drawings.
    var validationMacroRecall: Double?
    var fewShotAccuracy: Double?
    var teacherCosine: Double?
    /// The learning rate of the last step.
    var learningRate: Float

    init(_ summary: TrainingLoop.EpochSummary) {
      epoch = summary.epoch + 1
      (trainingLoss, trainingAccuracy) = (summary.trainingLoss, summary.trainingAccuracy)
      (validationLoss, validationAccuracy) = (summary.validationLoss, summary.validationAccuracy)
      validationMacroRecall = summary.validationMacroRecall
      (fewShotAccuracy, teacherCosine) = (summary.measured, summary.targetCosine)
      learningRate = summary.learningRate
    }
  }

  /// The network's name in a recipe.
  var network: String?
  var epochs: [Epoch]
  /// The epoch whose network was kept, from 1; null for the last.
  @OrNull var keptEpoch: Int?

  init(network: String?, epochs: [TrainingLoop.EpochSummary], keepsBest: Bool = false) {
    (self.network, self.epochs) = (network, epochs.map { Epoch($0) })
    keptEpoch = keepsBest ? epochs.best.map { $0.epoch + 1 } : nil
  }

  /// The curve of a log's epochs.
  init(network: String?, logged epochs: [Epoch]) {
    (self.network, self.epochs, keptEpoch) = (network, epochs, nil)
  }
}

/// The page of a training: how loss and accuracy changed from epoch to epoch.
enum TrainingPage {
  /// The page, a whole HTML document.
  ///
  /// - Parameters:
  ///   - header: The top of the page.
  ///   - title: The title after "DrawML training: ".
  ///   - curves: A curve for each network.
  ///   - facts: What is needed to train it again.
  /// - Returns: The HTML.
  static func html(
    header: Markup, title: String, curves: [LearningCurve], facts: RunFacts
  ) -> String {
    var body = header
    for (index, curve) in curves.enumerated() {
      let name = curve.network.map { "The network “\($0)”" } ?? "Learning curves"
      body += PageParts.section("curve-\(index)", name, nil, parts(curve))
    }
    body += PageParts.section("run", "This run", nil, facts.list())
    return PageParts.document(title: "DrawML training: \(title)", symbols: Markup(), body: body)
  }

  static func parts(_ curve: LearningCurve) -> Markup {
    guard !curve.epochs.isEmpty else {
      return .tag("p", [:], Markup("An earlier run trained it and has its curves."))
    }
    let epochs = curve.epochs
    let highest = epochs.flatMap { [$0.trainingLoss, $0.validationLoss ?? 0] }.max() ?? 1
    let rate = epochs.map { Double($0.learningRate) }.max() ?? 1
    let isJudged = epochs.contains { $0.validationAccuracy != nil || $0.fewShotAccuracy != nil }
    let judged = epochs.contains { $0.fewShotAccuracy != nil } ? "few-shot tasks" : "validation"
    let note = "Solid: training, with augmented drawings."
    let kept = curve.keptEpoch.map { kept in
      Markup.tag(
        "p", [:],
        Markup(
          "The network of epoch \(kept) was kept, the best on the validation drawings. Because of "
            + "that choice, its validation numbers are slightly too optimistic."))
    }
    return .joined([
      kept ?? Markup(),
      PageParts.charts(
        PageParts.chart(
          "Loss",
          note + (epochs.contains { $0.validationLoss != nil } ? " Dotted: validation." : ""),
          plot(
            .numbers("loss", upTo: highest, digits: 2), epochs, \.trainingLoss, \.validationLoss)),
        PageParts.chart(
          "Accuracy", note + (isJudged ? " Dotted: \(judged)." : ""),
          plot(.percent("share that is right"), epochs, \.trainingAccuracy) {
            $0.fewShotAccuracy ?? $0.validationAccuracy
          }),
        PageParts.chart(
          "Learning rate", "Of each epoch’s last step.",
          plot(
            .numbers("learning rate", upTo: rate, digits: 5), epochs, { Double($0.learningRate) },
            { _ in nil }))),
      table(epochs),
    ])
  }

  private static func plot(
    _ axis: Plot.Axis, _ epochs: [LearningCurve.Epoch],
    _ first: (LearningCurve.Epoch) -> Double, _ second: (LearningCurve.Epoch) -> Double?
  ) -> Markup {
    var plot = Plot(across: .counts("epoch", upTo: epochs.last?.epoch ?? 1), up: axis)
    func points(_ value: (LearningCurve.Epoch) -> Double?) -> [(Double, Double)] {
      epochs.compactMap { epoch in
        value(epoch).map { (Double(epoch.epoch), min(max(0, $0), axis.range.upperBound)) }
      }
    }
    let lines = [("curve", points(first)), ("second", points(second))]
    for (kind, points) in lines {
      plot.curve(kind, points)
      if let last = points.last { plot.dot(at: last, radius: 3) }
    }
    let ends = lines.compactMap { $1.last?.1 }.map { ReportNumbers.decimal($0, 3) }
    return plot.markup(
      describedAs: "\(axis.title) by epoch, at the end \(ends.joined(separator: " and "))")
  }

  private static func table(_ epochs: [LearningCurve.Epoch]) -> Markup {
    typealias Numbers = ReportNumbers
    let columns: [(String, (LearningCurve.Epoch) -> String?)] = [
      ("Training loss", { Numbers.decimal($0.trainingLoss, 3) }),
      ("Right", { Numbers.percent($0.trainingAccuracy) }),
      ("Validation loss", { $0.validationLoss.map { Numbers.decimal($0, 3) } }),
      ("Right", { $0.validationAccuracy.map { Numbers.percent($0) } }),
      ("Macro recall", { $0.validationMacroRecall.map { Numbers.percent($0) } }),
      ("Few-shot", { $0.fewShotAccuracy.map { Numbers.percent($0) } }),
      ("Teacher’s cosine", { $0.teacherCosine.map { Numbers.decimal($0, 3) } }),
    ].filter { column in epochs.contains { column.1($0) != nil } }
    return PageParts.longTable(
      ["Epoch"] + columns.map(\.0),
      epochs.map { epoch in
        (Markup("\(epoch.epoch)"), columns.map { PageParts.cell($0.1(epoch) ?? "") })
      }, "epochs")
  }
}
