/// The gray tones that show the ink of a color picture best.
///
/// Luma hardly tells yellow from white. Each pixel's channel that differs most from the paper's
/// does: blue for yellow ink, green for red.
struct InkTones {
  /// The paper's red, green and blue: the medians of all pixels.
  private let paper: SIMD3<Int>

  /// The side of the picture, in pixels, in which is decided whether the colors are needed.
  static let decidingSide = 400

  /// The share of the ink that luma has to miss.
  private static let mostMissed = 0.1
  /// The most that ink may be as wide as the strokes that luma shows, as a multiple; wider ink is an
  /// area that was colored in.
  private static let widest = 2.0

  /// The tones for a picture that was reduced to `picture`; nil if luma shows its strokes as well,
  /// or if it is transparent.
  init?(whereLumaMissesInkOf picture: ColorPicture) {
    let opacities = stride(from: 3, to: picture.values.count, by: 4)
    guard opacities.allSatisfy({ picture.values[$0] == 255 }) else { return nil }
    self.init(picture)
    guard var colors = Self.ink(in: self.picture(of: picture)) else { return nil }
    let luma = GrayPicture(rgba: picture.values, width: picture.width, height: picture.height)
    guard let tones = Self.ink(in: luma) else { return }
    let ink = colors.ink
    let near = tones.neighbors + [0]
    for index in ink where near.contains(where: { tones.pixels[index + $0] != 0 }) {
      colors.pixels[index] = 0
    }
    let missed = colors.ink.count
    guard Double(missed) > Self.mostMissed * Double(ink.count),
      let found = StrokeWidths(tones.distances()), let new = StrokeWidths(colors.distances()),
      new.typical <= Self.widest * max(2, found.typical)
    else { return nil }
  }

  /// Learns the paper's color.
  private init(_ picture: ColorPicture) {
    var channels = [Histogram](repeating: Histogram(), count: 3)
    for start in stride(from: 0, to: picture.values.count, by: 4) {
      for channel in 0..<3 { channels[channel].add(picture.values[start + channel]) }
    }
    paper = SIMD3(
      channels[0].quantile(0.5), channels[1].quantile(0.5), channels[2].quantile(0.5))
  }

  /// The ink that the vectorizer would find, without specks; nil if it finds no ink.
  private static func ink(in picture: GrayPicture) -> Mask? {
    guard
      let signal = try? InkSignal(picture, polarity: .automatic, thresholding: .automatic)
    else { return nil }
    var mask = Mask(signal)
    mask.removeComponents(of: .ink, below: 12)
    return mask.pixels.contains(1) ? mask : nil
  }

  /// The tones of all pixels of `picture`.
  func picture(of picture: ColorPicture) -> GrayPicture {
    let paperIsLight = 299 * paper.x + 587 * paper.y + 114 * paper.z >= 127_500
    var tones: [UInt8] = []
    tones.reserveCapacity(picture.width * picture.height)
    for start in stride(from: 0, to: picture.values.count, by: 4) {
      let color = SIMD3(
        Int(picture.values[start]), Int(picture.values[start + 1]),
        Int(picture.values[start + 2]))
      tones.append(
        paperIsLight
          ? Self.least(color, on: paper) : 255 - Self.least(255 &- color, on: 255 &- paper))
    }
    return GrayPicture(width: picture.width, height: picture.height, values: tones)
  }

  /// The least of a color's channels, each relative to that of light paper.
  private static func least(_ color: SIMD3<Int>, on paper: SIMD3<Int>) -> UInt8 {
    // A channel that the paper hardly has says little.
    func share(_ channel: Int) -> Int { 255 * color[channel] / max(64, paper[channel]) }
    return UInt8(min(255, share(0), share(1), share(2)))
  }
}
