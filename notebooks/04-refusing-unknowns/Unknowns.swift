internal import Datasets
internal import Evaluation
internal import Ink
internal import NotebookTools
internal import Recognition
internal import Report

/// Notebook 4: refusing drawings of labels that were not taught.
///
/// Run it with `swift run -c release Unknowns`, or with a folder of your own drawings as its
/// argument; it leaves a page with pictures in `output/notebooks/04-refusing-unknowns`. Each
/// chapter is a method.
@main
struct Unknowns {
  let setting: Setting
  let seed: UInt64 = 4

  static func main() async {
    await tell { setting in try await Unknowns(setting: setting).run() }
  }

  private var taskCount: Int { setting.isQuick ? 4 : 100 }
  private var usualWays: Int { setting.isQuick ? 4 : 10 }
  private var queries: Int { setting.isQuick ? 5 : 8 }

  /// Runs the notebook and returns the names of the pictures.
  @discardableResult
  func run() async throws -> [String] {
    var page = try Page(
      "4 · Refusing unknowns", folder: "\(setting.output)/04-refusing-unknowns",
      isPrinting: setting.isPrinting)
    let classroom = try await Classroom(setting.baseModel(), setting.newDrawings())
    let tasks = try episodes(classroom, ways: usualWays, shots: 5)
    let outcomes = classroom.run(tasks)
    try compareScores(classroom, outcomes, &page)
    try drawCurves(outcomes, &page)
    try await turnTheDial(classroom, tasks, &page)
    try weighAnswers(outcomes, &page)
    try checkConfidences(classroom, outcomes, &page)
    try countLabels(classroom, &page)
    try showGallery(outcomes, &page)
    try refuseAccidentalMarks(outcomes[0].recognizer, &page)
    try page.write()
    return page.pictures
  }

  private func episodes(_ classroom: Classroom, ways: Int, shots: Int) throws -> Episodes {
    try Episodes(
      drawnFrom: classroom.samples, count: taskCount, ways: ways, shots: shots, queries: queries,
      unknowns: usualWays * queries, seed: seed)
  }

  // MARK: 1. Scores

  private func compareScores(
    _ classroom: Classroom, _ outcomes: [Classroom.Outcome], _ page: inout Page
  ) throws {
    page.chapter("Two kinds of drawings")
    let known = outcomes.flatMap(\.known)
    let unknowns = outcomes.flatMap(\.unknowns)
    page.tell(
      """
      The material: \(setting.description(of: classroom.samples)). \(outcomes.count) random tasks: \
      in each a base model that knows no label is taught five drawings each of \(usualWays) \
      labels, then asked \(known.count / outcomes.count) other drawings of these labels and \
      \(unknowns.count / outcomes.count) of other labels: unknowns.
      """)
    page.tell(
      """
      For the label that fits best, the model gives the logarithm of how much likelier the drawing \
      is as one of that label's than as one of a label never taught. Above 0 it speaks for the \
      label. The mean is \(decimal(known.map(\.score).mean)) for drawings of taught labels and \
      \(decimal(unknowns.map(\.score).mean)) for unknowns.
      """)
    let scores = (known + unknowns).map(\.score)
    let ends = try percentiles([0.005, 0.995], of: scores)
    let range = ends[0].rounded(.down)...max(ends[1].rounded(.up), ends[0].rounded(.down) + 1)
    let bars = [
      Chart.Series.histogram("taught labels", of: known.map(\.score), in: range, bins: 40),
      Chart.Series.histogram("unknowns", of: unknowns.map(\.score), in: range, bins: 40),
    ]
    try page.show(
      Chart(
        across: .inside("score of the best label (logarithm of a ratio)", range),
        up: Chart.Axis("share of the drawings", from: 0, to: top(bars), isShare: true), bars
      ).picture(), as: "scores",
      caption:
        """
        Scores of taught labels' drawings and of unknowns; what lies beyond the ends is in the \
        last bars.
        """
    )
    let shares = [
      Chart.Series.histogram(
        "taught labels", of: known.compactMap { $0.answer.evidence?.typicality }, in: 0...1,
        bins: 20),
      Chart.Series.histogram(
        "unknowns", of: unknowns.compactMap { $0.answer.evidence?.typicality }, in: 0...1,
        bins: 20),
    ]
    let limit = outcomes[0].recognizer.policy.refusalRate
    page.tell(
      """
      A score by itself says little: how high is usual depends on how many labels there are, and \
      how many drawings taught each. The decision therefore asks which share of the taught labels' \
      drawings would look more like an unknown, counted on scores of the base model's training and \
      of the taught drawings, each left out in turn. For drawings of taught labels this share \
      should be spread evenly from 0 to 100 %: then to refuse all below \(percent(limit)) refuses \
      \(percent(limit)) of them.
      """
    )
    var picture = Chart(
      across: .shares("share of the taught labels' drawings that look more like an unknown"),
      up: Chart.Axis("share of the drawings", from: 0, to: top(shares), isShare: true), shares)
    picture.marks = [(limit, "refused on the left")]
    try page.show(
      picture.picture(), as: "typicality", caption: "The same answers on the scale of the decision."
    )
  }

