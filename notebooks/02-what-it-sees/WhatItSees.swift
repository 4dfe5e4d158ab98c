internal import Datasets
internal import Evaluation
internal import Files
internal import Ink
internal import NotebookTools
internal import Recognition
internal import Report

/// Notebook 2: what the model of notebook 1 has learned, and what it does not know.
///
/// Run it with `swift run -c release WhatItSees` after notebook 1; it leaves a page with pictures
/// in `output/notebooks/02-what-it-sees`.
@main
struct WhatItSees {
  let setting: Setting

  static func main() async {
    await tell { setting in try await WhatItSees(setting: setting).run() }
  }

  /// Runs the notebook and returns the names of the pictures.
  @discardableResult
  func run() async throws -> [String] {
    var page = try Page(
      "2 · What the model sees", folder: "\(setting.output)/02-what-it-sees",
      isPrinting: setting.isPrinting)
    let recognizer = try model()
    let samples = try setting.samples(of: setting.shapes)
    let taught = Set(recognizer.memory.samples.map(\.digest))
    let unseen = samples.drawings.filter { !taught.contains($0.digest) }
    let unknowns = try setting.samples(of: setting.unknowns)
    try lookThroughItsEyes(recognizer, unseen, &page)
    try await mapTheSpace(recognizer, unseen, &page)
    try showNeighbors(recognizer, samples, unseen, &page)
    try compareShapes(recognizer, &page)
    try await showDoubt(recognizer, unseen, &page)
    try await meetUnknowns(recognizer, unseen, unknowns, &page)
    try await teachOne(recognizer, unknowns, unseen, &page)
    try page.write()
    return page.pictures
  }

  private func model() throws -> Recognizer {
    do {
      return try ModelFile.read(setting.modelPath)
    } catch let error as FileError where error.isMissingFile {
      throw NotebookError.missingModel(setting.modelPath)
    }
  }

  // MARK: 1. Pixels

  private func lookThroughItsEyes(
    _ recognizer: Recognizer, _ unseen: [Drawing], _ page: inout Page
  ) throws {
    page.chapter("The same thing, however it was drawn")
    // A house has a top and a bottom, so rotation matters.
    guard let drawing = unseen.first(where: { $0.label == "🏠" }) else { return }
    let changes: [Transform] = [
      .identity, .translation(x: 400, y: -90), .scale(0.05), .scale(40), .rotation(.pi / 12),
      .rotation(.pi / 4), .scale(x: 1.6, y: 1), .scale(x: -1, y: 1),
    ]
    let views = changes.map { drawing.transformed(by: $0) }
    let rasters = try views.map { try recognizer.embedding.rasterizer($0).enlarged(4) }
    let original = try recognizer.embedding.vector(of: drawing)
    let cosines = try views.map { view in
      zip(original, try recognizer.embedding.vector(of: view)).reduce(0.0) {
        $0 + Double($1.0 * $1.1)
      }
    }
    page.tell(
      """
      One drawing: as it is, moved, 20 times smaller, 40 times larger, turned by 15° and by 45°, \
      widened, and mirrored. The cosines of its vector with the first one are \
      \(cosines.map(decimal).joined(separator: ", ")). Place and size make no difference, by \
      construction. Small turns were part of the training and change little; a large one, which \
      was not, makes another picture to the model.
      """)
    try page.show(
      Raster(sheetOf: rasters, columns: 8), as: "views",
      caption: "What the network gets for eight versions of one drawing.")
  }

  // MARK: 2. The space

