internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Files
internal import Ink
internal import Recognition
internal import Report
internal import Segmentation
internal import Text

struct TrainSegmenterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train-segmenter",
    abstract: "Train a segmenter, which groups the strokes of a canvas into shapes.",
    discussion: """
      Canvases are synthesized from timed drawings as by 'drawml dataset synthesize canvases', \
      half of them with longer pauses and more overlapping shapes. From canvases of --places it \
      learns where and when people draw; their labels may have trained the base model's embedding. \
      From canvases of --answers it learns how reliable the model's answers to groups are, so the \
      embedding should not know their labels: in each of several worlds, other labels are taught \
      by 1, 3, 5, 15 or 50 drawings each, which are on no canvas. --lessons has more drawings to \
      teach.

      Examples:
        drawml train-segmenter --base models/base.drawml --places timed/train \
      --answers timed/validation --lessons more/validation --output models/segmenter.json
      """)

  @Option(help: "The base model that the segmenter will be used with.")
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
  @Option(help: "Keep this segmenter's wholeness network instead of training one.")
  var wholenessOf: String?
  @Option(help: "How many canvases of --places.", in: 1...100_000)
  var placesCount = 6000
  @Option(help: "How many worlds.", in: 1...1000)
  var worlds = 20
  @Option(help: "How many canvases of --answers in each world.", in: 1...10_000)
  var canvases = 75
  @Option(help: "How many labels are taught in each world.", in: 2...10_000)
  var taught = 20
  @Option(help: "The seed of the training.", in: .seeds)
  var seed: UInt64 = 1
  @OptionGroup var threads: ThreadOption
  @OptionGroup var overwrite: OverwriteOption

  /// The maximum number of canvases, which are all in memory at once.
  private static let mostCanvases = 100_000

  func validate() throws {
    guard worlds * canvases <= Self.mostCanvases else {
      throw ValidationError(
        "--worlds and --canvases make \(grouped(worlds * canvases)) canvases; "
          + "\(grouped(Self.mostCanvases)) is the maximum.")
    }
  }

  func run() async throws {
    try overwrite.check(output, for: .segmenter)
    let job = SegmenterTrainingJob(
      placesCount: placesCount, worlds: worlds, canvases: canvases, taught: taught, seed: seed,
      threads: threads.count)
    let recognizer = try ModelFile.read(base).untaught()
    let kept = try wholenessOf.map { try SegmenterModel(path: $0) }
    if let wholenessOf, kept?.hasWholeness == false {
      throw ValidationError("\(wholenessOf) has no wholeness network.")
    }
    let samples = try read(answers)
    let lessons = try further(to: samples)
    let drawings = SegmenterTrainingJob.Drawings(
      places: try read(places).drawings, answers: samples, lessons: lessons)
    let model = try await showing(hint: { "nothing was written" }) {
      try await job.run(
        on: drawings, base: recognizer, keepingWholenessOf: kept, progress: $0)
    }
    try AtomicFile.write(model.json(), to: output)
  }

  private func read(_ paths: [String]) throws -> SampleSet {
    try SampleArguments.read(paths).samples()
  }

  /// The drawings of --lessons by label.
  ///
  /// - Throws: `ValidationError` if one of them is also on a canvas.
  private func further(to samples: SampleSet) throws -> [String: [Drawing]] {
    guard !lessons.isEmpty else { return [:] }
    let placed = Set(samples.drawings.map(\.digest))
    let drawings = try read(lessons).drawings
    guard let both = drawings.first(where: { placed.contains($0.digest) }) else {
      let byLabel = Dictionary(grouping: drawings) { $0.label ?? "" }
      guard let other = byLabel.keys.filter({ !samples.classes.contains($0) }).min() else {
        return byLabel
      }
      throw ValidationError("No drawing of --answers has the label \(other) of --lessons.")
    }
    throw ValidationError(
      "\(both.id) is in --lessons and in --answers: taught drawings must not be judged.")
  }
}
