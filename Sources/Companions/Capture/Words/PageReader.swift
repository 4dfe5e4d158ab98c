internal import Ink
public import Vectorizing

/// Reads the text of photographed pages.
///
/// The steps: orient the photo (its decoder does) and reduce it, find the page, straighten it, make
/// the light even, recognize the words, order the lines, and clean the text.
public struct PageReader: Sendable {
  /// What it does.
  public var configuration: Configuration

  /// A reader with a configuration.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  /// What a page says.
  public struct Reading: Sendable {
    /// Where the page is in the photo, in its pixels; nil if none was found, and all of the photo was
    /// read.
    public var page: PageFinder.Page?
    /// The straightened page that was read.
    public var picture: GrayPicture
    /// The lines, in the order of reading, in pixels of `picture`.
    public var lines: [TextLine]

    /// The mean certainty of the lines, by their lengths; 0 without any.
    public var confidence: Double { lines.confidence }
  }

  /// A page that is read with less certainty may lie on its side.
  private static let leastSure = 0.6

  /// Reads photos, one page in each.
  ///
  /// - Parameters:
  ///   - count: The number of photos.
  ///   - photo: Opens a photo; no other is open then.
  /// - Returns: What the pages say.
  /// - Throws: `PageReaderError` if there is no text or a language is missing, `OtherProgramError` if
  ///   the recognizer is not installed or too slow, and what `photo` throws.
  public func readings(
    _ count: Int, photo: (Int) throws -> GrayPicture
  ) throws -> [Reading] {
    let recognizer = try TextRecognizer(
      languages: configuration.languages,
      usesLanguageCorrection: configuration.usesLanguageCorrection)
    return try (0..<count).map { try read(try photo($0), by: recognizer) }
  }

  /// Reads a photo of a page, as `readings` does.
  public func read(_ photo: GrayPicture) throws -> Reading { try readings(1) { _ in photo }[0] }

  private func read(_ photo: GrayPicture, by recognizer: TextRecognizer) throws -> Reading {
    let reduced = photo.reduced(toWidth: configuration.maxProcessingWidth)
    let found = configuration.page(reduced)
    var picture =
      found.flatMap { reduced.straightened($0, side: 2 * max(reduced.width, reduced.height)) }
      ?? reduced
    var scale = Double(reduced.width) / Double(photo.width)
    if configuration.boostsContrast { picture = picture.flattened() }
    if configuration.recognitionLevel == .fast {
      picture = picture.reduced(toSide: max(1, max(picture.width, picture.height) * 2 / 3))
      scale *= 2 / 3
    }
    var lines = try Self.lines(in: picture, by: recognizer)
    // A page that lies on its side or on its head reads as nonsense, of which the recognizer is
    // unsure.
    var turned = picture
    for _ in 1...3 where lines.confidence < Self.leastSure {
      turned = turned.turned()
      let others = try Self.lines(in: turned, by: recognizer)
      if others.confidence > lines.confidence { (lines, picture) = (others, turned) }
    }
    lines = lines.inReadingOrder(tolerance: configuration.yTolerance * scale)
    guard !lines.isEmpty else {
      throw PageReaderError.recognitionFailed("there is no text in the picture")
    }
    let factor = Double(photo.width) / Double(reduced.width)
    let page = found.map { page in
      PageFinder.Page(
        corners: page.corners.map { Point(x: $0.x * factor, y: $0.y * factor) },
        confidence: page.confidence)
    }
    return Reading(page: page, picture: picture, lines: lines)
  }

  /// The text of pages that belong together, in order.
  public static func excerpt(of readings: [Reading], sourceHint: String = "") -> ExcerptCapture {
    let confidences = readings.map(\.confidence)
    return ExcerptCapture(
      text: TextCleaning.cleaned(pages: readings.map { $0.lines.map(\.text) }),
      sourceHint: sourceHint,
      confidence: confidences.isEmpty
        ? nil : confidences.reduce(0, +) / Double(confidences.count))
  }

  /// The lines of a page, in its pixels: of its two halves at once, divided where a row is empty.
  private static func lines(
    in picture: GrayPicture, by recognizer: TextRecognizer
  ) throws -> [TextLine] {
    let bounds = [0, picture.emptyRowInMiddle, picture.height].compactMap(\.self)
    let parts = zip(bounds, bounds.dropFirst()).map { top, bottom in
      picture.cropped(left: 0, top: top, width: picture.width, height: bottom - top)
    }
    return zip(bounds, zip(parts, try recognizer.lines(in: parts))).flatMap { top, found in
      found.1.map { line in
        var line = line
        line.boundingBox = .rectForBoundingBox(
          line.boundingBox, width: found.0.width, height: found.0.height)
        line.boundingBox.y += Double(top)
        return line
      }
    }
  }
}

extension [TextLine] {
  /// The mean certainty, by the lines' lengths; 0 without any.
  fileprivate var confidence: Double {
    let letters = reduce(0) { $0 + $1.text.count }
    guard letters > 0 else { return 0 }
    return reduce(0) { $0 + $1.confidence * Double($1.text.count) } / Double(letters)
  }
}

extension GrayPicture {
  /// The middle of the empty rows that are nearest to the picture's middle; nil if none of those in
  /// the middle fifth is empty.
  fileprivate var emptyRowInMiddle: Int? {
    // Between paper and ink, in any light.
    let sorted = stride(from: 0, to: values.count, by: 97).map { values[$0] }.sorted()
    let dark = UInt8(Int(sorted[sorted.count / 2]) * 6 / 10)
    func isEmpty(_ row: Int) -> Bool {
      // A hundredth of a row may be dust, or the edge of the page.
      values[(row * width)..<((row + 1) * width)].count { $0 < dark } * 100 <= width
    }
    var best: Int?
    var start: Int?
    let rows = (height * 2 / 5)...(height * 3 / 5)
    for row in rows {
      if row < rows.upperBound, row < height, isEmpty(row) {
        start = start ?? row
      } else if let first = start {
        start = nil
        // Narrower gaps are within a letter, as below a dot.
        guard row - first >= max(3, height / 300) else { continue }
        let middle = (first + row) / 2
        if best.map({ abs(middle - height / 2) < abs($0 - height / 2) }) ?? true { best = middle }
      }
    }
    return best
  }

  /// The picture turned by a quarter, clockwise.
  fileprivate func turned() -> GrayPicture {
    var tones: [UInt8] = []
    tones.reserveCapacity(values.count)
    for column in 0..<width {
      for row in (0..<height).reversed() { tones.append(values[row * width + column]) }
    }
    return GrayPicture(width: height, height: width, values: tones)
  }

  /// The picture with at most this many columns.
  fileprivate func reduced(toWidth most: Int) -> GrayPicture {
    width <= most ? self : reduced(toSide: max(most, height * most / width))
  }
}
