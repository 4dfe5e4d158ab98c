internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Foundation
internal import Recognition
internal import Report
internal import Text
internal import Training

/// The samples of a benchmark.
struct BenchmarkSamples: ParsableArguments {
  @Option(help: "A file or folder with the drawings.")
  var samples: String

  /// The labeled drawings, validated.
  func read() throws -> SampleSet { try Self.read(samples) }

  /// The labeled drawings of a file or folder, validated.
  static func read(_ path: String) throws -> SampleSet {
    try SampleArguments.read([path]).samples()
  }
}

/// The model that a benchmark measures, with its options.
struct BenchmarkModel: ParsableArguments {
  @Option(name: .shortAndLong, help: "The model whose embedding is measured.")
  var model: String
  @OptionGroup var head: HeadOptions
  @OptionGroup var threads: ThreadOption

  /// Reads the model, and warns if results on `samples` are optimistic because of its training.
  ///
  /// - Parameters:
  ///   - samples: The drawings of the benchmark.
  ///   - dial: The share of drawings of taught labels that may be refused; nil leaves the model's
  ///     own.
  /// - Returns: A runner of tasks on the model, with the head of the options or the standard one
  ///   for the model.
  /// - Throws: `FileError` when the model cannot be read.
  func runner(for samples: SampleSet, dial: Double? = nil) throws -> TaskRunner {
    let opened = try ModelFile.open(model)
    let base = opened.recognizer
    let measured = Set(samples.classes)
    for (known, what) in [
      (base.embeddingLabels, "trained"),
      (Set(base.provenance.labels?.validation ?? []), "calibrated"),
    ] {
      let familiar = measured.intersection(known)
      if familiar.isEmpty { continue }
      printToStandardError(
        "The model was \(what) on \(familiar.count) of the \(measured.count) labels; the "
          + "result is too optimistic.")
    }
    var blank = base.untaught(head: try head.configuration(standard: .standard(for: base)))
    if let dial { blank.policy = DecisionPolicy(refusalRate: dial) }
    return TaskRunner(
      base: blank, modelPath: model, modelFingerprint: opened.fingerprint,
      threads: threads.count, date: Date.now.formatted(.iso8601))
  }
}

/// The source of tasks: a file, or random sampling with a seed.
struct TaskOptions: ParsableArguments {
  @Option(help: "A JSON file of tasks; without it they are drawn at random.")
  var episodes: String?
  @Option(help: "Tasks to draw (default: 200).", in: 1...100_000)
  var tasks: Int?
  @Option(help: "Labels per task (default: 10).", in: 2...1000)
  var ways: Int?
  @Option(help: "Taught drawings of each label (default: 5).", in: 1...1000)
  var shots: Int?
  @Option(
    help: "Teach one more label in each task, with this many drawings.", in: 1...1000)
  var extraShots: Int?
  @Option(help: "Drawings of each label to classify (default: 10).", in: 1...1000)
  var queries: Int?
  @Option(help: "Drawings of other, unknown labels per task (default: 50).", in: 0...10_000)
  var unknown: Int?
  @Option(help: "The seed of the tasks (default: 1).", in: .seeds)
  var seed: UInt64?
  @Option(
    help: "Write the tasks to this file, so that another system can be run on the same ones.")
  var saveEpisodes: String?
  @Option(
    help:
      """
      The share of drawings of taught labels that may be refused (default: the model's).
      """,
    in: DecisionPolicy.rates)
  var dial: Double?
  @Flag(help: "Adapt each task's model to its taught drawings, as 'train --base' does.")
  var adapt = false

  /// The maximum number of drawings in all tasks together: a gigabyte or two.
  private static let mostExamples = 10_000_000

  private var plan: (tasks: Int, ways: Int, shots: Int, queries: Int, unknown: Int) {
    (tasks ?? 200, ways ?? 10, shots ?? 5, queries ?? 10, unknown ?? 50)
  }
  /// The seed of the drawn tasks.
  var drawnSeed: UInt64 { seed ?? 1 }

  func validate() throws {
    let given = [
      ("--tasks", tasks), ("--ways", ways), ("--shots", shots), ("--extra-shots", extraShots),
      ("--queries", queries), ("--unknown", unknown), ("--seed", seed.map(Int.init(clamping:))),
    ]
    if episodes != nil, let (option, _) = given.first(where: { $0.1 != nil }) {
      throw ValidationError(
        "\(option) is for tasks that are drawn at random; leave it out, or leave out --episodes.")
    }
    let plan = plan
    let extra = extraShots.map { $0 + plan.queries } ?? 0
    let perTask = plan.ways * (plan.shots + plan.queries) + extra + plan.unknown
    guard plan.tasks * perTask <= Self.mostExamples else {
      throw ValidationError(
        "These tasks have more than \(grouped(Self.mostExamples)) drawings; choose fewer "
          + "--tasks, --ways, --shots, --queries or --unknown.")
    }
  }

  /// The source of the tasks, for messages.
  var place: String { episodes ?? "the drawn tasks" }

  /// Writes the tasks to `saveEpisodes` if that is given.
  func save(_ tasks: Episodes) throws {
    guard let saveEpisodes else { return }
    try tasks.write(to: saveEpisodes)
    printToStandardError("\(saveEpisodes): \(counted(tasks.episodes.count, "task"))")
  }

  /// The tasks of the file, or drawn at random.
  func read(_ samples: SampleSet, from path: String) throws -> Episodes {
    if let episodes { return try Episodes(path: episodes) }
    do {
      return try Episodes(
        drawnFrom: samples, count: plan.tasks, ways: plan.ways, shots: plan.shots,
        extraShots: extraShots, queries: plan.queries, unknowns: plan.unknown, seed: drawnSeed)
    } catch {
      throw JobProblem.tasks(error, samples: path)
    }
  }
}
