public import Ink
public import Recognition
public import Segmentation
public import Vectorizing

/// Drawings on a sheet of paper without boxes.
public struct FreePage: Sendable {
  /// Where the paper is in the photo; nil if no edges of one were found, and all of the picture was
  /// read.
  public var page: PageFinder.Page?
  /// The paper without perspective and shadows.
  public var picture: GrayPicture
  /// All strokes, in pixels of `picture`.
  public var ink: Drawing
  /// What was found, in the order of reading.
  public var shapes: [Shape]

  /// A drawing on the page.
  public struct Shape: Sendable {
    /// Its strokes, in pixels of the page's picture.
    public var drawing: Drawing
    /// What the recognizer takes it for; nil without an answer.
    public var answer: Answer?
  }

  /// The drawings as samples, with ids that begin with `name`; those that the recognizer knows have
  /// the label of its answer.
  public func drawings(named name: String) -> [Drawing] {
    shapes.enumerated().map { index, shape in
      var drawing = shape.drawing
      drawing.id = "\(name)/drawing \(index + 1)"
      if let decision = shape.answer?.decision, decision.isRecognized {
        drawing.label = decision.best?.label
      }
      return drawing
    }
  }
}

/// Reads photos of paper on which people drew anywhere.
///
/// The steps: find the paper, straighten it, trace its ink, and group the strokes into shapes.
public struct FreePageReader: Sendable {
  /// What is taken for paper.
  public var finder: PageFinder
  /// Traces the ink.
  public var vectorizer: Vectorizer
  private let recognizer: Recognizer
  private let model: SegmenterModel

  /// The rows or columns of a straightened page.
  private static let largestSide = 1600
  /// A photo with more strokes is no sheet of drawings.
  private static let mostStrokes = 600
  /// The share of a page that is left out at each edge: shadows, and what lies below.
  private static let edge = 0.015

  /// A reader whose segmenter asks `recognizer` and scores groups by `model`.
  public init(
    recognizer: Recognizer, model: SegmenterModel, finder: PageFinder = PageFinder(),
    vectorizer: Vectorizer = Vectorizer(polarity: .darkInk)
  ) {
    (self.recognizer, self.model) = (recognizer, model)
    (self.finder, self.vectorizer) = (finder, vectorizer)
  }

  /// Reads a photo.
  ///
  /// - Parameters:
  ///   - photo: The photo, in luma.
  ///   - ink: The same in the tones that show its ink best; nil if luma does.
  /// - Returns: The paper, straight, and the drawings on it.
  /// - Throws: `VectorizerError` if it has no ink, or its ink is no drawing; `CaptureError` for too
  ///   many strokes.
  public func callAsFunction(_ photo: GrayPicture, ink: GrayPicture? = nil) throws -> FreePage {
    let page = finder(photo.reduced(toSide: 2 * Self.largestSide))
    let photo = (ink ?? photo).reduced(toSide: 2 * Self.largestSide)
    let picture =
      (page.flatMap { photo.straightened($0, side: Self.largestSide) }
      ?? photo.reduced(toSide: Self.largestSide)).flattened()
    let margin = page == nil ? 0 : Int(Self.edge * Double(max(picture.width, picture.height)))
    let inner = picture.cropped(
      left: margin, top: margin, width: picture.width - 2 * margin,
      height: picture.height - 2 * margin)
    var ink = try vectorizer(inner)
      .transformed(by: .translation(x: Double(margin), y: Double(margin)))
    guard ink.strokes.count <= Self.mostStrokes else {
      throw CaptureError.tooManyStrokes(ink.strokes.count, most: Self.mostStrokes)
    }
    ink.canvas = .init(width: Double(picture.width), height: Double(picture.height))
    let segments = try Segmenter(recognizer: recognizer, model: model).segments(of: ink)
    let shapes = segments.map { segment in
      FreePage.Shape(
        drawing: Drawing(strokes: segment.strokes.map { ink.strokes[$0] }, canvas: ink.canvas),
        answer: segment.answer)
    }
    return FreePage(page: page, picture: picture, ink: ink, shapes: shapes)
  }
}

extension GrayPicture {
  /// A page of the picture as it looks from above, with at most `side` rows and columns. Its ratio
  /// is that of its sides in the picture, the mean of opposite ones.
  func straightened(_ page: PageFinder.Page, side: Int) -> GrayPicture? {
    let corners = page.corners
    let across = (corners[0].distance(to: corners[1]) + corners[3].distance(to: corners[2])) / 2
    let down = (corners[0].distance(to: corners[3]) + corners[1].distance(to: corners[2])) / 2
    let scale = min(1, Double(side) / max(across, down))
    let (columns, rows) = (max(1, Int(across * scale)), max(1, Int(down * scale)))
    let (right, bottom) = (Double(columns), Double(rows))
    let rectangle = [
      Point(x: 0, y: 0), Point(x: right, y: 0), Point(x: right, y: bottom),
      Point(x: 0, y: bottom),
    ]
    return Homography(from: rectangle, to: corners).map {
      warped(width: columns, height: rows, by: $0.callAsFunction)
    }
  }
}
