/// The distance of each pixel from the nearest of some sites, and which site that is.
///
/// The exact Euclidean distance transform of Felzenszwalb and Huttenlocher, "Distance transforms of
/// sampled functions", 2012, doi:10.4086/toc.2012.v008a019: nearest sites in each column, then the
/// lower envelope of parabolas in each row.
struct DistanceField: Sendable {
  /// Distances in pixels, row-major; `far` if there are no sites.
  private(set) var distances: [Float]
  /// The index of the nearest site; -1 if there are no sites.
  private(set) var nearest: [Int32]

  /// The distance where there are no sites, in pixels.
  static let far: Float = 16_384

  /// The field of the pixels for which `isSite` is true, in a square of `side` × `side`.
  ///
  /// - Complexity: O(pixels).
  init(side: Int, isSite: [Bool]) {
    let none = Int32(-1)
    // The row of the nearest site in the same column, from above and then from below.
    var row = [Int32](repeating: none, count: side * side)
    for y in 0..<side {
      for x in 0..<side {
        let index = y * side + x
        row[index] = isSite[index] ? Int32(y) : y > 0 ? row[index - side] : none
      }
    }
    for y in (0..<side - 1).reversed() {
      for x in 0..<side {
        let index = y * side + x
        let (above, below) = (row[index], row[index + side])
        guard below != none else { continue }
        if above == none || below - Int32(y) < Int32(y) - above { row[index] = below }
      }
    }
    var distances = [Float](repeating: Self.far, count: side * side)
    var nearest = [Int32](repeating: none, count: side * side)
    var envelope = Envelope(side: side)
    var squares = distances.mutableSpan
    var sites = nearest.mutableSpan
    for y in 0..<side {
      envelope.removeAll()
      let start = y * side
      for x in 0..<side {
        let site = row[start + x]
        guard site != none else { continue }
        let height = Int(site) - y
        envelope.add(x, height: Float(height * height))
      }
      guard envelope.count > 0 else { continue }
      var parabola = 0
      for x in 0..<side {
        while parabola + 1 < envelope.count, envelope.starts[parabola + 1] < Float(x) {
          parabola += 1
        }
        let column = envelope.columns[parabola]
        let width = Float(x - column)
        squares[start + x] = (width * width + envelope.heights[parabola]).squareRoot()
        sites[start + x] = row[start + column] * Int32(side) + Int32(column)
      }
    }
    (self.distances, self.nearest) = (distances, nearest)
  }

  /// The lower envelope of parabolas (x - column)² + height.
  private struct Envelope {
    var columns: [Int]
    var heights: [Float]
    /// Where each parabola begins to be the lowest.
    var starts: [Float]
    var count = 0

    init(side: Int) {
      columns = [Int](repeating: 0, count: side)
      heights = [Float](repeating: 0, count: side)
      starts = [Float](repeating: 0, count: side)
    }

    mutating func removeAll() { count = 0 }

    @inline(__always)
    mutating func add(_ column: Int, height: Float) {
      var start = -Float.infinity
      let value = height + Float(column * column)
      while count > 0 {
        let last = columns[count - 1]
        start =
          (value - (heights[count - 1] + Float(last * last))) / Float(2 * (column - last))
        guard start <= starts[count - 1] else { break }
        count -= 1
        start = -.infinity
      }
      (columns[count], heights[count], starts[count]) = (column, height, start)
      count += 1
    }
  }
}
