public import Ink
internal import Recognition

/// A user's correction of a decided shape.
public enum Correction: Hashable, Sendable {
  /// The shape has this label, whose emoji replaces it.
  case label(String)
  /// The label is wrong: the ink is shown again, as for a rejected shape.
  case reject
  /// The emoji fills the square for a drawing with this box; nil for the shape's own box.
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

  /// The confidence of a label given by the user; those of a model are lower.
  public static let givenConfidence = 1.0
  /// The maximum confidence of a label that a model gave: far enough below 1 that JSON readers do
  /// not round it to 1.
  static let mostModelConfidence = 1 - 1e-9

  /// Corrects a decided shape, as one step of `undo`. All decided shapes are closed, so later
  /// strokes do not change the correction. Pens that are down come up.
  ///
  /// - Parameters:
  ///   - id: The shape.
  ///   - correction: The correction; only an emoji can be placed.
  ///   - milliseconds: The time (default: the latest time known).
  /// - Returns: The events that were due, then `corrected` or `removed`; neither if the shape is
  ///   pending, not on the canvas, or unchanged.
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

  /// The shape after a correction; nil if the correction does not apply. A removed shape has no
  /// strokes.
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

  /// Undoes a correction, except what the step's state restores.
  mutating func undo(_ corrected: Corrected, closedCount: Int) {
    closed.removeLast(closed.count - closedCount + (corrected.isClosedAndRemoved ? 1 : 0))
    guard let (shape, index) = corrected.closed else { return }
    if corrected.isRemoved { closed.insert(shape, at: index) } else { closed[index] = shape }
  }
}

extension Candidate {
  /// A label that the recognizer gave; limited, because a model of one label has confidence 1.
  var fromModel: Candidate {
    Candidate(label: label, confidence: min(confidence, LiveCanvas.mostModelConfidence))
  }
}

extension BoundingBox {
  /// The square with the box's center and its longer side (> 0), which is how a log stores an
  /// emoji's placement. For a square it is the square itself, to the bit.
  var square: BoundingBox {
    let side = max(width, height, .leastNormalMagnitude)
    return BoundingBox(
      x: x + (width - side) / 2, y: y + (height - side) / 2, width: side, height: side)
  }
}

extension LiveCanvas.Corrected {
  fileprivate var isClosedAndRemoved: Bool { isRemoved && closed != nil }
}
