internal import ArgumentParser
internal import Benchmarks
internal import Files
internal import Foundation
internal import HDF5
internal import JSON
internal import Report

struct BenchmarkSpeedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "speed",
    abstract: "Time each expensive step, from strokes to answers.",
    discussion: """
      Each step runs on fixed, seeded inputs: first to warm up, then --repeats times. The table \
      gives the median, the middle half of the times (quartiles), and the process's peak memory. \
      Inputs are synthetic drawings and an untrained embedding of the standard recipe, unless \
      --drawings and --model say otherwise.

      --baseline compares with the report of an earlier run: a step is faster or slower if the \
      middle halves do not overlap. Compare only runs of the same idle machine.

      Examples:
        drawml benchmark speed
        drawml benchmark speed --filter train,search-100k --threads 1
        drawml benchmark speed --model models/base.drawml --format json
        drawml benchmark speed --baseline before.json
      """)

  @Option(
    help: ArgumentHelp(
      "Only steps with one of these in their names, separated by commas.", valueName: "parts"))
  var filter: String?
  @Flag(help: "List the steps and exit.")
  var list = false
  @Option(help: "How often each step is timed.", in: 1...10_000)
  var repeats = 21
  @Option(help: "How often each step runs before it is timed.", in: 0...10_000)
  var warmUps = 3
  @Option(help: "A model whose embedding runs (default: an untrained one).")
  var model: String?
  @Option(help: "Labeled drawings to read and classify, as NDJSON (default: synthetic ones).")
  var drawings: String?
  @Option(help: "The seed of the inputs.", in: .seeds)
  var seed: UInt64 = 1
  @Option(help: "The report of an earlier run (--format json) to compare with.")
  var baseline: String?
  @OptionGroup var threads: ThreadOption
  @OptionGroup var kernels: KernelOption
  @OptionGroup var overwrite: OverwriteOption
  @OptionGroup var format: FormatOption

  // For scripts/compare-peers and the tests.
  @Option(help: .hidden) var record: String?
  @Flag(help: .hidden) var serve = false
  @Flag(help: .hidden) var allowDebug = false

  func run() async throws {
    kernels.select()
    guard list || allowDebug || SpeedBenchmark.build == "release" else {
      throw SpeedError.debugBuild
    }
    let benchmark = SpeedBenchmark(
      inputs: SpeedInputs(
        seed: seed, threads: threads.count, modelPath: model, drawingsPath: drawings),
      filter: (filter ?? "").split(separator: ",").map(String.init), repeats: repeats,
      warmUps: warmUps, date: Date.now.formatted(.iso8601))
    if list {
      for step in try benchmark.steps() { try printToStandardOutput("\(step.name)  \(step.title)") }
      return
    }
    let earlier = try baseline.map(Self.report)
    if let record {
      try AtomicFile.makeFolder(record)
      for step in try benchmark.steps() {
        try overwrite.check(ownName: "\(record)/\(step.name).h5", for: .hdf5)
      }
    }
    if serve { return try await take(turnsOf: benchmark) }
    let bar = ProgressBar("Timing")
    defer { bar.finish() }
    var report = try await benchmark.run(recordingTo: record) { bar.update($0, of: $1, $2) }
    if let earlier, let baseline {
      report.comparison = SpeedComparison(report, with: earlier, path: baseline)
    }
    bar.finish()
    try format.print(report, report.lines)
  }

  /// Prepares the steps and then runs the step named by each line of standard input, so that
  /// another program can alternate with this one on the same machine.
  ///
  /// The first output line describes the steps as a JSON array; each further line is the seconds of
  /// a run.
  private func take(turnsOf benchmark: SpeedBenchmark) async throws {
    var ready: [String: PreparedStep] = [:]
    var described: [ServedStep] = []
    for step in try benchmark.steps() {
      let prepared = try await benchmark.prepare(step, recordingTo: record)
      ready[step.name] = prepared
      described.append(
        ServedStep(
          name: step.name, title: step.title, unit: step.unit, threads: step.threads,
          unitsPerRun: prepared.count, bytes: prepared.bytes, operations: prepared.operations))
    }
    try printToStandardOutput(json: described, pretty: false)
    while let line = readLine() {
      guard let prepared = ready[line] else {
        throw SpeedError.unknownStep(line, known: described.map(\.name))
      }
      try printToStandardOutput("\(try await prepared.run() / .seconds(1))")
    }
  }

  /// The description of a step for another program.
  private struct ServedStep: Encodable {
    var name: String
    var title: String
    var unit: String
    var threads: Int
    var unitsPerRun: Int
    var bytes: Int?
    var operations: Double?
  }

  /// The report in a file.
  private static func report(_ path: String) throws -> SpeedReport {
    let bytes = try AtomicFile.read(path)
    do throws(JSONFault) { return try JSONDocument.decode(SpeedReport.self, from: bytes) } catch {
      throw SpeedError.badBaseline(path: path, error)
    }
  }
}
