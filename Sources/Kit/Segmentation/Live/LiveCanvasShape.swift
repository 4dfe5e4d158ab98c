public import Ink
public import Recognition

/// A shape on a live canvas.
public struct LiveShape: Hashable, Sendable {
  /// Its number on the canvas, from 0 in the order of first strokes; revisions do not change it.
  public var id: Int
  /// The numbers of its strokes, ascending.
  public var strokes: [Int]
  /// The box around its points.
  public var box: BoundingBox
  /// What is known of it.
  public var state: State

  /// A shape.
  public init(id: Int, strokes: [Int], box: BoundingBox, state: State) {
    (self.id, self.strokes, self.box, self.state) = (id, strokes, box, state)
  }

  /// What is known of a shape.
  public enum State: Hashable, Sendable {
    /// It may go on.
    case pending
    /// It is this, and its emoji stands there.
    case recognized(Candidate, Placement)
    /// It resembles nothing taught (F-013); `best` is the closest.
    case unrecognized(best: Candidate?)
    /// It could be several things, or its strokes could belong to others (F-015).
    case confused(best: Candidate?)
  }

  /// Whether it may go on.
  public var isPending: Bool { state == .pending }

  /// The emoji that replaced it; nil if none did.
  public var item: PlacedItem? {
    guard case .recognized(let best, let placement) = state else { return nil }
    return PlacedItem(
      shape: id, label: best.label, confidence: best.confidence, placement: placement)
  }

  /// The label with its confidence, reported or not.
  public var best: Candidate? {
    switch state {
    case .pending: nil
    case .recognized(let best, _): best
    case .unrecognized(let best), .confused(let best): best
    }
  }

  /// The message for the user, if any.
  public var message: String? {
    switch state {
    case .pending, .recognized: nil
    case .unrecognized: LiveCanvas.unrecognizedMessage
    case .confused: LiveCanvas.confusedMessage
    }
  }
}

extension LiveCanvas {
  /// What a shaking drawing says (F-013).
  public static let unrecognizedMessage = "Couldn’t classify that drawing."
  /// The message for an ambiguous drawing (F-015).
  public static let confusedMessage = "Try a simpler outline."
  /// The message when there is nothing to undo (F-008).
  public static let nothingToUndoMessage = "Nothing to undo."

  /// An event on a canvas.
  ///
  /// A listener that stores the shapes of all events by id, and applies `absorbed`, `restored`,
  /// `removed` and `cleared`, has the canvas's shapes.
  public struct Event: Hashable, Sendable {
    /// Its time, in the canvas's milliseconds; for a decision, when it was due.
    public var milliseconds: Double
    /// What happened.
    public var kind: Kind

    /// What can happen.
    public enum Kind: Hashable, Sendable {
      /// A shape began or continues; the shapes with the numbers in `absorbed` are part of it now.
      case pending(LiveShape, absorbed: [Int])
      /// A shape is recognized: its emoji replaces it (F-006, F-012).
      case recognized(LiveShape)
      /// A shape resembles nothing taught: it shakes (F-013).
      case unrecognized(LiveShape)
      /// A shape is ambiguous (F-015).
      case confused(LiveShape)
      /// A decided shape's strokes changed. A rejected one is pending again; a recognized one got
      /// or lost late strokes, keeps an emoji, and may have another label.
      case revised(LiveShape, absorbed: [Int])
      /// The user corrected a decided shape (`correct`) to this.
      case corrected(LiveShape)
      /// A person took a decided shape away.
      case removed(shape: Int)
      /// The last stroke was undone, or for nil the last clear or correction: the first shapes are
      /// restored, the others are gone.
      case undone(stroke: Int?, restored: [LiveShape], removed: [Int])
      /// There was nothing to undo (F-008).
      case nothingToUndo
      /// All shapes are gone (F-008).
      case cleared
    }
  }
}

extension LiveCanvas.Event {
  /// The event's name, as in JSON.
  public var name: String {
    switch kind {
    case .pending: "pending"
    case .recognized: "recognized"
    case .unrecognized: "unrecognized"
    case .confused: "confused"
    case .revised: "revised"
    case .corrected: "corrected"
    case .removed: "removed"
    case .undone: "undone"
    case .nothingToUndo: "nothingToUndo"
    case .cleared: "cleared"
    }
  }

  /// The shape after the event; nil if shapes are gone or restored.
  public var shape: LiveShape? {
    switch kind {
    case .pending(let shape, _), .revised(let shape, _), .recognized(let shape),
      .unrecognized(let shape), .confused(let shape), .corrected(let shape):
      shape
    case .removed, .undone, .nothingToUndo, .cleared: nil
    }
  }

  /// The numbers of the shapes that `shape` absorbed.
  public var absorbed: [Int] {
    switch kind {
    case .pending(_, let absorbed), .revised(_, let absorbed): absorbed
    default: []
    }
  }

  /// The decided shape; nil for other events.
  public var decided: LiveShape? {
    switch kind {
    case .recognized(let shape), .unrecognized(let shape), .confused(let shape): shape
    case .revised(let shape, _): shape.isPending ? nil : shape
    case .pending, .corrected, .removed, .undone, .nothingToUndo, .cleared: nil
    }
  }
}
