public import Ink

/// Where an emoji stands in for a drawing: the square around the drawing's middle, as large as the
/// drawing (F-006, B-014).
public struct Placement: Hashable, Sendable, Codable {
  /// The square's left edge, in the canvas's units.
  public var x: Double
  /// The square's top edge.
  public var y: Double
  /// The length of the square's sides, above 0.
  public var side: Double

  /// A square by its top left corner and side.
  public init(x: Double, y: Double, side: Double) {
    (self.x, self.y, self.side) = (x, y, side)
  }

  /// On a canvas, an emoji is at least this share of the smaller side, so that the one for a dot
  /// can be seen.
  public static let leastShare = 0.03
  /// Where the canvas's size is not known, an emoji is at least this large.
  public static let leastSide = 24.0
  /// Numbers beyond this, in either direction, are taken for it.
  private static let most = 1e300

  /// The square for a drawing in `box`.
  ///
  /// Its side is the longer one of the box and its middle the box's: a thin line gets a square as
  /// wide as the line is long, a dot the least side. On a canvas the square is at most as large as
  /// the canvas's smaller side and is moved inside where it would stand out, also for a drawing
  /// outside.
  ///
  /// - Parameters:
  ///   - box: The box around the drawing's points.
  ///   - canvas: What is drawn on; nil, or without area, for a canvas without edges.
  public init(for box: BoundingBox, on canvas: Drawing.Canvas? = nil) {
    func bounded(_ value: Double) -> Double {
      value.isNaN ? 0 : max(-Self.most, min(Self.most, value))
    }
    let (left, top) = (bounded(box.x), bounded(box.y))
    let (width, height) = (bounded(box.width), bounded(box.height))
    let longer = max(width, height)
    let (middleX, middleY) = (bounded(left + width / 2), bounded(top + height / 2))
    guard let canvas, canvas.width > 0, canvas.height > 0, canvas.width.isFinite,
      canvas.height.isFinite
    else {
      let side = max(longer, Self.leastSide)
      self.init(x: middleX - side / 2, y: middleY - side / 2, side: side)
      return
    }
    let room = min(canvas.width, canvas.height)
    let side = min(room, max(longer, Self.leastShare * room))
    self.init(
      x: max(0, min(canvas.width - side, middleX - side / 2)),
      y: max(0, min(canvas.height - side, middleY - side / 2)), side: side)
  }
}

/// An emoji on a canvas: what is kept of a drawing that it took the place of (D-007).
public struct PlacedItem: Hashable, Sendable, Codable {
  /// The number of the shape on its canvas.
  public var shape: Int
  /// The emoji.
  public var label: String
  /// How much the label was believed, in 0...1.
  public var confidence: Double
  /// Where it is, and how large.
  public var placement: Placement

  /// An item.
  public init(shape: Int, label: String, confidence: Double, placement: Placement) {
    (self.shape, self.label, self.confidence, self.placement) = (
      shape, label, confidence, placement
    )
  }
}
