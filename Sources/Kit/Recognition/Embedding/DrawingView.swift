public import Ink

/// The input representation of a drawing for a network.
public enum DrawingView: Hashable, Sendable {
  /// Pixels, shape [height, width, channels].
  case picture(Rasterizer)
  /// Points in the order of drawing, shape [1, steps, 6].
  case sequence(StrokeSequence)

  /// The shape of what `draw` writes.
  public var shape: [Int] {
    switch self {
    case .picture(let rasterizer): rasterizer.shape
    case .sequence(let sequence): sequence.shape
    }
  }

  /// Writes the network's input.
  ///
  /// - Parameters:
  ///   - drawing: The drawing.
  ///   - strokeWidthFactor: The factor of a picture's pen width.
  ///   - input: The buffer for one drawing, of shape `shape`.
  ///   - scratch: Reusable working memory.
  /// - Throws: `InkError.emptyDrawing`, or `.invalidNumber` for a coordinate that is not finite.
  func draw(
    _ drawing: Drawing, strokeWidthFactor: Double = 1, into input: inout MutableSpan<Float>,
    using scratch: inout Scratch
  ) throws(InkError) {
    switch self {
    case .picture(let rasterizer):
      try rasterizer.widened(by: strokeWidthFactor)
        .draw(drawing, into: &input, using: &scratch.picture)
    case .sequence(let sequence):
      try sequence.draw(drawing, into: &input, using: &scratch.sequence)
    }
  }

  /// Working memory that calls of `draw` reuse.
  struct Scratch: Sendable {
    var picture = Rasterizer.Scratch()
    var sequence = StrokeSequence.Scratch()
  }

  /// All parameters that the input depends on, for fingerprints.
  var description: String {
    switch self {
    case .picture(let rasterizer):
      "\(rasterizer.shape) \(rasterizer.strokeWidth) \(rasterizer.margin)"
    case .sequence(let sequence): "\(sequence.shape)"
    }
  }
}

extension DrawingView: Codable {
  private enum CodingKeys: CodingKey { case rasterizer, sequence }

  /// Reads a view: an object with the key `rasterizer` or `sequence`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let sequence = try container.decodeIfPresent(StrokeSequence.self, forKey: .sequence) {
      self = .sequence(sequence)
    } else {
      self = .picture(try container.decode(Rasterizer.self, forKey: .rasterizer))
    }
  }

  /// Writes the view.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .picture(let rasterizer): try container.encode(rasterizer, forKey: .rasterizer)
    case .sequence(let sequence): try container.encode(sequence, forKey: .sequence)
    }
  }
}

extension Rasterizer {
  /// The same with a pen of another width.
  fileprivate func widened(by factor: Double) -> Rasterizer {
    guard factor != 1 else { return self }
    return Rasterizer(
      width: width, height: height, strokeWidth: strokeWidth * factor, margin: margin,
      channels: channels)
  }
}
