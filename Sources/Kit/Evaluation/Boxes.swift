/// An axis-aligned rectangle for detection metrics.
public struct Box: Sendable, Equatable {
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

  /// The area of the intersection divided by that of the union, in 0...1.
  ///
  /// If the union has no area, lengths are used instead: a box has 1 with itself, and a vertical
  /// line has 0.5 with its half.
  public func intersectionOverUnion(with other: Box) -> Double {
    let across = max(0, min(x + width, other.x + other.width) - max(x, other.x))
    let down = max(0, min(y + height, other.y + other.height) - max(y, other.y))
    let union = width * height + other.width * other.height - across * down
    if union > 0 { return min(1, across * down / union) }
    // Both are flat: compare positions and lengths.
    if width == 0, other.width == 0, x != other.x { return 0 }
    if height == 0, other.height == 0, y != other.y { return 0 }
    let span = max(x + width, other.x + other.width) - min(x, other.x)
    let drop = max(y + height, other.y + other.height) - min(y, other.y)
    let extent = span + drop
    return extent == 0 ? 1 : (across + down) / extent
  }
}

/// The share of true boxes matched by a predicted box with an intersection over union of at least
/// `threshold`, in 0...1.
///
/// Boxes are matched one to one to maximize the number of matches.
/// - Parameters:
///   - truth: The true boxes, at least one.
///   - predicted: The predicted boxes, any number.
///   - threshold: The minimum intersection over union, in 0...1.
/// - Returns: The share, in 0...1.
/// - Throws: `EvaluationError.empty` without true boxes.
public func boxRecall(
  truth: [Box], predicted: [Box], threshold: Double = 0.5
) throws(EvaluationError) -> Double {
  guard !truth.isEmpty else { throw .empty(what: "true boxes") }
  let matches = truth.flatMap { box in
    predicted.map { box.intersectionOverUnion(with: $0) >= threshold ? 1.0 : 0.0 }
  }
  let pairs = bestAssignment(weights: matches, rows: truth.count, columns: predicted.count)
  return Double(pairs.count { $0 != nil }) / Double(truth.count)
}
