public import Ink

/// What a network sees of a drawing.
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

  /// Writes the numbers that the network sees.
  ///
  /// - Parameters:
  ///   - drawing: What was drawn.
  ///   - strokeWidthFactor: What a picture's pen width is multiplied with.
  ///   - input: Room for one drawing of `shape`.
  ///   - scratch: Memory to work in.
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

  /// Memory that calls of `draw` share.
  struct Scratch: Sendable {
    var picture = Rasterizer.Scratch()
    var sequence = StrokeSequence.Scratch()
  }

  /// Names all that makes numbers of a drawing.
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

  /// Reads a view: an object with the key of one of the two.
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
