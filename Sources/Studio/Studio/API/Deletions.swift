internal import HTTPTypes
internal import Hummingbird
internal import Ink
internal import Workspace

/// The latest deletions of labels or samples; each can be restored once while the studio runs.
actor Deletions {
  struct Entry {
    let model: String
    let key: String
    /// Whether the owner deleted some of it, now or before.
    var isOwners: Bool
    /// Who deleted it; the owner for what several people deleted.
    var visitor: Visitor
    var deleted: DeletedLabel

    var pointCount: Int { deleted.samples.reduce(0) { $0 + $1.drawing.pointCount } }
  }

  private var kept: [Entry] = []
  private let most: Int
  private let mostPoints: Int

  /// Keeps up to `most` entries of up to `mostPoints` points in total, as more drawings would fill
  /// the memory; the last entry is kept regardless. Guests' have limits of their own, so that they
  /// do not displace the owner's.
  init(most: Int, mostPoints: Int) { (self.most, self.mostPoints) = (most, mostPoints) }

  /// Adds what was deleted under a key.
  func keep(
    _ deleted: DeletedLabel, of model: String, as key: String, by visitor: Visitor = .owner
  ) {
    keep(
      Entry(
        model: model, key: key, isOwners: visitor == .owner, visitor: visitor, deleted: deleted))
  }

  /// Adds an entry, merged with what was deleted under its key before: samples with the same id are
  /// kept once, and the earlier ones are dropped if both together exceed the limit.
  func keep(_ entry: Entry) {
    var entry = entry
    if let before = take(entry.key, of: entry.model) {
      let again = Set(entry.deleted.samples.map(\.id))
      let earlier = before.deleted.samples.filter { !again.contains($0.id) }
      let points = earlier.reduce(entry.pointCount) { $0 + $1.drawing.pointCount }
      if points <= mostPoints {
        entry.deleted.samples += earlier
        if !earlier.isEmpty, before.visitor != entry.visitor { entry.visitor = .owner }
      }
      entry.deleted.name = entry.deleted.name ?? before.deleted.name
      entry.isOwners = entry.isOwners || before.isOwners
    }
    kept.append(entry)
    var (count, points) = (0, 0)
    for index in kept.indices.reversed() where kept[index].isOwners == entry.isOwners {
      (count, points) = (count + 1, points + kept[index].pointCount)
      if count > most || count > 1 && points > mostPoints { kept.remove(at: index) }
    }
  }

  /// Removes and returns what was deleted under a key; nil if nothing is kept.
  func take(_ key: String, of model: String) -> Entry? {
    kept.firstIndex { $0.model == model && $0.key == key }.map { kept.remove(at: $0) }
  }

  /// Removes what was deleted from a deleted model.
  func forget(_ model: String) { kept.removeAll { $0.model == model } }
}

extension Studio {
  /// Restores what was deleted under a key.
  ///
  /// - Parameters:
  ///   - key: What it was kept under.
  ///   - model: The model's id.
  ///   - deletions: Where it was kept.
  ///   - check: Throws if the visitor may not restore it.
  /// - Returns: The label as it is now.
  /// - Throws: `StudioError` “nothingToRestore” if nothing is kept, and what the workspace throws;
  ///   then it can be tried again.
  func restore(
    _ key: String, of model: String, from deletions: Deletions,
    checking check: (Deletions.Entry) async throws -> Void = { _ in }
  ) async throws -> WorkspaceLabel {
    guard let entry = await deletions.take(key, of: model) else {
      throw StudioError(
        .notFound, "nothingToRestore", WorkspaceError(.restore, .busy).message,
        detail: "It was not deleted here, or it was deleted too long ago.")
    }
    do {
      try await check(entry)
      return try await workspace.restore(entry.deleted, of: model)
    } catch {
      await deletions.keep(entry)
      throw error
    }
  }
}
