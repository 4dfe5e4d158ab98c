internal import Ink
internal import Recognition

/// An input of an exported model: what one of its networks sees of a drawing.
struct NetworkInput: Encodable {
  /// Its name; the first picture is "picture", the first sequence "strokes".
  let name: String
  /// Makes it of a drawing.
  let view: DrawingView
  /// [channels, height, width]; other programs put the channels first.
  let shape: [Int]

  /// The inputs of an embedding's networks, in their order.
  static func all(of members: [EmbeddingMember]) -> [NetworkInput] {
    var counts: [String: Int] = [:]
    return members.map { member in
      let kind = if case .picture = member.view { "picture" } else { "strokes" }
      counts[kind, default: 0] += 1
      let number = counts[kind, default: 0]
      let shape = member.view.shape
      return NetworkInput(
        name: number == 1 ? kind : "\(kind)\(number)", view: member.view,
        shape: [shape[2], shape[0], shape[1]])
    }
  }

  /// Whether a gray image holds all of it.
  var isImage: Bool {
    if case .picture(let rasterizer) = view { rasterizer.channels == .ink } else { false }
  }

  /// What it is, for other programmers.
  var explanation: String {
    switch view {
    case .picture(let rasterizer):
      let size = "\(rasterizer.width) × \(rasterizer.height)"
      switch rasterizer.channels {
      case .ink: return "Ink coverage of the drawing in \(size) pixels, 0 to 1."
      case .inkAndFlow:
        return """
          The drawing in \(size) pixels of 4 channels: ink coverage, 0 to 1; cosine and sine of \
          twice the stroke's angle, and drawing order, each -1 to 1 times the coverage.
          """
      }
    case .sequence(let sequence):
      return """
        \(sequence.steps) points along the strokes, 6 channels: x, y, cosine and sine of the \
        direction, 1 where a stroke begins, progress along the stroke.
        """
    }
  }

  /// What it is, in a sentence.
  var summary: String {
    switch view {
    case .picture(let rasterizer):
      rasterizer.channels == .ink ? "ink" : "the strokes' directions and order beside the ink"
    case .sequence: "the strokes' points"
    }
  }

  /// The values for a drawing, channels first, of shape `shape`.
  ///
  /// - Throws: `InkError` for a drawing without ink.
  func values(of drawing: Drawing) throws -> [Float] {
    let (channels, pixels) = (shape[0], shape[1] * shape[2])
    var values = [Float](repeating: 0, count: channels * pixels)
    var span = values.mutableSpan
    switch view {
    case .picture(let rasterizer):
      var scratch = Rasterizer.Scratch()
      try rasterizer.draw(drawing, into: &span, using: &scratch)
    case .sequence(let sequence):
      var scratch = StrokeSequence.Scratch()
      try sequence.draw(drawing, into: &span, using: &scratch)
    }
    return values.transposed(rows: pixels)
  }
}