  private func top(_ series: [Chart.Series]) -> Double {
    series.flatMap(\.points).map(\.y).max() ?? 1
  }

  // MARK: 2. ROC

  private func drawCurves(_ outcomes: [Classroom.Outcome], _ page: inout Page) throws {
    page.chapter("How well they are told apart")
    let scales: [(name: String, value: (Classroom.Reply) -> Double)] = [
      ("score", \.score), ("confidence", \.confidence),
      ("typicality", { $0.answer.evidence?.typicality ?? 0 }),
    ]
    var series: [Chart.Series] = []
    var rows: [[String]] = []
    for scale in scales {
      let curves = try outcomes.map {
        try DetectionCurve(
          positives: $0.known.map(scale.value), negatives: $0.unknowns.map(scale.value))
      }
      let areas = try Estimate(of: curves.map(\.areaUnderROC))
      let passed = try Estimate(of: curves.map { $0.falsePositiveRate(atTruePositiveRate: 0.95) })
      rows.append([scale.name, decimals(areas), passed.text])
      let places = (0...50).map { Double($0) / 50 }
      series.append(
        Chart.Series(
          scale.name,
          try places.map { place in
            Chart.Point(place, try Estimate(of: curves.map { $0.truePositiveRate(at: place) }))
          }, style: scale.name == "typicality" ? .dashed : .line))
    }
    page.tell(
      """
      Whatever the limit, some drawings of taught labels fall below it and some unknowns stay \
      above. Three scales are compared: the score; the confidence, which shares 100 % among the \
      taught labels and so knows nothing of others; and that of the decision, called typicality \
      here. The area under the curve is the probability that a drawing of a taught label is placed \
      above an unknown.
      """
    )
    page.table(
      ["ordered by", "area under the curve", "unknowns accepted with 95 % of the taught"], rows)
    series.append(
      Chart.Series(
        "chance", [Chart.Point(0, 0), Chart.Point(1, 1)], style: .dashed, color: SVG.ink))
    try page.show(
      Chart(
        across: .shares("unknowns accepted"), up: .shares("drawings of taught labels accepted"),
        series
      )
      .picture(width: 340, height: 340),
      as: "roc",
      caption: "Receiver operating characteristic, the mean over tasks; bands are 95 % intervals.")
  }

  private func decimals(_ estimate: Estimate) -> String {
    let half = (estimate.interval.upperBound - estimate.interval.lowerBound) / 2
    return "\(ReportNumbers.decimal(estimate.value, 3)) ± \(ReportNumbers.decimal(half, 3))"
  }

  // MARK: 3. The dial

  /// The shares refused with the dial set to `rate`.
  private struct Turn {
    var rate: Double
    /// Of the drawings of taught labels.
    var known: Estimate
    /// Of those whose best label is correct.
    var right: Estimate
    /// Of those whose best label is wrong.
    var wrong: Estimate
    var unknowns: Estimate
  }

  private func turns(_ classroom: Classroom, _ tasks: Episodes) throws -> [Turn] {
    let rates = setting.isQuick ? [0.05, 0.3] : [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5]
    return try rates.map { rate in
      let outcomes = classroom.run(tasks, policy: DecisionPolicy(refusalRate: rate))
      let isRefused: (Classroom.Reply) -> Bool = { !$0.isRecognized }
      return Turn(
        rate: rate, known: try share(outcomes, \.known, of: isRefused),
        right: try share(outcomes, { $0.known.filter(\.isRight) }, of: isRefused),
        wrong: try share(outcomes, { $0.known.filter { !$0.isRight } }, of: isRefused),
        unknowns: try share(outcomes, \.unknowns, of: isRefused))
    }
  }

