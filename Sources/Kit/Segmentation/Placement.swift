public import Ink

/// Where an emoji replaces a drawing: a square with the drawing's center and size (F-006, B-014).
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

  /// On a canvas, an emoji is at least this share of the smaller side, so that the emoji for a dot
  /// is visible.
  public static let leastShare = 0.03
  /// The minimum side of an emoji if the canvas's size is unknown.
  public static let leastSide = 24.0
  /// Coordinates are clamped to ± this.
  private static let most = 1e300

  /// The square for a drawing in `box`.
  ///
  /// It has the longer side and the center of the box: a thin line gets a square as wide as the
  /// line is long, a dot one with the minimum side. On a canvas, the square is at most as large as
  /// the canvas's smaller side and is moved to lie inside, even if the drawing is outside.
  ///
  /// - Parameters:
  ///   - box: The box around the drawing's points.
  ///   - canvas: The canvas; nil, or without area, for an unbounded one.
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

/// An emoji on a canvas: the record of the drawing that it replaced (D-007).
public struct PlacedItem: Hashable, Sendable, Codable {
  /// The id of the shape on its canvas.
  public var shape: Int
  /// The emoji.
  public var label: String
  /// The confidence of the label, in 0...1.
  public var confidence: Double
  /// Its position and size.
  public var placement: Placement
}
