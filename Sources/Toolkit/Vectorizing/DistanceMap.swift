internal import Ink

/// The distance from each ink pixel to the nearest ground pixel, between centers, in pixels.
struct DistanceMap {
  /// Columns, including the mask's border.
  let stride: Int
  /// Squared distances, in the mask's layout; 0 on the ground.
  let squares: [Float]

  /// The distance of the pixel at `index`.
  subscript(index: Int) -> Double { Double(squares[index].squareRoot()) }

  /// A histogram of the distances along ridges, in quarters of a pixel, rounded.
  ///
  /// A ridge pixel has no neighbor that is farther from the ground.
  func ridgeCounts() -> [Int] {
    var counts: [Int] = []
    let steps = [-stride, -stride + 1, 1, stride + 1, stride, stride - 1, -1, -stride - 1]
    for index in squares.indices where squares[index] > 0 {
      let square = squares[index]
      guard steps.allSatisfy({ squares[index + $0] <= square }) else { continue }
      let step = Int((Double(square).squareRoot() * 4).rounded())
      while counts.count <= step { counts.append(0) }
      counts[step] += 1
    }
    return counts
  }
}

extension Mask {
  /// The exact Euclidean distance transform.
  ///
  /// Felzenszwalb and Huttenlocher, "Distance transforms of sampled functions", Theory of Computing
  /// 8 (2012), doi:10.4086/toc.2012.v008a019: distances along the columns first, then along each
  /// row the lower envelope of parabolas.
  ///
  /// - Complexity: O(pixels).
  func distances() -> DistanceMap {
    // First the distance to the nearest ground above, then the minimum with that below.
    var squares = [Float](repeating: 0, count: pixels.count)
    let rows = height + 2
    for index in stride..<pixels.count where pixels[index] != 0 {
      squares[index] = squares[index - stride] + 1
    }
    for index in Swift.stride(from: pixels.count - stride - 1, through: 0, by: -1)
    where pixels[index] != 0 {
      squares[index] = min(squares[index], squares[index + stride] + 1)
    }
    var heights = [Float](repeating: 0, count: stride)
    var places = [Int](repeating: 0, count: stride)
    var starts = [Float](repeating: 0, count: stride + 1)
    for row in 1..<(rows - 1) {
      let base = row * stride
      // Runs of ink are independent: their ends are ground, at distance 0.
      var column = 1
      while column <= width {
        guard pixels[base + column] != 0 else {
          column += 1
          continue
        }
        let left = column - 1
        while pixels[base + column] != 0 { column += 1 }
        for place in left...column {
          heights[place] = squares[base + place] * squares[base + place]
        }
        envelope(left...column, base, heights, &places, &starts, &squares)
      }
    }
    return DistanceMap(stride: stride, squares: squares)
  }

  private func envelope(
    _ run: ClosedRange<Int>, _ base: Int, _ heights: [Float], _ places: inout [Int],
    _ starts: inout [Float], _ squares: inout [Float]
  ) {
    // Relative to the run's start, so that the numbers are small enough to be exact.
    func square(_ column: Int) -> Int {
      (column - run.lowerBound) * (column - run.lowerBound)
    }
    var last = 0
    places[0] = run.lowerBound
    starts[0] = -.infinity
    for column in run.dropFirst() {
      let own = heights[column] + Float(square(column))
      while true {
        let place = places[last]
        let cut = (own - heights[place] - Float(square(place))) / Float(2 * (column - place))
        if cut > starts[last] {
          last += 1
          places[last] = column
          starts[last] = cut
          break
        }
        last -= 1
      }
    }
    var part = 0
    for column in run {
      while part < last, starts[part + 1] < Float(column - run.lowerBound) { part += 1 }
      let distance = Float(column - places[part])
      squares[base + column] = distance * distance + heights[places[part]]
    }
  }
}
