package import Ink

/// Drawings by their ink, to find copies: drawings with the same strokes, or nearly the same, such as
/// one that was moved, scaled or saved again with rounded points.
///
/// Two drawings are nearly the same if they have equally many strokes, and equidistant points of
/// these, in a box of side 1 around each drawing, lie within `tolerance` of each other. Straight lines
/// are copies only of lines with the same points: too many of them are nearly the same.
package struct CopyIndex: Sendable {
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
        stroke.resampled(count: CopyIndex.pointsPerStroke).points.map { point in
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
        abs($0.x * farthest.y - $0.y * farthest.x) <= CopyIndex.tolerance * length(farthest)
      }
    }

    func isNear(_ other: Shape) -> Bool {
      points.count == other.points.count
        && zip(points, other.points).allSatisfy { abs($0 - $1) <= CopyIndex.tolerance }
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

  /// The first drawing of each group with the strokes of a digest.
  private var firsts: [String: [Int: Int]] = [:]
  private var cells: [Cell: [(index: Int, shape: Shape)]] = [:]

  /// An index of no drawings.
  package init() {}

  /// An index of drawings, by their places.
  package init(_ drawings: [Drawing]) {
    for (index, drawing) in drawings.enumerated() {
      insert(drawing, digest: drawing.digest, as: index)
    }
  }

  /// Adds a drawing. Of those of a group with the same strokes, only the first is kept.
  ///
  /// - Parameters:
  ///   - drawing: The drawing.
  ///   - digest: Its `Drawing.digest`.
  ///   - index: The number that `copies` gives for it, greater than those before.
  ///   - group: Any number.
  mutating func insert(_ drawing: Drawing, digest: String, as index: Int, group: Int = 0) {
    guard firsts[digest]?[group] == nil else { return }
    firsts[digest, default: [:]][group] = index
    if let shape = Shape(drawing) { cells[shape.cell, default: []].append((index, shape)) }
  }

  /// The drawings of which a drawing is a copy.
  ///
  /// - Parameters:
  ///   - drawing: The drawing.
  ///   - digest: Its `Drawing.digest`.
  /// - Returns: The first with the same strokes of each group, and all others that are nearly the
  ///   same; each ascending.
  /// - Complexity: O(n) if all drawings are nearly alike, else that of a few.
  func copies(of drawing: Drawing, digest: String) -> (same: [Int], near: [Int]) {
    let same = (firsts[digest] ?? [:]).values.sorted()
    guard let shape = Shape(drawing) else { return (same, []) }
    let near = shape.cells(within: Self.tolerance).flatMap { cell in
      (cells[cell] ?? []).filter { !same.contains($0.index) && $0.shape.isNear(shape) }
    }
    return (same, near.map(\.index).sorted())
  }

  /// Whether a drawing is a copy of one of these.
  package func hasCopy(of drawing: Drawing) -> Bool {
    // A stream asks this of every drawing.
    guard !firsts.isEmpty else { return false }
    let found = copies(of: drawing, digest: drawing.digest)
    return !found.same.isEmpty || !found.near.isEmpty
  }
}

extension SampleSet {
  /// The group of each drawing, by its first member: copies are in one group, whatever their labels,
  /// and so are copies of copies.
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
    var index = CopyIndex()
    for (place, drawing) in drawings.enumerated() {
      let found = index.copies(of: drawing, digest: strokeDigests[place])
      for other in found.same + found.near {
        let (a, b) = (root(other), root(place))
        parents[max(a, b)] = min(a, b)
      }
      index.insert(drawing, digest: strokeDigests[place], as: place)
    }
    return drawings.indices.map(root)
  }
}
