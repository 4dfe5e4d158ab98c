extension RGBPicture {
  /// A picture in the making: one color per pixel of a square.
  struct Tones {
    let side: Int
    /// Row-major, shape [side, side].
    var values: [Tone]

    /// A picture made pixel by pixel; `index` is `y * side + x`.
    @inline(__always)
    init(side: Int, _ tone: (_ x: Int, _ y: Int, _ index: Int) -> Tone) {
      self.side = side
      values = [Tone](repeating: .zero, count: side * side)
      var out = values.mutableSpan
      var index = 0
      for y in 0..<side {
        for x in 0..<side {
          out[index] = tone(x, y, index)
          index += 1
        }
      }
    }

    /// The picture in 8 bits a channel.
    var picture: RGBPicture { RGBPicture(side: side) { _, _, index in values[index] } }
  }
}
