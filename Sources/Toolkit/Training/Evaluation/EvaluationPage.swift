internal import Evaluation
internal import Report
internal import Text

/// The evaluation as one self-contained HTML page: no script, nothing loaded from elsewhere, light
/// and dark by the reader's setting.
enum EvaluationPage {
  /// The maximum number of classes in the table.
  static let classLimit = 2000

  /// The page.
  ///
  /// - Parameters:
  ///   - summary: The numbers of `records`.
  ///   - records: What the model answered, at least one.
  ///   - first: A section before the others.
  /// - Returns: A whole HTML document.
  /// - Throws: `EvaluationError.empty` without records, `.notFinite` for a confidence that is NaN.
  static func html(
    summary: EvaluationSummary, records: [EvaluationRecord], first: Markup = Markup()
  ) throws(EvaluationError) -> String {
    let confidences = records.map(\.shownConfidence)
    let correct = records.map(\.isRight)
    let reliability = try ReliabilityDiagram(confidences: confidences, correct: correct)
    let risk = try RiskCoverageCurve(confidences: confidences, correct: correct)
    var gallery = Gallery(of: records)
    let worst = mistakes(records, &gallery)
    let confusion = ConfusionSection(records: records, labels: summary.perClass.map(\.label))
    let pairs = confusion.pairs(&gallery)
    let matrix = confusion.matrix(&gallery)

    let body = Markup.joined([
      header(summary), first,
      PageParts.section(
        "mistakes", "The most confident mistakes",
        "Wrong answers with the highest confidence. Mislabeled drawings show up here, too.", worst),
      PageParts.section(
        "pairs", "Most often confused", "What was drawn, and what was answered instead.", pairs),
      PageParts.section("matrix", "Confusion matrix", nil, matrix),
      PageParts.section(
        "confidence", "Confidence", nil, charts(summary, records, reliability, risk)),
      PageParts.section("classes", "Class by class", "Lowest F1 first.", classes(summary)),
      PageParts.section("run", "This run", nil, summary.facts.list()),
    ])
    return PageParts.document(
      title: "DrawML evaluation: \(ReportNumbers.percent(summary.accuracy)) accuracy",
      symbols: gallery.symbols, body: body)
  }

  private static func header(_ summary: EvaluationSummary) -> Markup {
    typealias Numbers = ReportNumbers
    let interval = summary.confidenceInterval95
    let right = Int((summary.accuracy * Double(summary.count)).rounded())
    let cards: [(String, String, String)] = [
      ("Top 5", Numbers.percent(summary.top5Accuracy), "the truth is among the five best answers"),
      (
        "Macro F1", Numbers.percent(summary.macroF1),
        "every class counts the same: precision \(Numbers.percent(summary.macroPrecision)), recall "
          + Numbers.percent(summary.macroRecall)
      ),
      ("Recognized", Numbers.percent(summary.recognizedShare), "not refused"),
      (
        "Right when recognized",
        summary.accuracyWhenRecognized.map { Numbers.percent($0) } ?? "–",
        summary.accuracyWhenRecognized == nil
          ? "everything was refused" : "of the answers given"
      ),
      (
        "Calibration error", Numbers.decimal(summary.expectedCalibrationError, 3),
        "mean gap of confidence and accuracy"
      ),
      (
        "Risk-coverage area", Numbers.decimal(summary.areaUnderRiskCoverage, 3),
        "0 is best: mistakes come last"
      ),
    ]
    return PageParts.header(
      brand: "evaluation", number: Numbers.percent(summary.accuracy),
      text: "of the best answers are right",
      gauge: ("Accuracy", summary.accuracy, interval),
      sentence: PageParts.sentence(
        "\(grouped(right)) of \(counted(summary.count, "drawing")) right. With 95\u{202f}% "
          + "confidence the accuracy lies between ", PageParts.both(interval),
        ". Refused answers count, too."), cards: cards)
  }

