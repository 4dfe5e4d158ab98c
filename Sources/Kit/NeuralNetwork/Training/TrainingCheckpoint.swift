internal import Files
internal import Foundation
package import HDF5
internal import JSON

/// The state that a training needs to resume bit-identically.
///
/// No random state is stored: every random number derives from the seed, the epoch and the example.
public struct TrainingCheckpoint: Sendable, Equatable {
  /// The hyper-parameters of the training.
  public let configuration: TrainingLoop.Configuration
  /// The fingerprint of the training data.
  public let dataFingerprint: String
  /// The fingerprint of the validation data, if any.
  public let validationFingerprint: String?
  /// The progress of the training.
  var progress: TrainingSnapshot

  /// The network's architecture.
  public var architecture: Network.Architecture { progress.network.architecture }
  /// The epoch in which the training resumes, counted from 0.
  public var epoch: Int { progress.epoch }
  /// The next step within that epoch, counted from 0.
  public var step: Int { progress.step }
  /// The summaries of the completed epochs.
  public var history: [TrainingLoop.EpochSummary] { progress.history }
}

/// The mutable state of a training.
struct TrainingSnapshot: Sendable, Equatable {
  var network: Network
  var optimizer: OptimizerState
  /// The running average of the network, if the configuration asks for one.
  var average: Network?
  /// The network of the best epoch so far, if that is to be returned.
  var best: Network?
  /// The epoch of the next step, and the step within it.
  var epoch = 0
  var step = 0
  /// Sums over the steps of the current epoch.
  var lossSum = 0.0
  var correct = 0
  var seen = 0
  var labeled = 0
  var cosines = 0.0
  var history: [TrainingLoop.EpochSummary] = []
}

extension TrainingCheckpoint {
  /// A checkpoint may hold five copies of a model's weights, of at most 512 MiB: the current ones,
  /// their average, the optimizer's two moments and, in older ones, the best so far.
  package static let format = SealedFile(
    kind: "DrawML checkpoint", version: 2, limit: 5 * 512 << 20)

  /// Everything but the large buffers.
  private struct Header: Codable {
    var configuration: TrainingLoop.Configuration
    var architecture: Network.Architecture
    var dataFingerprint: String
    var validationFingerprint: String?
    var optimizerSteps: Int
    var epoch: Int
    var step: Int
    var correct: Int
    var seen: Int
    var labelled: Int
    var history: [TrainingLoop.EpochSummary]
    // Of versions that could stop early.
    var epochsWithoutGain = 0
    var isOver: Bool
    /// Versions that could stop early had it, too.
    var hasBest = false
  }

  /// Writes the checkpoint to `path` atomically; a symbolic link at `path` is replaced.
  ///
  /// - Throws: `FileError` when the file cannot be written.
  public func write(to path: String) throws {
    let header = Header(
      configuration: configuration, architecture: architecture, dataFingerprint: dataFingerprint,
      validationFingerprint: validationFingerprint, optimizerSteps: progress.optimizer.steps,
      epoch: progress.epoch, step: progress.step, correct: progress.correct, seen: progress.seen,
      labelled: progress.labeled, history: progress.history,
      isOver: progress.epoch >= configuration.epochs, hasBest: progress.best != nil)
    let image = try HDF5Writer()
    func put(_ values: [Float], _ path: String) throws {
      try image.write(values, shape: [values.count], at: path)
    }
    func put(_ network: Network, _ path: String) throws {
      try put(network.parameters, "\(path)/parameters")
      try put(network.statistics, "\(path)/statistics")
    }
    try image.write([jsonText(header)], at: "/header")
    // The sums are stored in binary: decimal text might round them. The second was the best loss.
    try image.write([progress.lossSum, .infinity, progress.cosines], shape: [3], at: "/sums")
    try put(progress.network, "")
    try put(progress.optimizer.first, "/moments/first")
    try put(progress.optimizer.second, "/moments/second")
    if let average = progress.average { try put(average, "/average") }
    if let best = progress.best { try put(best, "/best") }
    try Self.format.write(try image.bytes(), to: path, replacesLinks: true)
  }

  /// Reads the checkpoint at `path`.
  ///
  /// - Throws: `FileError` when the file is missing, damaged, foreign or newer; `NetworkError` when
  ///   its contents are not a checkpoint.
  public init(reading path: String) throws {
    let file = try Self.format.open(path)
    do {
      try self.init(file)
    } catch let failure as HDF5Failure {
      throw NetworkError.malformedCheckpoint("cannot be read: \(failure.description)")
    } catch let fault as JSONFault {
      throw NetworkError.malformedCheckpoint("has a header of another form: \(fault)")
    }
  }

