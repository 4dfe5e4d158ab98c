internal import HTTPTypes
internal import JSON
internal import Recognition
internal import Workspace

/// The progress of a training, as sent to pages.
struct TrainingState: Encodable, Equatable {
  var model: String
  let running = true
  /// The current stage.
  var stage: TrainingProgress.Stage
  /// How many steps of the stage are done.
  var done: Int
  /// How many steps the stage has; 0 if not known.
  var total: Int

  private enum CodingKeys: CodingKey { case model, running, stage, done, total }
}

/// Trains models, each at most once at a time, and sends progress and results to all listeners.
actor Trainer {
  private struct Training {
    var state: TrainingState
    var task: Task<Void, Never>?
    /// Whether the model was deleted: no events are sent about its training anymore.
    var isForgotten = false
  }

  private let actorQueue = ActorQueue("trainer")
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe actorQueue.asUnownedSerialExecutor()
  }

  private let workspace: Workspace
  private let hub: EventHub
  private let playgrounds: Playgrounds
  private let queue = WorkQueue("training")
  private var trainings: [String: Training] = [:]
  private var isClosed = false

  init(_ workspace: Workspace, _ hub: EventHub, _ playgrounds: Playgrounds) {
    (self.workspace, self.hub, self.playgrounds) = (workspace, hub, playgrounds)
  }

  /// Sends a new listener the states of the current trainings; later events follow.
  func tell(_ listener: EventListener) {
    for state in states { listener.send(EventListener.event("training", state)) }
  }

  /// The states of the current trainings, in the order of the models' ids.
  var states: [TrainingState] {
    trainings.values.filter { !$0.isForgotten }.map(\.state).sorted { $0.model < $1.model }
  }

  /// Starts training a model.
  ///
  /// - Throws: `StudioError` if it is being trained already, and `WorkspaceError` for an unknown
  ///   model and for one without samples that was never trained.
  func start(_ id: String) async throws -> TrainingState {
    let model = try await workspace.model(id)
    guard model.isTrainable else { throw WorkspaceError(.train, .noSamples) }
    guard trainings[id] == nil else {
      throw StudioError(.conflict, "alreadyTraining", "The model is already being trained.")
    }
    guard !isClosed else { throw CancellationError() }
    let state = TrainingState(model: id, stage: .waiting, done: 0, total: 0)
    trainings[id] = Training(state: state)
    trainings[id]?.task = Task(executorPreference: queue) { await self.train(id) }
    hub.send("training", state)
    return state
  }

  private func train(_ id: String) async {
    // Progress is sent in steps of 1 %, in order; the training does not wait for it.
    let (steps, continuation) = AsyncStream.makeStream(
      of: TrainingProgress.self, bufferingPolicy: .bufferingNewest(1))
    let reporting = Task { for await step in steps { note(step, of: id) } }
    let result: Result<TrainingReport, any Error>
    do {
      result = .success(
        try await workspace.train(id) { progress in
          if progress.isNewPercentage { continuation.yield(progress) }
        })
    } catch { result = .failure(error) }
    continuation.finish()
    await reporting.value
    // Update the playgrounds first, so that clients can draw when they hear of the end.
    if case .success = result { await playgrounds.follow(id) }
    Memory.releaseUnused()
    guard trainings.removeValue(forKey: id)?.isForgotten == false else { return }
    switch result {
    case .success(let report):
      hub.send("trained", TrainedEvent(model: id, report: TrainedReport(report)))
      hub.send("changed", ChangedEvent(what: .models, model: id))
    case .failure(let error):
      if !(error is CancellationError) { Studio.log("training of \(id): \(error)") }
      let told =
        error is CancellationError
        ? StudioError(
          .serviceUnavailable, "stopped", "The training was stopped.",
          detail: "The model was not changed.")
        : StudioError(error)
          ?? StudioError(
            .internalServerError, "internalError", "Training failed. Please try again.",
            detail: "The model was not changed.")
      hub.send("training-failed", Joined(["model": id], told))
    }
  }

  private func note(_ progress: TrainingProgress, of id: String) {
    let state = TrainingState(
      model: id, stage: progress.stage, done: progress.done, total: progress.total)
    guard let training = trainings[id], !training.isForgotten, training.state != state else {
      return
    }
    trainings[id]?.state = state
    hub.send("training", state)
  }

  /// Cancels the training of a deleted model.
  func forget(_ id: String) {
    trainings[id]?.isForgotten = true
    trainings[id]?.task?.cancel()
  }

  /// Waits for all trainings to end; for tests.
  func wait() async {
    for training in trainings.values { await training.task?.value }
  }

  /// Cancels all trainings; the models are unchanged.
  func close() async {
    isClosed = true
    let tasks = trainings.values.compactMap(\.task)
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}

extension TrainingProgress {
  /// Whether the percentage differs from that of the previous step.
  fileprivate var isNewPercentage: Bool {
    total <= 100 || done == total || done * 100 / total != (done - 1) * 100 / total
  }
}

/// A model was trained.
private struct TrainedEvent: Encodable {
  var model: String
  var report: TrainedReport
}

/// The report of a training, as sent to pages.
struct TrainedReport: Encodable {
  struct Changes: Encodable {
    var added: Int
    var relabeled: Int
    var removed: Int

    private enum CodingKeys: String, CodingKey {
      case added, removed
      case relabeled = "relabelled"
    }
  }

  /// A sample that would be recognized as another label or, if `takenFor` is null, would be
  /// rejected.
  struct Mistake: Encodable {
    var sample: String
    var label: String
    @OrNull var takenFor: String?
  }

  var samples: Int
  var seconds: Double
  /// The numbers of samples that were added, relabeled or removed.
  var changes: Changes
  /// The share of samples left out in turn that are recognized now.
  @OrNull var recognizedShare: Double?
  /// The shares of samples known to the previous training, before and now.
  @OrNull var known: TrainingReport.Shares.Known?
  /// The share of samples that are new since then.
  @OrNull var added: TrainingReport.Shares.Added?
  var labels: [TrainingReport.Label]
  var mistaken: [Mistake]
  /// The estimated rejection and acceptance rates at the model's refusal rate.
  @OrNull var knownRefused: AcceptanceRates.Rate?
  @OrNull var unknownAccepted: AcceptanceRates.Rate?

  init(_ report: TrainingReport) {
    (samples, seconds) = (report.samples, report.seconds)
    changes = Changes(
      added: report.added, relabeled: report.relabeled, removed: report.removed)
    let shares = report.shares
    recognizedShare = shares.recognized
    known = shares.known
    added = shares.added
    labels = report.labels
    knownRefused = report.rates?.knownRefused
    unknownAccepted = report.rates?.unknownAccepted
    mistaken =
      report.mistakes.map { Mistake(sample: $0.sample, label: $0.label, takenFor: $0.takenFor) }
      + report.refusals.map { Mistake(sample: $0.sample, label: $0.label, takenFor: nil) }
  }
}