  private func mapTheSpace(
    _ recognizer: Recognizer, _ unseen: [Drawing], _ page: inout Page
  ) async throws {
    page.chapter("A map of the space")
    let dimension = recognizer.embedding.dimension
    let vectors = try await recognizer.embedding.vectors(of: unseen, threads: 2)
    let plane = try PrincipalPlane(of: vectors, dimension: dimension)
    let labels = recognizer.labels
    page.tell(
      """
      Each drawing is a point on a sphere in \(dimension) dimensions. The map is its shadow on the \
      plane in which the drawings differ most (principal components): it keeps \
      \(percent(plane.explained)) of the spread, so shapes that overlap here may well be far \
      apart. These drawings were held out; the network puts drawings of one shape together \
      although it has seen none of them.
      """)
    try page.show(
      SVG.map(
        zip(unseen, plane.places).map { drawing, place in
          let number = labels.firstIndex(of: drawing.label ?? "") ?? 0
          return (drawing, place.x, place.y, SVG.palette[number % SVG.palette.count])
        }), as: "map",
      caption:
        "Held-out drawings where their vectors lie; a color may stand for more than one shape.")
  }

  // MARK: 3. Neighbors

  private func showNeighbors(
    _ recognizer: Recognizer, _ samples: SampleSet, _ unseen: [Drawing], _ page: inout Page
  ) throws {
    page.chapter("Nearest neighbors")
    let drawings = Dictionary(
      samples.drawings.map { ($0.digest, $0) }, uniquingKeysWith: { first, _ in first })
    var kept: (right: Int, all: Int) = (0, 0)
    let queries = recognizer.labels.prefix(8).compactMap { label in
      unseen.first { $0.label == label }
    }
    let rows = try queries.map { query in
      let found = try recognizer.classify(query, neighbors: 8).neighbors
      kept.all += found.count
      kept.right += found.count { $0.sample.label == query.label }
      let cells = found.compactMap { near in
        drawings[near.sample.digest].map {
          SVG.Cell(
            $0, caption: decimal(Double(near.distance)),
            color: near.sample.label == query.label ? SVG.ink : SVG.palette[1])
        }
      }
      return (
        title: "", cells: [SVG.Cell(query, caption: "held out", color: SVG.palette[0])] + cells
      )
    }
    page.tell(
      "For each blue drawing, which the model never saw, the eight taught drawings whose vectors "
        + "are nearest, with their distances. \(kept.right) of \(kept.all) show the same shape; "
        + "another one would be orange. drawml classify --explain prints the same list.")
    try page.show(
      SVG.sheet(rows, size: 64), as: "neighbors",
      caption: "Held-out drawings and their neighbors.")
  }

  // MARK: 4. Shapes

