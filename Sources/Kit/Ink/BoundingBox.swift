/// The smallest upright rectangle around some points, in the drawing's units.
public struct BoundingBox: Hashable, Sendable, Codable {
  /// The left edge.
  public var x: Double
  /// The top edge.
  public var y: Double
  /// The distance from the left edge to the right one, not negative.
  public var width: Double
  /// The distance from the top edge to the bottom one, not negative.
  public var height: Double

  /// A box by its top left corner and size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The box around `points`, or nil if they are empty.
  public init?(_ points: some Sequence<Point>) {
    var (left, top, right, bottom) = (
      Double.infinity, Double.infinity, -Double.infinity, -Double.infinity
    )
    for point in points {
      left = min(left, point.x)
      top = min(top, point.y)
      right = max(right, point.x)
      bottom = max(bottom, point.y)
    }
    guard left <= right else { return nil }
    self.init(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The smallest box around both.
  public func union(_ other: BoundingBox) -> BoundingBox {
    let (left, top) = (min(x, other.x), min(y, other.y))
    return BoundingBox(
      x: left, y: top, width: max(x + width, other.x + other.width) - left,
      height: max(y + height, other.y + other.height) - top)
  }
}
