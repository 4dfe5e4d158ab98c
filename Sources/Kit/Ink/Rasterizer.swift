/// Converts drawings to pixels: the one rasterizer for training, prediction and pictures.
///
/// The drawing keeps its aspect ratio and is centered, as large as possible with its ink, stroke
/// width included, at least `margin` pixels from every edge. Strokes have round caps and joins. A
/// drawing whose extent is zero in both axes becomes a round dot in the center; in one axis, a
/// straight line through the center.
///
/// A pixel's value is the fraction of its area that ink covers: exact along straight strokes, a
/// close approximation elsewhere; see `RasterKernel` for the method.
public struct Rasterizer: Hashable, Sendable {
  /// The channels of each pixel.
  public enum Channels: String, Hashable, Sendable, Codable {
    /// Ink coverage, in 0...1.
    case ink
    /// Ink coverage, and three numbers in -1...1 weighted by it: the cosine and sine of twice the
    /// angle of the nearest stroke, and when it was drawn, from the first ink (-1) to the last (1).
    case inkAndFlow

    /// Numbers per pixel.
    public var count: Int { self == .ink ? 1 : 4 }
  }

  /// Columns of the raster.
  public let width: Int
  /// Rows of the raster.
  public let height: Int
  /// The thickness of a stroke, in pixels of the raster.
  public let strokeWidth: Double
  /// The least distance from the ink to the raster's edge, in pixels of the raster.
  public let margin: Double
  /// The channels that `draw` writes.
  public let channels: Channels

  /// The shape of what `draw` writes: [height, width, channels].
  public var shape: [Int] { [height, width, channels.count] }

  /// A rasterizer; `strokeWidth` and `margin` in pixels of the raster.
  ///
  /// Requires `strokeWidth + 2 * margin` below both `width` and `height`.
  public init(
    width: Int = 28, height: Int = 28, strokeWidth: Double = 1.5, margin: Double = 1,
    channels: Channels = .ink
  ) {
    if let (key, problem) = Self.problem(
      width: width, height: height, strokeWidth: strokeWidth, margin: margin, most: 16_384)
    {
      preconditionFailure("\(key.stringValue) \(problem)")
    }
    self.width = width
    self.height = height
    self.strokeWidth = strokeWidth
    self.margin = margin
    self.channels = channels
  }

  /// The maximum number of rows or columns when decoded from a file.
  package static let maxStoredSide = 1024
  /// The maximum number of values in such a raster.
  package static let maxStoredValues = 1 << 20

  /// The maximum number of rows or columns when a user chooses it.
  package static let maxChosenSide = 4096

  /// What is wrong with a user's numbers for a square raster; nil if a rasterizer can have them.
  package static func problem(side: Int, strokeWidth: Double, margin: Double) -> String? {
    problem(
      width: side, height: side, strokeWidth: strokeWidth, margin: margin, most: maxChosenSide
    ).map { "the \($0.stringValue) \($1)" }
  }

  /// The first number that is out of its range, and what is wrong with it.
  private static func problem(
    width: Int, height: Int, strokeWidth: Double, margin: Double, most: Int
  ) -> (CodingKeys, String)? {
    for (key, side) in [(CodingKeys.width, width), (.height, height)]
    where !(1...most).contains(side) {
      return (key, "is \(side); it must be from 1 to \(most)")
    }
    guard strokeWidth > 0, strokeWidth.isFinite else {
      return (.strokeWidth, "is \(strokeWidth); it must be above 0")
    }
    guard margin >= 0, margin.isFinite else {
      return (.margin, "is \(margin); it must not be below 0")
    }
    guard strokeWidth + 2 * margin < Double(min(width, height)) else {
      return (
        .strokeWidth,
        """
        is \(strokeWidth); a \(width) × \(height) raster has no room for it and a margin of \
        \(margin)
        """
      )
    }
    return nil
  }

  /// Draws only the ink channel of `drawing`, regardless of `channels`.
  ///
  /// - Throws: `InkError.emptyDrawing`, or `.invalidNumber` for a coordinate that is not finite.
  public func callAsFunction(_ drawing: Drawing) throws(InkError) -> Raster {
    var scratch = Scratch()
    var raster = Raster(width: width, height: height)
    var slot = raster.values.mutableSpan
    try draw(drawing, .ink, into: &slot, at: 0, using: &scratch)
    return raster
  }

  /// Writes the pixels of `drawing` into `batch`; allocates only to grow `scratch`.
  ///
  /// - Parameters:
  ///   - drawing: What to draw.
  ///   - batch: Pixels, row-major, shape [N, height, width, channels].
  ///   - offset: The first element to write; the height · width · channels from there on are
  ///     overwritten.
  ///   - scratch: Working memory, reused from call to call.
  /// - Throws: `InkError.emptyDrawing`, or `.invalidNumber` for a coordinate that is not finite.
  public func draw(
    _ drawing: Drawing, into batch: inout MutableSpan<Float>, at offset: Int = 0,
    using scratch: inout Scratch
  ) throws(InkError) {
    try draw(drawing, channels, into: &batch, at: offset, using: &scratch)
  }

  private func draw(
    _ drawing: Drawing, _ channels: Channels, into batch: inout MutableSpan<Float>,
    at offset: Int, using scratch: inout Scratch
  ) throws(InkError) {
    let count = width * height * channels.count
    precondition(
      offset >= 0 && offset <= batch.count - count,
      "a raster of \(count) elements does not fit at \(offset) of \(batch.count)")
    let fit = try DrawingFit(
      drawing, width: width, height: height, inset: margin + strokeWidth / 2)
    scratch.kernel.begin()
    for stroke in drawing.strokes { scratch.kernel.add(stroke, fit) }
    scratch.kernel.finish(
      into: &batch, at: offset, width: width, height: height, radius: Float(strokeWidth / 2),
      channels: channels)
  }

  /// Working memory that calls of `draw(_:into:at:using:)` share.
  public struct Scratch: Sendable {
    var kernel: RasterKernel

    /// Empty memory, which grows with use.
    public init() { kernel = RasterKernel() }

    /// Empty memory for a vector level that this processor supports.
    init(level: Int32) { kernel = RasterKernel(level: level) }
  }
}

extension Rasterizer: Codable {
  private enum CodingKeys: CodingKey {
    case width, height, strokeWidth, margin, channels
  }

  /// Decodes a rasterizer; `channels` defaults to ink. Files are untrusted, so a raster has at most
  /// 1024 rows and columns and 2^20 values here.
  ///
  /// - Throws: `DecodingError` that names the value out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let width = try container.decode(Int.self, forKey: .width)
    let height = try container.decode(Int.self, forKey: .height)
    let strokeWidth = try container.decode(Double.self, forKey: .strokeWidth)
    let margin = try container.decode(Double.self, forKey: .margin)
    // Older files have no `channels`.
    let channels = try container.decodeIfPresent(Channels.self, forKey: .channels) ?? .ink
    if let (key, problem) = Self.problem(
      width: width, height: height, strokeWidth: strokeWidth, margin: margin,
      most: Self.maxStoredSide)
    {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: problem)
    }
    guard width * height * channels.count <= Self.maxStoredValues else {
      throw DecodingError.dataCorruptedError(
        forKey: .width, in: container,
        debugDescription: "is \(width); a \(width) × \(height) raster of "
          + "\(channels.count) channels has more than \(Self.maxStoredValues) values")
    }
    self.init(
      width: width, height: height, strokeWidth: strokeWidth, margin: margin, channels: channels)
  }
}
