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
    let strokes: Int
    /// x and y of each point.
    let points: [Float]

    /// Nil for a straight line and for a point: too many of these are nearly the same.
    init?(_ drawing: Drawing) {
      guard let box = drawing.boundingBox, box.longerSide.isFinite, box.longerSide > 0 else {
        return nil
      }
      let placed = drawing.strokes.flatMap { stroke in
        stroke.resampled(count: NearDuplicates.pointsPerStroke).points.map { point in
          (
            x: Float((point.x - box.x) / box.longerSide),
            y: Float((point.y - box.y) / box.longerSide)
          )
        }
      }
      guard !Self.isStraight(placed) else { return nil }
      strokes = drawing.strokes.count
      points = placed.flatMap { [$0.x, $0.y] }
    }

    /// Whether all points lie near the line from the first to the one farthest from it.
    private static func isStraight(_ points: [(x: Float, y: Float)]) -> Bool {
      guard let first = points.first else { return true }
      let steps = points.map { (x: $0.x - first.x, y: $0.y - first.y) }
      func length(_ step: (x: Float, y: Float)) -> Float {
        (step.x * step.x + step.y * step.y).squareRoot()
      }
      guard let farthest = steps.max(by: { length($0) < length($1) }), length(farthest) > 0 else {
        return true
      }
      return steps.allSatisfy {
        abs($0.x * farthest.y - $0.y * farthest.x) <= NearDuplicates.tolerance * length(farthest)
      }
    }

    func isNear(_ other: Shape) -> Bool {
      points.count == other.points.count
        && zip(points, other.points).allSatisfy { abs($0 - $1) <= NearDuplicates.tolerance }
    }

    /// The cell that holds it.
    var cell: Cell { cells(within: 0)[0] }

    /// The cells in which a drawing may be that is nearly the same.
    func cells(within distance: Float) -> [Cell] {
      let places = [
        0, 1, points.count / 2, points.count / 2 + 1, points.count - 2, points.count - 1,
      ]
      return places.reduce([Cell(strokes: strokes, numbers: [])]) { cells, place in
        let ends = [points[place] - distance, points[place] + distance].map {
          Int(($0 / Cell.width).rounded(.down))
        }
        return Set(ends).sorted().flatMap { number in
          cells.map { Cell(strokes: strokes, numbers: $0.numbers + [number]) }
        }
      }
    }
  }

  /// Drawings of equally many strokes whose first, middle and last points are near.
  private struct Cell: Hashable {
    /// The side: most drawings are farther from the next cell than `tolerance`.
    static let width: Float = 0.08
    let strokes: Int
    let numbers: [Int]
  }

  /// The pairs of drawings that are nearly the same: for each drawing the first earlier one of each
  /// class, if any.
  ///
  /// - Parameters:
  ///   - drawings: The drawings.
  ///   - classes: A number for each of them.
  /// - Returns: Indices of the later and the earlier drawing, by the later one.
  /// - Complexity: O(n), and for each drawing those of its cells: O(n²) if all are alike.
  static func pairs(of drawings: [Drawing], classes: [Int]) -> [(later: Int, earlier: Int)] {
    var cells: [Cell: [(index: Int, shape: Shape)]] = [:]
    var found: [(later: Int, earlier: Int)] = []
    for (index, drawing) in drawings.enumerated() {
      guard let shape = Shape(drawing) else { continue }
      var first: [Int: Int] = [:]
      for cell in shape.cells(within: tolerance) {
        for (other, earlier) in cells[cell] ?? []
        where other < first[classes[other]] ?? index && earlier.isNear(shape) {
          first[classes[other]] = other
        }
      }
      found += first.values.sorted().map { (index, $0) }
      cells[shape.cell, default: []].append((index, shape))
    }
    return found
  }
}

extension SampleSet {
  /// The group of each drawing, by its first member: drawings with the same strokes, or nearly the
  /// same, are in one group, whatever their labels.
  var copyGroups: [Int] {
    var parents = Array(drawings.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while parents[index] != index {
        parents[index] = parents[parents[index]]
        index = parents[index]
      }
      return index
    }
    func join(_ a: Int, _ b: Int) {
      let (a, b) = (root(a), root(b))
      parents[max(a, b)] = min(a, b)
    }
    var firstOfInk: [String: Int] = [:]
    for (index, digest) in strokeDigests.enumerated() {
      if let first = firstOfInk[digest] { join(first, index) } else { firstOfInk[digest] = index }
    }
    for (later, earlier) in NearDuplicates.pairs(
      of: drawings, classes: drawings.map { _ in 0 })
    {
      join(earlier, later)
    }
    return drawings.indices.map(root)
  }
}
