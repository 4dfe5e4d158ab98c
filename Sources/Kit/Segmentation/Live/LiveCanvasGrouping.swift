internal import Ink
internal import Recognition

/// From strokes to shapes, and from pending shapes to decided and closed ones.
extension LiveCanvas {
  /// A group that occurs in less than this share of the groupings is doubtful.
  private static let leastSureness = 0.5
  /// A stroke of at most this share of an emoji's longer side is a dot, like late dots in Quick,
  /// Draw!.
  private static let mostOfDot = 0.1
  /// A drawing is drawn over an emoji if at least this share of it lies on the emoji.
  private static let leastCover = 0.5

  /// Shows the segmenter a stroke, which was checked.
  mutating func give(_ stroke: Stroke) {
    let before = segmenter.readingCount
    do {
      try segmenter.add(stroke)
      readingCount += segmenter.readingCount - before
    } catch {
      preconditionFailure("a stroke that was checked is refused: \(error)")
    }
  }

  /// Brings the segmenter to where it was with the window's strokes.
  mutating func rebuildSegmenter() {
    segmenter = segmenter.cleared()
    isBehind = false
    for item in state.window { give(item.stroke) }
  }

  /// Applies the segmenter's best grouping that keeps closed shapes unchanged.
  mutating func regroup() -> [Event] {
    var found = segmenter.grouping(keeping: state.closedGroups)
    if found == nil {
      // Every grouping mixes new strokes with closed shapes: those are out of its sight now.
      state = state.withoutClosed()
      rebuildSegmenter()
      found = segmenter.grouping(keeping: [])
    }
    let groups = (found ?? []).filter { !state.window[$0.strokes[0]].isClosed }
    return take(groups)
  }

  /// Sets the open shapes to `groups`. Emojis stay: if a group has strokes of an emoji and others,
  /// the others become a shape.
  private mutating func take(_ groups: [Segment]) -> [Event] {
    let now = milliseconds ?? 0
    let found = groups.map { group in (group, numbers: numbers(of: group)) }
    let emojis = state.open.filter { open in
      open.isEmoji && (!open.dots.isEmpty || !found.contains { $0.numbers == open.shape.strokes })
    }
    let theirs = Set(emojis.flatMap(\.shape.strokes))
    let parts = found.map { ($0, $1, strokes: $1.filter { !theirs.contains($0) }) }
      .filter { !$0.strokes.isEmpty }
    let others = state.open.filter { !theirs.contains($0.shape.strokes[0]) }
    var old = Dictionary(uniqueKeysWithValues: others.map { ($0.shape.strokes, $0) })
    var next: [OpenShape?] = parts.map { group, numbers, strokes in
      guard var same = old.removeValue(forKey: strokes) else { return nil }
      same.group = numbers
      same.answer = same.shape.isPending ? group.answer : nil
      same.sureness = group.sureness
      return same
    }
    // The others are those that changed, each in the place of the shape that it shares most strokes
    // with.
    var rest = others.filter { old[$0.shape.strokes] != nil }
    var changed: [(index: Int, wasDecided: Bool)] = []
    for (index, (group, numbers, strokes)) in parts.enumerated() where next[index] == nil {
      let shared = rest.map { shape in shape.shape.strokes.count { strokes.contains($0) } }
      var (id, wasDecided, learned) = (state.shapeCount, false, -1)
      if let most = shared.max(), most > 0, let place = shared.firstIndex(of: most) {
        let before = rest.remove(at: place)
        (id, wasDecided, learned) = (before.shape.id, !before.shape.isPending, before.learned)
      } else {
        state.shapeCount += 1
      }
      next[index] = OpenShape(
        shape: LiveShape(id: id, strokes: strokes, box: box(of: strokes), state: .pending),
        since: now, group: numbers, answer: group.answer, sureness: group.sureness,
        learned: learned)
      changed.append((index, wasDecided))
    }
    let all = next.compactMap { $0 }
    state.open = (emojis + all).sorted { $0.shape.strokes[0] < $1.shape.strokes[0] }
    return changed.map { index, wasDecided in
      let shape = all[index].shape
      let absorbed = rest.filter { shape.strokes.contains($0.shape.strokes[0]) }
      let ids = absorbed.map(\.shape.id)
      return event(
        wasDecided || absorbed.contains { !$0.shape.isPending }
          ? .revised(shape, absorbed: ids) : .pending(shape, absorbed: ids))
    }
  }

