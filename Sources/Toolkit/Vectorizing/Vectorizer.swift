public import Ink
public import Text

/// Why a picture has no strokes.
public enum VectorizerError: DescribedError, Equatable {
  /// All pixels have nearly the same tone.
  case noInk
  /// There are too many separate marks: texture or noise.
  case texture(marks: Int)
  /// The lines are too dense or too long for a drawing.
  case dense

  /// One sentence for people: what, and what to do.
  public var description: String {
    switch self {
    case .noInk:
      "there is no ink in the picture: all its pixels have nearly the same tone"
    case .texture(let marks):
      "the picture is no line drawing: it has \(marks) separate marks; crop it, or clean it first"
    case .dense:
      "the picture is no line drawing: its lines lie too densely; crop it, or clean it first"
    }
  }
}

/// Turns a picture of ink on paper or on a screen into strokes: black on white or white on black,
/// clean or scanned, with pens of any width.
///
/// The steps, each in a file of its own:
/// 1. *Binarization*: one threshold for all of the picture (Otsu), or the depth below the paper
///    nearby (`InkRelief`) where that threshold misses ink: shadows, a desk, paper on other paper.
///    The border and the pixel counts decide which tone is ink.
/// 2. The picture is scaled so that a stroke is about `workingStrokeWidth` pixels wide. Specks and
///    pinholes are removed.
/// 3. *Thinning* (Guo and Hall) to lines one pixel wide, and the distance transform, which measures
///    the thickness of the ink.
/// 4. *Skeleton graph*: ends, junctions and the lines between them. Spurs are pruned, junctions of
///    one crossing merged, tips of acute corners restored.
/// 5. *Tracing*: a stroke passes a junction as straight as possible, so a cross is two strokes.
///    Lines are smoothed and simplified.
/// 6. *Order*: the directions and order in which people mostly draw.
///
/// Some information is lost: a filled disc becomes a dot, and strokes hidden under other ink are
/// not recovered.
public struct Vectorizer: Hashable, Sendable, Codable {
  /// Which of the two tones is ink.
  public enum Polarity: String, Hashable, Sendable, Codable, CaseIterable {
    /// From the picture: ground is the tone of the border and of the majority.
    case automatic
    /// As on paper.
    case darkInk = "dark-ink"
    /// As on a blackboard, or in network inputs.
    case lightInk = "light-ink"
  }

  /// How ink is separated from ground.
  public enum Thresholding: String, Hashable, Sendable, Codable, CaseIterable {
    /// One threshold for all pixels, or local thresholds if that fails.
    case automatic
    /// One threshold for all pixels: Otsu's.
    case global
    /// A threshold for each place, by the tone of the paper there.
    case local
  }

  /// Which of the two tones is ink.
  public var polarity: Polarity
  /// How ink is separated from ground.
  public var thresholding: Thresholding
  /// The size of specks, which are removed: marks with less ink than a square with this side, in
  /// stroke widths.
  public var speckSize: Double
  /// The length of spurs, which are removed: lines that extend less than this from a stroke's side,
  /// in stroke widths.
  public var spurLength: Double
  /// The simplification tolerance, in stroke widths.
  public var tolerance: Double
  /// The maximum number of rows or columns: a larger picture is reduced first.
  public var largestSide: Int
  /// The maximum number of separate marks, specks excluded; a picture with more is rejected as
  /// texture.
  public var mostMarks: Int

  /// A vectorizer; lengths are in widths of the picture's strokes, so that its resolution does not
  /// matter.
  public init(
    polarity: Polarity = .automatic, thresholding: Thresholding = .automatic,
    speckSize: Double = 0.55, spurLength: Double = 0.65, tolerance: Double = 0.1,
    largestSide: Int = 1600, mostMarks: Int = 10_000
  ) {
    precondition(speckSize >= 0, "the size of specks must not be negative, got \(speckSize)")
    precondition(spurLength >= 0, "the length of spurs must not be negative, got \(spurLength)")
    precondition(tolerance >= 0, "the tolerance must not be negative, got \(tolerance)")
    precondition(mostMarks >= 1, "the most marks must be 1 or more, got \(mostMarks)")
    precondition(largestSide >= 16, "the largest side must be 16 or more, got \(largestSide)")
    self.polarity = polarity
    self.thresholding = thresholding
    self.speckSize = speckSize
    self.spurLength = spurLength
    self.tolerance = tolerance
    self.largestSide = largestSide
    self.mostMarks = mostMarks
  }

  /// The stroke width, in pixels, to which pictures are scaled if it differs enough.
  static let workingStrokeWidth = 6.0
  /// The maximum number of pixels to which small pictures are enlarged.
  private static let largestEnlarged = 1 << 19
  /// The maximum number of skeleton pixels: more is not a drawing, and takes more memory than the
  /// picture.
  private static let longestSkeleton = 1 << 18

  /// Traces the strokes in `picture`, in the order and direction in which people would mostly draw.
  ///
  /// - Parameter picture: Ink on ground.
  /// - Returns: A drawing in the picture's pixels, with its size as canvas and without id, label
  ///   and times: (0, 0) is the top left corner of the top left pixel. Each stroke is the middle of
  ///   the ink; a closed one ends where it begins; a dot is a stroke of one point.
  /// - Throws: `VectorizerError`.
  /// - Complexity: O(pixels · widest stroke) in the worst case.
  public func callAsFunction(_ picture: consuming GrayPicture) throws(VectorizerError) -> Drawing {
    try trace(picture).drawing
  }

