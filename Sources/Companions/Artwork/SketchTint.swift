/// The natural color of a shape that was recognized, such as yellow for a sun.
public struct SketchTint: Hashable, Sendable {
  /// The strokes of the shape: indices into the sketch's lines.
  public var strokes: Set<Int>
  /// The color for the regions that these strokes enclose.
  public var color: SketchColor

  /// A color for the regions that some strokes enclose. Indices that do not exist are ignored.
  public init(strokes: Set<Int>, color: SketchColor) {
    (self.strokes, self.color) = (strokes, color)
  }
}
