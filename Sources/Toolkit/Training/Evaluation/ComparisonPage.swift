internal import Evaluation
internal import Report
internal import Text

/// The page of several models on the same drawings.
enum ComparisonPage {
  /// The page, a whole HTML document.
  static func html(_ comparison: EvaluationComparison) -> String {
    typealias Numbers = ReportNumbers
    let models = comparison.models
    let best = models.max { $0.accuracy < $1.accuracy } ?? models[0]
    var body = Markup.joined([
      PageParts.header(
        brand: "comparison of models", number: Numbers.percent(best.accuracy),
        text: "of the best answers of \(PageText.short(best.facts.modelPath)) are right",
        gauge: ("Accuracy", best.accuracy, best.confidenceInterval95),
        sentence: PageParts.sentence(
          "\(models.count) models answered the same \(counted(best.count, "drawing")). With "
            + "95\u{202f}% confidence the accuracy of the best lies between ",
          PageParts.both(best.confidenceInterval95), "."), cards: []),
      PageParts.section(
        "models", "Side by side", nil,
        .joined([
          PageParts.charts(
            PageParts.chart(
              "Accuracy", "Bars: accuracy; lines: 95\u{202f}% confidence intervals.", isWide: true,
              accuracies(models))), table(models),
        ])),
      PageParts.section(
        "pairs", "Do they differ?", EvaluationComparison.testText + ".", pairs(comparison)),
      PageParts.section(
        "labels", "Label by label",
        "Recall of each model; those on which they differ most first.", labels(comparison)),
    ])
    for (number, model) in models.enumerated() {
      body += PageParts.section(
        "run-\(number)", "Model \(number + 1)", nil, model.facts.list(isComparison: true))
    }
    return PageParts.document(
      title: "DrawML comparison of \(models.count) models", symbols: Markup(), body: body)
  }

  private static func accuracies(_ models: [EvaluationSummary]) -> Markup {
    var plot = Plot(
      across: Plot.Axis(
        title: "model", range: 0.5...Double(models.count) + 0.5,
        ticks: models.indices.map { (Double($0 + 1), "\($0 + 1)") }),
      up: .percent("accuracy"), isWide: true)
    for (index, model) in models.enumerated() {
      let place = Double(index + 1)
      plot.box(
        "right", from: (place - 0.3, 0), to: (place + 0.3, model.accuracy),
        "\(PageText.short(model.facts.modelPath)): \(ReportNumbers.percent(model.accuracy))")
      plot.whisker(
        at: place, from: model.confidenceInterval95.lower, to: model.confidenceInterval95.upper)
    }
    let values = models.map { ReportNumbers.percent($0.accuracy) }.joined(separator: ", ")
    return plot.markup(describedAs: "Accuracy of each model: \(values)")
  }

  private static func table(_ models: [EvaluationSummary]) -> Markup {
    typealias Numbers = ReportNumbers
    return PageParts.table(
      [
        "Model", "Accuracy", "95\u{202f}%", "Top 5", "Macro F1", "Recognized", "Of these, right",
        "Calibration error",
      ],
      models.enumerated().map { number, model in
        (
          name: .joined([Markup("\(number + 1) "), PageText.name(model.facts.modelPath)]),
          cells: [
            PageParts.bar(model.accuracy, Numbers.percent(model.accuracy)),
            PageParts.cell(model.intervalText), PageParts.cell(Numbers.percent(model.top5Accuracy)),
            PageParts.cell(Numbers.percent(model.macroF1)),
            PageParts.cell(Numbers.percent(model.recognizedShare)),
            PageParts.cell(model.accuracyWhenRecognized.map { Numbers.percent($0) } ?? "–"),
            PageParts.cell(Numbers.decimal(model.expectedCalibrationError, 3)),
          ]
        )
      })
  }

  private static func pairs(_ comparison: EvaluationComparison) -> Markup {
    PageParts.table(
      ["Models", "Right only the first", "Right only the second", "p", ""],
      zip(comparison.numbers, comparison.pairs).map { names, pair in
        (
          name: Markup(names),
          cells: [
            PageParts.cell(grouped(pair.test.onlyFirst)),
            PageParts.cell(grouped(pair.test.onlySecond)),
            PageParts.cell(McNemarTest.text(of: pair.adjustedPValue)),
            PageParts.words(pair.verdict),
          ]
        )
      }, words: [4])
  }

  private static func labels(_ comparison: EvaluationComparison) -> Markup {
    PageParts.longTable(
      ["Label", "Drawings"] + comparison.models.indices.map { "Model \($0 + 1)" },
      comparison.labels.prefix(EvaluationPage.classLimit).map { row in
        (
          name: PageText.name(row.label),
          cells: [PageParts.cell(grouped(row.count))]
            + row.recalls.map { recall in
              recall.map { PageParts.bar($0, ReportNumbers.percent($0), "recall") }
                ?? PageParts.cell("")
            }
        )
      }, "labels")
  }
}
