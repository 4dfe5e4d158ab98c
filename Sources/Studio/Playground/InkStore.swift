internal import Ink
internal import Segmentation

/// The ink of a playground's strokes, by number, for as long as somebody may ask for it: that of
/// shapes without emoji, and that which undo can bring back. With the ids that clients gave them.
struct InkStore: Sendable {
  private var strokes: [Int: (ink: Stroke, id: String?)] = [:]
  /// How many points there are in all strokes.
  private(set) var pointCount = 0
  /// The strokes of what was cleared, and how many steps had been made then.
  private(set) var cleared: [(step: Int, strokes: [Int])] = []
  private var steps = 0
  /// With so many strokes it is worth looking which are still needed.
  private var prunesAt = Self.few

  private static let few = 256

  /// How many strokes there are.
  var count: Int { strokes.count }

  /// The ink of a stroke; one without points where it is not known.
  subscript(number: Int) -> Stroke { strokes[number]?.ink ?? Stroke([]) }

  /// The ink of a shape; nil for one whose emoji took its place.
  func ink(of shape: LiveShape) -> [Stroke]? {
    shape.item == nil ? shape.strokes.map { self[$0] } : nil
  }

  /// The ids of a shape's strokes, in their order; nil where none is known.
  func ids(of shape: LiveShape) -> [String?]? {
    let ids = shape.strokes.map { strokes[$0]?.id }
    return ids.contains { $0 != nil } ? ids : nil
  }

  /// Keeps a stroke.
  mutating func keep(_ stroke: Stroke, _ number: Int, id: String? = nil) {
    steps += 1
    pointCount += stroke.points.count - self[number].points.count
    strokes[number] = (stroke, id)
  }

  /// All was cleared.
  mutating func clear(_ canvas: LiveCanvas) {
    steps += 1
    cleared.removeAll { $0.step < steps - canvas.settings.undoDepth }
    cleared.append((steps, canvas.shapes.filter { $0.item == nil }.flatMap(\.strokes)))
  }

  /// The last step was undone, or its stroke canceled: what was cleared is seen again.
  mutating func undo() {
    guard steps > 0 else { return }
    if cleared.last?.step == steps { cleared.removeLast() }
    steps -= 1
  }

  /// What is kept.
  enum Kept {
    /// What is seen, and what undo can bring back; looked at only where it is worth it.
    case forUndo
    /// What is seen.
    case seen
  }

  /// Lets go of what is not needed any more.
  mutating func prune(_ canvas: LiveCanvas, to kept: Kept = .forUndo) {
    guard kept == .seen || strokes.count >= prunesAt else { return }
    let depth = canvas.settings.undoDepth
    // The newest stroke may be canceled: then there is one step more.
    cleared.removeAll { kept == .seen || $0.step < steps - depth - 1 }
    var needed = Set(canvas.shapes.lazy.filter { $0.item == nil }.flatMap(\.strokes))
    for step in cleared { needed.formUnion(step.strokes) }
    // A shape that undo opens again has no strokes that came much earlier.
    let oldest =
      kept == .seen
      ? canvas.strokeCount : canvas.strokeCount - depth - 1 - canvas.settings.mostOpenStrokes
    strokes = strokes.filter { $0.key >= oldest || needed.contains($0.key) }
    pointCount = strokes.values.reduce(0) { $0 + $1.ink.points.count }
    prunesAt = 2 * strokes.count + Self.few
  }
}