  private static func mistakes(_ records: [EvaluationRecord], _ gallery: inout Gallery) -> Markup {
    let order = records.indices.filter { !records[$0].isRight }
      .sorted { (records[$1].shownConfidence, $0) < (records[$0].shownConfidence, $1) }
    guard !order.isEmpty else { return .tag("p", [:], Markup("No mistakes.")) }
    return figures(of: order.prefix(24), records, &gallery)
  }

  /// The pictures of some records with truth, answer and id, as far as the gallery has room.
  ///
  /// - Parameters:
  ///   - indices: Which records.
  ///   - records: All records.
  ///   - gallery: Their drawings.
  ///   - words: What stands before the truth and the answer.
  /// - Returns: The figures.
  static func figures(
    of indices: some Sequence<Int>, _ records: [EvaluationRecord], _ gallery: inout Gallery,
    words: (truth: String, answer: String) = ("drawn ", "answered ")
  ) -> Markup {
    var figures = Markup()
    for index in indices {
      let record = records[index]
      guard let picture = gallery.picture(of: index) else { break }
      figures += .tag(
        "figure", ["class": record.recognized ? "" : "unsure"], picture,
        .tag(
          "figcaption", [:],
          .tag(
            "span", ["class": "line"], Markup(words.truth),
            .tag("b", [:], PageText.name(record.truth))),
          .tag(
            "span", ["class": "line"], Markup(words.answer),
            .tag("b", [:], PageText.name(record.label))),
          .tag("span", ["class": "line times"], Markup(record.verdict)), record.idLine))
    }
    return .tag("div", ["class": "figures wide"], figures)
  }

  private static func charts(
    _ summary: EvaluationSummary, _ records: [EvaluationRecord], _ reliability: ReliabilityDiagram,
    _ risk: RiskCoverageCurve
  ) -> Markup {
    let refuses = summary.recognizedShare < 1
    return PageParts.charts(
      PageParts.chart(
        "Is it as sure as it is right?",
        "Bars on the dashed line: well calibrated. Below it: too sure. Bigger dots "
          + "stand for more drawings.", Charts.reliability(reliability)),
      PageParts.chart(
        "What does refusing gain?",
        "The share of wrong answers when only the surest answers are given."
          + (refuses ? " The dashed line is the model’s current threshold." : ""),
        Charts.riskCoverage(
          risk.points.map { ($0.coverage, $0.risk) }, area: risk.area,
          recognizedShare: refuses ? summary.recognizedShare : nil)),
      PageParts.chart(
        "How sure is it?", "The number of answers at each confidence.",
        Charts.confidences(
          records.map { ($0.shownConfidence, $0.recognized, $0.isRight) }), Charts.legend))
  }

  private static func classes(_ summary: EvaluationSummary) -> Markup {
    let rows = summary.perClassWorstFirst.prefix(classLimit).map { row in
      (
        name: PageText.name(row.label),
        cells: [PageParts.cell(grouped(row.count))]
          + [(row.recall, "recall"), (row.precision, "precision"), (row.f1, "f1")].map {
            PageParts.bar($0, ReportNumbers.percent($0), $1)
          }
      )
    }
    let rest = summary.perClass.count - rows.count
    return .joined([
      PageParts.longTable(["Class", "Drawings", "Recall", "Precision", "F1"], rows, "classes"),
      rest > 0
        ? .tag(
          "p", ["class": "note"],
          Markup("Only \(classLimit) of \(summary.perClass.count) classes are listed.")) : Markup(),
    ])
  }
}

extension Gallery {
  /// The drawings of records, told with truth and answer to screen readers.
  init(of records: [EvaluationRecord]) {
    self.init(records.map(\.drawing), byteBudget: Gallery.pageBytes) { index in
      let record = records[index]
      return "Drawing of \(PageText.short(record.truth)), answered "
        + "\(PageText.short(record.label)), \(record.verdict)"
        + (record.id.isEmpty ? "" : "; id \(PageText.short(record.id))")
    }
  }
}
