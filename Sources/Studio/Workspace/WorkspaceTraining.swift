internal import Files
internal import Foundation
internal import GRDB
internal import Ink
public import Recognition

/// A model and its recognizer at one moment.
public struct RecognizerSnapshot: Sendable {
  /// The model's recognizer.
  public var recognizer: Recognizer
  /// The model.
  public var model: WorkspaceModel
}

/// Training (F-004, D-004) and its results.
extension Workspace {
  /// The recognizer of a model's last training, or an untrained one, with the model's refusal rate;
  /// and the model as it was when the recognizer was read.
  ///
  /// - Throws: `WorkspaceError` for an unknown model, and if its trained file is damaged or
  ///   missing.
  public func snapshot(of id: String) async throws -> RecognizerSnapshot {
    var tried: Int?
    while true {
      let model = try await read(.classify) { db in try Self.model(id, in: db) }
      do {
        var recognizer =
          model.generation == 0
          ? try base(everyday: model.isEveryday).recognizer()
          : try files.recognizer(of: id, generation: model.generation)
        recognizer.policy = DecisionPolicy(refusalRate: model.refusalRate)
        return RecognizerSnapshot(recognizer: recognizer, model: model)
      } catch let error as FileError where error.isMissingFile && tried != model.generation {
        // A training has just replaced the file; read the row again.
        tried = model.generation
      } catch {
        throw WorkspaceError(.classify, .model("\(error)"))
      }
    }
  }

  /// The path of a model's trained file, in the format of `ModelFile`; nil if it was never trained.
  ///
  /// The next training replaces it with a file of another name.
  public func trainedFile(of model: WorkspaceModel) -> String? {
    model.generation == 0 ? nil : files.model(model.id, generation: model.generation)
  }

  /// Trains a model on exactly its current samples; samples deleted since the last training are
  /// removed from it.
  ///
  /// Only changes are recomputed, yet the file is byte-identical to that of a model trained on all
  /// samples at once. One training runs at a time in a workspace; a second one waits. A model
  /// without samples is reset to untrained, without a file and a report.
  ///
  /// - Parameters:
  ///   - id: The model.
  ///   - refusalRate: The share of drawings of known labels that it may reject from now on, in
  ///     `DecisionPolicy.rates`; nil to keep it. It changes only if the training succeeds.
  ///   - threads: The number of drawings embedded in parallel; the result does not depend on it.
  ///   - progress: Called with the current stage and its progress.
  /// - Returns: The report of the training.
  /// - Throws: `WorkspaceError` “Training failed.” with the reason, and with “Try with more
  ///   samples.” if these would help, or `CancellationError`; the model is unchanged then.
  @discardableResult
  public func train(
    _ id: String, refusalRate: Double? = nil, threads: Int = 1,
    progress: (@Sendable (TrainingProgress) -> Void)? = nil
  ) async throws -> TrainingReport {
    try await mappingErrors(of: .train) {
      try files.requireWritable()
      let rate = try refusalRate.map { try Checked.refusalRate($0) }
      return try await withModelLock(
        waiting: { progress?(TrainingProgress(stage: .waiting, done: 0, total: 0)) }
      ) {
        try await trainUnlocked(id, refusalRate: rate, threads: threads, progress: progress)
      }
    }
  }

