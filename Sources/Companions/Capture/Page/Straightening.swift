internal import Ink
internal import Vectorizing

extension GrayPicture {
  /// Takes a part of the picture through a map.
  ///
  /// - Parameters:
  ///   - width: Columns of the new picture.
  ///   - height: Its rows.
  ///   - map: From places of the new picture to places of this one, in pixels.
  /// - Returns: The new picture: a pixel's tone is that where `map` takes its middle, between pixels
  ///   in proportion; outside of this picture, that of its edge.
  func warped(width: Int, height: Int, by map: (Point) -> Point) -> GrayPicture {
    var tones: [UInt8] = []
    tones.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        let place = map(Point(x: Double(column) + 0.5, y: Double(row) + 0.5))
        tones.append(UInt8(tone(at: place).rounded()))
      }
    }
    return GrayPicture(width: width, height: height, values: tones)
  }

  /// The tone at a place, between the middles of four pixels in proportion.
  func tone(at place: Point) -> Double {
    // A place far outside, or at infinity, is one at the edge.
    let x = max(0, min(Double(width - 1), place.x.isFinite ? place.x - 0.5 : 0))
    let y = max(0, min(Double(height - 1), place.y.isFinite ? place.y - 0.5 : 0))
    let (left, top) = (Int(x), Int(y))
    let (right, bottom) = (min(width - 1, left + 1), min(height - 1, top + 1))
    let (across, down) = (x - Double(left), y - Double(top))
    func value(_ row: Int, _ column: Int) -> Double { Double(values[row * width + column]) }
    return (1 - down) * ((1 - across) * value(top, left) + across * value(top, right))
      + down * ((1 - across) * value(bottom, left) + across * value(bottom, right))
  }

  /// The rectangle of pixels that begins at a column and row, which must lie inside.
  func cropped(left: Int, top: Int, width: Int, height: Int) -> GrayPicture {
    var tones: [UInt8] = []
    tones.reserveCapacity(width * height)
    for row in top..<(top + height) {
      tones += values[(row * self.width + left)..<(row * self.width + left + width)]
    }
    return GrayPicture(width: width, height: height, values: tones)
  }
}
