internal import Ink
internal import Numbers
internal import Vectorizing

/// Finds the marks in the corners of worksheets: a black square in a black ring.
struct CornerMarks {
  /// A mark in a picture.
  struct Mark: Equatable {
    /// Its middle.
    var middle: Point
    /// The mean of its width and its height.
    var size: Double
  }

  /// The marks, the largest first.
  let found: [Mark]

  /// The most marks that are looked at: two sheets have eight, and letters such as "◘" are few.
  private static let most = 14
  /// The depth from which a pixel is black: about half of black ink's, where its edge is.
  private static let blackest: UInt8 = 96

  /// A connected piece of black.
  private struct Piece {
    var area = 0
    var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
    /// The sums of the columns and rows of its pixels.
    var (columns, rows) = (0, 0)

    var width: Double { Double(right - left + 1) }
    var height: Double { Double(bottom - top + 1) }
    var middle: Point { Point(x: Double(left + right + 1) / 2, y: Double(top + bottom + 1) / 2) }
    /// The center of mass.
    var center: Point {
      Point(x: Double(columns) / Double(area) + 0.5, y: Double(rows) / Double(area) + 0.5)
    }

    mutating func add(row: Int, column: Int) {
      area += 1
      (left, right) = (min(left, column), max(right, column))
      (top, bottom) = (min(top, row), max(bottom, row))
      columns += column
      rows += row
    }
  }

  /// The marks in `picture`, whose light is even (`GrayPicture.flattened`).
  init(in picture: GrayPicture) {
    let black = Mask(width: picture.width, height: picture.height) { row, column in
      picture.values[row * picture.width + column] < 255 - Self.blackest
    }
    var pieces: [Piece] = []
    let least = max(6, min(picture.width, picture.height) / 150)
    black.forEachComponent(of: .ink) { pixels, _ in
      guard pixels.count >= least else { return }
      var piece = Piece()
      for index in pixels {
        piece.add(
          row: Int(index) / black.stride - 1, column: Int(index) % black.stride - 1)
      }
      pieces.append(piece)
    }
    // Sorted by column, so that the squares that may lie in a ring are a range.
    pieces.sort { $0.middle.x < $1.middle.x }
    var marks: [Mark] = []
    for ring in pieces where Self.mayBeRing(ring) {
      let start = pieces.partitioningIndex { $0.middle.x >= Double(ring.left) }
      for square in pieces[start...] {
        guard square.middle.x <= Double(ring.right) else { break }
        if Self.isMark(ring, square) {
          marks.append(Mark(middle: square.center, size: (ring.width + ring.height) / 2))
          break
        }
      }
    }
    found = Array(marks.sorted { $0.size > $1.size }.prefix(Self.most))
  }

  private static func mayBeRing(_ piece: Piece) -> Bool {
    let share = Double(piece.area) / (piece.width * piece.height)
    return max(piece.width, piece.height) <= 3 * min(piece.width, piece.height)
      && (0.15...0.62).contains(share)
  }

  /// Whether a ring and a square lie as they do in a mark. The square has 3 of the ring's 9 cells
  /// across, and 9 cells of area where the ring has 32; blur changes both.
  private static func isMark(_ ring: Piece, _ square: Piece) -> Bool {
    let reach = 0.1 * min(ring.width, ring.height)
    let size = (
      ring.width / square.width, ring.height / square.height,
      Double(square.area) / Double(ring.area)
    )
    return ring.middle.distance(to: square.middle) < reach
      && (2.1...4.2).contains(size.0) && (2.1...4.2).contains(size.1)
      && (0.14...0.5).contains(size.2)
      && Double(square.area) > 0.45 * square.width * square.height
  }
}
