internal import Ink
internal import Workspace

/// The most recently deleted labels, each of which can be restored once while the studio runs.
actor DeletedLabels {
  private struct Entry {
    let model: String
    var deleted: DeletedLabel

    var pointCount: Int { deleted.samples.reduce(0) { $0 + $1.drawing.pointCount } }
  }

  private var kept: [Entry] = []
  private let mostPoints: Int

  /// The maximum number of labels: undo usually follows at once, and more drawings would fill the
  /// memory.
  private static let most = 4

  /// Keeps up to `mostPoints` points in total; the last label is kept regardless.
  init(mostPoints: Int) { self.mostPoints = mostPoints }

  /// Adds a deleted label, merged with an earlier deletion of the same label: samples with the same
  /// id are kept once, and the earlier ones are dropped if both together exceed the limit.
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

  /// Removes and returns what was deleted under a label; nil if nothing is kept.
  func take(_ label: String, of model: String) -> DeletedLabel? {
    kept.firstIndex { $0.model == model && $0.deleted.label == label }
      .map { kept.remove(at: $0).deleted }
  }

  /// Removes the labels of a deleted model.
  func forget(_ model: String) { kept.removeAll { $0.model == model } }
}