  private func turnTheDial(
    _ classroom: Classroom, _ tasks: Episodes, _ page: inout Page
  ) async throws {
    page.chapter("The dial")
    let turned = try turns(classroom, tasks)
    page.tell(
      """
      One number is left to the user: how often may a drawing of a taught label be refused? The \
      limit follows from it; no unknown is needed to set it. The first column of measured shares \
      should be what was asked. The others say whom it hits: right answers seldom, mistakes and \
      unknowns often.
      """)
    page.table(
      ["asked", "taught labels refused", "right answers", "wrong answers", "unknowns"],
      turned.map {
        [percent($0.rate), $0.known.text, $0.right.text, $0.wrong.text, $0.unknowns.text]
      })
    let high = turned.map(\.rate).max() ?? 1
    var series = [
      Chart.Series(
        "as asked", [Chart.Point(0, 0), Chart.Point(high, high)], style: .dashed, color: SVG.ink),
      Chart.Series(
        "drawings of taught labels", turned.map { Chart.Point($0.rate, $0.known) },
        color: SVG.palette[0]),
      Chart.Series(
        "those answered rightly", turned.map { Chart.Point($0.rate, $0.right) },
        color: SVG.palette[3]),
    ]
    page.tell("At \(distances(turned)).")
    if setting.ownDrawings == nil {
      let neat = try await Classroom(classroom.base, setting.newDrawings(isUnsteady: false))
      let others = try turns(neat, tasks)
      series.append(
        Chart.Series(
          "taught labels, steady hand", others.map { Chart.Point($0.rate, $0.known) },
          color: SVG.palette[2]))
      page.tell(
        """
        What is usual is first taken from people’s drawings, those of the base model’s training, \
        and then from the taught ones. Who draws more steadily than these people is refused less \
        often than asked, and then unknowns pass more easily too. The same tasks with the \
        drawings as the generator made them, before they were turned and bent: at \
        \(distances(others)). Only drawings by people can say how well the dial holds for people: \
        give this notebook a folder of them.
        """)
    }
    let top = series.flatMap(\.points).map { $0.interval?.upperBound ?? $0.y }.max() ?? high
    try page.show(
      Chart(
        across: .inside("share that may be refused: asked", 0...high, isShare: true),
        up: Chart.Axis("share refused: measured", from: 0, to: top, isShare: true), series
      ).picture(width: 320, height: 300),
      as: "dial",
      caption: "Asked and measured share of refused drawings; bands are 95 % intervals.")
    let reach = turned.map(\.known.value).max() ?? high
    try page.show(
      Chart(
        across: Chart.Axis("drawings of taught labels refused", from: 0, to: reach, isShare: true),
        up: .shares("refused"),
        [
          Chart.Series(
            "unknowns", turned.map { Chart.Point($0.known.value, $0.unknowns) },
            color: SVG.palette[1]),
          Chart.Series(
            "wrong answers", turned.map { Chart.Point($0.known.value, $0.wrong) },
            color: SVG.palette[2]),
          Chart.Series(
            "right answers", turned.map { Chart.Point($0.known.value, $0.right) },
            color: SVG.palette[3]),
        ]
      ).picture(), as: "price", caption: "Whom the refusals hit; bands are 95 % intervals.")
  }

  /// "5.0 % asked 4.1 ± 0.6 % are measured, at …" for some common settings.
  private func distances(_ turns: [Turn]) -> String {
    turns.filter { [0.05, 0.1, 0.3].contains($0.rate) }
      .map { "\(percent($0.rate)) asked \($0.known.text) are measured" }
      .joined(separator: ", at ")
  }

  /// The mean over tasks of the share of `replies` that satisfy `counted`; tasks without replies
  /// are left out.
  private func share(
    _ outcomes: [Classroom.Outcome], _ replies: (Classroom.Outcome) -> [Classroom.Reply],
    of counted: (Classroom.Reply) -> Bool
  ) throws -> Estimate {
    try Estimate(
      of: outcomes.map(replies).filter { !$0.isEmpty }.map {
        Double($0.count(where: counted)) / Double($0.count)
      })
  }

  // MARK: 4. Risk and coverage