  /// Traces the strokes in `picture`, as `callAsFunction` does, and tells what is doubtful.
  public func trace(_ picture: consuming GrayPicture) throws(VectorizerError) -> TracedPicture {
    let (columns, rows) = (picture.width, picture.height)
    // The picture is consumed here and its ink below, so that large buffers do not overlap in time.
    picture = picture.reduced(toSide: largestSide)
    let ink = try ink(of: consume picture, columns: columns)
    let (width, doubts) = (ink.strokeWidth, ink.doubts)
    let lines = try lines(of: ink)
    let tolerance = max(tolerance * width, 0.5)
    let strokes = StrokeOrder.arranged(
      lines.map {
        $0.smoothed(spacing: 1, sigma: 1.5).sharpened(strokeWidth: width).stroke
      }
    ).map {
      $0.simplified(tolerance: tolerance).transformed(by: ink.placement)
        .placed(within: columns, rows)
    }
    guard !strokes.isEmpty else { throw .noInk }
    return TracedPicture(
      drawing: Drawing(
        strokes: strokes, canvas: .init(width: Double(columns), height: Double(rows))),
      doubts: doubts)
  }

  /// The ink, scaled to the working stroke width.
  private struct WorkingInk {
    var mask: Mask
    /// The width of a typical stroke, in the mask's pixels.
    var strokeWidth: Double
    /// The size of an original pixel, in pixels of the mask.
    var factor: Double
    /// From the mask's pixels to the picture's.
    var placement: Transform
    /// What is doubtful about it.
    var doubts: [TracedPicture.Doubt]
  }

  /// Finds the ink, crops the picture to it and scales it to the working stroke width; `columns`
  /// is the width before the picture was reduced.
  private func ink(
    of picture: consuming GrayPicture, columns: Int
  ) throws(VectorizerError) -> WorkingInk {
    var signal = try InkSignal(picture, polarity: polarity, thresholding: thresholding)
    let reduction = Double(columns) / Double(signal.width)
    var mask = Mask(signal)
    let all = mask
    var width = try clean(&mask)
    let doubts = TracedPicture.doubts(
      missedShare: signal.missedShare, all: all, kept: mask, strokeWidth: width.typical)
    guard let box = mask.bounds else { throw .noInk }
    let origin = signal.crop(to: box, mask: mask)
    let target = Self.workingStrokeWidth
    var factor = 1.0
    if width.thin > 1.5 * target {
      factor = target / width.thin
    } else if width.thin < 0.8 * target {
      let most = (Double(Self.largestEnlarged) / Double(signal.width * signal.height)).squareRoot()
      factor = max(1, min((target / width.thin).rounded(.up), most.rounded(.down), 4))
    }
    if factor != 1 { signal = signal.resampled(by: factor) }
    mask = Mask(signal)
    if factor != 1 { width = try clean(&mask) }
    let placement = Transform.scale(x: signal.scaleX, y: signal.scaleY)
      .then(.translation(x: origin.x, y: origin.y)).then(.scale(reduction))
    return WorkingInk(
      mask: mask, strokeWidth: width.typical, factor: factor, placement: placement,
      doubts: doubts)
  }

  /// The middle lines of the ink.
  private func lines(of ink: WorkingInk) throws(VectorizerError) -> [TracedLine] {
    let distances = ink.mask.distances()
    var skeleton = ink.mask
    skeleton.thin()
    guard skeleton.pixels.count(where: { $0 != 0 }) <= Self.longestSkeleton else { throw .dense }
    var graph = SkeletonGraph(skeleton, distances: distances, strokeWidth: ink.strokeWidth)
    graph.tidy(spurLength: spurLength * ink.strokeWidth, pixel: ink.factor)
    return StrokeTracer(graph).lines()
  }

  /// Removes specks and pinholes.
  ///
  /// - Returns: The widths of the strokes that are left, in the mask's pixels.
  private func clean(_ mask: inout Mask) throws(VectorizerError) -> StrokeWidths {
    guard let all = StrokeWidths(mask.distances()) else { throw .noInk }
    let speck = (speckSize * all.typical) * (speckSize * all.typical)
    let marks = mask.removeComponents(of: .ink, below: speck)
    guard marks <= mostMarks else { throw .texture(marks: marks) }
    mask.removeComponents(of: .ground, below: speck / 3)
    guard let widths = StrokeWidths(mask.distances()) else { throw .noInk }
    return widths
  }
}

extension Stroke {
  /// The stroke clamped to a picture of this size and rounded to hundredths of a pixel: more digits
  /// would only make files longer.
  fileprivate func placed(within columns: Int, _ rows: Int) -> Stroke {
    func placed(_ value: Double, below limit: Int) -> Double {
      max(0, min(Double(limit), (value * 100).rounded() / 100))
    }
    var result: [Point] = []
    for point in points {
      let place = Point(
        x: placed(point.x, below: columns), y: placed(point.y, below: rows))
      if result.last != place { result.append(place) }
    }
    return Stroke(result)
  }
}
