internal import Recognition
internal import Workspace

extension RecognizerSnapshot {
  /// What makes two snapshots of a model differ.
  var version: ModelVersion { model.version }
}

/// The recognizers of the models that were asked last, one of each.
///
/// Each time the workspace says which generation is the newest, so what another program trains
/// counts at once.
actor Recognizers {
  private struct Entry {
    var version: ModelVersion
    var loading: Task<RecognizerSnapshot, any Error>
    var used: Int
  }

  private let workspace: Workspace
  private let most: Int
  private var entries: [String: Entry] = [:]
  private var uses = 0

  /// Keeps as many as `most`.
  init(_ workspace: Workspace, most: Int) {
    (self.workspace, self.most) = (workspace, most)
  }

  /// The newest recognizer of a model.
  func snapshot(of id: String) async throws -> RecognizerSnapshot {
    let version = try await workspace.version(of: id)
    uses += 1
    let loading: Task<RecognizerSnapshot, any Error>
    if let known = entries[id], known.version.isOfSameTraining(as: version) {
      loading = known.loading
      entries[id]?.used = uses
    } else {
      // A task of its own: others wait for it too, so it goes on where who asked first goes.
      loading = Task { [workspace] in try await workspace.snapshot(of: id) }
      entries[id] = Entry(version: version, loading: loading, used: uses)
      if entries.count > most, let oldest = entries.min(by: { $0.value.used < $1.value.used }) {
        entries[oldest.key] = nil
      }
    }
    do {
      var snapshot = try await loading.value
      // How sure it must be may have changed without a training.
      if snapshot.version.isOfSameTraining(as: version) {
        snapshot.model.refusalRate = version.refusalRate
      }
      snapshot.recognizer.policy = DecisionPolicy(refusalRate: snapshot.model.refusalRate)
      return snapshot
    } catch {
      // What failed once may do better the next time.
      if entries[id]?.loading == loading { entries[id] = nil }
      throw error
    }
  }
}
