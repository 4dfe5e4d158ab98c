internal import Datasets
internal import Evaluation
internal import Ink
internal import NeuralNetwork
internal import NotebookTools
internal import Recognition
internal import Report

/// Notebook 3: teaching new shapes with a few drawings.
///
/// Run it with `swift run -c release FewShot`, or with a folder of your own drawings as its
/// argument; it leaves a page with pictures in `output/notebooks/03-few-shot`. Read it from top to
/// bottom: each chapter is a method.
@main
struct FewShot {
  let setting: Setting
  let seed: UInt64 = 3

  /// The heads that are compared.
  static let heads: [(name: String, configuration: HeadConfiguration)] = [
    ("two-covariance", .twoCovariance), ("class means", .classMeans),
    ("3 nearest neighbors", .nearestNeighbors(count: 3, weights: .inverseDistance)),
  ]

  static func main() async {
    await tell { setting in try await FewShot(setting: setting).run() }
  }

  private var taskCount: Int { setting.isQuick ? 4 : 100 }
  private var ways: [Int] { setting.isQuick ? [2, 4] : [2, 3, 5, 10, 15, 20] }
  private var shots: [Int] { setting.isQuick ? [1, 5] : [1, 2, 3, 5, 7, 10] }
  private var usualWays: Int { setting.isQuick ? 4 : 10 }

  /// Runs the notebook and returns the names of the pictures.
  @discardableResult
  func run() async throws -> [String] {
    var page = try Page(
      "3 · Learning from little", folder: "\(setting.output)/03-few-shot",
      isPrinting: setting.isPrinting)
    let classroom = try await Classroom(setting.baseModel(), setting.newDrawings())
    try showOneTask(classroom, &page)
    try countDrawings(classroom, &page)
    try countShapes(classroom, &page)
    let tasks = try episodes(classroom, ways: usualWays, shots: 5, count: taskCount)
    let outcomes = classroom.run(tasks)
    try compareTasks(outcomes, &page)
    try compareLabels(outcomes, &page)
    try showErrors(classroom, outcomes, &page)
    try page.write()
    return page.pictures
  }

  private func episodes(
    _ classroom: Classroom, ways: Int, shots: Int, count: Int
  ) throws -> Episodes {
    try Episodes(
      drawnFrom: classroom.samples, count: count, ways: ways, shots: shots,
      queries: setting.isQuick ? 5 : 8, seed: seed)
  }

  // MARK: 1. One task

  private func showOneTask(_ classroom: Classroom, _ page: inout Page) throws {
    page.chapter("Five drawings of each shape")
    let base = classroom.base
    let tasks = try episodes(classroom, ways: usualWays, shots: 5, count: 1)
    let outcome = classroom.run(tasks.episodes[0])
    page.tell(
      "The base model turns a drawing into a vector of \(base.embedding.dimension) numbers, with "
        + "\(base.embedding.parameterCount) weights that stay as they are. It knows no label at "
        + "all. The material: \(setting.description(of: classroom.samples)).")
    let right = outcome.known.count(where: \.isRight)
    page.tell(
      """
      A task: \(outcome.recognizer.labels.count) labels, five drawings of each (blue) are taught, \
      and others are asked. Teaching keeps \(outcome.taught.count) vectors and trains nothing. \
      Here \(right) of \(outcome.known.count) answers are right.
      """
    )
    var rows: [(title: String, cells: [SVG.Cell])] = []
    for label in outcome.recognizer.labels {
      var cells = outcome.taught.filter { $0.label == label }.map {
        SVG.Cell($0, color: SVG.palette[0])
      }
      for reply in outcome.known where reply.truth == label {
        let answer = reply.isRight ? "" : "“\(reply.best?.label ?? "")”"
        cells.append(
          SVG.Cell(
            reply.drawing, caption: answer, color: reply.isRight ? SVG.ink : SVG.palette[1]))
      }
      rows.append((label, cells))
    }
    try page.show(
      SVG.sheet(rows, size: 52, headings: [(0, "taught"), (5, "asked")]), as: "task",
      caption: "One task. Gray answers are right; orange ones are wrong, with what was answered.")
  }

  // MARK: 2. Shots

  private func countDrawings(_ classroom: Classroom, _ page: inout Page) throws {
    page.chapter("How many drawings are enough")
    let most = shots.max() ?? 1
    let tasks = try episodes(classroom, ways: usualWays, shots: most, count: taskCount)
    let curves = try Self.heads.map { head in
      try curve(classroom, head.configuration, over: shots) { count in
        tasks.episodes.map { $0.reduced(shots: count) }
      }
    }
    page.tell(
      """
      \(taskCount) random tasks of \(usualWays) labels. What turns vectors into answers is the \
      head: the three nearest taught drawings vote; or the nearest mean of a label's drawings \
      wins; or, two-covariance, the label wins for which the drawing is likeliest, given how much \
      drawings of one label and means of labels differed in the base model's training. The same \
      tasks are used for all heads and numbers of drawings; ± is half of the 95 % interval of the \
      mean over tasks.
      """
    )
    table(curves, "drawings of each", &page)
    page.tell(gainText(curves))
    try page.show(
      chart(
        curves,
        Chart.Axis("taught drawings of each label", 0...Double(most), ticks: shots.map(Double.init))
      )
      .picture(),
      as: "shots",
      caption: "Share of right answers among \(usualWays) labels; bands are 95 % intervals.")
  }

