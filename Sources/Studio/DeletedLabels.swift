internal import Workspace

/// The labels that were deleted last, each to be brought back once, for as long as the studio runs.
actor DeletedLabels {
  private var kept: [(model: String, deleted: DeletedLabel)] = []

  /// A few: somebody who did not mean it says so at once, and the drawings of more would fill the memory.
  private static let most = 4

  /// Keeps what was deleted, in the place of what was deleted before under the same label.
  func keep(_ deleted: DeletedLabel, of model: String) {
    _ = take(deleted.label, of: model)
    kept.append((model, deleted))
    if kept.count > Self.most { kept.removeFirst() }
  }

  /// What was deleted under a label, which is not kept any longer.
  func take(_ label: String, of model: String) -> DeletedLabel? {
    kept.firstIndex { $0.model == model && $0.deleted.label == label }
      .map { kept.remove(at: $0).deleted }
  }
}