  private func numbers(of group: Segment) -> [Int] {
    group.strokes.map { state.window[$0].number }
  }

  /// The box around strokes with the given numbers, which are in the window.
  func box(of strokes: [Int]) -> BoundingBox {
    let boxes = state.places(of: strokes).map { state.window[$0].box }
    return boxes.dropFirst().reduce(boxes[0]) { $0.union($1) }
  }

  // MARK: Deciding

  /// Decides on the pending shapes that are due.
  mutating func decideDueShapes() -> [Event] {
    let (now, settle, settings, pens) = (milliseconds ?? 0, settleMilliseconds, settings, pens)
    let events = decide { $0.isAway(from: pens) && $0.deadline(settle, settings) <= now }
    guard pens.isEmpty else { return events }
    closeOldShapes()
    let closedStrokes = state.window.count - state.openStrokeCount
    // The open ones are given to the segmenter again: not more of them than are forgotten.
    if closedStrokes >= max(state.forgetsAt, state.openStrokeCount) {
      forgetClosedStrokes(closedStrokes)
    }
    return events
  }

  private func ids(_ isMeant: (OpenShape) -> Bool) -> Set<Int> {
    Set(state.open.lazy.filter(isMeant).map(\.shape.id))
  }

  /// Decides pending shapes one after the other, because a decision beside emojis can change other
  /// shapes. It terminates, because each decision leaves fewer pending shapes or fewer open
  /// strokes.
  private mutating func decide(_ isMeant: (OpenShape) -> Bool) -> [Event] {
    var events: [Event] = []
    while let index = state.open.firstIndex(where: { $0.shape.isPending && isMeant($0) }) {
      let open = state.open[index]
      if open.answer == nil, isBehind, segmenter.asksRecognizer {
        // Undo went back to before the recognizer was replaced.
        rebuildSegmenter()
        events += regroup()
        continue
      }
      if open.isBesideEmojis {
        events += decideBesideEmojis(open)
      } else if let emoji = emojiWithDots(open) {
        events += addDots(open, to: emoji)
      } else {
        events.append(decide(at: index))
      }
    }
    return events
  }

  private mutating func decide(at index: Int) -> Event {
    let open = state.open[index]
    state.open[index].shape.state = verdict(on: open)
    state.open[index].answer = nil
    state.open[index].learned = learnPauses(in: state.ink(of: open.shape), after: open.learned)
    return event(of: state.open[index].shape)
  }

  /// The event that tells of a decided shape.
  func event(of shape: LiveShape) -> Event {
    switch shape.state {
    case .recognized: event(.recognized(shape))
    case .confused: event(.confused(shape))
    case .unrecognized, .pending: event(.unrecognized(shape))
    }
  }

  /// The decision on a shape, by its current answer.
  func verdict(on open: OpenShape) -> LiveShape.State {
    let box = open.shape.box
    switch open.answer?.decision {
    case .recognized(let best):
      return .recognized(best.fromModel, Placement(for: box, on: canvas))
    case .unrecognized(let best, because: .betweenLabels): return .confused(best: best)
    case let decision:
      let isDoubtful = open.sureness < Self.leastSureness || isOverEmoji(box)
      return isDoubtful ? .confused(best: decision?.best) : .unrecognized(best: decision?.best)
    }
  }

  /// The open emoji that a shape of late dots belongs to: all of its strokes are dots in the
  /// emoji's box. Nil without such an emoji, and for several strokes that are recognized together.
  /// The recognizer's answer about a single dot is ignored.
  func emojiWithDots(_ dots: OpenShape) -> OpenShape? {
    let isRecognized = dots.answer?.decision.isRecognized ?? false
    guard dots.shape.strokes.count == 1 || !isRecognized else { return nil }
    let boxes = state.ink(of: dots.shape).map(\.box)
    func areDots(in box: BoundingBox) -> Bool {
      boxes.allSatisfy { dot in
        dot.longerSide <= Self.mostOfDot * box.longerSide
          && dot.x >= box.x && dot.x + dot.width <= box.x + box.width
          && dot.y >= box.y && dot.y + dot.height <= box.y + box.height
      }
    }
    return state.open.last { $0.isEmoji && areDots(in: $0.shape.box) }
  }

