internal import Ink

// Morphology of gray pictures: maxima in squares, and the closing that is made of them.
extension [UInt8] {
  /// The closing of tones, row-major, shape [height, width], by a square from -`reach` to +`reach`.
  /// What touches the picture's edge continues beyond it.
  func closed(width: Int, height: Int, reaching reach: Int) -> [UInt8] {
    let (columns, rows) = (width + 4 * reach, height + 4 * reach)
    return extended(width: width, height: height, by: 2 * reach)
      .maxima(width: columns, height: rows, reaching: reach).map { 255 - $0 }
      .maxima(width: columns - 2 * reach, height: rows - 2 * reach, reaching: reach)
      .map { 255 - $0 }
  }

  /// The picture with `margin` more pixels on each side, of the tones of its edge.
  func extended(width: Int, height: Int, by margin: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity((width + 2 * margin) * (height + 2 * margin))
    for row in -margin..<(height + margin) {
      let start = Swift.max(0, Swift.min(height - 1, row)) * width
      result += repeatElement(self[start], count: margin)
      result += self[start..<(start + width)]
      result += repeatElement(self[start + width - 1], count: margin)
    }
    return result
  }

  /// The maxima in the squares from -`reach` to +`reach` around the pixels that have whole ones,
  /// row-major, shape [height - 2 · reach, width - 2 · reach].
  ///
  /// - Complexity: O(pixels · log reach).
  func maxima(width: Int, height: Int, reaching reach: Int) -> [UInt8] {
    let side = 2 * reach + 1
    let (columns, rows) = (width - 2 * reach, height - 2 * reach)
    var result = self
    // Windows along one axis, whose elements lie `stride` apart, begin at each pixel. Two that
    // overlap or touch make a longer one.
    func widen(_ stride: Int) {
      var length = 1
      while length < side {
        let step = Swift.min(length, side - length)
        for index in 0..<(result.count - step * stride) {
          result[index] = Swift.max(result[index], result[index + step * stride])
        }
        length += step
      }
    }
    widen(1)
    // Windows that ran on into the next row are left out.
    let across = result
    result.removeAll(keepingCapacity: true)
    for row in 0..<height { result += across[(row * width)..<(row * width + columns)] }
    widen(columns)
    return Array(result[..<(columns * rows)])
  }
}
