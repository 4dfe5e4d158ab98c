internal import Evaluation

/// The evaluation as one self-contained HTML page: no script, nothing loaded from elsewhere, light and
/// dark by the reader's setting.
enum EvaluationPage {
  /// How many bytes the drawings may take; the whole page stays below about five million.
  static let drawingBytes = 3_000_000
  /// The most classes that the table lists.
  static let classLimit = 2000

  /// The page.
  ///
  /// - Parameters:
  ///   - summary: The numbers of `records`.
  ///   - records: What the model answered, at least one.
  /// - Returns: A whole HTML document.
  /// - Throws: `EvaluationError.empty` without records, `.notANumber` for a confidence that is NaN.
  static func html(
    summary: EvaluationSummary, records: [EvaluationRecord]
  ) throws(EvaluationError) -> String {
    let confidences = records.map(\.shownConfidence)
    let correct = records.map(\.isRight)
    let reliability = try ReliabilityDiagram(confidences: confidences, correct: correct)
    let risk = try RiskCoverageCurve(confidences: confidences, correct: correct)
    var gallery = Gallery(records: records, byteBudget: drawingBytes)
    let worst = mistakes(records, &gallery)
    let confusion = ConfusionSection(records: records, labels: summary.perClass.map(\.label))
    let pairs = confusion.pairs(&gallery)
    let matrix = confusion.matrix(&gallery)

    let body = Markup.joined([
      header(summary),
      section(
        "mistakes", "The most confident mistakes",
        "Where the model was surest and wrong. Mislabelled drawings show up here too.", worst),
      section(
        "pairs", "Most often confused", "What was drawn, and what was answered instead.", pairs),
      section("matrix", "Confusion matrix", nil, matrix),
      section("confidence", "Confidence", nil, charts(summary, records, reliability, risk)),
      section("classes", "Class by class", "Lowest F1 first.", classes(summary)),
      section("run", "This run", nil, facts(summary)),
    ])
    let page = Markup.tag(
      "html", ["lang": "en"],
      .tag(
        "head", [:], .void("meta", ["charset": "utf-8"]),
        .void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        // Whatever a label may hold, the page may neither load nor run anything.
        .void(
          "meta",
          [
            "http-equiv": "Content-Security-Policy",
            "content": "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
          ]), .void("meta", ["name": "color-scheme", "content": "light dark"]),
        .void("link", ["rel": "icon", "href": "data:,"]),
        .tag(
          "title", [:],
          Markup("DrawML evaluation: \(ReportNumbers.percent(summary.accuracy)) accuracy")),
        .tag("style", [:], PageStyle.sheet)),
      .tag(
        "body", [:], PageStyle.definitions,
        .tag(
          "svg", ["class": "symbols", "width": "0", "height": "0", "aria-hidden": "true"],
          gallery.symbols), .tag("main", [:], body)))
    return "<!DOCTYPE html>\n" + page.html + "\n"
  }

  private static func section(
    _ id: String, _ title: String, _ introduction: String?, _ content: Markup
  ) -> Markup {
    .tag(
      "section", ["class": "part", "aria-labelledby": id],
      .tag("h2", ["id": id], Markup(title)),
      introduction.map { .tag("p", ["class": "intro"], Markup($0)) } ?? Markup(), content)
  }

