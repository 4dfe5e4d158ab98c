public import Text

/// Why a photo of paper cannot be used.
public enum CaptureError: DescribedError, Equatable {
  /// Fewer than four corner marks of a worksheet were found.
  case noSheet(marks: Int)
  /// The marks are there, but no header can be read.
  case noHeader
  /// The sheet was printed by another version of the program.
  case otherVersion
  /// There is more than one sheet.
  case severalSheets
  /// Too much ink for drawings on paper.
  case tooManyStrokes(Int, most: Int)

  /// One sentence for people: what, and what to do.
  public var description: String {
    switch self {
    case .noSheet(0): "there is no worksheet in the picture: none of its four corner marks is seen"
    case .noSheet(let marks):
      "the worksheet is cut off or covered: \(marks) of its four corner marks "
        + (marks == 1 ? "is" : "are") + " seen; take the picture again with all of the page"
    case .noHeader:
      "the worksheet's header cannot be read; take the picture again, sharp, and with the black "
        + "cells at the top or at the bottom free"
    case .otherVersion:
      "the worksheet was printed by another version of DrawML; print it with this one"
    case .severalSheets:
      "there is more than one worksheet in the picture; take a picture of each"
    case .tooManyStrokes(let count, let most):
      "there are \(count) strokes in the picture, and at most \(most) are grouped into shapes; "
        + "take a picture of a part of it, in more even light"
    }
  }
}
