internal import Evaluation
internal import Report
internal import Training

/// The common parts of the few-shot and open-set pages.
enum TaskPage {
  /// The cards with the numbers after the first.
  ///
  /// - Parameters:
  ///   - scores: The numbers.
  ///   - isAboutRefusing: Whether AUROC is already shown above them, which leaves room for more
  ///     numbers on refusal.
  /// - Returns: Names, values and notes.
  static func cards(
    _ scores: TaskScores, isAboutRefusing: Bool = false
  ) -> [(String, String, String)] {
    typealias Numbers = ReportNumbers
    let intervals = scores.intervals95
    func range(_ interval: ConfidenceInterval?, _ text: (Double) -> String) -> String {
      interval.map { "95\u{202f}%: \(text($0.lower)) to \(text($0.upper))" } ?? ""
    }
    func three(_ value: Double) -> String { Numbers.decimal(value, 3) }
    func share(_ value: Double) -> String { Numbers.percent(value) }
    var cards: [(String, String, String)] = []
    func add(
      _ name: String, _ value: Double?, _ interval: ConfidenceInterval?,
      _ text: @escaping (Double) -> String, _ note: String
    ) {
      guard let value else { return }
      cards.append((name, text(value), "\(range(interval, text)); \(note)"))
    }
    if !isAboutRefusing {
      add("AUROC", scores.auroc, intervals.auroc, three, "known against unknown drawings")
    }
    add(
      "FPR95", scores.fpr95, intervals.fpr95, share,
      "unknowns accepted when 95\u{202f}% of the known are")
    if isAboutRefusing {
      add("OSCR", scores.oscr, intervals.oscr, three, "right and accepted, over unknowns accepted")
    }
    add(
      "Known drawings refused", scores.knownRefused, intervals.knownRefused, share,
      "drawings of taught labels; target \(Numbers.percent(scores.dialTarget, 0))")
    add(
      "Unknowns accepted", scores.unknownsAccepted, intervals.unknownsAccepted, share,
      "at the model’s own threshold")
    add("Calibration error", scores.ece, intervals.ece, three, "gap of confidence and accuracy")
    if isAboutRefusing {
      add(
        "Risk-coverage area", scores.aurc, intervals.aurc, three, "0 is best: mistakes come last")
    }
    return cards
  }

  /// The reliability diagram of all queries.
  static func reliability(_ outcomes: [TaskRunner.Outcome]) throws -> ReliabilityDiagram {
    let queries = outcomes.flatMap(\.queries)
    return try ReliabilityDiagram(
      confidences: queries.map(\.shownConfidence), correct: queries.map(\.isRight))
  }

  /// The curves over all tasks.
  static func curves(_ result: TaskBenchmark.Result) throws -> Markup {
    let scores = result.report.scores
    let withUnknowns = result.outcomes.filter { !$0.unknowns.isEmpty }
    var charts = Markup()
    if !withUnknowns.isEmpty {
      let accepted = scores.unknownsAccepted.map { ($0, 1 - scores.knownRefused) }
      charts += PageParts.chart(
        "Known or unknown drawings?",
        """
        Further up and left is better; the dashed line is chance. Mean over tasks.
        """,
        Charts.operating(
          try MeanCurve.receiverOperating(withUnknowns).points, across: "unknowns accepted",
          up: "known drawings accepted", chance: true, at: accepted,
          "ROC curve: area \(ReportNumbers.decimal(scores.auroc ?? 0, 3))"))
      charts += PageParts.chart(
        "Accepted and right?",
        "Known drawings accepted with the right label, at each share of unknowns accepted. "
          + "The mean over tasks.",
        Charts.operating(
          try MeanCurve.openSet(withUnknowns).points, across: "unknowns accepted",
          up: "known drawings accepted and right", chance: false,
          at: scores.unknownsAccepted.map { ($0, rightAccepted(withUnknowns)) },
          "Open-set classification rate: area \(ReportNumbers.decimal(scores.oscr ?? 0, 3))"))
    }
    charts += PageParts.chart(
      "Is it as sure as it is right?",
      "Bars on the dashed line: well calibrated. Below it: too sure. Bigger dots stand "
        + "for more drawings.", Charts.reliability(try reliability(result.outcomes)))
    charts += PageParts.chart(
      "What does refusing gain?",
      """
      The share of wrong answers to known drawings when only the surest answers are given. The \
      mean over tasks.
      """,
      Charts.riskCoverage(
        try MeanCurve.riskCoverage(result.outcomes).points, area: scores.aurc,
        recognizedShare: nil))
    charts += PageParts.chart(
      "How sure is it of what it knows?",
      """
      Answers to known drawings by confidence: recognized and right, recognized and wrong, or \
      refused.
      """,
      confidences(result.outcomes.flatMap(\.queries)), Charts.legend)
    return charts
  }