  private static func header(_ summary: EvaluationSummary) -> Markup {
    typealias Numbers = ReportNumbers
    let interval = summary.confidenceInterval95
    let right = Int((summary.accuracy * Double(summary.count)).rounded())
    let range = "\(Numbers.percent(interval.lower)) to \(Numbers.percent(interval.upper))"
    func position(_ value: Double) -> String { Numbers.decimal(value * 1000, 1) }
    let gauge = Markup.tag(
      "svg",
      [
        "class": "gauge", "role": "img", "viewBox": "0 0 1000 28", "preserveAspectRatio": "none",
        "aria-label":
          "Accuracy \(Numbers.percent(summary.accuracy)) on a line from 0 to 100 percent",
      ], .tag("rect", ["class": "track", "x": "0", "y": "11", "width": "1000", "height": "6"]),
      .tag(
        "rect",
        ["class": "fill", "x": "0", "y": "11", "width": position(summary.accuracy), "height": "6"]),
      .tag(
        "rect",
        [
          "class": "range", "x": position(interval.lower), "y": "4",
          "width": position(max(0.002, interval.upper - interval.lower)), "height": "20",
        ]))
    let cards: [(String, String, String)] = [
      ("Top 5", Numbers.percent(summary.top5Accuracy), "the truth is among the five best answers"),
      ("Macro F1", Numbers.percent(summary.macroF1), "every class counts the same"),
      ("Recognised", Numbers.percent(summary.recognizedShare), "not refused"),
      (
        "Right when recognised",
        summary.accuracyWhenRecognized.map { Numbers.percent($0) } ?? "–",
        summary.accuracyWhenRecognized == nil ? "everything was refused" : "of the answers given"
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
    return .tag(
      "header", [:], .tag("p", ["class": "brand"], Markup("DrawML · evaluation")),
      .tag(
        "h1", [:], .tag("span", ["class": "number"], Markup(Numbers.percent(summary.accuracy))),
        Markup(" of the best answers are right")),
      gauge,
      .tag(
        "p", ["class": "interval"],
        Markup(
          "\(Numbers.count(right)) of \(PageText.drawings(summary.count)) right. With 95\u{202f}% "
            + "confidence the accuracy lies between "), .tag("b", [:], Markup(range)),
        Markup(". An answer counts even where the model refused to give it.")),
      .tag(
        "dl", ["class": "cards"],
        .joined(
          cards.map { name, value, note in
            .tag(
              "div", [:], .tag("dt", [:], Markup(name)), .tag("dd", [:], Markup(value)),
              .tag("dd", ["class": "note"], Markup(note)))
          })))
  }

  private static func mistakes(_ records: [EvaluationRecord], _ gallery: inout Gallery) -> Markup {
    let order = records.indices.filter { !records[$0].isRight }
      .sorted { (records[$1].shownConfidence, $0) < (records[$0].shownConfidence, $1) }
    guard !order.isEmpty else { return .tag("p", [:], Markup("There are none.")) }
    var figures = Markup()
    for index in order.prefix(24) {
      let record = records[index]
      guard let picture = gallery.picture(of: index) else { break }
      figures += .tag(
        "figure", ["class": record.recognized ? "" : "unsure"], picture,
        .tag(
          "figcaption", [:],
          .tag(
            "span", ["class": "line"], Markup("drawn "), .tag("b", [:], PageText.name(record.truth))
          ),
          .tag(
            "span", ["class": "line"], Markup("answered "),
            .tag("b", [:], PageText.name(record.label))),
          .tag("span", ["class": "line times"], Markup(PageText.confidence(of: record)))))
    }
    return .tag("div", ["class": "figures wide"], figures)
  }

  private static func charts(
    _ summary: EvaluationSummary, _ records: [EvaluationRecord], _ reliability: ReliabilityDiagram,
    _ risk: RiskCoverageCurve
  ) -> Markup {
    func chart(_ title: String, _ note: String, _ content: Markup...) -> Markup {
      .tag(
        "figure", [:], .tag("h3", [:], Markup(title)), .joined(content),
        .tag("figcaption", [:], Markup(note)))
    }
    let refuses = summary.recognizedShare < 1
    return .tag(
      "div", ["class": "charts"],
      chart(
        "Is it as sure as it is right?",
        "Bars on the dashed line: confidence is what it says. Below it: too sure. Bigger dots stand for "
          + "more drawings.", Charts.reliability(reliability)),
      chart(
        "What does silence buy?",
        "The share of wrong answers when only the surest are given."
          + (refuses ? " The dashed line is where the model stops answering today." : ""),
        Charts.riskCoverage(risk, recognizedShare: refuses ? summary.recognizedShare : nil)),
      chart(
        "How sure is it?", "How many answers there are at each confidence.",
        Charts.histogram(records), Charts.legend))
  }

  private static func classes(_ summary: EvaluationSummary) -> Markup {
    let rows = Array(summary.perClassWorstFirst.prefix(classLimit))
    func table(_ rows: some Sequence<EvaluationSummary.ClassRow>) -> Markup {
      let headings = ["Class", "Drawings", "Recall", "Precision", "F1"]
      return .tag(
        "div", ["class": "scroll"],
        .tag(
          "table", ["class": "classes"],
          .tag(
            "thead", [:],
            .tag(
              "tr", [:], .joined(headings.map { .tag("th", ["scope": "col"], Markup($0)) }))),
          .tag("tbody", [:], .joined(rows.map(classRow)))))
    }
    guard rows.count > 40 else { return table(rows) }
    return .joined([
      table(rows.prefix(30)),
      .tag(
        "details", [:],
        .tag("summary", [:], Markup("The other \(ReportNumbers.count(rows.count - 30)) classes")),
        table(rows.dropFirst(30))),
      rows.count < summary.perClass.count
        ? .tag(
          "p", ["class": "note"],
          Markup("Only \(classLimit) of \(summary.perClass.count) classes are listed.")) : Markup(),
    ])
  }

  private static func classRow(_ row: EvaluationSummary.ClassRow) -> Markup {
    func bar(_ value: Double, _ kind: String) -> Markup {
      .tag(
        "td", ["class": "bar \(kind)", "style": "--share:\(ReportNumbers.decimal(value, 3))"],
        .tag("span", [:], Markup(ReportNumbers.percent(value))))
    }
    return .tag(
      "tr", [:], .tag("th", ["scope": "row"], PageText.name(row.label)),
      .tag("td", [:], Markup(ReportNumbers.count(row.count))), bar(row.recall, "recall"),
      bar(row.precision, "precision"), bar(row.f1, "f1"))
  }

  private static func facts(_ summary: EvaluationSummary) -> Markup {
    let facts = summary.facts
    var entries: [(String, String)] = [
      ("Model", facts.modelPath), ("Model’s SHA-256", facts.modelFingerprint),
      ("Samples", facts.dataPaths.joined(separator: "\n")),
      ("Samples’ SHA-256", facts.dataFingerprint), ("Head", facts.head),
      ("Seed", facts.seed.map { "\($0)" } ?? "none: nothing was random"),
      ("Threads", "\(facts.threads)"), ("Processor", facts.machine), ("Date", facts.date),
      ("Time", ReportNumbers.decimal(facts.seconds, 1) + "\u{202f}s"),
      (
        "Peak memory",
        ReportNumbers.decimal(Double(facts.peakMemoryBytes) / 1e6, 1) + "\u{202f}MB"
      ), ("DrawML", facts.drawmlVersion), ("Swift", facts.swiftVersion),
    ]
    if facts.skippedCount > 0 {
      entries.append(
        ("Left out", "\(PageText.drawings(facts.skippedCount)) that could not be read"))
    }
    return .tag(
      "dl", ["class": "facts"],
      .joined(
        entries.map { name, value in
          .tag("div", [:], .tag("dt", [:], Markup(name)), .tag("dd", [:], Markup(value)))
        }))
  }
}