  private init(_ file: consuming PinnedBytes) throws {
    let image = try HDF5Reader(file, from: SealedFile.headerLength)
    guard let text = try image.strings(at: "/header", longest: 1 << 24).first else {
      throw NetworkError.malformedCheckpoint("has no header")
    }
    let header = try JSONDocument.decode(Header.self, from: Array(text.utf8))
    guard header.hasBest == (header.configuration.selection != nil && !header.history.isEmpty),
      !header.isOver || header.epoch >= header.configuration.epochs
    else {
      throw NetworkError.malformedCheckpoint(
        "is of a training that stops early, which none does now")
    }
    // Far above any real count, and incrementing cannot overflow.
    let counts = [header.step, header.seen, header.optimizerSteps]
    guard (0...max(0, header.configuration.epochs)).contains(header.epoch),
      counts.allSatisfy((0...(1 << 53)).contains), (0...header.seen).contains(header.labelled),
      (0...header.labelled).contains(header.correct)
    else {
      throw NetworkError.malformedCheckpoint("has a count out of its range")
    }
    let sums = try image.doubles(at: "/sums").values
    guard sums.count == 3, sums[0].isFinite, sums[2].isFinite else {
      throw NetworkError.malformedCheckpoint("has sums that are not three finite numbers")
    }
    func stored(_ path: String) throws -> Network {
      try Network(
        header.architecture, parameters: try image.floats(at: "\(path)/parameters").values,
        statistics: try image.floats(at: "\(path)/statistics").values)
    }
    let network = try stored("")
    var optimizer = OptimizerState(
      header.configuration.optimizer, parameterCount: network.parameters.count)
    let moments = (optimizer.first.count, optimizer.second.count)
    optimizer.first = try image.floats(at: "/moments/first").values
    optimizer.second = try image.floats(at: "/moments/second").values
    optimizer.steps = header.optimizerSteps
    guard moments == (optimizer.first.count, optimizer.second.count) else {
      throw NetworkError.malformedCheckpoint("has moments that do not match its parameters")
    }
    configuration = header.configuration
    dataFingerprint = header.dataFingerprint
    validationFingerprint = header.validationFingerprint
    progress = TrainingSnapshot(
      network: network, optimizer: optimizer,
      average: header.configuration.averagingDecay == nil ? nil : try stored("/average"),
      best: header.hasBest ? try stored("/best") : nil,
      epoch: header.epoch, step: header.step, lossSum: sums[0], correct: header.correct,
      seen: header.seen, labeled: header.labelled, cosines: sums[2], history: header.history)
  }

  /// Throws unless the training is the one that made the checkpoint.
  ///
  /// The number of threads and the interval between checkpoints may differ: they do not affect the
  /// result. There may be more epochs: the learning rate then follows the longer schedule from there.
  func check(
    _ current: TrainingLoop.Configuration, _ architecture: Network.Architecture, data: String,
    validation: String?
  ) throws {
    var (before, now) = (configuration, current)
    (before.threads, before.checkpointInterval) = (0, nil)
    (now.threads, now.checkpointInterval) = (0, nil)
    if now.epochs > before.epochs { before.epochs = now.epochs }
    if before != now {
      let (old, new) = (try Self.fields(before), try Self.fields(now))
      for name in Set(old.keys).union(new.keys).sorted() where old[name] != new[name] {
        throw NetworkError.checkpointDiffers(
          in: name, saved: old[name] ?? "none", current: new[name] ?? "none")
      }
    }
    func compare(_ what: String, _ saved: String, _ current: String) throws {
      guard saved == current else {
        throw NetworkError.checkpointDiffers(in: what, saved: saved, current: current)
      }
    }
    if self.architecture != architecture {
      if case .cosineClassifier(let before)? = self.architecture.layers.last,
        case .cosineClassifier(let now)? = architecture.layers.last
      {
        try compare("number of labels", "\(before.classes)", "\(now.classes)")
      }
      try compare("network", jsonText(self.architecture), jsonText(architecture))
    }
    try compare("training data", dataFingerprint, data)
    try compare("validation data", validationFingerprint ?? "none", validation ?? "none")
  }

  private static func fields(
    _ configuration: TrainingLoop.Configuration
  ) throws -> [String: String] {
    let members = try JSONDocument(Array(jsonText(configuration).utf8)).root.members ?? []
    return Dictionary(
      uniqueKeysWithValues: members.map { member in
        (member.key, String(decoding: member.value.bytes, as: UTF8.self))
      })
  }
}