  /// The numbers of correct, wrong and refused answers by confidence.
  static func confidences(_ answers: [TaskRunner.Answer]) -> Markup {
    Charts.confidences(answers.map { ($0.shownConfidence, $0.isRecognized, $0.isRight) })
  }

  private static func rightAccepted(_ outcomes: [TaskRunner.Outcome]) -> Double {
    let queries = outcomes.flatMap(\.queries)
    return Double(queries.count { $0.isRight && $0.isRecognized }) / Double(max(1, queries.count))
  }

  /// A histogram of the tasks.
  static func spread(_ scores: TaskScores) -> Markup {
    PageParts.chart(
      "Task by task",
      "How many tasks reached each accuracy. The dashed line is the mean; single tasks differ "
        + "much more than the mean is uncertain.",
      Charts.spread(
        scores.tasks.map(\.accuracy), of: "accuracy", mean: scores.accuracy,
        scores.confidenceInterval95))
  }

  /// The number and the kind of tasks.
  static func tasks(_ report: TaskBenchmark.Report) -> String {
    let count = counted(report.scores.episodes, "task")
    guard let ways = report.ways, let shots = report.shots else { return count }
    return "\(count), \(ways)-way \(shots)-shot"
  }
}

/// The page of `benchmark few-shot`.
enum FewShotPage {
  /// The page, a whole HTML document.
  static func html(_ result: TaskBenchmark.Result) throws -> String {
    let (report, scores) = (result.report, result.report.scores)
    let interval = scores.confidenceInterval95
    let kind = TaskPage.tasks(report)
    let accuracy = ReportNumbers.percent(scores.accuracy)
    let body = Markup.joined([
      PageParts.header(
        brand: "few-shot benchmark", number: accuracy,
        text: "of the best answers are right, labels taught from a few drawings",
        gauge: ("Accuracy", scores.accuracy, interval),
        sentence: PageParts.sentence(
          "\(kind). With 95\u{202f}% confidence the mean accuracy lies between ",
          PageParts.both(interval), ". An answer counts even where the model refused to give it."),
        cards: TaskPage.cards(scores)),
      PageParts.section(
        "curves", "Curves", nil,
        PageParts.charts(TaskPage.spread(scores), try TaskPage.curves(result))),
      PageParts.section(
        "reference", PublishedRows.fewShotHeading,
        "Not measured in this run or on its drawings: \(PublishedRows.fewShotSource.text).",
        reference(report)),
      PageParts.section(
        "run", "This run", nil, report.facts.list(after: [("Tasks", kind)])),
    ])
    return PageParts.document(
      title: "DrawML few-shot benchmark: \(accuracy)", symbols: Markup(), body: body)
  }

