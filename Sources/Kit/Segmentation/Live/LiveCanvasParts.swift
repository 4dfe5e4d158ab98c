public import Ink
internal import Recognition

// A person says which strokes belong together, where the grouping was wrong.
extension LiveCanvas {
  /// Joins decided shapes into one, as one step of `undo`. It keeps the number of the first. Later
  /// strokes change neither it nor any other decided shape. Pens that are down come up.
  ///
  /// It keeps a label that the user gave to a part. Otherwise the recognizer classifies all
  /// strokes; if it rejects them, or a stroke is unknown, the first emoji among the parts counts.
  /// Strokes are known while they can be undone.
  ///
  /// - Parameters:
  ///   - ids: The shapes.
  ///   - milliseconds: The time (default: the latest time known).
  ///   - ink: Strokes from before this canvas, by number.
  /// - Returns: The events that were due, then `revised` with the other shapes as `absorbed`, and
  ///   the decision; only the due events if there are fewer than two shapes, or one is pending or
  ///   not on the canvas.
  public mutating func join(
    _ ids: [Int], at milliseconds: Double? = nil, ink: (Int) -> Stroke? = { _ in nil }
  ) -> [Event] {
    let events = liftPens(at: milliseconds) + advance(to: milliseconds ?? self.milliseconds ?? 0)
    let meant = Set(ids)
    let parts = shapes.filter { meant.contains($0.id) && !$0.isPending }
    guard parts.count > 1, parts.count == meant.count else { return events }
    let box = parts.dropFirst().reduce(parts[0].box) { $0.union($1.box) }
    let items = parts.compactMap(\.item)
    let given = items.first { $0.confidence == Self.givenConfidence }
    let strokes = parts.flatMap(\.strokes).sorted()
    let found = knownInk(strokes, ink)
    rememberParts()
    closed.removeAll { meant.contains($0.id) }
    let whole = LiveShape(id: parts[0].id, strokes: strokes, box: box, state: .pending)
    var one = decided(whole, ink: found)
    if let kept = given ?? (one.item == nil ? items.first : nil) {
      let best = Candidate(label: kept.label, confidence: kept.confidence)
      one.state = .recognized(best, Placement(for: box, on: canvas))
    }
    return events + put([one], absorbed: parts.dropFirst().map(\.id))
  }

  /// Splits some strokes off a decided shape, as one step of `undo`; the recognizer classifies both
  /// parts. Later strokes change neither. Pens that are down come up.
  ///
  /// - Parameters:
  ///   - id: The shape, which keeps the other strokes.
  ///   - strokes: The numbers of the strokes.
  ///   - milliseconds: The time (default: the latest time known).
  ///   - ink: Strokes from before this canvas, by number.
  /// - Returns: The events that were due, then `revised` and `pending`, and the two decisions; only
  ///   the due events if the shape is pending or not on the canvas, if it lacks one of the strokes
  ///   or has no others, or if a stroke is unknown because it can no longer be undone.
  public mutating func split(
    _ id: Int, off strokes: [Int], at milliseconds: Double? = nil,
    ink: (Int) -> Stroke? = { _ in nil }
  ) -> [Event] {
    let events = liftPens(at: milliseconds) + advance(to: milliseconds ?? self.milliseconds ?? 0)
    let meant = Set(strokes)
    guard let whole = shapes.first(where: { $0.id == id && !$0.isPending }),
      !meant.isEmpty, meant.isStrictSubset(of: whole.strokes)
    else { return events }
    let groups = [
      whole.strokes.filter { !meant.contains($0) }, whole.strokes.filter(meant.contains),
    ]
    let found = groups.compactMap { knownInk($0, ink) }
    let boxes = found.compactMap { BoundingBox($0.lazy.flatMap(\.points)) }
    guard boxes.count == groups.count else { return events }
    rememberParts()
    closed.removeAll { $0.id == id }
    let ids = [id, state.shapeCount]
    state.shapeCount += 1
    let parts = ids.indices.map { index in
      decided(
        LiveShape(id: ids[index], strokes: groups[index], box: boxes[index], state: .pending),
        ink: found[index])
    }
    return events + put(parts, absorbed: [])
  }

  /// Stores the state for undo, and closes decided shapes.
  private mutating func rememberParts() {
    newest = nil
    remember(.shapes(closed))
    closeDecidedShapes()
  }

  /// The strokes with the given numbers, from the undo steps or `earlier`; nil if one is unknown.
  private func knownInk(_ strokes: [Int], _ earlier: (Int) -> Stroke?) -> [Stroke]? {
    var known: [Int: Stroke] = [:]
    for stroke in steps.lazy.compactMap(\.stroke) { known[stroke.number] = stroke.stroke }
    for stroke in state.window { known[stroke.number] = stroke.stroke }
    let found = strokes.compactMap { known[$0] ?? earlier($0) }
    return found.count == strokes.count ? found : nil
  }

  /// The shape with the recognizer's decision; rejected without ink.
  private func decided(_ shape: LiveShape, ink: [Stroke]?) -> LiveShape {
    let answer = ink.flatMap { segmenter.answer(about: $0) }
    var shape = shape
    shape.state = verdict(
      on: OpenShape(
        shape: shape, since: milliseconds ?? 0, group: shape.strokes, answer: answer, sureness: 1))
    return shape
  }

  /// Adds decided shapes to the canvas. Returns a pending event of each before the decisions.
  private mutating func put(_ shapes: [LiveShape], absorbed: [Int]) -> [Event] {
    closed += shapes
    state.closedCount = closed.count
    let begun = shapes.enumerated().map { index, shape in
      var pending = shape
      pending.state = .pending
      return event(
        index == 0 ? .revised(pending, absorbed: absorbed) : .pending(pending, absorbed: []))
    }
    return begun + shapes.map { event(of: $0) }
  }
}
