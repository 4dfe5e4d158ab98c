internal import Datasets
internal import Evaluation
internal import Ink
internal import Report
internal import Training

/// The page of `benchmark omniglot`.
enum OmniglotPage {
  /// The page, a whole HTML document.
  static func html(_ result: OmniglotBenchmark.Result) -> String {
    typealias Numbers = ReportNumbers
    let report = result.report
    let interval = report.confidenceInterval95
    let error = Numbers.percent(report.errorRate)
    let items = report.runs.reduce(0) { $0 + $1.count }
    let worst = report.runs.map(\.errorRate).max() ?? 0
    var gallery = MistakeGallery(result.samples)
    let mistakes = mistakes(result, &gallery)
    let body = Markup.joined([
      PageParts.header(
        brand: "Omniglot benchmark", number: error,
        text: "of the characters, taught from one example each, are taken for another",
        gauge: ("Error", report.errorRate, interval),
        sentence: PageParts.sentence(
          "\(counted(report.runs.count, report.isOfficial ? "run" : "seeded task")), "
            + "\(counted(items, "item")); \(report.form.text). "
            + "With 95\u{202f}% confidence the mean error lies between ", PageParts.both(interval),
          ". Guessing is wrong \(Numbers.percent(guessing(result), 0)) of the time."),
        cards: [
          (
            "Wrong", "\(report.runs.reduce(0) { $0 + $1.wrong })",
            "of \(counted(items, "item"))"
          ),
          (
            "Without a mistake", "\(report.runs.count { $0.wrong == 0 })",
            "of \(counted(report.runs.count, "run"))"
          ), ("Hardest run", Numbers.percent(worst), "the highest error of one run"),
        ]),
      PageParts.section(
        "runs", "Run by run", nil,
        PageParts.charts(
          PageParts.chart(
            "Error of each run",
            """
            The dashed line is the mean, the dotted one the published error of people, at most \
            (4.5\u{202f}%).
            """,
            isWide: true, bars(report)))),
      PageParts.section(
        "published", PublishedRows.heading,
        PublishedRows.omniglotSource.text + ", " + PublishedRows.omniglotSource.identifier
          + ": errors of 20-way one-shot classification within an alphabet."
          + (report.isOfficial
            ? ""
            : " They were measured on the official runs, ours here on other tasks of the same "
              + "kind."),
        published(report)),
      PageParts.section(
        "mistakes", "Mistakes",
        """
        Left: the character. Middle: what it was taken for. Right: what it is. The surest first.
        """,
        mistakes),
      PageParts.section("run", "This run", nil, report.facts.list()),
    ])
    return PageParts.document(
      title: "DrawML Omniglot benchmark: \(error) error", symbols: gallery.symbols, body: body)
  }

  /// The error rate of guessing, in the first task.
  private static func guessing(_ result: OmniglotBenchmark.Result) -> Double {
    let labels = Set(result.episodes.episodes.first?.support.map(\.label) ?? [])
    return 1 - 1 / Double(max(1, labels.count))
  }

  private static func bars(_ report: OmniglotBenchmark.Report) -> Markup {
    let runs = report.runs
    let highest = max(0.1, runs.map(\.errorRate).max() ?? 0)
    let top = [0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75].first { highest <= $0 } ?? 1
    let step = max(1, (runs.count + 24) / 25)
    let ticks = stride(from: 0, to: runs.count, by: step).map {
      (Double($0) + 0.5, String($0 + 1))
    }
    var plot = Plot(
      across: Plot.Axis(
        title: report.isOfficial ? "run" : "task", range: 0...Double(runs.count), ticks: ticks),
      up: .percent("error", 0...top), isWide: true)
    for (index, run) in runs.enumerated() {
      plot.box(
        "right", from: (Double(index) + 0.14, 0), to: (Double(index) + 0.86, run.errorRate),
        "\(run.run): \(run.wrong) of \(run.count) wrong")
    }
    let end = Double(runs.count)
    plot.line("diagonal", (0, report.errorRate), (end, report.errorRate))
    if let people = PublishedRows.omniglot.first(where: { $0.system == "people" }) {
      plot.line("second", (0, people.value), (end, people.value))
    }
    return plot.markup(
      describedAs: "Error of each run: mean \(ReportNumbers.percent(report.errorRate)), highest "
        + ReportNumbers.percent(runs.map(\.errorRate).max() ?? 0))
  }

  private static func published(_ report: OmniglotBenchmark.Report) -> Markup {
    let scale = max(0.3, report.errorRate)
    let ours = (
      value: report.errorRate, name: Markup.tag("b", [:], Markup("this model, measured here")),
      setting: report.form.text, kind: "f1"
    )
    let others = PublishedRows.omniglot.map {
      (value: $0.value, name: Markup($0.system), setting: $0.setting, kind: "other")
    }
    let rows = (others + [ours]).enumerated()
      .sorted { ($0.element.value, $0.offset) < ($1.element.value, $1.offset) }.map(\.element)
    return PageParts.table(
      ["System", "Setting", "Error"],
      rows.map { row in
        (
          name: row.name,
          cells: [
            PageParts.words(row.setting),
            PageParts.bar(row.value / scale * 0.7, ReportNumbers.percent(row.value), row.kind),
          ]
        )
      }, words: [1])
  }

  private static func mistakes(
    _ result: OmniglotBenchmark.Result, _ gallery: inout MistakeGallery
  ) -> Markup {
    let rows = Dictionary(
      uniqueKeysWithValues: result.samples.drawings.enumerated().map { ($1.id, $0) })
    var wrong: [(answer: TaskRunner.Answer, right: Int?)] = []
    for (episode, outcome) in zip(result.episodes.episodes, result.outcomes) {
      for answer in outcome.queries where !answer.isRight {
        let right = episode.support.first { $0.label == answer.truth }.flatMap { rows[$0.id] }
        wrong.append((answer, right))
      }
    }
    let sorted = wrong.enumerated().sorted {
      ($1.element.answer.confidence, $0.offset) < ($0.element.answer.confidence, $1.offset)
    }.map(\.element)
    return gallery.characters(sorted, 48)
  }
}
