internal import Ink

/// A rectangle of pixels.
struct PixelBox: Equatable {
  var left: Int
  var top: Int
  var width: Int
  var height: Int
}

/// Ink and ground, with a border of ground one pixel wide, so that every pixel inside has eight
/// neighbors.
package struct Mask {
  /// Columns without the border.
  package let width: Int
  /// Rows without the border.
  package let height: Int
  /// Columns with the border: the distance from a pixel to the one below it.
  package let stride: Int
  /// 1 ink, 0 ground, row-major, with the border, shape [height + 2, width + 2].
  var pixels: [UInt8]

  package enum Kind {
    case ink, ground
  }

  /// A mask with ink where `isInk` (row, column) is true.
  package init(width: Int, height: Int, isInk: (Int, Int) -> Bool) {
    self.width = width
    self.height = height
    stride = width + 2
    pixels = [UInt8](repeating: 0, count: (width + 2) * (height + 2))
    for row in 0..<height {
      for column in 0..<width where isInk(row, column) {
        pixels[(row + 1) * stride + column + 1] = 1
      }
    }
  }

  /// A mask of where `signal` is above 0.
  init(_ signal: InkSignal) {
    self.init(width: signal.width, height: signal.height) { row, column in
      signal.values[row * signal.width + column] > 0
    }
  }

  /// Whether the pixel in `row` and `column`, counted without the border, is ink.
  subscript(row: Int, column: Int) -> Bool { pixels[(row + 1) * stride + column + 1] != 0 }

  /// The indices of the ink in `pixels`, in order.
  var ink: [Int] { pixels.indices.filter { pixels[$0] != 0 } }

  /// The index offsets of the eight neighbors, clockwise from the one above.
  var neighbors: [Int] {
    [-stride, -stride + 1, 1, stride + 1, stride, stride - 1, -1, -stride - 1]
  }

  /// The middle of the pixel at `index` in `pixels`; the top left corner without the border is (0,
  /// 0).
  func point(_ index: Int) -> Point {
    Point(x: Double(index % stride) - 0.5, y: Double(index / stride) - 0.5)
  }

  /// The smallest box around all ink, without the border, or nil if there is no ink.
  var bounds: PixelBox? {
    var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
    for row in 0..<height {
      for column in 0..<width where self[row, column] {
        left = min(left, column)
        right = max(right, column)
        top = min(top, row)
        bottom = max(bottom, row)
      }
    }
    guard right >= 0 else { return nil }
    return PixelBox(left: left, top: top, width: right - left + 1, height: bottom - top + 1)
  }

  /// Flips connected components of fewer than `area` pixels to the other kind; those that touch the
  /// border stay.
  ///
  /// - Returns: The number of remaining components.
  @discardableResult
  mutating func removeComponents(of kind: Kind, below area: Double) -> Int {
    let before = self
    var left = 0
    before.forEachComponent(of: kind) { piece, touchesBorder in
      if !touchesBorder, Double(piece.count) < area {
        for index in piece { pixels[Int(index)] = kind == .ink ? 0 : 1 }
      } else {
        left += 1
      }
    }
    return left
  }

  /// Calls `body` for each connected component, with its indices in `pixels`, of half the size of
  /// Int, since a component may be a whole large picture, and with whether it touches the border.
  ///
  /// Ink is 8-connected, ground 4-connected.
  package func forEachComponent(of kind: Kind, _ body: ([Int32], Bool) -> Void) {
    let value: UInt8 = kind == .ink ? 1 : 0
    let steps = kind == .ink ? neighbors : [-stride, 1, stride, -1]
    var seen = [Bool](repeating: false, count: pixels.count)
    var piece: [Int32] = []
    for start in pixels.indices where pixels[start] == value && !seen[start] {
      piece.removeAll(keepingCapacity: true)
      piece.append(Int32(start))
      seen[start] = true
      var next = 0
      var touchesBorder = false
      while next < piece.count {
        let index = Int(piece[next])
        next += 1
        let column = index % stride
        if column == 0 || column == stride - 1 || index < stride
          || index >= pixels.count - stride
        {
          touchesBorder = true
        }
        for step in steps {
          let other = index + step
          guard pixels.indices.contains(other), pixels[other] == value, !seen[other],
            abs(other % stride - column) <= 1
          else { continue }
          seen[other] = true
          piece.append(Int32(other))
        }
      }
      body(piece, touchesBorder)
    }
  }
}

/// How wide the strokes in a mask are, in its pixels.
struct StrokeWidths {
  /// The median width by area: half of the ink is in wider strokes.
  let typical: Double
  /// The 20 % quantile of widths by length.
  let thin: Double

  /// The widths at the ridges of the distance transform; nil if there is no ink.
  init?(_ distances: DistanceMap) {
    let counts = distances.ridgeCounts()
    // Twice the distance, less half a pixel on each side from the ground's center to the edge.
    func width(_ step: Int) -> Double { max(1, Double(step) / 4 * 2 - 1) }
    let length = counts.reduce(0, +)
    guard length > 0 else { return nil }
    let area = counts.enumerated().reduce(0.0) { $0 + Double($1.element) * width($1.offset) }
    var (left, leftArea) = (Double(length) * 0.2, area * 0.5)
    var (thin, typical): (Double?, Double?)
    for (step, count) in counts.enumerated() where count > 0 {
      left -= Double(count)
      leftArea -= Double(count) * width(step)
      if thin == nil, left < 0 { thin = width(step) }
      if typical == nil, leftArea < 0 { typical = width(step) }
    }
    self.thin = thin ?? 1
    self.typical = typical ?? 1
  }
}
