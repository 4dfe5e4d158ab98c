/// Why a picture has no strokes.
public enum VectorizerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// All pixels have nearly the same tone.
  case noInk
  /// There are so many separate marks that they are no drawing, but texture or noise.
  case texture(marks: Int)

  /// One sentence for people: what, and what to do.
  public var description: String {
    switch self {
    case .noInk:
      "there is no ink in the picture: all its pixels have nearly the same tone"
    case .texture(let marks):
      "the picture is no line drawing: it has \(marks) separate marks; crop it, or clean it first"
    }
  }
}

/// Turns a picture of ink on paper or on a screen into strokes: black on white or white on black, clean or
/// scanned, with pens of any width.
///
/// The steps, each in a file of its own:
/// 1. *Binarisation*: a threshold for all (Otsu) or, under uneven light, for each place (Sauvola). What
///    is ink and what is ground is told by the picture's border and by which there is more of.
/// 2. The picture is brought to a scale at which a stroke is about `workingStrokeWidth` pixels wide.
///    Specks and pinholes are removed.
/// 3. *Thinning* (Guo and Hall) to lines one pixel wide, and the distance transform, which tells how thick
///    the ink was.
/// 4. *Skeleton graph*: ends, junctions and the lines between them. Spurs are pruned, junctions of
///    one crossing merged, tips of acute corners mended.
/// 5. *Tracing*: through a junction a stroke goes on as straight as it can; so a cross is two strokes. Lines are
///    smoothed and simplified.
/// 6. *Order*: directions and order as people mostly draw.
///
/// What thinning cannot know stays unknown: a filled disc becomes a dot, and where ink was drawn over ink, the
/// strokes below.
public struct Vectorizer: Hashable, Sendable, Codable {
  /// Which of the two tones is ink.
  public enum Polarity: String, Hashable, Sendable, Codable, CaseIterable {
    /// The picture tells: ground is what the border shows and what there is more of.
    case automatic
    /// As on paper.
    case darkInk = "dark-ink"
    /// As on a blackboard, or in the pictures that networks get.
    case lightInk = "light-ink"
  }

  /// How ink is told from ground.
  public enum Thresholding: String, Hashable, Sendable, Codable, CaseIterable {
    /// One threshold, or one for each place where the light is uneven.
    case automatic
    /// One threshold for all: Otsu's.
    case global
    /// One for each place: Sauvola's.
    case local
  }

  /// Which of the two tones is ink.
  public var polarity: Polarity
  /// How ink is told from ground.
  public var thresholding: Thresholding
  /// Marks with less ink than a square of so many stroke widths a side are specks, and are removed.
  public var speckSize: Double
  /// What sticks out of a stroke's side by less than so many stroke widths is no stroke of its own.
  public var spurLength: Double
  /// The farthest that points left out by simplification may lie from the stroke, in stroke widths.
  public var tolerance: Double
  /// A picture with more rows or columns is made smaller first.
  public var largestSide: Int
  /// A picture with more separate marks, specks left out, is no drawing but texture.
  public var mostMarks: Int

  /// A vectoriser; lengths in widths of the picture's own strokes, so that its resolution does not matter.
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

  /// The stroke width, in pixels, that pictures are scaled to where that is worth it.
  static let workingStrokeWidth = 6.0
  /// Small pictures are enlarged to at most so many pixels.
  private static let largestEnlarged = 1 << 19
  /// The strokes in `picture`, in the order and direction in which people would mostly draw them.
  ///
  /// - Parameter picture: Ink on ground.
  /// - Returns: A drawing in the picture's pixels, with its size as canvas and without id, label and times: (0, 0)
  ///   is the top left corner of the top left pixel. Each stroke is the middle of the ink; a closed one
  ///   ends where it begins; a dot is a stroke of one point.
  /// - Throws: `VectorizerError`.
  /// - Complexity: O(pixels · widest stroke) in the worst case.
  public func callAsFunction(_ picture: GrayPicture) throws(VectorizerError) -> Drawing {
    var signal = try InkSignal(
      picture.reduced(toSide: largestSide), polarity: polarity, thresholding: thresholding)
    let reduction = Double(picture.width) / Double(signal.width)
    // Everything is done near the ink, at a scale that fits the pen.
    var mask = Mask(signal)
    var width = try clean(&mask)
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
    let distances = mask.distances()
    var skeleton = mask
    skeleton.thin()
    var graph = SkeletonGraph(skeleton, distances: distances, strokeWidth: width.typical)
    graph.tidy(spurLength: spurLength * width.typical, pixel: factor)
    let lines = StrokeTracer(graph).lines()
    let scale = Transform.scale(
      x: Double(signal.scaleX), y: Double(signal.scaleY)
    ).then(.translation(x: origin.x, y: origin.y)).then(.scale(reduction))
    let tolerance = max(tolerance * width.typical, 0.5)
    let strokes = StrokeOrder.arranged(
      lines.map {
        $0.smoothed(spacing: 1, sigma: 1.5).sharpened(strokeWidth: width.typical).stroke
      }
    ).map { $0.simplified(tolerance: tolerance).transformed(by: scale).placed(in: picture) }
    guard !strokes.isEmpty else { throw .noInk }
    return Drawing(
      strokes: strokes,
      canvas: .init(width: Double(picture.width), height: Double(picture.height)))
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
  /// The stroke within the picture, in hundredths of a pixel: more digits would only make files longer.
  fileprivate func placed(in picture: GrayPicture) -> Stroke {
    func placed(_ value: Double, below limit: Int) -> Double {
      max(0, min(Double(limit), (value * 100).rounded() / 100))
    }
    var result: [Point] = []
    for point in points {
      let place = Point(
        x: placed(point.x, below: picture.width), y: placed(point.y, below: picture.height))
      if result.last != place { result.append(place) }
    }
    return Stroke(result)
  }
}
