public import Ink

/// What a `Vectorizer` found in a picture.
public struct TracedPicture: Hashable, Sendable {
  /// The strokes: see `Vectorizer.callAsFunction`.
  public var drawing: Drawing
  /// What may have gone wrong.
  public var doubts: [Doubt]

  /// A sign that the strokes are not those that people see.
  public enum Doubt: Hashable, Sendable, CaseIterable {
    /// Most of the ink was left out: too pale beside the rest, in dark regions, or in specks.
    case leftOut
    /// The edge of the picture, or of the page in it, became strokes.
    case edge
    /// Most of the ink is much wider than strokes are, as of a sheet of paper or a filled shape.
    case areas

    /// What is doubtful and what to do: a sentence without capital letter and full stop.
    public var description: String {
      switch self {
      case .leftOut:
        "most of the ink was left out, as too pale or too small; take the picture closer, or in "
          + "more even light"
      case .edge:
        "the picture's edge became strokes; crop it to the drawing, or say which tone is ink: "
          + "drawml vectorize --polarity"
      case .areas:
        "most of the ink is much wider than strokes, and only its middle was traced; if that is "
          + "paper or a shadow: drawml vectorize --thresholding local"
      }
    }
  }
}

extension TracedPicture {
  /// What is doubtful about a picture's ink: `missedShare` of it was not found, `all` was, and
  /// `kept` is that without specks.
  static func doubts(
    missedShare: Double, all: Mask, kept: Mask, strokeWidth: Double
  ) -> [Doubt] {
    var doubts: [Doubt] = []
    let found = all.pixels.count { $0 != 0 }
    let left = kept.pixels.count { $0 != 0 }
    if (1 - missedShare) * Double(left) < 0.5 * Double(found) { doubts.append(.leftOut) }
    var (border, inked) = (0, 0)
    for row in 0..<kept.height {
      let isEnd = row == 0 || row == kept.height - 1
      for column in stride(from: 0, to: kept.width, by: isEnd ? 1 : max(1, kept.width - 1)) {
        border += 1
        if kept[row, column] { inked += 1 }
      }
    }
    if inked * 4 > border { doubts.append(.edge) }
    let side = max(kept.width, kept.height)
    if side >= 64, strokeWidth > Double(side) / 8 { doubts.append(.areas) }
    return doubts
  }
}
