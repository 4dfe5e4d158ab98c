internal import Ink
internal import Recognition

/// From strokes to shapes, and from pending shapes to decided and closed ones.
extension LiveCanvas {
  /// A group that is one in less than this share of the groupings is doubtful.
  private static let leastSureness = 0.5
  /// A drawing of which this share lies on an emoji is drawn over it.
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

  /// Follows the segmenter's best grouping that leaves closed shapes as they are.
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

  /// Makes the open shapes those of `groups`.
  private mutating func take(_ groups: [Segment]) -> [Event] {
    let now = milliseconds ?? 0
    let numbers = groups.map { $0.strokes.map { state.window[$0].number } }
    var old = Dictionary(uniqueKeysWithValues: state.open.map { ($0.shape.strokes, $0) })
    var next: [OpenShape?] = zip(groups, numbers).map { group, strokes in
      guard var same = old.removeValue(forKey: strokes) else { return nil }
      (same.decision, same.sureness) = (group.answer?.decision, group.sureness)
      same.candidates = group.answer?.candidates ?? []
      return same
    }
    // The others are those that changed, each in the place of the shape that it shares most strokes
    // with.
    var rest = state.open.filter { old[$0.shape.strokes] != nil }
    var changed: [(index: Int, wasDecided: Bool)] = []
    for (index, group) in groups.enumerated() where next[index] == nil {
      let strokes = numbers[index]
      let shared = rest.map { shape in shape.shape.strokes.count { strokes.contains($0) } }
      var (id, wasDecided, learned) = (state.shapeCount, false, -1)
      if let most = shared.max(), most > 0, let place = shared.firstIndex(of: most) {
        let before = rest.remove(at: place)
        (id, wasDecided, learned) = (before.shape.id, !before.shape.isPending, before.learned)
      } else {
        state.shapeCount += 1
      }
      let boxes = group.strokes.map { state.window[$0].box }
      next[index] = OpenShape(
        shape: LiveShape(
          id: id, strokes: strokes, box: boxes.dropFirst().reduce(boxes[0]) { $0.union($1) },
          state: .pending),
        since: now, decision: group.answer?.decision,
        candidates: group.answer?.candidates ?? [], sureness: group.sureness,
        learned: learned)
      changed.append((index, wasDecided))
    }
    let all = next.compactMap { $0 }
    state.open = all.sorted { $0.shape.strokes[0] < $1.shape.strokes[0] }
    return changed.map { index, wasDecided in
      let shape = all[index].shape
      let absorbed = rest.filter { shape.strokes.contains($0.shape.strokes[0]) }
      let ids = absorbed.map(\.shape.id)
      return event(
        wasDecided || absorbed.contains { !$0.shape.isPending }
          ? .revised(shape, absorbed: ids) : .pending(shape, absorbed: ids))
    }
  }

  // MARK: Deciding

