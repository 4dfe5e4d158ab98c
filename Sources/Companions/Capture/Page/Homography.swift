internal import Ink

/// A projective map of the plane: how a flat page looks to a camera.
///
/// Source: Hartley and Zisserman, "Multiple View Geometry in Computer Vision", 2nd edition, 2004,
/// 2.3 and 4.1.
struct Homography: Equatable {
  /// Row-major, shape [3, 3]; the last one is 1.
  private let entries: [Double]

  /// The map that takes four points to four others; nil where three of either lie on a line.
  init?(from sources: [Point], to targets: [Point]) {
    precondition(sources.count == 4 && targets.count == 4, "a homography is given by four points")
    guard !sources.hasThreeOnLine, !targets.hasThreeOnLine else { return nil }
    // Two equations for each pair; the unknowns are the first eight entries.
    var rows: [[Double]] = []
    for (from, to) in zip(sources, targets) {
      rows.append([from.x, from.y, 1, 0, 0, 0, -to.x * from.x, -to.x * from.y, to.x])
      rows.append([0, 0, 0, from.x, from.y, 1, -to.y * from.x, -to.y * from.y, to.y])
    }
    // Gaussian elimination with the largest pivot of each column.
    for column in 0..<8 {
      guard
        let pivot = (column..<8).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
        abs(rows[pivot][column]) > 1e-9
      else { return nil }
      rows.swapAt(column, pivot)
      for row in 0..<8 where row != column {
        let factor = rows[row][column] / rows[column][column]
        for index in column..<9 { rows[row][index] -= factor * rows[column][index] }
      }
    }
    entries = (0..<8).map { rows[$0][8] / rows[$0][$0] } + [1]
  }

  /// The image of a point.
  func callAsFunction(_ point: Point) -> Point {
    let weight = entries[6] * point.x + entries[7] * point.y + entries[8]
    return Point(
      x: (entries[0] * point.x + entries[1] * point.y + entries[2]) / weight,
      y: (entries[3] * point.x + entries[4] * point.y + entries[5]) / weight)
  }
}
