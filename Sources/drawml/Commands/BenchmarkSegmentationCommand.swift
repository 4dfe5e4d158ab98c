internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Ink
internal import Recognition
internal import Report
internal import Segmentation
internal import Support

struct BenchmarkSegmentationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "segmentation",
    abstract: "Group the strokes of canvases into shapes and name them.",
    discussion: """
      Canvases are stroke JSON with the truth under "shapes"; their labels name kinds, which are \
      reported apart. Shapes of labels that the model was not taught should be refused.

      With --over, timed drawings are drawn over each other's emojis instead, 1 to 5.1 seconds \
      after them, and with their last strokes late: does the emoji stay that should?

      Examples:
        drawml benchmark segmentation --canvases judge.ndjson --model taught.drawml
        drawml benchmark segmentation --canvases judge.ndjson --model taught.drawml --variants \
      --failures failures.png
        drawml benchmark segmentation --over timed/ --model taught.drawml
      """)

  @Option(parsing: .upToNextOption, help: "Files of labeled canvases.")
  var canvases: [String] = []
  @Option(
    parsing: .upToNextOption,
    help: "Files or folders of labeled drawings with times, to draw over emojis.")
  var over: [String] = []
  @Option(
    help: "With --over, how many canvases for each pause; 200 unless given.", in: 1...100_000)
  var count: Int?
  @Option(help: "With --over: another seed, other canvases; 1 unless given.", in: .seeds)
  var seed: UInt64?
  @Option(name: .shortAndLong, help: "The taught model.")
  var model: String
  @Option(help: "What 'train-segmenter' wrote (default: what comes with drawml).")
  var segmenter: String?
  @Option(
    parsing: .upToNextOption,
    help:
      """
      Canvases that the plain groupings are fitted to (default: the judged ones, which flatters \
      them).
      """
  )
  var plain: [String] = []
  @Option(
    help:
      "Draw the first 40 canvases with failures: what came out, wrong groups in thick boxes (.png)."
  )
  var failures: String?
  @Flag(
    help: """
      Also without times, of other sizes, with two people's tempos, without pauses between shapes, \
      and with strokes in any order: takes eight times as long.
      """)
  var variants = false
  @OptionGroup var overwrite: OverwriteOption
  @OptionGroup var format: FormatOption

  func validate() throws {
    try PictureFile.check(failures, "--failures")
    guard canvases.isEmpty != over.isEmpty else {
      throw ValidationError("give either --canvases or --over")
    }
    guard over.isEmpty || (plain.isEmpty && failures == nil && !variants) else {
      throw ValidationError("--plain, --failures and --variants go with --canvases")
    }
    guard canvases.isEmpty || (count == nil && seed == nil) else {
      throw ValidationError("--count and --seed go with --over")
    }
  }

  func run() throws {
    try overwrite.check(failures, for: .picture)
    let bar = ProgressBar(over.isEmpty ? "Grouping" : "Drawing over")
    defer { bar.finish() }
    let recognizer = try ModelFile.read(model)
    let model = try segmenter.map { try SegmenterModel(path: $0) } ?? .standard()
    guard over.isEmpty else {
      let report = try DrawingOverBenchmark(recognizer: recognizer, model: model).run(
        on: try SampleArguments.read(over).drawings, count: count ?? 200, seed: seed ?? 1
      ) { bar.update($0, of: $1) }
      bar.finish()
      return try format.print(report, report.lines)
    }
    let benchmark = SegmentationBenchmark(
      recognizer: recognizer, model: model, plain: try read(plain))
    let judged = try read(canvases)
    let changes = variants ? CanvasVariant.allCases : []
    let (report, outcomes) = try benchmark.run(on: judged, variants: changes) {
      bar.update($0, of: judged.count * (1 + changes.count))
    }
    if let failures { try draw(outcomes, to: failures) }
    bar.finish()
    try format.print(report, report.lines)
  }

  private func read(_ paths: [String]) throws -> [LabeledCanvas] {
    guard !paths.isEmpty else { return [] }
    let contents = try SampleArguments.read(paths)
    guard !contents.drawings.isEmpty else {
      throw JobProblem("\(paths.joined(separator: ", ")): there are no canvases")
    }
    return try zip(contents.drawings, contents.origins).map { drawing, origin in
      do throws(InkError) {
        return try LabeledCanvas(drawing)
      } catch {
        throw DrawingFileError(
          path: origin.path, line: origin.line ?? 1, reason: .drawing(error))
      }
    }
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
