internal import Recognition
internal import Workspace

/// A model's recogniser as it was at some time.
struct RecognizerSnapshot: Sendable {
  /// What makes two of a model differ.
  struct Version: Hashable, Sendable {
    var generation: Int
    var refusalRate: Double
  }

  /// The model's id.
  var model: String
  var version: Version
  var recognizer: Recognizer
}

/// The recognisers of the models that were asked last, one of each.
///
/// Each time the workspace says which generation is the newest, so what another program trains counts at once.
actor Recognizers {
  private struct Entry {
    var generation: Int
    var loading: Task<Recognizer, any Error>
    var used: Int
  }

  private let workspace: Workspace
  private let most: Int
  private var entries: [String: Entry] = [:]
  private var uses = 0

  /// - Parameter most: How many are kept.
  init(_ workspace: Workspace, most: Int) {
    (self.workspace, self.most) = (workspace, most)
  }

  /// The newest recogniser of a model.
  func snapshot(of id: String) async throws -> RecognizerSnapshot {
    let model = try await workspace.model(id)
    var recognizer = try await recognizer(of: model)
    recognizer.policy = DecisionPolicy(refusalRate: model.refusalRate)
    return RecognizerSnapshot(
      model: id, version: .init(generation: model.generation, refusalRate: model.refusalRate),
      recognizer: recognizer)
  }

  private func recognizer(of model: WorkspaceModel) async throws -> Recognizer {
    uses += 1
    if let entry = entries[model.id], entry.generation >= model.generation {
      entries[model.id]?.used = uses
      return try await entry.loading.value
    }
    let loading = Task { [workspace] in try await workspace.recognizer(of: model.id) }
    entries[model.id] = Entry(generation: model.generation, loading: loading, used: uses)
    if entries.count > most, let oldest = entries.min(by: { $0.value.used < $1.value.used }) {
      entries[oldest.key] = nil
    }
    do { return try await loading.value } catch {
      // What failed once may do better the next time.
      if entries[model.id]?.loading == loading { entries[model.id] = nil }
      throw error
    }
  }
}
