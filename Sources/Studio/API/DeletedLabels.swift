internal import Ink
internal import Workspace

/// The labels that were deleted last, each to be brought back once, for as long as the studio runs.
actor DeletedLabels {
  private struct Entry {
    let model: String
    var deleted: DeletedLabel

    var pointCount: Int { deleted.samples.reduce(0) { $0 + $1.drawing.pointCount } }
  }

  private var kept: [Entry] = []
  private let mostPoints: Int

  /// A few: somebody who did not mean it says so at once, and the drawings of more would fill the
  /// memory.
  private static let most = 4

  /// Keeps drawings of `mostPoints` points together, and those of the last label whatever they
  /// have.
  init(mostPoints: Int) { self.mostPoints = mostPoints }

  /// Keeps what was deleted, with what is kept from before under the same label: samples that were
  /// added again since are there once, and what was deleted earlier goes where both together are
  /// too much.
  func keep(_ deleted: DeletedLabel, of model: String) {
    var all = deleted
    if let before = take(deleted.label, of: model) {
      let again = Set(deleted.samples.map(\.id))
      let earlier = before.samples.filter { !again.contains($0.id) }
      let points = (earlier + deleted.samples).reduce(0) { $0 + $1.drawing.pointCount }
      if points <= mostPoints { all.samples += earlier }
      all.name = deleted.name ?? before.name
    }
    kept.append(Entry(model: model, deleted: all))
    while kept.count > 1,
      kept.count > Self.most || kept.reduce(0, { $0 + $1.pointCount }) > mostPoints
    {
      kept.removeFirst()
    }
  }

  /// What was deleted under a label, which is not kept any longer.
  func take(_ label: String, of model: String) -> DeletedLabel? {
    kept.firstIndex { $0.model == model && $0.deleted.label == label }
      .map { kept.remove(at: $0).deleted }
  }

  /// Forgets what belonged to a model that is gone.
  func forget(_ model: String) { kept.removeAll { $0.model == model } }
}
