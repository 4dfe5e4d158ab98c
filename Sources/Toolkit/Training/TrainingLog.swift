internal import Datasets
package import Files
package import Foundation
internal import Interchange
internal import JSON
internal import NeuralNetwork
internal import Synchronization
internal import Text

/// Writes the steps and epochs of a training to files while it runs: JSON lines, and TensorBoard's
/// event files.
///
/// Each line and each record is written at once, so that a killed training leaves whole ones. A
/// resumed training appends to the same log; if it restarts at an earlier step, a line "start" says
/// so, and the following lines repeat those steps with the same numbers.
package final class TrainingLog: Sendable {
  /// What the first line says of the file.
  package static let format = "drawml-training-log"

  /// The current time; in tests a fixed one.
  package typealias Clock = @Sendable () -> Date

  private struct State {
    /// The event file of the network in training.
    var events: AppendedFile?
    /// When the network's training started, and the number of the last step.
    var started = Date.distantPast
    var step = 0
    var hasFailed = false
    /// What the run is of; nil once it is written.
    var run: Run?
  }

  /// What a run of `drawml train` is of.
  private struct Run: Encodable, Sendable {
    var drawml = Version.text
    var output: String
    var seed: UInt64
    /// The SHA-256 of the drawings.
    var data: String
    /// That of the drawings of --validation, and of the base; nil without them.
    var validation: String?
    var base: String?
    var threads: Int
    var settings: TrainingSettings
  }

  private let lines: AppendedFile?
  private let folder: String?
  private let clock: Clock
  private let state = Mutex(State())

  /// A log in files.
  ///
  /// - Parameters:
  ///   - path: The file of JSON lines, which goes on if it exists; nil for no such file.
  ///   - folder: Where to put TensorBoard's event files, each network's in a folder of its own if
  ///     it has a name; nil for no such files.
  ///   - clock: The current time.
  /// - Throws: `FileError` when a file cannot be written or the folder cannot be made.
  package init(lines path: String?, events folder: String?, clock: @escaping Clock)
    throws(FileError)
  {
    if let path {
      lines = try AppendedFile(path)
      try lines?.endLine()
    } else {
      lines = nil
    }
    if let folder {
      try AtomicFile.makeFolder(folder, withParents: true)
      try AtomicFile.requireWritableFolder(folder)
    }
    (self.folder, self.clock) = (folder, clock)
  }

  /// Sets the first line of the next training's run: what it trains on.
  ///
  /// - Parameters:
  ///   - job: The training.
  ///   - data: The fingerprint of its drawings.
  /// - Throws: `FileError` when its base cannot be read.
  package func begin(_ job: TrainingJob, data: String) throws {
    let run = Run(
      output: job.output, seed: job.settings.seed, data: data,
      validation: job.validation?.fingerprint,
      base: try job.base.map { Fingerprint.sha256(try AtomicFile.read($0)) },
      threads: job.threads, settings: job.settings)
    state.withLock { $0.run = run }
  }

  /// Writes that the model is written, and how well it does.
  ///
  /// - Parameter report: What the training reports.
  /// - Throws: `FileError` when it cannot be written.
  package func end(_ report: TrainingJob.Report) throws {
    try state.withLock { state in
      guard !state.hasFailed else { return }
      var line = Line("end", state.step)
      line.time = clock().formatted(Self.timeFormat)
      line.seconds = report.seconds
      (line.accuracy, line.model) = (report.validationAccuracy, report.fingerprint)
      try lines?.append(Array((jsonText(line) + "\n").utf8))
    }
  }

  /// Writes a job's event, if it concerns a training.
  ///
  /// - Throws: What the first write that fails throws; after that, nothing is written.
  package func record(_ event: JobEvent) throws {
    guard case .training(let event, let network) = event else { return }
    try state.withLock { state in
      guard !state.hasFailed else { return }
      do {
        try record(event, of: network, &state)
      } catch {
        state.hasFailed = true
        throw error
      }
    }
  }

  private func record(
    _ event: TrainingLoop.Event, of network: String?, _ state: inout State
  ) throws {
    let now = clock()
    var line: Line
    var epoch: LearningCurve.Epoch?
    var record: EventRecord?
    switch event {
    case .started(let step, let total):
      (state.started, state.step) = (now, step)
      if let run = state.run {
        var first = Line("run", step)
        (first.format, first.time) = (Self.format, now.formatted(Self.timeFormat))
        first.run = run
        try lines?.append(Array((jsonText(Joined(first, epoch)) + "\n").utf8))
        state.run = nil
      }
      if let folder { state.events = try Self.eventFile(in: folder, of: network, at: now) }
      line = Line("start", step)
      (line.format, line.steps) = (Self.format, total)
      // From this step on, the steps of an earlier run are logged again.
      record = .start(step: step + 1)
    case .step(let step):
      state.step = step.number
      line = Line(step)
      record = .scalars(step: step.number, step.scalars)
    case .epoch(let summary):
      line = Line("epoch", state.step)
      epoch = LearningCurve.Epoch(summary)
      record = .scalars(step: state.step, summary.scalars)
    case .finished: line = Line("finish", state.step)
    case .checkpoint: return
    }
    line.network = network
    line.time = now.formatted(Self.timeFormat)
    line.seconds = (now.timeIntervalSince(state.started) * 1000).rounded() / 1000
    try lines?.append(Array((jsonText(Joined(line, epoch)) + "\n").utf8))
    if let record { try state.events?.append(record.bytes(at: now.timeIntervalSince1970)) }
  }

  private static let timeFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// A new event file. Its name must contain "tfevents" and, for files of one folder to be read in
  /// their order, begin with the time.
  private static func eventFile(
    in folder: String, of network: String?, at time: Date
  ) throws -> AppendedFile {
    let run = network.map { "\(folder)/\($0)" } ?? folder
    try AtomicFile.makeFolder(run)
    let name = "\(run)/events.out.tfevents.\(Int(time.timeIntervalSince1970)).drawml"
    // Trainings that start within the same second get separate files.
    let path = (0...).lazy.map { $0 == 0 ? name : "\(name).\($0)" }
      .first { !AtomicFile.exists($0) && !AtomicFile.isLink($0) }
    let file = try AppendedFile(path ?? name, isNew: true)
    try file.append(EventRecord.version.bytes(at: time.timeIntervalSince1970))
    return file
  }

  /// A line of the log; that of an epoch also has the epoch's keys. Its keys are the properties'
  /// names and stay as they are; rates are fractions in 0...1.
  private struct Line: Encodable {
    /// "run", "start", "step", "epoch", "finish" of a network, or "end".
    var event: String
    var format: String?
    /// The network's name in a recipe.
    var network: String?
    /// ISO 8601, UTC.
    var time = ""
    /// Seconds since this run of the training started.
    var seconds = 0.0
    /// The number of the step from 1; of "start", of steps already done.
    var step: Int
    var steps: Int?
    /// Counted from 1.
    var epoch: Int?
    var examples: Int?
    var loss: Double?
    var accuracy: Double?
    var learningRate: Float?
    /// Of "run".
    var run: Run?
    /// Of "end": the fingerprint of the model.
    var model: String?

    init(_ event: String, _ step: Int) { (self.event, self.step) = (event, step) }

    init(_ summary: TrainingLoop.StepSummary) {
      self.init("step", summary.number)
      (epoch, examples) = (summary.epoch + 1, summary.examples)
      (loss, accuracy) = (summary.loss, summary.accuracy)
      learningRate = summary.learningRate
    }
  }
}

// The tags of TensorBoard's charts.

extension TrainingLoop.StepSummary {
  fileprivate var scalars: [EventRecord.Scalar] {
    [.init("train/loss", loss), .init("train/learning_rate", Double(learningRate))]
  }
}

extension TrainingLoop.EpochSummary {
  fileprivate var scalars: [EventRecord.Scalar] {
    let values = [
      ("epoch/train_loss", trainingLoss), ("epoch/train_accuracy", trainingAccuracy),
      ("epoch/validation_loss", validationLoss), ("epoch/validation_accuracy", validationAccuracy),
      ("epoch/validation_macro_recall", validationMacroRecall),
      ("epoch/few_shot_accuracy", measured), ("epoch/teacher_cosine", targetCosine),
    ]
    return values.compactMap { tag, value in value.map { .init(tag, $0) } }
  }
}
