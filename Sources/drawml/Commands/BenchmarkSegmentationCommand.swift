internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Files
internal import Ink
internal import Pictures
internal import Recognition
internal import Report
internal import Segmentation
internal import Training

struct BenchmarkSegmentationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "segmentation",
    abstract: "Group the strokes of canvases into shapes and name them.",
    discussion: """
      Canvases are stroke JSON with the truth under "shapes"; a canvas's label names its kind, and \
      each kind is reported separately. Shapes of labels that the model was not taught should be \
      refused. Shapes are also reported by their number of strokes, by how they lie relative to \
      others, and by whether their label was taught. --report shows the canvases, truth beside \
      answer, worst first.

      With --over, timed drawings are drawn over each other's emojis instead, 1 to 5.1 seconds \
      after them, and with their last strokes late, to see whether the right emojis stay.

      Examples:
        drawml benchmark segmentation --canvases judge.ndjson --model m.drawml
        drawml benchmark segmentation --canvases judge.ndjson --model m.drawml \\
          --variants --failures failures.png
        drawml benchmark segmentation --canvases scenes.ndjson --model m.drawml \\
          --order shuffled --report scenes.html
        drawml benchmark segmentation --over timed/ --model m.drawml
      """)

  /// The orders in which the canvases are drawn.
  enum Order: String, CaseIterable, ExpressibleByArgument {
    case given
    case shuffled
  }

  @Option(parsing: .upToNextOption, help: "Files of labeled canvases.")
  var canvases: [String] = []
  @Option(
    parsing: .upToNextOption,
    help: "Files or folders of labeled drawings with times, to draw over emojis.")
  var over: [String] = []
  @Option(
    help: "With --over: how many canvases for each pause (default: 200).", in: 1...100_000)
  var count: Int?
  @Option(help: "With --over: the seed of the canvases (default: 1).", in: .seeds)
  var seed: UInt64?
  @Option(name: .shortAndLong, help: "The taught model.")
  var model: String
  @Option(help: "A segmenter written by 'train-segmenter' (default: the one built into drawml).")
  var segmenter: String?
  @Option(
    parsing: .upToNextOption,
    help:
      """
      Canvases that the baselines are fitted to (default: the judged ones, which makes the \
      baselines look too good).
      """
  )
  var plain: [String] = []
  @Option(
    help:
      "Draw the first 40 canvases with failures, wrong groups in thick boxes (.png)."
  )
  var failures: String?
  @Flag(
    help: """
      Also judge them without times, in other sizes, with the tempos of two people, without pauses \
      between shapes, and with shapes and strokes shuffled: takes nine times as long.
      """)
  var variants = false
  @Option(
    help: """
      shuffled: also judge them with the shapes shuffled, and with all strokes shuffled, both \
      without times; takes three times as long.
      """)
  var order: Order = .given
  @OptionGroup var page: PageOutput

  func validate() throws {
    try PictureFile.check(failures, "--failures")
    guard canvases.isEmpty != over.isEmpty else {
      throw ValidationError("give either --canvases or --over")
    }
    let isPlain = plain.isEmpty && failures == nil && !variants
    guard over.isEmpty || (isPlain && order == .given && page.report == nil) else {
      throw ValidationError(
        "--plain, --failures, --variants, --order and --report go with --canvases")
    }
    guard canvases.isEmpty || (count == nil && seed == nil) else {
      throw ValidationError("--count and --seed go with --over")
    }
  }

  func run() throws {
    try page.overwrite.check(failures, for: .picture)
    try page.check()
    let bar = ProgressBar(over.isEmpty ? "Grouping" : "Drawing over")
    defer { bar.finish() }
    let recognizer = try ModelFile.read(model)
    let model = try segmenter.map { try SegmenterModel(path: $0) } ?? .standard()
    guard over.isEmpty else {
      let report = try DrawingOverBenchmark(recognizer: recognizer, model: model).run(
        on: try SampleArguments.read(over).drawings, count: count ?? 200, seed: seed ?? 1
      ) { bar.update($0, of: $1) }
      bar.finish()
      return try page.format.print(report, report.lines)
    }
    let benchmark = SegmentationBenchmark(
      recognizer: recognizer, model: model, plain: try read(plain))
    let judged = try read(canvases)
    var changes = variants ? CanvasVariant.allCases : []
    if order == .shuffled { changes += CanvasVariant.orders.filter { !changes.contains($0) } }
    let source = SegmentationBenchmark.Source(
      modelPath: self.model, canvasPaths: canvases, segmenterPath: segmenter)
    let (result, outcomes) = try benchmark.run(on: judged, variants: changes) {
      bar.update($0, of: judged.count * (1 + changes.count))
    }
    if let failures { try draw(outcomes, to: failures) }
    bar.finish()
    try page.finish(
      result, result.lines, page: benchmark.page(result, outcomes, from: source),
      outputs: [failures])
  }

  private func read(_ paths: [String]) throws -> [LabeledCanvas] {
    guard !paths.isEmpty else { return [] }
    let contents = try SampleArguments.read(paths)
    guard !contents.drawings.isEmpty else {
      throw JobProblem("\(paths.joined(separator: ", ")): there are no canvases")
    }
    return try contents.labeledCanvases()
  }

  private func draw(_ outcomes: [SegmentationBenchmark.Outcome], to path: String) throws {
    let failed = outcomes.filter { $0.isPerfect.contains(false) }
    var sheet = CanvasPicture(count: failed.count, of: .groups)
    for outcome in failed {
      let truth = Set(outcome.canvas.shapes.map(\.strokes))
      let groups = outcome.segments.map(\.strokes)
      sheet.add(
        outcome.canvas.drawing, groups: groups,
        marked: Set(groups.indices.filter { !truth.contains(groups[$0]) }))
    }
    try AtomicFile.write(try sheet.png(), to: path)
  }
}
