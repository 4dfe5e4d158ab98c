internal import HTTPTypes
internal import Workspace

/// How far a training is, as pages are told.
struct TrainingState: Encodable, Equatable {
  var model: String
  let running = true
  /// What is being done.
  var stage: TrainingProgress.Stage
  /// How much of it is done.
  var done: Int
  /// How much there is of it; 0 where that is not known.
  var total: Int

  private enum CodingKeys: CodingKey { case model, running, stage, done, total }
}

/// Trains models, each once at a time, and tells everybody how far it is and what came of it.
actor Trainer {
  private struct Training {
    var state: TrainingState
    var task: Task<Void, Never>?
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

  /// Tells somebody who has just come what is being trained; what comes of it is told behind that.
  func tell(_ listener: EventListener) {
    for state in states { listener.send(EventListener.event("training", state)) }
  }

  /// What is being trained, in the order of the models' ids.
  var states: [TrainingState] {
    trainings.values.map(\.state).sorted { $0.model < $1.model }
  }

  /// Begins to train a model.
  ///
  /// - Throws: `StudioError` where it is being trained already, and `WorkspaceError` for an unknown model and one
  ///   without samples.
  func start(_ id: String) async throws -> TrainingState {
    let model = try await workspace.model(id)
    guard model.sampleCount > 0 else { throw WorkspaceError(.train, .noSamples) }
    guard trainings[id] == nil else {
      throw StudioError(.conflict, "alreadyTraining", "The model is being trained already.")
    }
    guard !isClosed else { throw CancellationError() }
    let state = TrainingState(model: id, stage: .waiting, done: 0, total: 0)
    trainings[id] = Training(state: state)
    trainings[id]?.task = Task(executorPreference: queue) { await self.train(id) }
    hub.send("training", state)
    return state
  }

  private func train(_ id: String) async {
    // Every hundredth part is told, in order; the training itself does not wait for that.
    let (steps, continuation) = AsyncStream.makeStream(
      of: TrainingProgress.self, bufferingPolicy: .bufferingNewest(1))
    let telling = Task { for await step in steps { note(step, of: id) } }
    let start = ContinuousClock.now
    let result: Result<TrainingReport, any Error>
    do {
      result = .success(
        try await workspace.train(id) { progress in
          if progress.isWorthTelling { continuation.yield(progress) }
        })
    } catch { result = .failure(error) }
    continuation.finish()
    await telling.value
    // Playgrounds first: who hears that it is done can draw.
    if case .success = result { await playgrounds.follow(id) }
    Memory.giveBack()
    trainings[id] = nil
    switch result {
    case .success(let report):
      hub.send(
        "trained",
        TrainedEvent(
          model: id, report: TrainedReport(report, seconds: (.now - start) / .seconds(1))))
      hub.send("changed", ChangedEvent(what: .models, model: id))
    case .failure(let error):
      if !(error is CancellationError) { Studio.log("training of \(id): \(error)") }
      let told =
        StudioError(error)
        ?? StudioError(
          .internalServerError, error is CancellationError ? "stopped" : "internalError",
          "Training failed. Try with more samples.")
      hub.send("training-failed", TrainingFailedEvent(model: id, error: told))
    }
  }

  private func note(_ progress: TrainingProgress, of id: String) {
    let state = TrainingState(
      model: id, stage: progress.stage, done: progress.done, total: progress.total)
    guard trainings[id] != nil, trainings[id]?.state != state else { return }
    trainings[id]?.state = state
    hub.send("training", state)
  }

  /// Waits for what is being trained; for tests.
  func wait() async {
    for training in trainings.values { await training.task?.value }
  }

  /// Stops all trainings: the models stay as they were.
  func close() async {
    isClosed = true
    let tasks = trainings.values.compactMap(\.task)
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}

extension TrainingProgress {
  /// Whether it is another hundredth than the step before.
  fileprivate var isWorthTelling: Bool {
    total <= 100 || done == total || done * 100 / total != (done - 1) * 100 / total
  }
}

/// A model was trained.
private struct TrainedEvent: Encodable {
  var model: String
  var report: TrainedReport
}

/// A model could not be trained; it is as it was.
private struct TrainingFailedEvent: Encodable {
  var model: String
  var error: StudioError

  private enum Key: CodingKey { case model }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(model, forKey: .model)
    try error.encode(to: encoder)
  }
}

/// What a training brought, as pages are told.
struct TrainedReport: Encodable {
  struct Label: Encodable {
    var label: String
    @OrNull var name: String?
    var samples: Int
    @OrNull var before: Double?
    @OrNull var after: Double?
    var change: TrainingReport.Change
  }

  /// A sample that would be taken for something else, or, where `takenFor` is null, would not be recognised.
  struct Mistaken: Encodable {
    var sample: String
    var label: String
    @OrNull var takenFor: String?
  }

  var samples: Int
  var seconds: Double
  /// The share of left-out samples that were recognised before, of labels known then.
  @OrNull var accuracyBefore: Double?
  /// The share of left-out samples that are recognised now.
  @OrNull var accuracyAfter: Double?
  var labels: [Label]
  var mistaken: [Mistaken]

  init(_ report: TrainingReport, seconds: Double) {
    func mean(_ share: (TrainingReport.Label) -> Double?) -> Double? {
      let known = report.labels.compactMap { label in share(label).map { ($0, label.judged) } }
      let count = known.reduce(0) { $0 + $1.1 }
      return count == 0 ? nil : known.reduce(0) { $0 + $1.0 * Double($1.1) } / Double(count)
    }
    (samples, self.seconds) = (report.samples, seconds)
    _accuracyBefore = OrNull(wrappedValue: mean(\.recognizedBefore))
    _accuracyAfter = OrNull(wrappedValue: mean(\.recognizedAfter))
    labels = report.labels.map {
      Label(
        label: $0.label, name: $0.name, samples: $0.samples, before: $0.recognizedBefore,
        after: $0.recognizedAfter, change: $0.change)
    }
    mistaken =
      report.mistakes.map { Mistaken(sample: $0.sample, label: $0.label, takenFor: $0.takenFor) }
      + report.refusals.map { Mistaken(sample: $0.sample, label: $0.label, takenFor: nil) }
  }
}
