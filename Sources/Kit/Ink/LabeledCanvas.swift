/// A canvas of several shapes with the true shape of each stroke: training and test data for
/// segmenters.
///
/// Its file format is stroke JSON with `shapes`, read and written like any drawing.
public struct LabeledCanvas: Hashable, Sendable {
  /// One true shape.
  public struct Shape: Hashable, Sendable {
    /// What it is.
    public let label: String
    /// Its strokes as indices into the canvas's, ascending, at least one.
    public let strokes: [Int]
    /// The box around its points.
    public let box: BoundingBox

    init(label: String, strokes: [Int], box: BoundingBox) {
      (self.label, self.strokes, self.box) = (label, strokes, box)
    }

    /// The same shape with other strokes and, if given, another box.
    init(_ shape: Shape, strokes: [Int], box: BoundingBox? = nil) {
      self.init(label: shape.label, strokes: strokes, box: box ?? shape.box)
    }
  }

  /// The canvas as read: strokes in the order in which they were drawn.
  public internal(set) var drawing: Drawing
  /// The true shapes in the order of the drawing's, at least one.
  public let shapes: [Shape]
  /// Each stroke's shape as an index into `shapes`; nil if it belongs to no shape.
  public let owners: [Int?]

  /// The maximum number of strokes: matching found shapes with true ones takes cubic time and
  /// quadratic memory.
  public static let mostStrokes = 1024

  /// Validates the ground truth of `drawing`.
  ///
  /// - Throws: `InkError` for no shapes, a shape without strokes or with an invalid stroke index, a
  ///   stroke in two shapes or twice in one, or more strokes than `mostStrokes`.
  public init(_ drawing: Drawing) throws(InkError) {
    guard !drawing.shapes.isEmpty else { throw .noShapes }
    guard drawing.strokes.count <= Self.mostStrokes else {
      throw .tooManyStrokes(count: drawing.strokes.count, limit: Self.mostStrokes)
    }
    var owners = [Int?](repeating: nil, count: drawing.strokes.count)
    var shapes: [Shape] = []
    for (index, shape) in drawing.shapes.enumerated() {
      for stroke in shape.strokes {
        guard owners.indices.contains(stroke) else {
          throw .unknownStroke(shape: index, stroke: stroke)
        }
        if let owner = owners[stroke] {
          throw .strokeInTwoShapes(stroke: stroke, first: owner, second: index)
        }
        owners[stroke] = index
      }
      let points = shape.strokes.lazy.flatMap { drawing.strokes[$0].points }
      guard let box = BoundingBox(points) else { throw .shapeWithoutStrokes(shape: index) }
      shapes.append(Shape(label: shape.label, strokes: shape.strokes.sorted(), box: box))
    }
    (self.drawing, self.shapes, self.owners) = (drawing, shapes, owners)
  }

  /// A canvas whose ground truth was validated before.
  init(_ drawing: Drawing, shapes: [Shape], owners: [Int?]) {
    (self.drawing, self.shapes, self.owners) = (drawing, shapes, owners)
  }

  /// The strokes of each shape, and after them each stroke of no shape as a group of its own.
  public var strokesByShape: [[Int]] {
    shapes.map(\.strokes) + owners.indices.filter { owners[$0] == nil }.map { [$0] }
  }

  /// Whether any shape got a stroke after a later shape was begun.
  public var hasLateStrokes: Bool { shapes.indices.contains(where: isLate) }

  /// Whether the shape at `index` got a stroke after a later shape was begun.
  public func isLate(_ index: Int) -> Bool {
    let strokes = shapes[index].strokes
    guard let first = strokes.first, let last = strokes.last else { return false }
    return (first...last).contains { owners[$0].map { $0 != index } ?? false }
  }
}
