internal import Ink
internal import Segmentation

/// The ink and client ids of a playground's strokes, by number, as long as they are needed: for
/// shapes without emoji, and for undo. That of emojis, which can be corrected, is kept for the
/// newest ones, up to `mostEmojiPoints`.
struct InkStore: Sendable {
  private var strokes: [Int: (ink: Stroke, id: String?)] = [:]
  /// The number of points in all strokes.
  private(set) var pointCount = 0
  /// The strokes of cleared and removed shapes, with the number of the step.
  private(set) var cleared: [(step: Int, strokes: [Int])] = []
  private var steps = 0
  /// The number of strokes from which pruning pays off.
  private var pruneThreshold = Self.few

  private static let few = 256
  /// The maximum number of points of emojis' ink: each save of the playground writes them.
  static let mostEmojiPoints = 10_000

  /// The number of strokes.
  var count: Int { strokes.count }

  /// The ink of a stroke; without points if it is not known.
  subscript(number: Int) -> Stroke { strokes[number]?.ink ?? Stroke([]) }

  /// The ink of a shape; nil if an emoji has replaced it.
  func ink(of shape: LiveShape) -> [Stroke]? {
    shape.item == nil ? shape.strokes.map { self[$0] } : nil
  }

  /// The ids of a shape's strokes, in their order; nil if none are known.
  func ids(of shape: LiveShape) -> [String?]? {
    let ids = shape.strokes.map { strokes[$0]?.id }
    return ids.contains { $0 != nil } ? ids : nil
  }

  /// Whether the ink of all its strokes is known.
  func isKnown(_ shape: LiveShape) -> Bool {
    !shape.strokes.isEmpty && shape.strokes.allSatisfy { !self[$0].points.isEmpty }
  }

  /// Stores a stroke.
  mutating func keep(_ stroke: Stroke, _ number: Int, id: String? = nil) {
    steps += 1
    pointCount += stroke.points.count - self[number].points.count
    strokes[number] = (stroke, id)
  }

  /// Records that the canvas was cleared.
  mutating func clear(_ canvas: LiveCanvas) {
    correct(removing: canvas.shapes.filter { $0.item == nil }.flatMap(\.strokes), canvas)
  }

  /// Records that a shape was corrected; `strokes` are those that are no longer on the canvas.
  mutating func correct(removing strokes: [Int] = [], _ canvas: LiveCanvas) {
    steps += 1
    cleared.removeAll { $0.step < steps - canvas.settings.undoDepth }
    if !strokes.isEmpty { cleared.append((steps, strokes)) }
  }

  /// Undoes the last step, or its canceled stroke; cleared shapes become visible again.
  mutating func undo() {
    guard steps > 0 else { return }
    if cleared.last?.step == steps { cleared.removeLast() }
    steps -= 1
  }

  /// Removes ink that is no longer needed, if it pays off: keeps the ink of visible shapes, also of
  /// emojis, and what undo can restore; with `onlySeen`, always, only the ink of visible shapes.
  mutating func prune(_ canvas: LiveCanvas, onlySeen: Bool = false) {
    guard onlySeen || strokes.count >= pruneThreshold else { return }
    let depth = canvas.settings.undoDepth
    // Canceling the newest stroke takes one step more.
    cleared.removeAll { onlySeen || $0.step < steps - depth - 1 }
    var needed = Set(canvas.shapes.lazy.filter { $0.item == nil }.flatMap(\.strokes))
    if !onlySeen { needed.formUnion(newestEmojis(on: canvas)) }
    for step in cleared { needed.formUnion(step.strokes) }
    // A shape that undo reopens has no much older strokes.
    let oldest =
      onlySeen
      ? canvas.strokeCount : canvas.strokeCount - depth - 1 - canvas.settings.mostOpenStrokes
    strokes = strokes.filter { $0.key >= oldest || needed.contains($0.key) }
    pointCount = strokes.values.reduce(0) { $0 + $1.ink.points.count }
    pruneThreshold = 2 * strokes.count + Self.few
  }

  /// The strokes of the newest emojis whose ink is saved.
  func newestEmojis(on canvas: LiveCanvas) -> [Int] {
    var points = 0
    let kept = canvas.shapes.reversed().lazy.filter { $0.item != nil }.prefix { shape in
      points += shape.strokes.reduce(0) { $0 + self[$1].points.count }
      return points <= Self.mostEmojiPoints
    }
    return kept.flatMap(\.strokes)
  }
}
