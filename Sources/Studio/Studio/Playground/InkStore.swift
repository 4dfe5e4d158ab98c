internal import Ink
internal import Segmentation

/// The ink and client ids of a playground's strokes, by number, as long as they are needed: for
/// shapes without emoji, for those that may still change, and for undo. That of emojis, which can
/// be corrected, is kept for the newest ones, up to `mostEmojiPoints`.
struct InkStore: Sendable {
  private var strokes: [Int: (ink: Stroke, id: String?)] = [:]
  /// The number of points in all strokes.
  private(set) var pointCount = 0
  /// The number of unneeded strokes from which pruning pays off.
  private let spare: Int
  /// The number of strokes from which pruning pays off.
  private var pruneThreshold: Int

  /// The maximum number of points of emojis' ink: each save of the playground writes them.
  static let mostEmojiPoints = 10_000

  /// An empty store.
  init(spare: Int = 256) { (self.spare, pruneThreshold) = (spare, spare) }

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
    pointCount += stroke.points.count - self[number].points.count
    strokes[number] = (stroke, id)
  }

  /// Removes ink that is no longer needed, if it pays off; with `onlySeen`, always, all but the ink
  /// of visible shapes.
  mutating func prune(_ canvas: LiveCanvas, onlySeen: Bool = false) {
    guard onlySeen || strokes.count >= pruneThreshold else { return }
    var needed = Set(canvas.shapes.lazy.filter { $0.item == nil }.flatMap(\.strokes))
    if !onlySeen {
      needed.formUnion(newestEmojis(on: canvas))
      needed.formUnion(canvas.unsettledStrokes)
    }
    strokes = strokes.filter { needed.contains($0.key) }
    pointCount = strokes.values.reduce(0) { $0 + $1.ink.points.count }
    pruneThreshold = 2 * strokes.count + spare
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
