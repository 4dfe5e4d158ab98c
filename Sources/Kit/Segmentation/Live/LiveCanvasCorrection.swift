public import Ink
internal import Recognition

/// What a person changes of a shape that was decided on.
public enum Correction: Hashable, Sendable {
  /// It is this: the emoji of this label takes its place.
  case label(String)
  /// It is not what it was taken for: its ink is back, as of a rejected shape.
  case reject
  /// Its emoji fills a square around this box, as for a drawing in it; nil: around its own drawing.
  case place(BoundingBox?)
  /// It is gone.
  case remove
}

extension LiveCanvas {
  /// A shape before it was corrected.
  struct Corrected: Sendable {
    /// The closed shape, and its index among them; nil if it was not closed, and the step's state
    /// has it.
    var closed: (shape: LiveShape, index: Int)?
    var isRemoved: Bool
  }

  /// The confidence of a label that a person gave; those of a model are below it.
  public static let givenConfidence = 1.0
  /// The greatest confidence of a label that a model gave: not so near to 1 that JSON readers that
  /// round take it for 1.
  static let mostModelConfidence = 1 - 1e-9

  /// Corrects a shape that was decided on, as one step of `undo`. All decided shapes are closed, so
  /// later strokes do not change what was corrected. Pens that are down come up.
  ///
  /// - Parameters:
  ///   - id: The shape.
  ///   - correction: What changes. Only an emoji has a place.
  ///   - milliseconds: When; the latest time known unless given.
  /// - Returns: What was due, then `corrected` or `removed`; neither if the shape is pending or not
  ///   on the canvas, or would stay as it is.
  public mutating func correct(
    _ id: Int, _ correction: Correction, at milliseconds: Double? = nil
  ) -> [Event] {
    let events = liftPens(at: milliseconds) + advance(to: milliseconds ?? self.milliseconds ?? 0)
    guard let before = shapes.first(where: { $0.id == id }), !before.isPending,
      let after = corrected(before, correction), after != before
    else { return events }
    let isRemoved = correction == .remove
    let closedBefore = closed.firstIndex { $0.id == id }.map { (shape: before, index: $0) }
    newest = nil
    remember(.corrected(Corrected(closed: closedBefore, isRemoved: isRemoved)))
    closeDecidedShapes()
    guard let index = closed.firstIndex(where: { $0.id == id }) else {
      preconditionFailure("a decided shape is closed")
    }
    if isRemoved {
      closed.remove(at: index)
      state.closedCount = closed.count
      return events + [event(.removed(shape: id))]
    }
    closed[index] = after
    return events + [event(.corrected(after))]
  }

  /// The shape after a correction; nil if that does not apply to it. A removed one has no strokes.
  private func corrected(_ shape: LiveShape, _ correction: Correction) -> LiveShape? {
    var shape = shape
    switch correction {
    case .label(let label):
      let place = shape.item?.placement ?? Placement(for: shape.box, on: canvas)
      let best = Candidate(label: label, confidence: Self.givenConfidence)
      shape.state = .recognized(best, place)
    case .reject:
      guard shape.item != nil else { return nil }
      shape.state = .unrecognized(best: nil)
    case .place(let box):
      guard case .recognized(let best, _) = shape.state else { return nil }
      shape.state = .recognized(best, Placement(for: box?.square ?? shape.box, on: canvas))
    case .remove: shape.strokes = []
    }
    return shape
  }

  /// Takes a correction back, but for what the state of its step has.
  mutating func undo(_ corrected: Corrected, closedCount: Int) {
    closed.removeLast(closed.count - closedCount + (corrected.isClosedAndRemoved ? 1 : 0))
    guard let (shape, index) = corrected.closed else { return }
    if corrected.isRemoved { closed.insert(shape, at: index) } else { closed[index] = shape }
  }
}

extension Candidate {
  /// A label that the recognizer gave: a model of one label is as sure as a person.
  var fromModel: Candidate {
    Candidate(label: label, confidence: min(confidence, LiveCanvas.mostModelConfidence))
  }
}

extension BoundingBox {
  /// The square with the box's center and its longer side, above 0, which is all that a log says of
  /// the place of an emoji. That of a square is the square itself, to the bit.
  var square: BoundingBox {
    let side = max(width, height, .leastNormalMagnitude)
    return BoundingBox(
      x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side)
  }
}

extension LiveCanvas.Corrected {
  fileprivate var isClosedAndRemoved: Bool { isRemoved && closed != nil }
}