  private func trainUnlocked(
    _ id: String, refusalRate: Double?, threads: Int,
    progress: (@Sendable (TrainingProgress) -> Void)?
  ) async throws -> TrainingReport {
    let begun = now()
    let (model, oldBase) = try await read(.train) { db in
      (
        try Self.model(id, in: db),
        try String.fetchOne(db, sql: "SELECT base FROM model WHERE id = ?", arguments: [id])
      )
    }
    guard model.isTrainable else { throw WorkspaceError.Reason.noSamples }
    guard model.sampleCount > 0 else {
      return try await forgetAll(model, refusalRate: refusalRate, since: begun)
    }
    let base = base(everyday: model.isEveryday)
    let fingerprint = try base.fingerprint()
    let policy = DecisionPolicy(refusalRate: refusalRate ?? model.refusalRate)
    var before: Recognizer?
    if model.generation > 0, oldBase == fingerprint {
      // Retrain from scratch if the file cannot be read or belongs to another base.
      let given = try base.recognizer().memory.samples
      before = try? files.recognizer(of: id, generation: model.generation)
      if before?.memory.samples.filter({ !$0.isOwn }) != given { before = nil }
      before?.policy = policy
    }
    var recognizer = try before ?? base.recognizer()
    recognizer.policy = policy
    let known = Set(recognizer.memory.samples)
    let (trainingSet, names) = try await read(.train) { db in
      (try TrainingSet(of: id, knowing: known, in: db), try Self.names(of: id, db))
    }
    guard !trainingSet.samples.isEmpty else { throw WorkspaceError.Reason.noSamples }
    let changes = try await recognizer.teach(trainingSet, threads: threads) {
      progress?(TrainingProgress(stage: .teaching, done: $0, total: $1))
    }
    if !model.isEveryday {
      // The prior of the everyday base already fits drawings of everyday things.
      try recognizer.adapt { progress?(TrainingProgress(stage: .adapting, done: $0, total: $1)) }
    }
    let evaluation = try await LeaveOneOutEvaluation(of: recognizer, before: before) {
      progress?(TrainingProgress(stage: .judging, done: $0, total: $1))
    }
    progress?(TrainingProgress(stage: .saving, done: 0, total: 1))
    let ended = now()
    let findings = evaluation.findings(
      changes, names: names, seconds: max(0, ended.timeIntervalSince(begun)))
    let trained = try await keep(
      recognizer, base: fingerprint, refusalRate: refusalRate, findings, at: ended, of: model)
    progress?(TrainingProgress(stage: .saving, done: 1, total: 1))
    return TrainingReport(model: trained, findings: findings)
  }

  /// Replaces the previous trained model and report. Requires the model lock.
  private func keep(
    _ recognizer: Recognizer, base: String, refusalRate: Double?,
    _ findings: TrainingReport.Findings,
    at time: Date, of model: WorkspaceModel
  ) async throws -> WorkspaceModel {
    let generation = model.generation + 1
    let path = files.model(model.id, generation: generation)
    try Task.checkCancellation()
    let taught = recognizer.memory.samples.filter(\.isOwn)
    try files.requireWritable()
    do {
      try ModelFile.write(recognizer, to: path, replacesLinks: true)
      // A separate task: once the file exists, cancellation must not come between the row and the
      // result.
      let trained = try await Task {
        try await change { db in
          try Self.requireModel(model.id, in: db)
          try db.execute(
            sql: """
              UPDATE model SET generation = ?, lastTrained = ?, base = ?,
                refusalRate = coalesce(?, refusalRate) WHERE id = ?
              """, arguments: [generation, time.milliseconds, base, refusalRate, model.id])
          try Self.replaceTaught(taught, of: model.id, db)
          try findings.save(of: model.id, generation: generation, in: db)
          return try Self.model(model.id, in: db)
        }
      }.value
      if model.generation > 0 {
        AtomicFile.remove(files.model(model.id, generation: model.generation))
      }
      return trained
    } catch {
      files.modelFiles.remove(WorkspaceFiles.name(model.id, generation), unlessNamedIn: database)
      throw error
    }
  }

  /// Resets a model without samples to untrained. Requires the model lock.
  private func forgetAll(
    _ model: WorkspaceModel, refusalRate: Double?, since begun: Date
  ) async throws -> TrainingReport {
    try Task.checkCancellation()
    // A separate task, as above: update the row first, then remove its file.
    let (forgotten, count) = try await Task {
      try await change { db in
        let count =
          try Int.fetchOne(
            db, sql: "SELECT COUNT(*) FROM taught WHERE model = ?", arguments: [model.id]) ?? 0
        try db.execute(
          sql: "UPDATE model SET refusalRate = coalesce(?, refusalRate) WHERE id = ?",
          arguments: [refusalRate, model.id])
        try Self.makeUntaught(model.id, db)
        return (try Self.model(model.id, in: db), count)
      }
    }.value
    AtomicFile.remove(files.model(model.id, generation: model.generation))
    return TrainingReport(
      model: forgotten,
      findings: .init(
        seconds: max(0, now().timeIntervalSince(begun)), samples: 0, added: 0, relabeled: 0,
        removed: count, labels: [], mistakes: [], refusals: []))
  }

