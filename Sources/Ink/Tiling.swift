/// A raster cut into tiles of 2 × 2 pixels, and which of them a segment may touch.
struct Tiling: Hashable, Sendable {
  /// The raster's size, in pixels.
  let width: Int
  let height: Int
  /// How far from a segment a pixel's centre is of interest.
  let reach: Float

  var columns: Int { (width + 1) / 2 }
  var rows: Int { (height + 1) / 2 }

  /// One tile.
  struct Tile: Sendable {
    var row: Int32
    var column: Int32

    @inline(__always)
    init(row: Int, column: Int) {
      self.row = Int32(truncatingIfNeeded: row)
      self.column = Int32(truncatingIfNeeded: column)
    }

    @inline(__always)
    var corner: Corner {
      Corner(
        x: Lanes(repeating: Float((column >> 1) << 2)),
        y: Lanes(repeating: Float(row << 1)) + Lanes(0, 0, 1, 1), isOdd: column & 1 == 1)
    }
  }

  /// What leads from the raster's first pixels to a tile's.
  struct Corner {
    /// To add to the way to pixels 0 … 3 of a row.
    var x: Lanes
    /// To add to the way to pixel 0 of a column.
    var y: Lanes
    /// Whether the tile holds pixels 2 and 3 of four.
    var isOdd: Bool
  }

  /// The tiles with pixels within reach of a segment, and perhaps a few more.
  struct Cover {
    var firstRow: Int
    var lastRow: Int
    fileprivate var left: Float
    fileprivate var right: Float
    /// Where the line through the segment crosses the height of the raster's first row of pixels.
    fileprivate var crossing: Float
    /// How far x goes along the line while y goes one row.
    fileprivate var slope: Float
    /// Half the length of the cut of a row through the strip within reach of the line.
    fileprivate var half: Float
    fileprivate var lastColumn: Int

    /// No fewer than all its tiles.
    var count: Int {
      max(0, lastRow - firstRow + 1) * max(0, min(lastColumn, Int(right)) - Int(left * 0.5) + 1)
    }

    func columns(inTileRow row: Int) -> (first: Int, last: Int) {
      let upper = crossing + slope * Float(row * 2)
      let lower = upper + slope
      let low = max(left, min(upper, lower) - half)
      let high = min(right, max(upper, lower) + half)
      return (max(0, Int(low * 0.5 + 0.25)), min(lastColumn, Int(high * 0.5 + 0.75) - 1))
    }
  }

  func cover(_ segment: InkSegment) -> Cover {
    // Rounding must lose no pixel.
    let reach = reach + 0.01
    let end = segment.start + segment.way
    let (top, bottom) = (min(segment.start.y, end.y) - reach, max(segment.start.y, end.y) + reach)
    let isFlat = abs(segment.way.y) < 1e-3
    let slope = isFlat ? 0 : segment.way.x / segment.way.y
    return Cover(
      firstRow: max(0, Int(top * 0.5 + 0.25)), lastRow: min(rows - 1, Int(bottom * 0.5 + 0.75) - 1),
      left: max(0, min(segment.start.x, end.x) - reach), right: max(segment.start.x, end.x) + reach,
      crossing: segment.start.x + (0.5 - segment.start.y) * slope, slope: slope,
      half: isFlat ? 1e9 : reach * segment.square.squareRoot() / abs(segment.way.y),
      lastColumn: columns - 1)
  }
}
