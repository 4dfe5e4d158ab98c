internal import CLibrary
internal import Ink
internal import Vectorizing

/// Where a picture's tones change: the gradient of each pixel (Sobel's operator).
struct EdgePicture {
  /// A straight line: all points with x · cos + y · sin = distance.
  struct Line: Equatable {
    var cosine: Double
    var sine: Double
    /// From the top left corner, in pixels.
    var distance: Double

    /// The angle to another line, in degrees, 0...90.
    func angle(to other: Line) -> Double {
      acos(min(1, abs(cosine * other.cosine + sine * other.sine))) * 180 / .pi
    }

    /// Where two lines cross; nil if they are parallel.
    func crossing(with other: Line) -> Point? {
      let determinant = cosine * other.sine - sine * other.cosine
      guard abs(determinant) > 1e-6 else { return nil }
      return Point(
        x: (distance * other.sine - sine * other.distance) / determinant,
        y: (cosine * other.distance - distance * other.cosine) / determinant)
    }
  }

  private let width: Int
  private let height: Int
  /// The gradient's length, row-major.
  private let strengths: [Float]
  /// Its direction, in degrees, 0..<180: a line has one, whichever side is lighter.
  private let directions: [Float]
  /// The strength from which a pixel is an edge.
  private let least: Float

  /// The most lines that are found in about one direction: rows of text are lines, too, and must not
  /// crowd out the sides across.
  private static let mostAlike = 16

  init(_ picture: GrayPicture) {
    (width, height) = (picture.width, picture.height)
    let tones = picture.smoothed()
    let (width, height) = (width, height)
    var lengths = [Float](repeating: 0, count: width * height)
    var angles = lengths
    for row in 1..<(height - 1) {
      for column in 1..<(width - 1) {
        let index = row * width + column
        func tone(_ down: Int, _ across: Int) -> Float { tones[index + down * width + across] }
        let x =
          tone(-1, 1) + 2 * tone(0, 1) + tone(1, 1) - tone(-1, -1) - 2 * tone(0, -1) - tone(1, -1)
        let y =
          tone(1, -1) + 2 * tone(1, 0) + tone(1, 1) - tone(-1, -1) - 2 * tone(-1, 0) - tone(-1, 1)
        lengths[index] = (x * x + y * y).squareRoot() / 8
        let degrees = atan2(Double(y), Double(x)) * 180 / .pi
        angles[index] = Float(degrees < 0 ? degrees + 180 : degrees >= 180 ? 0 : degrees)
      }
    }
    (strengths, directions) = (lengths, angles)
    // An eighth of the pixels lie at edges, in most photos; noise is weaker than four tones. Print,
    // which may fill the page, is stronger than the page's own edges.
    let sorted = lengths.sorted()
    least = min(max(4, sorted[sorted.count * 7 / 8]), 12)
  }

  /// The strongest lines in about the direction of the strongest, and across.
  func lines() -> [Line] {
    let diagonal = Int(hypot(Double(width), Double(height)).rounded(.up))
    let angles = 180
    var votes = [Float](repeating: 0, count: angles * (2 * diagonal + 1))
    let turns = (0..<angles).map { (cos(Double($0) * .pi / 180), sin(Double($0) * .pi / 180)) }
    for row in 1..<(height - 1) {
      for column in 1..<(width - 1) {
        let index = row * width + column
        guard strengths[index] >= least else { continue }
        let middle = Int(directions[index].rounded())
        for angle in (middle - 2)...(middle + 2) {
          let turn = (angle + angles) % angles
          let (cosine, sine) = turns[turn]
          let distance = (Double(column) + 0.5) * cosine + (Double(row) + 0.5) * sine
          // A strong edge counts no more than some weak ones: the page may be pale.
          votes[turn * (2 * diagonal + 1) + Int(distance.rounded()) + diagonal] += min(
            strengths[index], 4 * least)
        }
      }
    }
    var (along, across): ([Line], [Line]) = ([], [])
    // One after the other, the neighbors of each left out.
    while let best = votes.indices.max(by: { votes[$0] < votes[$1] }), votes[best] > 0 {
      let (angle, place) = (best / (2 * diagonal + 1), best % (2 * diagonal + 1))
      let line = Line(
        cosine: turns[angle].0, sine: turns[angle].1, distance: Double(place - diagonal))
      let isAlong = along.first.map { $0.angle(to: line) < 45 } ?? true
      if isAlong { along.append(line) } else { across.append(line) }
      if (isAlong ? along : across).count == Self.mostAlike {
        for turn in 0..<angles
        where
          (along[0].angle(
            to: Line(cosine: turns[turn].0, sine: turns[turn].1, distance: 0)) < 45) == isAlong
        {
          for place in 0...(2 * diagonal) { votes[turn * (2 * diagonal + 1) + place] = 0 }
        }
        continue
      }
      for turn in (angle - 4)...(angle + 4) {
        // Beyond 180 degrees a line comes again, with the other sign.
        let isTurned = turn < 0 || turn >= angles
        let row = (turn + angles) % angles
        let middle = isTurned ? 2 * diagonal - place : place
        for near in max(0, middle - 4)...min(2 * diagonal, middle + 4) {
          votes[row * (2 * diagonal + 1) + near] = 0
        }
      }
    }
    return along + across
  }

