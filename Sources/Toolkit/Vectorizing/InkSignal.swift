internal import Ink

/// A signed ink value per pixel: above 0 ink, else ground.
///
/// Unlike a mask, it can be scaled and keeps the subpixel position of the ink's edge.
struct InkSignal {
  /// Columns.
  private(set) var width: Int
  /// Rows.
  private(set) var height: Int
  /// Row-major, shape [height, width], in -1...1.
  private(set) var values: [Float]
  /// The width of a pixel, in pixels of the signal before resampling.
  private(set) var scaleX = 1.0
  /// The height of a pixel, in pixels of the signal before resampling.
  private(set) var scaleY = 1.0
  /// The share of the picture's strong ink that is not above 0, as far as that is known.
  var missedShare = 0.0

  init(width: Int, height: Int, values: [Float]) {
    self.width = width
    self.height = height
    self.values = values
  }

  /// Crops to `box` with a margin of two pixels, and makes the sign agree with `mask`, which has
  /// the size of the signal.
  ///
  /// - Returns: The top left corner of the result, in pixels of the previous signal.
  mutating func crop(to box: PixelBox, mask: Mask) -> Point {
    let margin = 2
    let (left, top) = (box.left - margin, box.top - margin)
    let (columns, rows) = (box.width + 2 * margin, box.height + 2 * margin)
    var cut = [Float](repeating: -1, count: columns * rows)
    for row in max(0, top)..<min(height, top + rows) {
      for column in max(0, left)..<min(width, left + columns) {
        let value = values[row * width + column]
        let isInk = mask[row, column]
        // Flips the sign of specks that were removed and holes that were filled.
        cut[(row - top) * columns + column - left] = (value > 0) == isInk ? value : -value
      }
    }
    (width, height, values) = (columns, rows, cut)
    return Point(x: Double(left), y: Double(top))
  }

  /// The signal at another scale: linear interpolation to enlarge, area averages to reduce.
  func resampled(by factor: Double) -> InkSignal {
    let columns = max(1, Int((Double(width) * factor).rounded()))
    let rows = max(1, Int((Double(height) * factor).rounded()))
    let across = Resampling(from: width, to: columns)
    let down = Resampling(from: height, to: rows)
    var wide = [Float](repeating: 0, count: columns * height)
    for row in 0..<height {
      for column in 0..<columns {
        var sum: Float = 0
        for tap in across.taps[column] { sum += tap.weight * values[row * width + tap.index] }
        wide[row * columns + column] = sum
      }
    }
    var result = [Float](repeating: 0, count: columns * rows)
    for row in 0..<rows {
      for tap in down.taps[row] {
        let (source, target) = (tap.index * columns, row * columns)
        for column in 0..<columns {
          result[target + column] += tap.weight * wide[source + column]
        }
      }
    }
    var signal = InkSignal(width: columns, height: rows, values: result)
    signal.scaleX = scaleX * Double(width) / Double(columns)
    signal.scaleY = scaleY * Double(height) / Double(rows)
    return signal
  }
}

/// The source pixels and weights of each resampled pixel, along one axis.
struct Resampling {
  struct Tap {
    var index: Int
    var weight: Float
  }

  private(set) var taps: [[Tap]] = []

  /// What reduces a picture to at most `side` rows and columns.
  static func reducing(
    _ width: Int, _ height: Int, toSide side: Int
  ) -> (across: Resampling, down: Resampling) {
    let largest = max(width, height)
    return (
      Resampling(from: width, to: max(1, width * side / largest)),
      Resampling(from: height, to: max(1, height * side / largest))
    )
  }

  init(from old: Int, to new: Int) {
    let step = Double(old) / Double(new)
    for index in 0..<new {
      var found: [Tap] = []
      if new >= old {
        let place = (Double(index) + 0.5) * step - 0.5
        let left = place.rounded(.down)
        let fraction = Float(place - left)
        for (offset, weight) in [(0, 1 - fraction), (1, fraction)] where weight > 0 {
          found.append(Tap(index: max(0, min(old - 1, Int(left) + offset)), weight: weight))
        }
      } else {
        let (start, end) = (Double(index) * step, Double(index + 1) * step)
        for source in Int(start)..<min(old, Int(end.rounded(.up))) {
          let overlap = min(end, Double(source + 1)) - max(start, Double(source))
          if overlap > 0 { found.append(Tap(index: source, weight: Float(overlap / step))) }
        }
      }
      taps.append(found)
    }
  }
}

extension GrayPicture {
  /// The picture reduced to at most `side` rows and columns by area averages.
  package func reduced(toSide side: Int) -> GrayPicture {
    guard max(width, height) > side else { return self }
    let (across, down) = Resampling.reducing(width, height, toSide: side)
    let (columns, rows) = (across.taps.count, down.taps.count)
    var result: [UInt8] = []
    result.reserveCapacity(columns * rows)
    var sums = [Float](repeating: 0, count: width)
    for taps in down.taps {
      for column in sums.indices { sums[column] = 0 }
      for tap in taps {
        let start = tap.index * width
        for column in sums.indices { sums[column] += tap.weight * Float(values[start + column]) }
      }
      for taps in across.taps {
        var sum: Float = 0
        for tap in taps { sum += tap.weight * sums[tap.index] }
        result.append(UInt8(max(0, min(255, sum)).rounded()))
      }
    }
    return GrayPicture(width: columns, height: rows, values: result)
  }
}
