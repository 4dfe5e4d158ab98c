internal import Ink

/// What a group of strokes looks like among the ink that was there before: pixels of two channels,
/// the group's ink and the other.
///
/// The group's box fills the middle; around it is as much of the canvas as a third of the picture's
/// sides shows. So a quarter of a shape, cut off by strokes that lie beside it, looks different
/// from a shape that stands by itself.
struct GroupPicture: Sendable {
  /// [height, width, channels].
  static let shape = [32, 32, 2]
  static var size: Int { shape.reduce(1, *) }

  private static let rasterizer = Rasterizer(width: 32, height: 32, strokeWidth: 1.5, margin: 5.25)
  private var scratch = Rasterizer.Scratch()
  private var plane = [Float](repeating: 0, count: size / 2)

  /// Draws a group.
  ///
  /// - Parameters:
  ///   - group: Its strokes.
  ///   - others: Other ink, near or far.
  ///   - frame: What fills the middle: see `frame(of:usualSide:)`.
  ///   - pixels: Shape `GroupPicture.shape`.
  /// - Throws: `InkError.invalidNumber` for a coordinate that is not finite.
  mutating func draw(
    _ group: [Stroke], among others: [Stroke], frame: BoundingBox,
    into pixels: inout MutableSpan<Float>
  ) throws(InkError) {
    for (channel, strokes) in [group, others].enumerated() {
      try Self.draw(strokes, frame, into: &plane, &scratch)
      for index in plane.indices { pixels[2 * index + channel] = plane[index] }
    }
  }

  private static func draw(
    _ strokes: [Stroke], _ frame: BoundingBox, into plane: inout [Float],
    _ scratch: inout Rasterizer.Scratch
  ) throws(InkError) {
    var span = plane.mutableSpan
    try rasterizer.draw(strokes, around: frame, into: &span, using: &scratch)
  }

  /// What the picture of a group shows in its middle: its box, but of a dot or a short dash not
  /// less than a quarter of the usual side of strokes, so that it can be seen how small it is.
  static func frame(of box: BoundingBox, usualSide: Double) -> BoundingBox {
    let lack = max(0, usualSide / 4 - box.longerSide)
    return BoundingBox(
      x: box.x - lack / 2, y: box.y - lack / 2, width: box.width + lack,
      height: box.height + lack)
  }

  /// How far beside the frame ink can be seen, for its longer side of 1.
  static let sight = 0.35
}