  private func weighAnswers(_ outcomes: [Classroom.Outcome], _ page: inout Page) throws {
    page.chapter("Fewer answers, fewer mistakes")
    let kinds:
      [(
        name: String, replies: (Classroom.Outcome) -> [Classroom.Reply],
        value: (Classroom.Reply) -> Double
      )] = [
        ("taught labels only, by confidence", \.known, \.confidence),
        ("taught labels only, by typicality", \.known, { $0.answer.evidence?.typicality ?? 0 }),
        ("with unknowns, by confidence", { $0.known + $0.unknowns }, \.confidence),
        (
          "with unknowns, by typicality", { $0.known + $0.unknowns },
          { $0.answer.evidence?.typicality ?? 0 }
        ),
      ]
    let places = (1...40).map { Double($0) / 40 }
    let colors = [SVG.palette[0], SVG.palette[0], SVG.palette[1], SVG.palette[1]]
    let series = try kinds.enumerated().map { number, kind in
      let curves = try outcomes.map { outcome in
        let replies = kind.replies(outcome)
        return try RiskCoverageCurve(
          confidences: replies.map(kind.value), correct: replies.map(\.isRight))
      }
      return Chart.Series(
        kind.name,
        try places.map { place in
          Chart.Point(place, try Estimate(of: curves.map { $0.risk(atCoverage: place) }))
        }, style: number % 2 == 0 ? .dashed : .line, color: colors[number])
    }
    page.tell(
      """
      If only the surest share of all drawings gets an answer, fewer answers are wrong. Among \
      drawings of taught labels the confidence orders well: it knows when two labels compete. As \
      soon as half of the drawings are unknown, where every answer is wrong, what counts is the \
      typicality, which also knows when no label fits.
      """)
    try page.show(
      Chart(
        across: .shares("share of the drawings that get an answer"),
        up: Chart.Axis(
          "wrong among the answers", from: 0,
          to: series.flatMap(\.points).compactMap { $0.interval?.upperBound }.max() ?? 1,
          isShare: true),
        series
      ).picture(), as: "risk",
      caption: "Risk and coverage, the mean over tasks; bands are 95 % intervals.")
  }

  // MARK: 5. Confidences

  private func checkConfidences(
    _ classroom: Classroom, _ outcomes: [Classroom.Outcome], _ page: inout Page
  ) throws {
    page.chapter("Is 80 % right four times in five?")
    let groups: [(name: String, outcomes: [Classroom.Outcome])] = [
      ("5 drawings a label", outcomes),
      ("1 drawing a label", classroom.run(try episodes(classroom, ways: usualWays, shots: 1))),
    ]
    var series = [
      Chart.Series(
        "as it should be", [Chart.Point(0, 0), Chart.Point(1, 1)], style: .dashed, color: SVG.ink)
    ]
    var texts: [String] = []
    for group in groups {
      let replies = group.outcomes.flatMap(\.known)
      let diagram = try ReliabilityDiagram(
        confidences: replies.map(\.confidence), correct: replies.map(\.isRight),
        binning: .equalMass(setting.isQuick ? 3 : 12))
      texts.append(
        "\(percent(diagram.expectedCalibrationError).dropLast(2)) points with \(group.name)")
      series.append(
        Chart.Series(
          group.name,
          try diagram.bins.map { bin in
            let interval = try ConfidenceInterval.wilson(
              successes: Int((bin.accuracy * Double(bin.count)).rounded()), trials: bin.count)
            return Chart.Point(
              bin.meanConfidence, bin.accuracy, interval: interval.lower...interval.upper)
          }, style: .points))
    }
    page.tell(
      "The confidences of drawings of taught labels, in bins of as many answers each, and the "
        + "share of right ones in each bin. On average confidence and share differ by "
        + texts.joined(separator: " and ")
        + " (expected calibration error). The intervals count every answer for itself, although "
        + "answers of one task are alike; the true ones are somewhat wider.")
    try page.show(
      Chart(across: .shares("confidence"), up: .shares("right answers"), series)
        .picture(width: 320, height: 320),
      as: "reliability", caption: "Reliability of the confidences; bars are 95 % intervals.")
  }

  // MARK: 6. Few labels