  private static func reference(_ report: TaskBenchmark.Report) -> Markup {
    let scores = report.scores
    let ours = [
      PageParts.bar(scores.accuracy, ReportNumbers.percent(scores.accuracy)),
      PageParts.cell(scores.auroc.map { ReportNumbers.decimal($0, 3) } ?? "–"),
    ]
    var rows: [(name: Markup, cells: [Markup])] = PublishedRows.fewShot.map { row in
      let isSame = row.ways == report.ways && row.shots == report.shots
      let blank = [PageParts.cell(""), PageParts.cell("")]
      return (
        name: Markup.tag("span", ["class": isSame ? "same" : ""], Markup(row.name)),
        cells: (isSame ? ours : blank) + [
          PageParts.bar(row.neighbors, ReportNumbers.percent(row.neighbors), "other"),
          PageParts.bar(row.classMeans, ReportNumbers.percent(row.classMeans), "other"),
          PageParts.cell(row.auroc.map { ReportNumbers.decimal($0, 3) } ?? "–"),
          PageParts.cell(row.bestAUROC.map { ReportNumbers.decimal($0, 3) } ?? "–"),
        ]
      )
    }
    if report.reference == nil {
      let none = [Markup](repeating: PageParts.cell("–"), count: 4)
      rows.append((.tag("span", ["class": "same"], Markup("this run")), ours + none))
    }
    return PageParts.table(
      [
        "Task", "This model, on its own samples", "AUROC", "Reference: 3 nearest neighbors",
        "Reference: class means", "AUROC as it ships", "Best AUROC",
      ], rows)
  }
}

/// The page of `benchmark open-set`.
enum OpenSetPage {
  /// How many drawings each gallery shows.
  private static let shownCount = 25

  /// The page, a whole HTML document.
  static func html(_ result: TaskBenchmark.Result) throws -> String {
    let (report, scores) = (result.report, result.report.scores)
    let kind = TaskPage.tasks(report)
    let auroc = scores.auroc ?? 0
    let interval = scores.intervals95.auroc ?? ConfidenceInterval(lower: 0, upper: 1)
    var mistakes = MistakeGallery(result.samples)
    let accepted = mistakes.figures(
      worst(result.outcomes.flatMap(\.unknowns).filter(\.isRecognized)), shownCount)
    let refused = mistakes.figures(
      worst(result.outcomes.flatMap(\.queries).filter { $0.isRight && !$0.isRecognized }),
      shownCount)
    let body = Markup.joined([
      PageParts.header(
        brand: "open-set benchmark", number: ReportNumbers.decimal(auroc, 3),
        text: "area under the ROC of known against unknown drawings",
        gauge: ("AUROC", auroc, interval),
        sentence: PageParts.sentence(
          "\(kind). With 95\u{202f}% confidence the mean lies between ",
          "\(ReportNumbers.decimal(interval.lower, 3)) and "
            + "\(ReportNumbers.decimal(interval.upper, 3))",
          ". 1 tells every unknown drawing from every known one, 0.5 is chance. Of the best "
            + "answers to known drawings \(ReportNumbers.percent(scores.accuracy)) are right."),
        cards: TaskPage.cards(scores, isAboutRefusing: true)),
      PageParts.section(
        "accepted", "Accepted unknowns",
        "The surest first. Left: what was drawn. Right: the most similar taught drawing of the "
          + "label it was taken for.", accepted),
      PageParts.section(
        "refused", "Right answers that were refused",
        "The label was right, but the model refused to answer. The surest first.", refused),
      PageParts.section(
        "curves", "Curves", nil,
        PageParts.charts(
          try TaskPage.curves(result),
          PageParts.chart(
            "How sure is it of unknowns?",
            """
            Answers to unknowns by confidence: refused, as they should be, or taken for something \
            known.
            """,
            TaskPage.confidences(result.outcomes.flatMap(\.unknowns)), Charts.legend))),
      PageParts.section(
        "run", "This run", nil, report.facts.list(after: [("Tasks", kind)])),
    ])
    return PageParts.document(
      title: "DrawML open-set benchmark: AUROC \(ReportNumbers.decimal(auroc, 3))",
      symbols: mistakes.symbols, body: body)
  }

  /// Each drawing once, in its most confident answer; most confident first.
  private static func worst(_ answers: [TaskRunner.Answer]) -> [TaskRunner.Answer] {
    var seen = Set<Int>()
    return answers.enumerated()
      .sorted { ($1.element.confidence, $0.offset) < ($0.element.confidence, $1.offset) }
      .map(\.element).filter { seen.insert($0.row).inserted }
  }
}
