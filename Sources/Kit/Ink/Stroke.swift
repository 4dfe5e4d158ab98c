/// What the pen drew between going down and coming up: one point or more.
public struct Stroke: Hashable, Sendable {
  /// The points in the order in which they were drawn.
  public var points: [Point]

  /// A stroke through `points`.
  public init(_ points: [Point]) {
    self.points = points
  }

  /// The length of the line through all points, in the drawing's units.
  public var length: Double {
    zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
  }
}