  private func countLabels(_ classroom: Classroom, _ page: inout Page) throws {
    page.chapter("From one drawing of one label on")
    let cases =
      setting.isQuick
      ? [(1, 1), (4, 5)] : [(1, 1), (1, 5), (2, 1), (2, 5), (5, 5), (10, 1), (10, 5), (10, 10)]
    var rows: [[String]] = []
    for (ways, shots) in cases {
      let outcomes = classroom.run(try episodes(classroom, ways: ways, shots: shots))
      let areas = try outcomes.map {
        try DetectionCurve(positives: $0.known.map(\.score), negatives: $0.unknowns.map(\.score))
          .areaUnderROC
      }
      let refused = try share(outcomes, \.known, of: { !$0.isRecognized })
      let accepted = try share(outcomes, \.unknowns, of: \.isRecognized)
      rows.append(
        ["\(ways) × \(shots)", refused.text, accepted.text, decimals(try Estimate(of: areas))])
    }
    page.tell(
      """
      With one label there is no rival: every drawing would get it, with a confidence of 100 %. \
      Only a refusal makes such a model useful. What is usual comes from the base model's \
      training, so the dial works from the first drawing on; here it stands at \
      \(percent(classroom.base.policy.refusalRate)).
      """)
    page.table(
      ["labels × drawings", "taught labels refused", "unknowns accepted", "area under the curve"],
      rows)
  }

  // MARK: 7. Gallery

  private func showGallery(_ outcomes: [Classroom.Outcome], _ page: inout Page) throws {
    page.chapter("Look at them")
    func cells(
      _ replies: [Classroom.Reply], _ color: String,
      by order: (Classroom.Reply, Classroom.Reply) -> Bool
    ) -> [SVG.Cell] {
      var seen = Set<String>()
      return replies.sorted(by: order).filter {
        // Show each pair of true and predicted label once.
        seen.insert("\($0.drawing.label ?? "") \($0.best?.label ?? "")").inserted
      }.prefix(8).map { reply in
        let (truth, answer) = (reply.drawing.label ?? "", reply.best?.label ?? "")
        // Two words do not fit below a drawing.
        let caption = truth.count > 3 ? "→ \(answer)" : "\(truth) → \(answer)"
        return SVG.Cell(reply.drawing, caption: reply.isRight ? truth : caption, color: color)
      }
    }
    let (known, unknowns) = (outcomes.flatMap(\.known), outcomes.flatMap(\.unknowns))
    let accepted = cells(unknowns.filter(\.isRecognized), SVG.palette[1]) { $0.score > $1.score }
    let refused = cells(known.filter { $0.isRight && !$0.isRecognized }, SVG.palette[1]) {
      $0.score < $1.score
    }
    let near = cells(unknowns.filter { !$0.isRecognized }, SVG.ink) { $0.score > $1.score }
    page.tell(
      """
      First unknowns that were accepted, the surest first; each with what it shows and what it \
      was taken for. Some are like the taught shape to people too. Then right answers that were \
      held back, the least typical first. Last unknowns that were refused, the nearest misses \
      first.
      """)
    try page.show(
      SVG.sheet(
        [("accepted, unknown", accepted), ("refused, right", refused), ("refused, unknown", near)],
        size: 84),
      as: "gallery",
      caption:
        """
        Orange: mistakes of the decision. Gray: unknowns rightly refused. What it shows → what \
        came closest.
        """
    )
  }

  // MARK: 8. Accidental marks

  private func refuseAccidentalMarks(_ recognizer: Recognizer, _ page: inout Page) throws {
    page.chapter("Dots, slips and lines")
    let slips = AccidentalMarks.all
    let rows = try slips.map { name, drawing in
      let answer = try recognizer.classify(drawing)
      return [
        name,
        answer.decision.isRecognized
          ? "taken for \(answer.decision.best?.label ?? "")"
          : "refused: \(reason(answer.decision))",
      ]
    }
    let kept = try slips.count { try recognizer.classify($0.drawing).decision.isRecognized }
    page.tell(
      """
      What has too little ink to be anything is refused before anything is compared: no point, a \
      dot, all points in one place, less than 1.5 % of the canvas. A straight line or a scribble \
      has ink, and must be refused for what it looks like. Of these \(slips.count), \(kept) \
      \(kept == 1 ? "is" : "are") accepted by the first task's model.
      """)
    page.table(["what", "answer"], rows)
    try page.show(
      SVG.onCanvas(slips.map { ($0.name, $0.drawing) }), as: "slips",
      caption: "The same on their canvas, as large as they were drawn.")
  }

  private func reason(_ decision: Decision) -> String {
    switch decision.refusal {
    case .nothingTaught: "nothing taught"
    case .tooLittleInk: "too little ink"
    case .likeNothingTaught: "like nothing taught"
    case .betweenLabels(let a, let b): "between \(a) and \(b)"
    case nil: ""
    }
  }
}
