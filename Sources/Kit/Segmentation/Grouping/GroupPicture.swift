internal import Ink

/// A picture of a group of strokes with the ink drawn before: pixels of two channels, the group's
/// ink and the other ink.
///
/// The group's box fills the middle; the margin around it, a third of the picture's side in all,
/// shows the surrounding canvas. So a part of a shape, with the other strokes beside it, looks
/// different from an isolated shape.
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
  ///   - frame: The box that fills the middle; see `frame(of:usualSide:)`.
  ///   - pixels: Pictures, each of shape `GroupPicture.shape`.
  ///   - place: Which of them.
  /// - Throws: `InkError.invalidNumber` for a coordinate that is not finite.
  mutating func draw(
    _ group: [Stroke], among others: [Stroke], frame: BoundingBox,
    into pixels: inout MutableSpan<Float>, at place: Int = 0
  ) throws(InkError) {
    let first = place * Self.size
    for (channel, strokes) in [group, others].enumerated() {
      try Self.draw(strokes, frame, into: &plane, &scratch)
      for index in plane.indices { pixels[first + 2 * index + channel] = plane[index] }
    }
  }

  private static func draw(
    _ strokes: [Stroke], _ frame: BoundingBox, into plane: inout [Float],
    _ scratch: inout Rasterizer.Scratch
  ) throws(InkError) {
    var span = plane.mutableSpan
    try rasterizer.draw(strokes, around: frame, into: &span, using: &scratch)
  }

  /// The box in the middle of a group's picture: the group's box, with a longer side of at least a
  /// quarter of the usual side of strokes, so that a dot or a short dash appears small.
  static func frame(of box: BoundingBox, usualSide: Double) -> BoundingBox {
    let lack = max(0, usualSide / 4 - box.longerSide)
    return BoundingBox(
      x: box.x - lack / 2, y: box.y - lack / 2, width: box.width + lack,
      height: box.height + lack)
  }

  /// How far beyond the frame ink is visible, as a share of the frame's longer side.
  static let sight = 0.35
}
