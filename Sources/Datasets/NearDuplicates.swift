internal import Ink
internal import Support

/// Finds drawings that are nearly the same as others, such as a copy that was moved, scaled or saved
/// again with rounded points.
///
/// Two drawings are nearly the same if they have equally many strokes, and equidistant points of
/// these, in a box of side 1 around each drawing, lie within `tolerance` of each other.
struct NearDuplicates {
  /// The greatest distance of two points along an axis, as a share of the longer side.
  static let tolerance: Float = 0.01
  /// The points of each stroke.
  private static let pointsPerStroke = 12

  /// The points of a drawing in its box.
  private struct Shape {
    let index: Int
    let strokes: Int
    /// The mean of `points`: near for drawings that are nearly the same.
    let mean: Float
    /// x and y of each point.
    let points: [Float]

    /// Nil for a straight level or upright line and for a point: all of these are the same.
    init?(_ drawing: Drawing, index: Int) {
      guard let box = drawing.boundingBox, box.longerSide.isFinite,
        min(box.width, box.height) > Double(NearDuplicates.tolerance) * box.longerSide
      else { return nil }
      let points = drawing.strokes.flatMap { stroke in
        stroke.resampled(count: NearDuplicates.pointsPerStroke).points.flatMap { point in
          [Float((point.x - box.x) / box.longerSide), Float((point.y - box.y) / box.longerSide)]
        }
      }
      (self.index, strokes, self.points) = (index, drawing.strokes.count, points)
      mean = points.reduce(0, +) / Float(max(1, points.count))
    }

    func isNear(_ other: Shape) -> Bool {
      points.count == other.points.count
        && zip(points, other.points).allSatisfy { abs($0 - $1) <= NearDuplicates.tolerance }
    }
  }

  /// The pairs of drawings that are nearly the same: for each drawing the first earlier one of each
  /// class, if any.
  ///
  /// - Parameters:
  ///   - drawings: The drawings.
  ///   - classes: A number for each of them.
  /// - Returns: Indices of the later and the earlier drawing, by the later one.
  /// - Complexity: O(n log n), and for each drawing those whose points have nearly the same mean: O(n²)
  ///   if all are alike.
  static func pairs(of drawings: [Drawing], classes: [Int]) -> [(later: Int, earlier: Int)] {
    let shapes = drawings.enumerated().compactMap { Shape($1, index: $0) }
      .sorted { ($0.strokes, $0.mean, $0.index) < ($1.strokes, $1.mean, $1.index) }
    var found: [(later: Int, earlier: Int)] = []
    for (place, shape) in shapes.enumerated() {
      var first: [Int: Int] = [:]
      func look(at other: Shape) -> Bool {
        guard other.strokes == shape.strokes, abs(other.mean - shape.mean) <= tolerance else {
          return false
        }
        let label = classes[other.index]
        if other.index < first[label] ?? shape.index, shape.isNear(other) {
          first[label] = other.index
        }
        return true
      }
      for other in shapes[..<place].reversed() where !look(at: other) { break }
      for other in shapes[(place + 1)...] where !look(at: other) { break }
      found += first.values.map { (shape.index, $0) }
    }
    return found.sorted { ($0.later, $0.earlier) < ($1.later, $1.earlier) }
  }
}
