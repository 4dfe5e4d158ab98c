public import Support

/// Why a picture has no strokes.
public enum VectorizerError: DescribedError, Equatable {
  /// All pixels have nearly the same tone.
  case noInk
  /// There are so many separate marks that they are no drawing, but texture or noise.
  case texture(marks: Int)
  /// The lines lie so dense, or are so long, that they are no drawing.
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
/// 1. *Binarization*: a threshold for all (Otsu) or, under uneven light, for each place (Sauvola).
///    What is ink and what is ground is told by the picture's border and by which there is more of.
/// 2. The picture is brought to a scale at which a stroke is about `workingStrokeWidth` pixels
///    wide. Specks and pinholes are removed.
/// 3. *Thinning* (Guo and Hall) to lines one pixel wide, and the distance transform, which tells
///    how thick the ink was.
/// 4. *Skeleton graph*: ends, junctions and the lines between them. Spurs are pruned, junctions of
///    one crossing merged, tips of acute corners mended.
/// 5. *Tracing*: through a junction a stroke goes on as straight as it can; so a cross is two
///    strokes. Lines are smoothed and simplified.
/// 6. *Order*: directions and order as people mostly draw.
///
/// What thinning cannot know stays unknown: a filled disc becomes a dot, and where ink was drawn
/// over ink, the strokes below.
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

  /// A vectorizer; lengths in widths of the picture's own strokes, so that its resolution does not
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

  /// The stroke width, in pixels, that pictures are scaled to where that is worth it.
  static let workingStrokeWidth = 6.0
  /// Small pictures are enlarged to at most so many pixels.
  private static let largestEnlarged = 1 << 19
  /// Lines of more pixels together are no drawing, and take more memory than the picture.
  private static let longestSkeleton = 1 << 18

  /// The strokes in `picture`, in the order and direction in which people would mostly draw them.
  ///
  /// - Parameter picture: Ink on ground.
  /// - Returns: A drawing in the picture's pixels, with its size as canvas and without id, label
  ///   and times: (0, 0) is the top left corner of the top left pixel. Each stroke is the middle of
  ///   the ink; a closed one ends where it begins; a dot is a stroke of one point.
  /// - Throws: `VectorizerError`.
  /// - Complexity: O(pixels · widest stroke) in the worst case.
  public func callAsFunction(_ picture: consuming GrayPicture) throws(VectorizerError) -> Drawing {
    let (columns, rows) = (picture.width, picture.height)
    // The picture ends here, its ink below: what is large is gone when the next large thing comes.
    picture = picture.reduced(toSide: largestSide)
    let ink = try ink(of: consume picture, columns: columns)
    let width = ink.strokeWidth
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
    return Drawing(
      strokes: strokes, canvas: .init(width: Double(columns), height: Double(rows)))
  }

  /// What is ink, at a scale that fits the pen.
  private struct WorkingInk {
    var mask: Mask
    /// The width of a typical stroke, in the mask's pixels.
    var strokeWidth: Double
    /// The size of the picture's own pixels, in the mask's.
    var factor: Double
    /// From the mask's pixels to the picture's.
    var placement: Transform
  }

  /// Finds the ink, crops the picture to it and scales it to the working stroke width; `columns`
  /// is the width before the picture was reduced.
  private func ink(
    of picture: consuming GrayPicture, columns: Int
  ) throws(VectorizerError) -> WorkingInk {
    var signal = try InkSignal(picture, polarity: polarity, thresholding: thresholding)
    let reduction = Double(columns) / Double(signal.width)
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
    let placement = Transform.scale(x: signal.scaleX, y: signal.scaleY)
      .then(.translation(x: origin.x, y: origin.y)).then(.scale(reduction))
    return WorkingInk(
      mask: mask, strokeWidth: width.typical, factor: factor, placement: placement)
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
  /// The stroke within a picture of such a size, in hundredths of a pixel: more digits would only
  /// make files longer.
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