  private func compareShapes(_ recognizer: Recognizer, _ page: inout Page) throws {
    page.chapter("Which shapes look alike")
    let (memory, labels) = (recognizer.memory, recognizer.labels)
    var means = [[Double]](
      repeating: [Double](repeating: 0, count: memory.dimension), count: labels.count)
    for (row, label) in memory.labelIndices.enumerated() {
      for (place, value) in memory.vector(row).enumerated() {
        means[label][place] += Double(value)
      }
    }
    means = means.map { mean in
      let length = mean.reduce(0) { $0 + $1 * $1 }.squareRoot()
      return mean.map { $0 / length }
    }
    let cosines = means.flatMap { a in means.map { b in zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } } }
    let pairs = labels.indices.flatMap { a in labels.indices.filter { $0 > a }.map { (a, $0) } }
    let closest = pairs.max {
      cosines[$0.0 * labels.count + $0.1] < cosines[$1.0 * labels.count + $1.1]
    }
    if let (a, b) = closest {
      page.tell(
        """
        The cosine between the mean vectors of two shapes says how much they are alike to the \
        model: 1 the same, 0 or less nothing in common. Closest are \(labels[a]) and \(labels[b]) \
        with \(decimal(cosines[a * labels.count + b])): look there first for mistakes.
        """)
    }
    try page.show(
      SVG.heatMap(cosines, names: labels, down: "", across: "cosine of the mean vectors"),
      as: "similarity", caption: "How alike the shapes are to the model; white is 0 or less.")
  }

  // MARK: 5. Doubt

  private func showDoubt(
    _ recognizer: Recognizer, _ unseen: [Drawing], _ page: inout Page
  ) async throws {
    page.chapter("Where it is unsure")
    let answers = try await recognizer.classify(unseen, threads: 2)
    let margins = answers.map { answer in
      (answer.candidates.first?.confidence ?? 0)
        - (answer.candidates.dropFirst().first?.confidence ?? 0)
    }
    let order = unseen.indices.sorted { (margins[$0], $0) < (margins[$1], $1) }
    let half = order.prefix(max(1, order.count / 2))
    func right(_ indices: some Collection<Int>) -> Double {
      Double(indices.count { answers[$0].decision.best?.label == unseen[$0].label })
        / Double(max(1, indices.count))
    }
    page.tell(
      """
      The margin is the first label's confidence less the second's. Of the half with the smaller \
      margins \(percent(right(half))) are right, of the other half \
      \(percent(right(order.dropFirst(half.count)))). A margin is worth something when the second \
      number is higher, or both are 100 %.
      """)
    let cells = order.prefix(16).map { index in
      let two = answers[index].candidates.prefix(2)
      return SVG.Cell(
        unseen[index], caption: two.map(\.label).joined(separator: " or "),
        color: two.first?.label == unseen[index].label ? SVG.ink : SVG.palette[1])
    }
    try page.show(
      SVG.sheet([("", Array(cells.prefix(8))), ("", Array(cells.dropFirst(8)))], size: 76),
      as: "unsure",
      caption: "The held-out drawings with the smallest margins; wrong answers are orange.")
  }

  // MARK: 6. Unknown shapes

  private func meetUnknowns(
    _ recognizer: Recognizer, _ unseen: [Drawing], _ unknowns: SampleSet, _ page: inout Page
  ) async throws {
    page.chapter("Saying no")
    let known = try await recognizer.classify(unseen, threads: 2)
    let foreign = try await recognizer.classify(unknowns.drawings, threads: 2)
    let accepted = known.count { $0.decision.isRecognized }
    let refused = foreign.count { !$0.decision.isRecognized }
    let limit = recognizer.policy.refusalRate
    func shares(_ answers: [Classification]) -> [Double] {
      answers.compactMap(\.evidence?.typicality)
    }
    page.tell(
      """
      Drawings of \(unknowns.classes.count) shapes that the model never met. For each drawing the \
      model says which share of the drawings of taught shapes would fit worse: \
      \(percent(shares(foreign).mean)) on average for the unknowns, \
      \(percent(shares(known).mean)) for the held-out drawings of the taught shapes. What is below \
      \(percent(limit)) is refused: \(percent(Double(accepted) / Double(max(1, known.count)))) of \
      the held-out drawings are accepted, and \
      \(percent(Double(refused) / Double(max(1, foreign.count)))) of the unknowns refused. The \
      threshold comes from drawings of known shapes alone; no unknown was looked at to set it.
      """)
    page.tell(
      "The confidence could not do this: it shares 100 % among the known shapes, and gives the "
        + "unknowns' best shape \(percent(foreign.map(\.confidence).mean)) on average.")
    let bars = [("held out", known), ("unknowns", foreign)].map { name, answers in
      Chart.Series.histogram(name, of: shares(answers), in: 0...1, bins: 30)
    }
    var picture = Chart(
      across: .shares("share of the taught shapes' drawings that fit worse"),
      up: Chart.Axis(
        "share of the drawings", from: 0, to: bars.flatMap(\.points).map(\.y).max() ?? 1,
        isShare: true), bars)
    picture.marks = [(limit, "limit")]
    try page.show(
      picture.picture(), as: "refusals",
      caption: "How far known and unknown drawings are from what was taught.")
    let fooled = unknowns.drawings.indices.filter { foreign[$0].decision.isRecognized }
      .sorted { (foreign[$1].confidence, $0) < (foreign[$0].confidence, $1) }
    let refusals = unknowns.drawings.indices.filter { !foreign[$0].decision.isRecognized }
    func cells(_ indices: [Int]) -> [SVG.Cell] {
      // Evenly from the list, to show more than one shape.
      stride(from: 0, to: indices.count, by: max(1, indices.count / 9)).prefix(9).map {
        let answer = foreign[indices[$0]].decision.best
        return SVG.Cell(
          unknowns.drawings[indices[$0]],
          caption: "\(answer?.label ?? "–") \(percent(answer?.confidence ?? 0))",
          color: foreign[indices[$0]].decision.isRecognized ? SVG.palette[1] : SVG.ink)
      }
    }
    try page.show(
      SVG.sheet([("refused", cells(refusals)), ("mistaken", cells(fooled))], size: 70),
      as: "unknowns",
      caption: "Unknowns and the shape that came closest; the orange ones were taken for it.")
  }

  // MARK: 7. Teaching

  private func teachOne(
    _ recognizer: Recognizer, _ unknowns: SampleSet, _ unseen: [Drawing], _ page: inout Page
  ) async throws {
    page.chapter("Five drawings teach a new shape")
    let before = try await right(recognizer, unseen)
    var rows: [(title: String, cells: [SVG.Cell])] = []
    var counts: [String] = []
    var after: [Double] = []
    var isSame = true
    for label in unknowns.classes {
      let drawings = unknowns.drawings.filter { $0.label == label }
      let (five, rest) = (Array(drawings.prefix(5)), Array(drawings.dropFirst(5)))
      var taught = recognizer
      try await taught.update(with: five)
      let answers = try await taught.classify(rest, threads: 2)
      let named = answers.count { $0.decision.isRecognized && $0.decision.best?.label == label }
      counts.append("\(label) \(named) of \(rest.count)")
      after.append(try await right(taught, unseen))
      let cells = zip(rest, answers).prefix(7).map { drawing, answer in
        SVG.Cell(
          drawing,
          caption: answer.decision.isRecognized ? answer.decision.best?.label ?? "" : "refused",
          color: answer.decision.isRecognized && answer.decision.best?.label != label
            ? SVG.palette[1] : SVG.ink)
      }
      rows.append((label, five.map { SVG.Cell($0, color: SVG.palette[0]) } + cells))
      var forgetful = taught
      try forgetful.forget(label: label)
      isSame =
        try isSame
        && ModelFile.fingerprint(of: forgetful) == ModelFile.fingerprint(of: recognizer)
    }
    page.tell(
      """
      Each unknown is taught in turn, with five drawings, to a copy of the model. Nothing is \
      trained again: five vectors join the memory. Recognized as the new shape are then, of the \
      others: \(counts.joined(separator: ", ")). Of the held-out drawings of the old shapes \
      \(percent(before)) were right before and \(percent(after.mean)) are on average after. \
      Forgetting a shape gives \
      \(isSame ? "the model from before, byte for byte." : "ANOTHER model than before: a bug.")
      """)
    try page.show(
      SVG.sheet(rows, size: 60), as: "teaching",
      caption:
        """
        Blue: the five drawings that teach. Then seven others and what the model now says; orange \
        is wrong.
        """
    )
  }

  /// The accuracy on `drawings`.
  private func right(_ recognizer: Recognizer, _ drawings: [Drawing]) async throws -> Double {
    let answers = try await recognizer.classify(drawings, threads: 2)
    return Double(zip(answers, drawings).count { $0.decision.best?.label == $1.label })
      / Double(max(1, drawings.count))
  }
}

extension Classification {
  fileprivate var confidence: Double { decision.best?.confidence ?? 0 }
}

/// Why the notebook cannot run.
enum NotebookError: Error, CustomStringConvertible {
  case missingModel(String)

  var description: String {
    switch self {
    case .missingModel(let path):
      "there is no model at \(path); run notebook 1 first: swift run -c release FirstModel"
    }
  }
}