  /// The accuracy at one number of drawings or labels.
  private typealias Measurement = (x: Int, estimate: Estimate)

  /// The accuracy of a head at each of `counts`.
  private func curve(
    _ classroom: Classroom, _ head: HeadConfiguration, over counts: [Int],
    tasks: (Int) -> [Episodes.Episode]
  ) throws -> [Measurement] {
    try counts.map { count in
      let accuracies = tasks(count).map { classroom.run($0, head: head).accuracy }
      return (count, try Estimate(of: accuracies))
    }
  }

  private func gainText(_ curves: [[Measurement]]) -> String {
    let places = [curves[0].startIndex, curves[0].endIndex - 1]
    let sentences = places.map { place in
      let best = curves.indices.max {
        curves[$0][place].estimate.value < curves[$1][place].estimate.value
      }
      let (x, estimate) = curves[best ?? 0][place]
      return
        "with \(x) \(x == 1 ? "drawing" : "drawings") of each label \(Self.heads[best ?? 0].name), "
        + "where \(percent(1 - estimate.value)) of the answers are wrong"
    }
    return "The best of the three is, " + sentences.joined(separator: "; ") + "."
  }

  // MARK: 3. Ways

  private func countShapes(_ classroom: Classroom, _ page: inout Page) throws {
    page.chapter("How many labels are too many")
    let most = try largestTask(classroom)
    let counts = ways.filter { $0 <= most }
    let tasks = try episodes(classroom, ways: counts.max() ?? most, shots: 5, count: taskCount)
    let curves = try Self.heads.map { head in
      try curve(classroom, head.configuration, over: counts) { count in
        tasks.episodes.map { $0.reduced(ways: count) }
      }
    }
    page.tell(
      """
      The more labels, the more there is to be mistaken for. Five drawings of each are taught; \
      chance would fall from \(percent(1 / Double(counts.first ?? 2))) to \
      \(percent(1 / Double(counts.last ?? 2))).
      """)
    table(curves, "labels", &page)
    var picture = chart(
      curves,
      Chart.Axis(
        "labels, five drawings of each", 0...Double(counts.last ?? 2),
        ticks: counts.map(Double.init)))
    picture.series.append(
      Chart.Series(
        "chance", (2...max(2, counts.last ?? 2)).map { Chart.Point(Double($0), 1 / Double($0)) },
        style: .dashed, color: SVG.ink))
    picture.up = .shares("right answers")
    try page.show(
      picture.picture(), as: "ways",
      caption: "Share of right answers by the number of labels; bands are 95 % intervals.")
  }

  private func largestTask(_ classroom: Classroom) throws -> Int {
    classroom.samples.counts.count { $0 >= 5 + (setting.isQuick ? 5 : 8) }
  }

  private func table(
    _ curves: [[Measurement]], _ title: String, _ page: inout Page
  ) {
    page.table(
      [title] + Self.heads.map(\.name),
      curves[0].indices.map { row in
        ["\(curves[0][row].x)"] + curves.map { $0[row].estimate.text }
      })
  }

  private func chart(_ curves: [[Measurement]], _ across: Chart.Axis) -> Chart {
    let low = curves.joined().map(\.estimate.interval.lowerBound).min() ?? 0
    return Chart(
      across: across,
      up: Chart.Axis("right answers", from: low, to: 1, isShare: true),
      zip(Self.heads, curves).map { head, curve in
        Chart.Series(head.name, curve.map { Chart.Point(Double($0.x), $0.estimate) })
      })
  }

  // MARK: 4. Luck

  private func compareTasks(_ outcomes: [Classroom.Outcome], _ page: inout Page) throws {
    page.chapter("Luck")
    let accuracies = outcomes.map(\.accuracy)
    let sorted = accuracies.sorted()
    let tenth = try percentiles([0.1, 0.9], of: accuracies)
    page.tell(
      """
      A mean over tasks hides how much depends on which labels meet and which five drawings happen \
      to be taught. Of \(outcomes.count) tasks of \(usualWays) labels and five drawings, the worst \
      has \(percent(sorted.first ?? 0)) right, the best \(percent(sorted.last ?? 0)); four in five \
      lie between \(percent(tenth[0])) and \(percent(tenth[1])).
      """
    )
    let low = ((sorted.first ?? 0) * 10).rounded(.down) / 10
    let bins = Int(((1 - low) * 40).rounded())
    let bars = Chart.Series.histogram("", of: accuracies, in: low...1, bins: max(1, bins))
    try page.show(
      Chart(
        across: Chart.Axis("right answers in a task", from: low, to: 1, isShare: true),
        up: Chart.Axis(
          "share of tasks", from: 0, to: bars.points.map(\.y).max() ?? 1, isShare: true),
        [bars]
      ).picture(height: 200), as: "luck", caption: "How the tasks differ.")
  }

