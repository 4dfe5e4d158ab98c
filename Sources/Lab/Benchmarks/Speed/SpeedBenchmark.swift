internal import Foundation
internal import Ink
package import JSON
internal import NeuralNetwork
internal import Report
internal import Text
internal import Training

/// Times every hot step on fixed, seeded inputs.
package struct SpeedBenchmark {
  /// The source of the inputs.
  var inputs: SpeedInputs
  /// Parts of the names of the steps to run; empty for all.
  var filter: [String]
  /// Timed runs of each step.
  var repeats: Int
  /// Warm-up runs before the timed ones.
  var warmUps: Int
  /// When it runs.
  var date: String

  package init(inputs: SpeedInputs, filter: [String], repeats: Int, warmUps: Int, date: String) {
    (self.inputs, self.filter) = (inputs, filter)
    (self.repeats, self.warmUps, self.date) = (repeats, warmUps, date)
  }

  /// The steps that the filter lets through, in a fixed order.
  package func steps() throws -> [SpeedStep] {
    let all = SpeedStep.withTwins(
      inputs.inkSteps + (try inputs.embeddingSteps()) + inputs.searchSteps
        + inputs.recognitionSteps + (try inputs.trainingSteps()))
    guard !filter.isEmpty else { return all }
    return try Self.chosen(by: filter, from: all.map(\.name)).map { all[$0] }
  }

  /// The indices of the names that equal one of `parts` or, if no name does, contain it.
  static func chosen(by parts: [String], from names: [String]) throws -> [Int] {
    var chosen = Set<Int>()
    for part in parts {
      let whole = names.indices.filter { names[$0] == part }
      let found = whole.isEmpty ? names.indices.filter { names[$0].contains(part) } : whole
      guard !found.isEmpty else { throw SpeedError.unknownStep(part, known: names) }
      chosen.formUnion(found)
    }
    return chosen.sorted()
  }

  /// Times the steps one after the other.
  ///
  /// - Parameters:
  ///   - folder: Where each step's inputs and results are written for another program to compare
  ///     with.
  ///   - progress: Called at the start of each step with its number, the number of steps and its
  ///     name.
  /// - Returns: The report.
  /// - Throws: `SpeedError`, and what a step throws.
  package func run(
    recordingTo folder: String? = nil, progress: (_ step: Int, _ of: Int, String) -> Void
  ) async throws -> SpeedReport {
    let kernels = KernelChoice.selected
    let steps = try steps()
    let load = Resources.loadAverage
    var rows: [SpeedReport.Row] = []
    var peak = 0
    for (number, step) in steps.enumerated() {
      progress(number, steps.count, step.name)
      peak = max(peak, Resources.peakMemoryBytes)
      Resources.resetPeakMemory()
      let prepared = try await prepare(step, recordingTo: folder)
      var seconds: [Double] = []
      for _ in 0..<repeats {
        try Task.checkCancellation()
        seconds.append(try await prepared.run() / .seconds(1))
      }
      rows.append(
        try SpeedReport.Row(
          step, prepared, seconds: seconds, peakMemoryBytes: Resources.peakMemorySinceReset))
      await prepared.finish()
    }
    progress(steps.count, steps.count, "done")
    return SpeedReport(
      drawmlVersion: Version.text, swiftVersion: Version.swift, build: Self.build, date: date,
      machine: Resources.processorName, processors: Resources.processorCount,
      blasKernels: ProcessInfo.processInfo.environment[Resources.kernelsVariable],
      loadAverage: load, threads: inputs.threads, repeats: repeats, warmUps: warmUps,
      kernels: kernels.rawValue, seed: inputs.seed, model: inputs.modelPath,
      drawings: inputs.drawingsPath,
      peakMemoryBytes: max(peak, Resources.peakMemoryBytes), steps: rows)
  }

  /// Prepares a step: makes its inputs, writes them to the folder if one is given, and runs the
  /// warm-up.
  package func prepare(
    _ step: SpeedStep, recordingTo folder: String?
  ) async throws -> PreparedStep {
    let prepared = try await step.prepared()
    if let folder { try await prepared.record().write(to: "\(folder)/\(step.name).h5") }
    for _ in 0..<warmUps { _ = try await prepared.run() }
    return prepared
  }

  /// How this program was built.
  package static var build: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }
}

/// Why speed cannot be measured.
package enum SpeedError: Error, CustomStringConvertible {
  /// The program was built without optimization.
  case debugBuild
  /// No step has this in its name.
  case unknownStep(String, known: [String])
  /// A file of drawings has too few of them.
  case tooFewDrawings(path: String, found: Int, needed: Int)
  /// A new process of the program failed.
  case childFailed(arguments: [String], status: Int32)
  /// A training ended prematurely.
  case trainingEnded
  /// An earlier report cannot be read.
  case badBaseline(path: String, JSONFault)

  package var description: String {
    switch self {
    case .debugBuild:
      "this drawml is a debug build, which is slow; "
        + "build it with: swift build -c release"
    case .unknownStep(let name, let known):
      "no step has \"\(name)\" in its name; there are: \(known.joined(separator: ", "))"
    case .tooFewDrawings(let path, let found, let needed):
      "\(path) has \(counted(found, "labeled drawing")); \(grouped(needed)) are needed"
    case .childFailed(let arguments, let status):
      "drawml \(arguments.joined(separator: " ")) ended with status \(status)"
    case .trainingEnded:
      "the training ended too early"
    case .badBaseline(let path, let fault):
      "\(path) is not a report of this version's 'drawml benchmark speed --format json': \(fault)"
    }
  }
}
