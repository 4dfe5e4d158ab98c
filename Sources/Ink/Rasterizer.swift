/// Turns drawings into pixels, always the same way: the one rasterizer for training, answers and
/// pictures.
///
/// The drawing keeps its proportions and is centered, as large as it can be with its ink, stroke
/// width included, `margin` pixels or more from every edge. Strokes have round ends and joins. A
/// drawing whose extent is zero in both axes is a round dot in the middle; in one axis, a straight
/// line through the middle.
///
/// A pixel's value is the part of its square that ink covers. It is exact along straight strokes
/// and close elsewhere; see `RasterKernel` for the method.
public struct Rasterizer: Hashable, Sendable {
  /// What is known of each pixel.
  public enum Channels: String, Hashable, Sendable, Codable {
    /// Ink coverage, in 0...1.
    case ink
    /// Ink coverage, and three numbers in -1...1 that are weighted with it: the cosine and sine of
    /// twice the angle of the nearest stroke, and when it was drawn, from the first ink (-1) to the
    /// last (1).
    case inkAndFlow

    /// Numbers a pixel.
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
  /// What `draw` writes of each pixel.
  public let channels: Channels

  /// What `draw` writes: [height, width, channels].
  public var shape: [Int] { [height, width, channels.count] }

  /// A rasterizer; `strokeWidth` and `margin` in pixels of the raster.
  ///
  /// The ink must have room: `strokeWidth + 2 * margin` below both `width` and `height`.
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

  /// The most rows or columns that a file may ask for.
  package static let maxStoredSide = 1024
  /// The most numbers of such a raster.
  package static let maxStoredValues = 1 << 20

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

  /// The ink of `drawing`, whatever other channels there are.
  ///
  /// - Throws: `InkError.emptyDrawing`, or `.invalidNumber` for a coordinate that is not finite.
  public func callAsFunction(_ drawing: Drawing) throws(InkError) -> Raster {
    var scratch = Scratch()
    var raster = Raster(width: width, height: height)
    var slot = raster.values.mutableSpan
    try draw(drawing, .ink, into: &slot, at: 0, using: &scratch)
    return raster
  }

  /// Writes the pixels of `drawing` into `batch`, without allocation once `scratch` has grown.
  ///
  /// - Parameters:
  ///   - drawing: What to draw.
  ///   - batch: Pixels, row-major, shape [N, height, width, channels].
  ///   - offset: The first element to write; the height · width · channels from there on are
  ///     overwritten.
  ///   - scratch: Memory to work in, the same from call to call.
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
    let fit = try Fit(
      drawing, width: width, height: height, inset: margin + strokeWidth / 2)
    scratch.kernel.begin()
    for stroke in drawing.strokes { scratch.kernel.add(stroke, fit) }
    scratch.kernel.finish(
      into: &batch, at: offset, width: width, height: height, radius: Float(strokeWidth / 2),
      channels: channels)
  }

  /// Memory that calls of `draw(_:into:using:)` share.
  public struct Scratch: Sendable {
    var kernel: RasterKernel

    /// Empty memory, which grows with use.
    public init() { kernel = RasterKernel() }

    /// The same for vectors of a width that this processor has.
    init(level: Int32) { kernel = RasterKernel(level: level) }
  }
}

extension Rasterizer: Codable {
  private enum CodingKeys: CodingKey {
    case width, height, strokeWidth, margin, channels
  }

  /// Reads the four numbers and the channels, which are ink where none are named. A raster has at
  /// most 1024 rows and columns and 2^20 values here: files come from anywhere.
  ///
  /// - Throws: `DecodingError` that names the number which is out of its range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let width = try container.decode(Int.self, forKey: .width)
    let height = try container.decode(Int.self, forKey: .height)
    let strokeWidth = try container.decode(Double.self, forKey: .strokeWidth)
    let margin = try container.decode(Double.self, forKey: .margin)
    // Files from before there were other channels do not name them.
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
