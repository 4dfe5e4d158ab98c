internal import Ink
internal import Recognition

// Recognized shapes: their emojis stay, and late strokes may still belong to them (F-015).
extension LiveCanvas {
  /// Settle-time multiplier for unrecognized strokes that seem to finish an emoji: they may as well
  /// begin a shape over it.
  private static let latePatience = 3.0
  /// The least log-odds with which a shape joins an emoji. Lower, late strokes find their emoji more
  /// often, and shapes that are drawn over it are lost in it more often: see
  /// docs/research/segmentation.md.
  private static let leastOdds: Float = -0.4
  /// The maximum number of strokes of an emoji's drawing with those that may finish it, and of
  /// emojis that are considered for a shape, the latest ones: a decision must not take long.
  private static let mostStrokes = 32
  private static let mostEmojis = 2

  /// Takes a shape that was recognized out of the grouping: its emoji stands.
  mutating func stand(_ index: Int) {
    let places = state.open[index].shape.strokes.compactMap { state.place(of: $0) }
    state.open[index].ink = places.map { state.window[$0] }
    closeStrokes(at: places)
  }

  /// Hides strokes from the grouping of later ones.
  mutating func closeStrokes(at places: [Int]) {
    for place in places { state.window[place].isClosed = true }
    state.closedGroups.append(places)
  }

  /// Adds due shapes to the emojis that they finish.
  ///
  /// - Parameter due: The ids of pending shapes; those that join an emoji or wait for more strokes
  ///   are removed.
  /// - Returns: The emojis that changed.
  mutating func reviseEmojis(with due: inout Set<Int>) -> [Event] {
    var events: [Event] = []
    for id in due.sorted() {
      guard let index = state.open.firstIndex(where: { $0.shape.id == id }),
        let (emoji, revision) = revision(with: state.open[index])
      else { continue }
      let late = state.open[index]
      due.remove(id)
      let isKnown = late.decision?.isRecognized ?? false
      if !isKnown, late.patience < Self.latePatience {
        state.open[index].patience = Self.latePatience
      } else {
        events.append(apply(revision, to: emoji, absorbing: late))
      }
    }
    return events
  }

  /// The emoji that a shape most likely belongs to; nil if none is likely enough.
  private mutating func revision(
    with late: OpenShape
  ) -> (emoji: Int, revision: Revision)? {
    guard revisionModel != nil || owners != nil else { return nil }
    var best: (emoji: Int, revision: Revision)?
    var most = Self.leastOdds
    let near = state.open.filter { emoji in
      // Further away, nothing belongs to it.
      let side = emoji.shape.box.union(late.shape.box).longerSide
      return emoji.isStanding && emoji.shape.box.gap(to: late.shape.box) <= 0.25 * side
        && emoji.ink.count + late.shape.strokes.count <= Self.mostStrokes
    }
    for emoji in near.suffix(Self.mostEmojis) {
      guard let revision = Revision(of: emoji.ink, with: state.ink(of: late), by: segmenter) else {
        continue
      }
      let score = score(revision, emoji, late)
      if score > most { (most, best) = (score, (emoji.shape.id, revision)) }
    }
    return best
  }

  /// The log-odds that a shape belongs to an emoji; for fitting, those of the truth.
  private mutating func score(
    _ revision: Revision, _ emoji: OpenShape, _ late: OpenShape
  ) -> Float {
    guard let owners else { return revisionModel?.score(revision.features) ?? -1 }
    let parts = [emoji, late].map { Set($0.shape.strokes.map { owners[$0] }) }
    let isOne = parts[0] == parts[1] && parts[0].count == 1
    // A group of several shapes' strokes belongs nowhere.
    if parts.allSatisfy({ $0.count == 1 && !$0.contains(nil) }) {
      revisionExamples.append(RevisionExample(features: revision.features, isOne: isOne))
    }
    return isOne ? 1 : -1
  }

  private mutating func apply(
    _ revision: Revision, to emoji: Int, absorbing late: OpenShape
  ) -> Event {
    closeStrokes(at: late.shape.strokes.compactMap { state.place(of: $0) })
    state.open.removeAll { $0.shape.id == late.shape.id }
    guard let index = state.open.firstIndex(where: { $0.shape.id == emoji }) else {
      preconditionFailure("an emoji that stands is open")
    }
    state.open[index].ink = revision.ink
    var shape = state.open[index].shape
    shape.strokes = revision.ink.map(\.number)
    shape.box = revision.box
    let placement = Placement(for: shape.box, on: canvas)
    if case .recognized(let best) = revision.answer.decision {
      shape.state = .recognized(best, placement)
    } else if case .recognized(let best, _) = shape.state {
      // What it was taken for before the late strokes stays likelier than nothing.
      shape.state = .recognized(best, placement)
    }
    state.open[index].shape = shape
    learnPauses(of: index)
    return event(.revised(shape, absorbed: [late.shape.id]))
  }
}
