public import Ink

/// A line of text in a picture.
public struct TextLine: Sendable, Equatable {
  /// What it says.
  public var text: String
  /// Where it is, in the picture's pixels.
  public var boundingBox: BoundingBox
  /// The mean certainty of its words, in 0...1.
  public var confidence: Double

  /// A line with a text at a place.
  public init(text: String, boundingBox: BoundingBox, confidence: Double = 1) {
    self.text = text
    self.boundingBox = boundingBox
    self.confidence = confidence
  }
}

extension BoundingBox {
  /// The pixels of a box in shares of a picture's width and height, measured from its bottom left
  /// corner, as recognizers of text give it.
  public static func rectForBoundingBox(
    _ box: BoundingBox, width: Int, height: Int
  ) -> BoundingBox {
    BoundingBox(
      x: box.x * Double(width), y: (1 - box.y - box.height) * Double(height),
      width: box.width * Double(width), height: box.height * Double(height))
  }
}

extension [TextLine] {
  /// Sorts the lines.
  ///
  /// - Parameter tolerance: Lines whose tops differ by no more than this from the top of a row's
  ///   first line, in pixels, are in that row.
  /// - Returns: The order of reading: rows from top to bottom, in a row from left to right.
  public func inReadingOrder(tolerance: Double) -> [TextLine] {
    var rows: [[TextLine]] = []
    let sorted = sorted {
      ($0.boundingBox.y, $0.boundingBox.x) < ($1.boundingBox.y, $1.boundingBox.x)
    }
    for line in sorted {
      if let first = rows.last?.first,
        line.boundingBox.y - first.boundingBox.y <= tolerance
      {
        rows[rows.count - 1].append(line)
      } else {
        rows.append([line])
      }
    }
    return rows.flatMap { row in row.sorted { $0.boundingBox.x < $1.boundingBox.x } }
  }
}
