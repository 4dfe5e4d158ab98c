/// Turns drawings into pixels, always the same way: the one rasteriser for training, answers and pictures.
///
/// The drawing keeps its proportions and is centred, as large as it can be with its ink, stroke width included,
/// `margin` pixels or more from every edge. Strokes have round ends and joins. A drawing whose extent is zero
/// in both axes is a round dot in the middle; in one axis, a straight line through the middle.
///
/// A pixel's value is the part of its square that ink covers. It is exact along straight strokes and
/// close elsewhere; see `RasterKernel` for the method.
public struct Rasterizer: Hashable, Sendable {
  /// Columns of the raster.
  public let width: Int
  /// Rows of the raster.
  public let height: Int
  /// The thickness of a stroke, in pixels of the raster.
  public let strokeWidth: Double
  /// The least distance from the ink to the raster's edge, in pixels of the raster.
  public let margin: Double

  /// A rasteriser; `strokeWidth` and `margin` in pixels of the raster.
  ///
  /// The ink must have room: `strokeWidth + 2 * margin` below both `width` and `height`.
  public init(
    width: Int = 28, height: Int = 28, strokeWidth: Double = 1.5, margin: Double = 1
  ) {
    if let problem = Self.problem(
      width: width, height: height, strokeWidth: strokeWidth, margin: margin)
    {
      preconditionFailure(problem)
    }
    self.width = width
    self.height = height
    self.strokeWidth = strokeWidth
    self.margin = margin
  }

  private static func problem(
    width: Int, height: Int, strokeWidth: Double, margin: Double
  ) -> String? {
    guard (1...16384).contains(width), (1...16384).contains(height) else {
      return "a raster has 1...16384 columns and rows, got \(width) × \(height)"
    }
    guard strokeWidth > 0, strokeWidth.isFinite else {
      return "a stroke's width must be positive, got \(strokeWidth)"
    }
    guard margin >= 0, margin.isFinite else {
      return "the margin must not be negative, got \(margin)"
    }
    guard strokeWidth + 2 * margin < Double(min(width, height)) else {
      return "a \(width) × \(height) raster has no room for stroke width \(strokeWidth) "
        + "and margin \(margin)"
    }
    return nil
  }

  /// The pixels of `drawing`.
  ///
  /// - Throws: `InkError.emptyDrawing`, or `.invalidNumber` for a coordinate that is not finite.
  public func callAsFunction(_ drawing: Drawing) throws(InkError) -> Raster {
    var scratch = Scratch()
    var raster = Raster(width: width, height: height)
    var slot = raster.values.mutableSpan
    try draw(drawing, into: &slot, using: &scratch)
    return raster
  }

  /// Writes the pixels of `drawing` into `batch`, without allocation once `scratch` has grown.
  ///
  /// - Parameters:
  ///   - drawing: What to draw.
  ///   - batch: Coverage, row-major, shape [N, height, width], each in 0...1.
  ///   - offset: The first element to write; the height · width from there on are overwritten.
  ///   - scratch: Memory to work in, the same from call to call.
  /// - Throws: `InkError.emptyDrawing`, or `.invalidNumber` for a coordinate that is not finite.
  public func draw(
    _ drawing: Drawing, into batch: inout MutableSpan<Float>, at offset: Int = 0,
    using scratch: inout Scratch
  ) throws(InkError) {
    precondition(
      offset >= 0 && offset <= batch.count - width * height,
      "a raster of \(width * height) elements does not fit at \(offset) of \(batch.count)")
    let fit = try Fit(
      drawing, width: width, height: height, inset: margin + strokeWidth / 2)
    scratch.kernel.prepare(width: width, height: height, radius: Float(strokeWidth / 2))
    for stroke in drawing.strokes { scratch.kernel.add(stroke, fit) }
    scratch.kernel.finish(into: &batch, at: offset)
  }

  /// Memory that calls of `draw(_:into:using:)` share.
  public struct Scratch: Sendable {
    fileprivate var kernel = RasterKernel()

    /// Empty memory, which grows with use.
    public init() {}
  }
}

extension Rasterizer: Codable {
  private enum CodingKeys: CodingKey {
    case width, height, strokeWidth, margin
  }

  /// Reads the four numbers; those that `init(width:height:strokeWidth:margin:)` refuses are a decoding error.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let width = try container.decode(Int.self, forKey: .width)
    let height = try container.decode(Int.self, forKey: .height)
    let strokeWidth = try container.decode(Double.self, forKey: .strokeWidth)
    let margin = try container.decode(Double.self, forKey: .margin)
    if let problem = Self.problem(
      width: width, height: height, strokeWidth: strokeWidth, margin: margin)
    {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: problem))
    }
    self.init(width: width, height: height, strokeWidth: strokeWidth, margin: margin)
  }
}
