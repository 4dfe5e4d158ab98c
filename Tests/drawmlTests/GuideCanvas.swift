import Ink
import Recognition
import Segmentation

/// A sheet on which drawings become emojis, for a program that has a pen and a timer.
struct EmojiSheet {
  private var canvas: LiveCanvas

  init(model path: String, width: Double, height: Double) throws {
    canvas = LiveCanvas(
      recognizer: try ModelFile.read(path), model: try .standard(),
      canvas: .init(width: width, height: height))
  }

  /// When to call `tick` next, in milliseconds; nil: the timer can rest.
  var nextTick: Double? { canvas.nextDeadline }

  /// The pen goes down.
  mutating func penDown(at point: Point) -> [String] { canvas.begin(at: point).map(Self.text) }

  /// The pen moves.
  mutating func penMoves(through points: [Point]) -> [String] {
    canvas.extend(with: points).map(Self.text)
  }

  /// The pen comes up.
  mutating func penUp() -> [String] { canvas.end().map(Self.text) }

  /// Time has passed.
  mutating func tick(at milliseconds: Double) -> [String] {
    canvas.advance(to: milliseconds).map(Self.text)
  }

  mutating func undo() -> [String] { canvas.undo().map(Self.text) }

  private static func text(_ event: LiveCanvas.Event) -> String {
    switch event.kind {
    case .pending(let shape, _): "shape \(shape.id) may go on"
    case .revised(let shape, _):
      "shape \(shape.id) has late strokes, and is \(shape.item?.label ?? "pending")"
    case .recognized(let shape):
      shape.item.map { "\($0.label) at \(Int($0.placement.x)), \(Int($0.placement.y))" } ?? ""
    case .unrecognized(let shape), .confused(let shape):
      "shape \(shape.id) shakes: \(shape.message ?? "")"
    case .corrected, .removed: "corrected"
    case .undone(_, let restored, let removed):
      "\(restored.count) shapes as before, \(removed.count) gone"
    case .nothingToUndo: LiveCanvas.nothingToUndoMessage
    case .cleared: "empty"
    }
  }
}