  /// Whether a drawing lies on an emoji.
  private func isOverEmoji(_ box: BoundingBox) -> Bool {
    func covers(_ shape: LiveShape) -> Bool {
      guard case .recognized(_, let place) = shape.state else { return false }
      // A line has no area: a little is added to every side.
      let slack = 0.02 * place.side
      let grown = box.grown(slack)
      let square = BoundingBox(x: place.x, y: place.y, width: place.side, height: place.side)
      return grown.overlap(with: square) >= Self.leastCover * grown.area
    }
    return state.open.contains { covers($0.shape) } || closed.contains(where: covers)
  }

  /// Updates the tempo with the pauses between consecutive strokes of a shape.
  ///
  /// - Parameters:
  ///   - ink: The shape's strokes.
  ///   - learned: The highest number among the strokes whose pauses it has learned.
  /// - Returns: That number now.
  mutating func learnPauses(in ink: [WindowStroke], after learned: Int) -> Int {
    for (before, after) in zip(ink, ink.dropFirst())
    where after.number == before.number + 1 && after.number > learned {
      let pause = after.start - before.end
      if pause > 0 { state.tempo.add(pause) }
    }
    return ink.last?.number ?? learned
  }

  // MARK: Closing

  /// Closes decided shapes without recent ink; a shape that began in time may still become part of
  /// an emoji.
  mutating func closeOldShapes() {
    guard let now = milliseconds else { return }
    let begun = state.open.filter(\.shape.isPending)
      .compactMap { state.ink(of: $0.shape).first?.start }
    close(
      ids { open in
        guard !open.shape.isPending, let last = state.ink(of: open.shape).last else {
          return false
        }
        let end = last.end + settings.reopenMilliseconds
        return now > end && !(open.isEmoji && begun.contains { last.end...end ~= $0 })
      })
  }

  /// Closes all shapes that were decided on.
  mutating func closeDecidedShapes() {
    close(ids { !$0.shape.isPending })
  }

  /// Finishes shapes that many later strokes did not join, and all shapes if there are too many
  /// strokes.
  mutating func finishPassedShapes() -> [Event] {
    let horizon = state.window.count - settings.reach
    guard horizon > 0 else { return [] }
    let first = state.window[horizon].number
    var events = finish { $0.lastStroke < first }
    if state.window.count >= settings.mostOpenStrokes {
      // Half the window at most is given to the segmenter again, which takes a while.
      if state.openStrokeCount >= settings.mostOpenStrokes / 2 {
        events += finish { _ in true }
      } else {
        state = state.withoutClosed()
        rebuildSegmenter()
        events += regroup()
      }
    }
    return events
  }

  /// Finishes all shapes if a stroke would give them too many points.
  mutating func finishShapes(before stroke: Stroke) -> [Event] {
    let points = state.window.lazy.filter { !$0.isClosed }.reduce(stroke.points.count) {
      $0 + $1.stroke.points.count
    }
    return points > settings.mostOpenPoints ? finish { _ in true } : []
  }

  /// Decides on shapes, and closes them.
  private mutating func finish(_ isMeant: (OpenShape) -> Bool) -> [Event] {
    let events = decide(isMeant)
    close(ids(isMeant))
    return events
  }

  mutating func close(_ ids: Set<Int>) {
    guard !ids.isEmpty else { return }
    for open in state.open where ids.contains(open.shape.id) {
      for place in state.places(of: open.shape.strokes) { state.window[place].isClosed = true }
      state.closedGroups += ([open.grouped] + open.dots).map { state.places(of: $0) }
      closed.append(open.shape)
    }
    state.closedCount = closed.count
    state.open.removeAll { ids.contains($0.shape.id) }
    guard state.open.isEmpty else { return }
    state = state.withoutClosed()
    rebuildSegmenter()
  }

  /// Restarts the segmenter without closed shapes, unless that would group the open ones
  /// differently.
  private mutating func forgetClosedStrokes(_ count: Int) {
    guard !isBehind else { return }
    let (oldState, oldSegmenter) = (state, segmenter)
    let before = (segmenter.grouping(keeping: state.closedGroups) ?? [])
      .filter { !state.window[$0.strokes[0]].isClosed }.map { numbers(of: $0) }
    state = state.withoutClosed()
    rebuildSegmenter()
    if (segmenter.grouping(keeping: []) ?? []).map({ numbers(of: $0) }) != before {
      (state, segmenter) = (oldState, oldSegmenter)
      // To try again at each decision would cost a whole window of strokes each time.
      state.forgetsAt = count + State.fewClosedStrokes
    }
  }
}