  /// Removes the results of training from a model's rows.
  static func makeUntaught(_ id: String, _ db: Database) throws {
    for sql in [
      "UPDATE model SET generation = 0, lastTrained = NULL, base = NULL WHERE id = ?",
      "DELETE FROM taught WHERE model = ?", "DELETE FROM report WHERE model = ?",
    ] { try db.execute(sql: sql, arguments: [id]) }
  }

  static func replaceTaught(_ samples: [TaughtSample], of model: String, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM taught WHERE model = ?", arguments: [model])
    let insert = try db.makeStatement(
      sql: "INSERT INTO taught (model, id, label, digest) VALUES (?, ?, ?, ?)")
    for sample in samples {
      try insert.execute(arguments: [model, sample.id, sample.label, sample.digest])
    }
  }

  private static func names(of model: String, _ db: Database) throws -> [String: String] {
    let rows = try Row.fetchAll(
      db, sql: "SELECT label, name FROM label WHERE model = ? AND name IS NOT NULL",
      arguments: [model])
    return Dictionary(
      try rows.map { (try $0.decode(forColumn: "label"), try $0.decode(forColumn: "name")) },
      uniquingKeysWith: { $1 })
  }

  // MARK: Files that no row refers to yet

  /// Runs `body` while holding the model lock: no other task or program writes model files
  /// meanwhile.
  func withModelLock<T: Sendable>(
    waiting: () -> Void = {}, _ body: () async throws -> T
  ) async throws -> T {
    try await withLock(of: files.modelFiles, waiting: waiting, body)
  }

  /// The same for the pictures of artworks: a training, which may take minutes, is not in the way.
  /// Makes their folder.
  func withArtworkLock<T: Sendable>(
    waiting: () -> Void = {}, _ body: () async throws -> T
  ) async throws -> T {
    try files.requireWritable()
    try files.requirePlain(files.artworks, type: .typeDirectory)
    try WorkspaceFiles.makeParents(of: files.artworkFiles.lock)
    return try await withLock(of: files.artworkFiles, waiting: waiting, body)
  }

  private func withLock<T: Sendable>(
    of kind: ReferencedFiles, waiting: () -> Void, _ body: () async throws -> T
  ) async throws -> T {
    // In a read-only workspace there is nothing to lock.
    if files.copy != nil { return try await body() }
    var hasWaited = false
    while true {
      if let lock = try FileLock(ifFree: kind.lock, creating: true) {
        defer { withExtendedLifetime(lock) {} }
        return try await body()
      }
      if !hasWaited { waiting() }
      hasWaited = true
      try await Task.sleep(for: .milliseconds(30))
    }
  }
}

/// The numbers of samples that changed since the last training.
struct TaughtChanges: Sendable {
  var added = 0
  var relabeled = 0
  var removed = 0
}

/// The samples that a model is to know, and the drawings that are new to it.
private struct TrainingSet: Sendable {
  /// All samples after the training.
  let samples: Set<TaughtSample>
  /// The drawings of unknown samples, ascending.
  let new: [Drawing]

  init(of model: String, knowing known: Set<TaughtSample>, in db: Database) throws {
    let rows = try Row.fetchAll(
      db, sql: "SELECT id, label, digest FROM sample WHERE model = ?", arguments: [model])
    samples = Set(try rows.map { try TaughtSample($0) })
    new = try samples.subtracting(known).sorted().flatMap {
      try Workspace.samples(in: db, model, id: $0.id).map(\.drawing)
    }
  }
}

extension Recognizer {
  /// Updates the memory to hold exactly the training set's samples and those of the base.
  fileprivate mutating func teach(
    _ trainingSet: TrainingSet, threads: Int,
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)?
  ) async throws -> TaughtChanges {
    let gone = forget { $0.isOwn && !trainingSet.samples.contains($0) }
    try await update(with: trainingSet.new, threads: threads, progress: progress)
    let goneIDs = Set(gone.map(\.id))
    let relabeled = trainingSet.new.count { goneIDs.contains($0.id) }
    return TaughtChanges(
      added: trainingSet.new.count - relabeled, relabeled: relabeled,
      removed: gone.count - relabeled)
  }
}