  /// The share of a side along which there is an edge in its direction.
  func support(from start: Point, to end: Point) -> Double {
    let length = start.distance(to: end)
    let count = max(1, Int(length))
    let across = atan2(end.x - start.x, -(end.y - start.y)) * 180 / .pi
    var hits = 0
    for number in 0..<count {
      let share = (Double(number) + 0.5) / Double(count)
      let (x, y) = (start.x + share * (end.x - start.x), start.y + share * (end.y - start.y))
      if hasEdge(near: Int(x), Int(y), across: across) { hits += 1 }
    }
    return Double(hits) / Double(count)
  }

  private func hasEdge(near column: Int, _ row: Int, across direction: Double) -> Bool {
    for y in (row - 1)...(row + 1) where (0..<height).contains(y) {
      for x in (column - 1)...(column + 1) where (0..<width).contains(x) {
        let index = y * width + x
        guard strengths[index] >= least else { continue }
        let difference = abs(Double(directions[index]) - direction)
          .truncatingRemainder(dividingBy: 180)
        if min(difference, 180 - difference) < 15 { return true }
      }
    }
    return false
  }
}

extension EdgePicture.Line {
  /// The line with the least squared distances to some points, the farthest quarter left out; nil
  /// for fewer than eight points.
  init?(through points: [Point]) {
    guard points.count >= 8, let first = Self(fitting: points) else { return nil }
    let near = points.sorted { abs(first.offset(of: $0)) < abs(first.offset(of: $1)) }
    guard let line = Self(fitting: Array(near.prefix(points.count * 3 / 4))) else { return nil }
    self = line
  }

  private func offset(of point: Point) -> Double { point.x * cosine + point.y * sine - distance }

  /// Total least squares: the normal is across the direction in which the points lie.
  private init?(fitting points: [Point]) {
    let count = Double(points.count)
    let x = points.reduce(0) { $0 + $1.x } / count
    let y = points.reduce(0) { $0 + $1.y } / count
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    for point in points {
      xx += (point.x - x) * (point.x - x)
      xy += (point.x - x) * (point.y - y)
      yy += (point.y - y) * (point.y - y)
    }
    guard xx + yy > 0 else { return nil }
    let along = atan2(2 * xy, xx - yy) / 2
    (cosine, sine) = (-sin(along), cos(along))
    distance = x * cosine + y * sine
  }
}

extension GrayPicture {
  /// The tones, each the mean of nine: noise has no edges then.
  fileprivate func smoothed() -> [Float] {
    var result = values.map(Float.init)
    for row in 1..<(height - 1) {
      for column in 1..<(width - 1) {
        var sum = 0
        for line in (row - 1)...(row + 1) {
          let start = line * width + column
          sum += Int(values[start - 1]) + Int(values[start]) + Int(values[start + 1])
        }
        result[row * width + column] = Float(sum) / 9
      }
    }
    return result
  }
}