  /// Decides on the pending shapes whose settle time is over.
  mutating func decideDueShapes() -> [Event] {
    let (now, settle) = (milliseconds ?? 0, settleMilliseconds)
    var due = ids { $0.shape.isPending && deadline(of: $0, settle) <= now }
    let events = addToEmojis(&due) + decide(due)
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

  private mutating func decide(_ ids: Set<Int>) -> [Event] {
    var events: [Event] = []
    for id in state.open.filter({ $0.shape.isPending && ids.contains($0.shape.id) }).map(\.shape.id)
    {
      guard let index = state.open.firstIndex(where: { $0.shape.id == id }) else { continue }
      let open = state.open[index]
      let result = verdict(on: open)
      state.open[index].shape.state = result
      state.open[index].learned = learnPauses(in: state.ink(of: open), after: open.learned)
      let shape = state.open[index].shape
      switch result {
      case .recognized:
        state.moveToEmojis(index)
        events.append(event(.recognized(shape)))
      case .confused: events.append(event(.confused(shape)))
      case .unrecognized, .pending: events.append(event(.unrecognized(shape)))
      }
    }
    forgetWhereNothingIsOpen()
    return events
  }

  private func verdict(on open: OpenShape) -> LiveShape.State {
    let box = open.shape.box
    switch open.decision {
    case .recognized(let best):
      return .recognized(best.fromModel, Placement(for: box, on: canvas))
    case .unrecognized(let best, because: .betweenLabels): return .confused(best: best)
    case let decision:
      let isDoubtful = open.sureness < Self.leastSureness || isOverEmoji(box)
      return isDoubtful ? .confused(best: decision?.best) : .unrecognized(best: decision?.best)
    }
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
    return state.emojis.contains { covers($0.shape) } || closed.contains(where: covers)
  }

  /// The tempo learns from pauses between strokes of a shape that were drawn one after the other.
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

  /// Closes decided shapes that got no ink for long; a shape that was begun in time may still
  /// finish an emoji.
  mutating func closeOldShapes() {
    guard let now = milliseconds else { return }
    let begun = state.open.filter(\.shape.isPending).compactMap { state.ink(of: $0).first?.start }
    let old = ids { open in
      guard !open.shape.isPending, let last = state.ink(of: open).last else { return false }
      return now > last.end + settings.reopenMilliseconds
    }
    let oldEmojis = state.emojis.filter { emoji in
      guard let last = emoji.ink.last else { return false }
      let end = last.end + settings.reopenMilliseconds
      return now > end && !begun.contains { last.end...end ~= $0 }
    }
    close(old.union(oldEmojis.map(\.shape.id)))
  }

  /// Closes all shapes that were decided on.
  mutating func closeDecidedShapes() {
    close(ids { !$0.shape.isPending }.union(state.emojis.map(\.shape.id)))
  }

  /// Finishes shapes that many strokes have passed by, and all where there are too many strokes.
  mutating func finishPassedShapes() -> [Event] {
    let horizon = state.window.count - settings.reach
    guard horizon > 0 else { return [] }
    let passed = ids { state.place(of: $0.lastStroke).map { $0 < horizon } ?? true }
    let passedEmojis = state.emojis.filter {
      state.strokeCount - $0.shape.strokes[$0.shape.strokes.count - 1] > settings.reach
    }
    var events = decide(passed)
    close(passed.union(passedEmojis.map(\.shape.id)))
    if state.window.count >= settings.mostOpenStrokes {
      // Half the window at most is given to the segmenter again, which takes a while.
      if state.openStrokeCount >= settings.mostOpenStrokes / 2 {
        events += finishAllShapes()
      } else {
        state = state.withoutClosed()
        rebuildSegmenter()
        events += regroup()
      }
    }
    return events
  }

  /// Finishes all shapes where a stroke would give them too many points.
  mutating func finishShapes(before stroke: Stroke) -> [Event] {
    let ink = state.open.flatMap { state.ink(of: $0) } + state.emojis.flatMap(\.ink)
    let points = ink.reduce(stroke.points.count) { $0 + $1.stroke.points.count }
    return points > settings.mostOpenPoints ? finishAllShapes() : []
  }

  private mutating func finishAllShapes() -> [Event] {
    let all = ids { _ in true }
    let events = decide(all)
    close(all.union(state.emojis.map(\.shape.id)))
    return events
  }

  private mutating func close(_ ids: Set<Int>) {
    guard !ids.isEmpty else { return }
    for emoji in state.emojis where ids.contains(emoji.shape.id) { closed.append(emoji.shape) }
    state.emojis.removeAll { ids.contains($0.shape.id) }
    while let index = state.open.firstIndex(where: { ids.contains($0.shape.id) }) {
      closed.append(state.removeFromOpen(index).shape)
    }
    state.closedCount = closed.count
    forgetWhereNothingIsOpen()
  }

  /// Restarts the segmenter where no stroke in the window can still change its shape.
  private mutating func forgetWhereNothingIsOpen() {
    guard !state.window.isEmpty, state.open.isEmpty else { return }
    state = state.withoutClosed()
    rebuildSegmenter()
  }

  /// Restarts the segmenter without closed shapes, unless it would group the open ones otherwise
  /// then.
  private mutating func forgetClosedStrokes(_ count: Int) {
    let (oldState, oldSegmenter, wasBehind) = (state, segmenter, isBehind)
    state = state.withoutClosed()
    rebuildSegmenter()
    let groups = segmenter.grouping(keeping: []) ?? []
    let numbers = groups.map { $0.strokes.map { state.window[$0].number } }
    if numbers != state.open.map(\.shape.strokes) {
      (state, segmenter, isBehind) = (oldState, oldSegmenter, wasBehind)
      // To try again at each decision would cost a whole window of strokes each time.
      state.forgetsAt = count + State.fewClosedStrokes
    }
  }
}
