internal import Recognition
internal import Workspace

/// A cache of the recognizers of recently used models.
///
/// Each access checks the newest generation in the workspace, so that trainings by other programs
/// take effect at once.
actor Recognizers {
  private struct Entry {
    var version: ModelVersion
    var loading: Task<RecognizerSnapshot, any Error>
    var used: Int
  }

  private let actorQueue = ActorQueue("recognizers")
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe actorQueue.asUnownedSerialExecutor()
  }

  private let workspace: Workspace
  private let most: Int
  private var entries: [String: Entry] = [:]
  private var uses = 0

  /// Creates a cache of at most `most` recognizers.
  init(_ workspace: Workspace, most: Int) {
    (self.workspace, self.most) = (workspace, most)
  }

  /// The newest recognizer of a model.
  func snapshot(of id: String) async throws -> RecognizerSnapshot {
    let version = try await workspace.version(of: id)
    uses += 1
    let loading: Task<RecognizerSnapshot, any Error>
    if let known = entries[id], known.version.isSameTraining(as: version) {
      loading = known.loading
      entries[id]?.used = uses
    } else {
      // A separate task: others await it too, so it must continue if the first caller is canceled.
      loading = Task { [workspace] in try await workspace.snapshot(of: id) }
      entries[id] = Entry(version: version, loading: loading, used: uses)
      if entries.count > most, let oldest = entries.min(by: { $0.value.used < $1.value.used }) {
        entries[oldest.key] = nil
      }
    }
    do {
      var snapshot = try await loading.value
      // The refusal rate may have changed without a training.
      if snapshot.model.version.isSameTraining(as: version) {
        snapshot.model.refusalRate = version.refusalRate
      }
      snapshot.recognizer.policy = DecisionPolicy(refusalRate: snapshot.model.refusalRate)
      return snapshot
    } catch {
      // Do not cache failures.
      if entries[id]?.loading == loading { entries[id] = nil }
      throw error
    }
  }
}
