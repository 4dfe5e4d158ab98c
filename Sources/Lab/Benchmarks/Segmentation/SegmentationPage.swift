internal import Evaluation
internal import Ink
internal import Report
internal import Segmentation
internal import Text

/// The page of `benchmark segmentation`.
enum SegmentationPage {
  /// The page, a whole HTML document.
  ///
  /// - Parameters:
  ///   - report: The numbers.
  ///   - outcomes: What came out on each canvas.
  ///   - known: The labels that the recognizer was taught.
  ///   - facts: What is needed to run it again.
  /// - Returns: The HTML.
  static func html(
    _ report: SegmentationBenchmark.Report, _ outcomes: [SegmentationBenchmark.Outcome],
    known: Set<String>, facts: Markup
  ) -> String {
    let perfect = ReportNumbers.percent(report.perfectShapes)
    let body = Markup.joined([
      header(report, outcomes),
      PageParts.section(
        "canvases", "Canvases", canvasesText, canvases(report)),
      PageParts.section("shapes", "Which shapes?", shapesText, shapes(report)),
      PageParts.section(
        "scenes", "The scenes, worst first", SceneList.text(outcomes.count),
        SceneList(known: known).markup(outcomes)),
      PageParts.section("run", "This run", nil, facts),
    ])
    return PageParts.document(
      title: "DrawML segmentation benchmark: \(perfect) grouped perfectly", symbols: Markup(),
      body: body)
  }

  private static let canvasesText = """
    Grouped perfectly: found with exactly its strokes. Right: also named, or refused if its label \
    was not taught. Pause, distance and both are plain rules on consecutive strokes, with the best \
    threshold, that are told the true shape so far.
    """

  private static let shapesText = """
    Each shape counts as a whole or not at all. Inside: its box is within another’s. Around: \
    another’s box is within its own. Across: its box overlaps another’s. Beside: the gap to \
    another’s is at most \(ReportNumbers.percent(ShapePlace.nearShare, 0)) of the sheet’s longer \
    side. Apart: nothing is as near. The first that holds counts.
    """

  private static func header(
    _ report: SegmentationBenchmark.Report, _ outcomes: [SegmentationBenchmark.Outcome]
  ) -> Markup {
    typealias Numbers = ReportNumbers
    let all = report.kinds[0]
    let overCanvases = report.breakdowns.first?.intervals95
    let interval = overCanvases?.perfectShapes ?? all.perfectShapes.confidenceInterval95
    let right = overCanvases?.endToEnd ?? all.endToEnd.confidenceInterval95
    let time = report.latencyMilliseconds
    var cards: [(String, String, String)] = [
      (
        "Right end to end", Numbers.percent(report.endToEnd),
        "95\u{202f}%: \(Numbers.percent(right.lower)) to \(Numbers.percent(right.upper)); grouped "
          + "perfectly, and named or refused rightly"
      )
    ]
    if let distance = all.plain[PlainGrouping.Cue.distance.rawValue] {
      cards.append(
        (
          "The simplest baseline", Numbers.percent(distance.rate),
          "grouped perfectly, if near strokes join the previous shape"
        ))
    }
    cards += [
      ("Ink accuracy", Numbers.percent(report.inkAccuracy), "share of ink in the right group"),
      (
        "Adjusted Rand index", Numbers.decimal(report.adjustedRandIndex, 3),
        "1 is the true grouping, 0 is chance"
      ),
      (
        "Boxes found", Numbers.percent(report.recallAtIoU50),
        "of the shapes’ boxes, at an overlap of half"
      ),
      (
        "Time per stroke", Numbers.decimal(time.p50, 1) + "\u{202f}ms",
        "median; 95\u{202f}% stay below \(Numbers.decimal(time.p95, 1))\u{202f}ms"
      ),
    ]
    if let live = report.live {
      cards.append(
        (
          "Right on a live canvas", Numbers.percent(live.endToEnd.rate),
          "\(Numbers.percent(live.takenBack.rate)) of the emojis are taken back"
        ))
    }
    return PageParts.header(
      brand: "segmentation benchmark", number: Numbers.percent(report.perfectShapes),
      text: "of the shapes are grouped perfectly",
      gauge: ("Grouped perfectly", report.perfectShapes, interval),
      sentence: PageParts.sentence(
        "\(counted(all.perfectShapes.of, "shape")) on \(counted(outcomes.count, "sheet")). With 95\u{202f}% confidence the share lies "
          + "between ", PageParts.both(interval),
        overCanvases == nil ? "." : ", if canvases are drawn again."), cards: cards)
  }

  private static func canvases(_ report: SegmentationBenchmark.Report) -> Markup {
    PageParts.table(
      ["", "Shapes", "Grouped perfectly", "Right", "Pause", "Distance", "Both"],
      report.kinds.map { row in
        (
          name: Markup.joined([
            PageText.name(row.kind), Markup(" (\(grouped(row.canvases)))"),
          ]),
          cells: [
            PageParts.cell(grouped(row.perfectShapes.of)), share(row.perfectShapes),
            share(row.endToEnd),
          ] + PlainGrouping.Cue.allCases.map { plain(row.plain, $0) }
        )
      })
  }

  private static func shapes(_ report: SegmentationBenchmark.Report) -> Markup {
    .joined(
      report.breakdowns.flatMap { part in
        [
          Markup.tag("h3", [:], Markup(part.order.prefix(1).uppercased() + part.order.dropFirst())),
          PageParts.table(
            ["", "Shapes", "Grouped perfectly", "Right", "Distance"],
            (part.byStrokes + part.byPlace + part.byLabel).map { row in
              (
                name: Markup(row.kind),
                cells: [
                  PageParts.cell(grouped(row.perfectShapes.of)), share(row.perfectShapes),
                  share(row.endToEnd), plain(row.plain, .distance),
                ]
              )
            }),
        ]
      })
  }

  private static func share(_ rate: Rate) -> Markup {
    let (low, high) = (rate.confidenceInterval95.lower, rate.confidenceInterval95.upper)
    return PageParts.bar(
      rate.rate,
      "\(ReportNumbers.percent(rate.rate)) (\(ReportNumbers.decimal(low * 100, 0))–"
        + "\(ReportNumbers.decimal(high * 100, 0)))")
  }

  private static func plain(_ rates: [String: Rate], _ cue: PlainGrouping.Cue) -> Markup {
    PageParts.cell(rates[cue.rawValue].map { ReportNumbers.percent($0.rate) } ?? "")
  }
}