  // MARK: 5. Labels

  private func compareLabels(_ outcomes: [Classroom.Outcome], _ page: inout Page) throws {
    page.chapter("Which labels are hard")
    let replies = outcomes.flatMap(\.known)
    let labels = Set(replies.compactMap(\.truth)).sorted()
    var rates: [(label: String, share: Double)] = labels.map { label in
      let own = replies.filter { $0.truth == label }
      return (label, Double(own.count(where: \.isRight)) / Double(max(1, own.count)))
    }
    rates.sort { ($0.share, $0.label) < ($1.share, $1.label) }
    // The hardest labels first; with many labels, the easy ones would only fill the page.
    let shown = Array(rates.prefix(12))
    let index = Dictionary(uniqueKeysWithValues: shown.enumerated().map { ($1.label, $0) })
    var counts = [Double](repeating: 0, count: shown.count * shown.count)
    for reply in replies {
      guard let truth = reply.truth.flatMap({ index[$0] }),
        let answered = reply.best.flatMap({ index[$0.label] })
      else { continue }
      counts[truth * shown.count + answered] += 1
    }
    let totals = shown.map { row in Double(max(1, replies.count { $0.truth == row.label })) }
    let shares = counts.indices.map { counts[$0] / totals[$0 / shown.count] }
    page.tell(
      "Not all are equally easy. The least often right: "
        + rates.prefix(3).map { "\($0.label) \(percent($0.share))" }.joined(separator: ", ")
        + "; the most often: "
        + rates.suffix(3).reversed().map { "\($0.label) \(percent($0.share))" }.joined(
          separator: ", ")
        + ". A label's rivals change from task to task, so the table says how often an answer was "
        + "given in all tasks, whether or not the other label was there.")
    try page.show(
      SVG.heatMap(
        shares, names: shown.map(\.label),
        texts: shares.map { $0 < 0.005 ? "" : number(($0 * 100).rounded()) }, down: "drawn",
        across: "answered, % of the drawings"),
      as: "confusion", caption: "The \(shown.count) hardest labels and what they are taken for.")
  }

  // MARK: 6. Errors

  private func showErrors(
    _ classroom: Classroom, _ outcomes: [Classroom.Outcome], _ page: inout Page
  ) throws {
    page.chapter("Where it errs")
    var worst: [(reply: Classroom.Reply, outcome: Classroom.Outcome)] = []
    var seen = Set<String>()
    let wrong = outcomes.flatMap { outcome in
      outcome.known.filter { !$0.isRight }.map { (reply: $0, outcome: outcome) }
    }.sorted { $0.reply.confidence > $1.reply.confidence }
    // Show each pair of labels once: a drawing may be a query in many tasks, and one pair may cause
    // most errors.
    for item in wrong {
      let pair = "\(item.reply.truth ?? "") \(item.reply.best?.label ?? "")"
      if seen.insert(pair).inserted { worst.append(item) }
      if worst.count == 10 { break }
    }
    let share = Double(wrong.count) / Double(max(1, outcomes.flatMap(\.known).count))
    let asked = wrong.count { !$0.reply.isRecognized }
    page.tell(
      """
      \(percent(share)) of all answers are wrong. The model does not report all of them: it \
      refuses \(percent(Double(asked) / Double(max(1, wrong.count)))) of the wrong ones, because \
      the drawing looks like nothing taught or like two labels. Below are the surest mistakes, one \
      of each pair of labels, with the taught drawings that are most like the one asked: first of \
      the label answered, then of its own.
      """)
    var rows: [(title: String, cells: [SVG.Cell])] = []
    for item in worst {
      let reply = item.reply
      let answer = "\(reply.best?.label ?? "") \(percent(reply.confidence))"
      var cells = [SVG.Cell(reply.drawing, caption: answer, color: SVG.palette[1])]
      for label in [reply.best?.label, reply.truth] {
        let taught = item.outcome.taught.filter { $0.label == label }
        guard let like = classroom.nearest(to: reply.drawing, among: taught) else { continue }
        cells.append(SVG.Cell(like, caption: label ?? "", color: SVG.palette[0]))
      }
      rows.append((reply.truth ?? "", cells))
    }
    guard !rows.isEmpty else {
      page.tell("Not one answer is wrong: this material is too easy to show mistakes.")
      return
    }
    let half = (rows.count + 1) / 2
    var pairs = Array(rows.prefix(half))
    for (row, other) in rows.dropFirst(half).enumerated() { pairs[row].cells += other.cells }
    try page.show(
      SVG.sheet(
        pairs, size: 84,
        headings: [
          (0, "asked"), (1, "taken for"), (2, "own label"), (3, "asked"), (4, "taken for"),
          (5, "own label"),
        ]),
      as: "errors",
      caption:
        """
        Orange: what was asked, and the answer. Blue: the taught drawings most like it, of the \
        label answered and of its own.
        """
    )
  }
}
