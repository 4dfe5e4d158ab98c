internal import Ink
internal import Recognition

// Recognized shapes: their emojis stay, and late strokes may still belong to them (F-015).
extension LiveCanvas {
  /// Settle-time multiplier for unrecognized strokes that seem to finish an emoji: they may as well
  /// begin a shape over it.
  private static let latePatience = 3.0
  /// The least log-odds with which a shape is added to an emoji. Lower, late strokes find their
  /// emoji more often, and shapes that are drawn over it are lost in it more often: see
  /// docs/research/segmentation.md.
  private static let leastOdds: Float = -0.4
  /// The maximum number of strokes of an emoji's drawing with those that may finish it, and of
  /// emojis that are considered for a shape, the latest ones: a decision must not take long.
  private static let mostStrokes = 32
  private static let mostEmojis = 2

  /// Adds due shapes to the emojis that they finish.
  ///
  /// - Parameter due: The ids of pending shapes; those that are added or wait for more strokes are
  ///   removed.
  /// - Returns: The emojis that changed.
  mutating func addToEmojis(_ due: inout Set<Int>) -> [Event] {
    var events: [Event] = []
    for id in due.sorted() {
      guard let index = state.open.firstIndex(where: { $0.shape.id == id }),
        let (emoji, revision) = revision(with: state.open[index])
      else { continue }
      due.remove(id)
      let late = state.open[index]
      let isKnown = late.decision?.isRecognized ?? false
      if !isKnown, late.patience < Self.latePatience {
        state.open[index].patience = Self.latePatience
      } else {
        state.removeFromOpen(index)
        state.emojis[emoji].add(revision, on: canvas)
        state.emojis[emoji].learned = learnPauses(
          in: revision.ink, after: state.emojis[emoji].learned)
        events.append(event(.revised(state.emojis[emoji].shape, absorbed: [id])))
        // The late shape may have been begun first.
        state.emojis.sort { $0.shape.strokes[0] < $1.shape.strokes[0] }
      }
    }
    return events
  }

  /// The emoji, by its index, that a shape most likely belongs to; nil if none is likely enough.
  private mutating func revision(with late: OpenShape) -> (emoji: Int, revision: Revision)? {
    guard revisionModel != nil || owners != nil else { return nil }
    var best: (emoji: Int, revision: Revision)?
    var most = Self.leastOdds
    let near = state.emojis.indices.filter { index in
      // Further away, nothing belongs to it.
      let shape = state.emojis[index].shape
      let side = shape.box.union(late.shape.box).longerSide
      return shape.box.gap(to: late.shape.box) <= 0.25 * side
        && shape.strokes.count + late.shape.strokes.count <= Self.mostStrokes
    }
    for index in near.suffix(Self.mostEmojis) {
      let emoji = state.emojis[index]
      guard let revision = Revision(of: emoji.ink, with: state.ink(of: late), by: segmenter) else {
        continue
      }
      let score = score(revision, emoji.shape, late.shape)
      if score > most { (most, best) = (score, (index, revision)) }
    }
    return best
  }

  /// The log-odds that a shape belongs to an emoji; for fitting, those of the truth.
  private mutating func score(
    _ revision: Revision, _ emoji: LiveShape, _ late: LiveShape
  ) -> Float {
    guard let owners else { return revisionModel?.score(revision.features) ?? -1 }
    let parts = [emoji, late].map { Set($0.strokes.map { owners[$0] }) }
    let isOne = parts[0] == parts[1] && parts[0].count == 1
    // A group of several shapes' strokes belongs nowhere.
    if parts.allSatisfy({ $0.count == 1 && !$0.contains(nil) }) {
      revisionExamples.append(RevisionExample(features: revision.features, isOne: isOne))
    }
    return isOne ? 1 : -1
  }
}

extension LiveCanvas.OpenEmoji {
  /// Adds late strokes: it is what the recognizer says of all its strokes, if it recognizes them.
  fileprivate mutating func add(_ revision: Revision, on canvas: Drawing.Canvas?) {
    guard case .recognized(var best, _) = shape.state else {
      preconditionFailure("an emoji is recognized")
    }
    if case .recognized(let whole) = revision.answer.decision { best = whole.fromModel }
    ink = revision.ink
    (shape.strokes, shape.box) = (ink.map(\.number), revision.box)
    shape.state = .recognized(best, Placement(for: revision.box, on: canvas))
  }
}
