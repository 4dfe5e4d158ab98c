internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Ink
internal import Recognition
internal import Report
internal import Segmentation
internal import Support

struct TrainSegmenterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train-segmenter",
    abstract: "Fit what groups the strokes of a canvas into shapes.",
    discussion: """
      Canvases are made of timed drawings as 'drawml dataset synthesize canvases' does. Those of \
      --places show where and when people draw; their labels may have trained the base model's \
      embedding. Those of --answers show how far the answers to groups can be trusted, so the \
      embedding should not know their labels: in each of several worlds other labels are taught, \
      by 1, 3, 5, 15 or 50 drawings each that are on no canvas. --lessons has more of them.

      Examples:
        drawml train-segmenter --base models/base.drawml --places timed/train \
      --answers timed/validation --lessons more/validation --output models/segmenter.json
      """)

  @Option(help: "The base model whose answers it will use.")
  var base: String
  @Option(parsing: .upToNextOption, help: "Timed drawings of labels that the embedding may know.")
  var places: [String]
  @Option(parsing: .upToNextOption, help: "Timed drawings of labels that it does not know.")
  var answers: [String]
  @Option(
    parsing: .upToNextOption,
    help: "Further drawings of the labels of --answers, to teach; with or without times.")
  var lessons: [String] = []
  @Option(name: .shortAndLong, help: "The file to write (.json).")
  var output: String
  @Option(help: "How many canvases of --places.", in: 1...100_000)
  var placesCount = 6000
  @Option(help: "How many worlds.", in: 1...1000)
  var worlds = 20
  @Option(help: "How many canvases of --answers in each world.", in: 1...10_000)
  var canvases = 75
  @Option(help: "How many labels are taught in each world.", in: 2...10_000)
  var taught = 20
  @Option(help: "Another seed, another fit.", in: .seeds)
  var seed: UInt64 = 1
  @OptionGroup var threads: ThreadOption
  @OptionGroup var overwrite: OverwriteOption

  /// The maximum number of canvases, which are all in memory at once.
  private static let mostCanvases = 100_000

  func validate() throws {
    guard worlds * canvases <= Self.mostCanvases else {
      throw ValidationError(
        "--worlds and --canvases make \(grouped(worlds * canvases)) canvases; "
          + "\(grouped(Self.mostCanvases)) are the most.")
    }
  }

  func run() async throws {
    try overwrite.check(output, for: .segmenter)
    let model = try await showing(hint: { "nothing was written" }, fit)
    try AtomicFile.write(model.json(), to: output)
  }

  @Sendable
  private func fit(_ progress: @escaping JobProgress) async throws -> SegmenterModel {
    let recognizer = try ModelFile.read(base).untaught()
    let samples = try read(answers)
    let further = lessons.isEmpty ? [:] : try further(to: samples)
    var made: [SegmenterFit.World] = []
    for number in 0..<worlds {
      progress(.progress("Worlds", done: number, of: worlds))
      made.append(try await world(number, samples, further, recognizer))
    }
    let fit = SegmenterFit(seed: seed, threads: threads.count)
    progress(.progress("Worlds", done: worlds, of: worlds))
    return try await fit(places: placeCanvases(), worlds: made) { event in
      switch event {
      case .searched(let done, let total): progress(.progress("Canvases", done: done, of: total))
      case .note(let text): progress(.note(text))
      }
    }
  }

  private func placeCanvases() throws -> [LabeledCanvas] {
    let shown = try CanvasSynthesizer(drawings: read(places).drawings, settings: Self.settings)
    return try (0..<placesCount).map { try LabeledCanvas(shown.canvas($0, seed: seed).drawing) }
  }

  /// The standard canvases, with closer shapes, more shapes, some in rows, and some drawn in haste,
  /// so that a repeated position or size, or a missing pause, is not learned to mean one shape.
  private static let settings: CanvasSettings = {
    var settings = CanvasSettings()
    (settings.tightGap, settings.nestedShare, settings.spreadGap) = (3...12, 0.1, 30)
    (settings.tidyShare, settings.repeatShare, settings.shapes) = (0.5, 0.35, 3...12)
    settings.hastyShare = 0.07
    return settings
  }()

  private func read(_ paths: [String]) throws -> SampleSet {
    try DatasetFiles.read(paths).samples()
  }

  /// The share of unknowns of each world: some users draw only taught labels, others anything. A
  /// grouping must not merge shapes because none of them is known.
  private static let unknowns = [0.1, 0.5]
  /// The maximum number of taught drawings per label of each world: answers from one example
  /// deserve other weights than answers from fifty.
  private static let lessonCounts = [5, 1, 15, 3, 50]

  /// The drawings of --lessons by label.
  ///
  /// - Throws: `ValidationError` if one of them is also on a canvas.
  private func further(to samples: SampleSet) throws -> [String: [Drawing]] {
    let placed = Set(samples.drawings.map(\.id))
    let drawings = try read(lessons).drawings
    guard let both = drawings.first(where: { placed.contains($0.id) }) else {
      let byLabel = Dictionary(grouping: drawings) { $0.label ?? "" }
      guard let other = byLabel.keys.filter({ !samples.classes.contains($0) }).min() else {
        return byLabel
      }
      throw ValidationError("\(other) is a label of --lessons, but of no drawing of --answers.")
    }
    throw ValidationError(
      "\(both.id) is in --lessons and in --answers: what was taught says nothing of what was not.")
  }

  /// A world: some drawings of some labels are taught; the others, and drawings of the other
  /// labels, are placed on canvases.
  private func world(
    _ number: Int, _ samples: SampleSet, _ further: [String: [Drawing]], _ base: Recognizer
  ) async throws -> SegmenterFit.World {
    var generator = SeededGenerator(seed: seed, stream: 7, number)
    let order = generator.permutation(samples.classes.count)
    let known = Set(order.prefix(taught))
    let split = Splitter(validation: 0, test: 0.35, seed: seed &+ UInt64(number)).byDrawing(samples)
    var recognizer = base
    let lessons = known.sorted().flatMap { label in
      let own = split.train.filter { samples.classIndices[$0] == label }
      var all = own.map { samples.drawings[$0] } + (further[samples.classes[label]] ?? [])
      generator.shuffle(&all)
      return all.prefix(Self.lessonCounts[number % Self.lessonCounts.count])
    }
    try await recognizer.update(with: lessons, threads: threads.count)
    let drawn = split.test.filter { known.contains(samples.classIndices[$0]) }
      .map { samples.drawings[$0] }
    let unknown = split.test.filter { !known.contains(samples.classIndices[$0]) }
      .map { samples.drawings[$0] }
    let canvasSeed = seed &+ 1000 &+ UInt64(number)
    var settings = Self.settings
    settings.unknownShare = Self.unknowns[number % Self.unknowns.count]
    let synthesizer = try CanvasSynthesizer(drawings: drawn, unknowns: unknown, settings: settings)
    return SegmenterFit.World(
      recognizer: recognizer,
      canvases: try (0..<canvases).map {
        try LabeledCanvas(synthesizer.canvas($0, seed: canvasSeed).drawing)
      })
  }
}
