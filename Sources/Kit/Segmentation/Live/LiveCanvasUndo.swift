public import Ink

// What is taken back: undo, clear, and accidental ink.
extension LiveCanvas {
  /// Undoes the last stroke, clear, correction, join or split; pens that are down come up first.
  ///
  /// - Parameter milliseconds: The time (default: the latest time known).
  /// - Returns: The events that were due, and what was undone. Pending shapes wait again.
  public mutating func undo(at milliseconds: Double? = nil) -> [Event] {
    var events = liftPens(at: milliseconds) + advance(to: milliseconds ?? self.milliseconds ?? 0)
    guard let step = steps.popLast() else { return events + [event(.nothingToUndo)] }
    newest = nil
    let before = Dictionary(uniqueKeysWithValues: tail(from: step).map { ($0.id, $0) })
    switch step.kind {
    case .stroke: closed.removeLast(closed.count - step.state.closedCount)
    case .shapes(let before): closed = before
    case .corrected(let corrected): undo(corrected, closedCount: step.state.closedCount)
    }
    state = step.state
    let now = self.milliseconds ?? 0
    for index in state.open.indices { state.open[index].since = now }
    goBack(to: step.segmenter)
    let undone = step.isStroke ? step.state.strokeCount : nil
    let shapes = step.isStroke ? state.open.map(\.shape) : self.shapes
    let kept = Set(shapes.map(\.id))
    events.append(
      event(
        .undone(
          stroke: undone, restored: shapes.filter { before[$0.id] != $0 },
          removed: before.keys.filter { !kept.contains($0) }.sorted())))
    return events
  }

  /// The shapes that may have changed since `step`.
  private func tail(from step: Step) -> [LiveShape] {
    step.isStroke ? tail(since: step.state) : shapes
  }

  /// Removes everything; `undo` restores it.
  ///
  /// - Parameter milliseconds: The time (default: the latest time known).
  /// - Returns: The events that were due, and `cleared`.
  public mutating func clear(at milliseconds: Double? = nil) -> [Event] {
    let events = liftPens(at: milliseconds) + advance(to: milliseconds ?? self.milliseconds ?? 0)
    newest = nil
    remember(.shapes(closed))
    closed = []
    (state.window, state.open, state.closedCount) = ([], [], 0)
    state = state.withoutClosed()
    rebuildSegmenter()
    return events + [event(.cleared)]
  }

  /// Removes a pen's last stroke as if it had never been drawn, such as the line of a hand resting
  /// on the screen. This is not a step of `undo`, and decided shapes do not wait again.
  ///
  /// A pen that is down comes up and leaves no ink. If the pen is up, its stroke is removed only if
  /// it is the newest on the canvas, and there was no undo, clear or new stroke of that pen since;
  /// shapes decided in the meantime stay decided.
  ///
  /// - Parameters:
  ///   - pen: Which.
  ///   - milliseconds: The time (default: the latest time known).
  /// - Returns: The events that were due, and `undone` if a stroke was removed.
  public mutating func cancel(pen: Int = 0, at milliseconds: Double? = nil) -> [Event] {
    let events = advance(to: milliseconds ?? self.milliseconds ?? 0)
    guard pens.removeValue(forKey: pen) == nil else { return events + due() }
    guard let newest, newest.pen == pen else { return events }
    steps = newest.pushedOut + steps
    let step = steps.removeLast()
    let before = Dictionary(uniqueKeysWithValues: tail(since: step.state).map { ($0.id, $0) })
    closed.removeLast(closed.count - step.state.closedCount)
    (state, self.newest) = (step.state, nil)
    goBack(to: step.segmenter)
    let restored = state.open.map(\.shape)
    // What became due since the stroke began is decided now, silently where the same was said with
    // the stroke there.
    let late = due()
    let now = tail(since: step.state)
    let same = Set(now.lazy.filter { before[$0.id] == $0 }.map(\.id))
    let kept = Set(now.map(\.id))
    let undone = event(
      .undone(
        stroke: step.state.strokeCount,
        restored: restored.filter { before[$0.id] != $0 && !same.contains($0.id) },
        removed: before.keys.filter { !kept.contains($0) }.sorted()))
    return events + [undone] + late.filter { !($0.decided.map { same.contains($0.id) } ?? false) }
  }

  /// Changes the size of an empty canvas. Undo steps are dropped, because they have positions on
  /// the old size.
  ///
  /// - Parameter canvas: The new size; nil for an unbounded one.
  /// - Returns: Whether it has that size now; false if there are shapes, or ink that is being
  ///   drawn.
  public mutating func resize(to canvas: Drawing.Canvas?) -> Bool {
    guard canvas != self.canvas else { return true }
    guard isBlank else { return false }
    self.canvas = canvas
    (steps, newest) = ([], nil)
    for pen in pens.keys { pens[pen]?.place = nil }
    return true
  }

  /// The strokes of shapes that can still get others, and of shapes without emoji that `undo` or
  /// `cancel` may bring back: whoever shows shapes keeps the ink of these.
  ///
  /// - Complexity: O(*n*) in the shapes of all steps that can be undone.
  package var unsettledStrokes: Set<Int> {
    var strokes = Set(state.open.lazy.flatMap(\.shape.strokes))
    for step in (newest?.pushedOut ?? []) + steps {
      strokes.formUnion(step.state.open.lazy.flatMap(\.shape.strokes))
      let closed: [LiveShape] =
        switch step.kind {
        case .stroke: []
        case .shapes(let before): before
        case .corrected(let corrected): corrected.closed.map { [$0.shape] } ?? []
        }
      strokes.formUnion(closed.lazy.filter { $0.item == nil }.flatMap(\.strokes))
    }
    return strokes
  }

  /// Whether there are no shapes, and no ink that is being drawn.
  public var isBlank: Bool {
    closed.isEmpty && state.open.isEmpty && pens.values.allSatisfy(\.points.isEmpty)
  }

  /// The shapes that may have changed since `state`, if there was no clear since.
  private func tail(since state: State) -> [LiveShape] {
    closed[state.closedCount...] + self.state.open.map(\.shape)
  }

  /// Restores the segmenter of an earlier state; without one, the next stroke rebuilds it.
  private mutating func goBack(to earlier: Segmenter?) {
    isBehind = earlier == nil
    if let earlier { segmenter = earlier }
  }

  /// Stores the state for undo.
  ///
  /// - Returns: The oldest steps, which can no longer be undone.
  @discardableResult
  mutating func remember(_ kind: Step.Kind) -> [Step] {
    steps.append(Step(state: state, segmenter: isBehind ? nil : segmenter, kind: kind))
    var sum = steps.reduce(0) { $0 + $1.points }
    var gone = 0
    while gone < steps.count, steps.count - gone > settings.undoDepth || sum > settings.undoPoints {
      sum -= steps[gone].points
      gone += 1
    }
    defer { steps.removeFirst(gone) }
    return Array(steps.prefix(gone))
  }
}
