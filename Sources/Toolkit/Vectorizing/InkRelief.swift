internal import Ink

/// How much darker each pixel is than the paper around it.
///
/// Light, shadows, a desk around the page and a margin of another white change the paper over
/// regions that are wider than strokes. So does the *ground* here: the picture without what is dark
/// and narrow. It is the morphological closing by a square (Serra, "Image Analysis and Mathematical
/// Morphology", 1982), which keeps straight edges between two regions where they are.
struct InkRelief {
  /// Columns.
  let width: Int
  /// Rows.
  let height: Int
  /// The tone of the paper at each pixel, row-major, shape [height, width].
  let ground: [UInt8]
  /// The share of the paper's light that is missing at each pixel, in 255ths: a shadow takes the
  /// same share from paper and from ink.
  let depths: [UInt8]
  /// The depth of strong ink; 0 if there is no ink.
  let level: Double
  /// The number of pixels of ink.
  let inkCount: Int
  /// Whether there is ink enough to trust: dust and compression leave some on a blank page.
  var hasInk: Bool { level >= Self.leastLevel && inkCount * 2000 >= depths.count }
  /// The drop in tone that noise does not reach.
  private let noise: Double

  private static let leastLevel = 20.0
  /// Darker paper counts as this dark: the noise of black regions would become ink.
  private static let darkestGround = 64.0
  /// Depths below this share of strong ink's are left out, such as ruled lines.
  private static let palest = 0.35
  /// The share of the sides of ink that may have the tone of what is beside it: its ends, where it
  /// runs into a region.
  private static let mostEven = 0.2

  /// Half the side of the square, in pixels.
  private let reach: Int

  /// The relief of the dark ink in `page`; `reach` is half the side of the square, in pixels, and
  /// more than half of a stroke's width.
  init(_ page: GrayPicture, reaching reach: Int? = nil) {
    (width, height) = (page.width, page.height)
    let reach = reach ?? max(4, max(width, height) / 16)
    self.reach = reach
    let ground = page.values.closed(width: width, height: height, reaching: reach)
    var drops = Histogram()
    for (tone, ground) in zip(page.values, ground) { drops.add(ground - tone) }
    // Most of a page is paper, where drops are noise. Half of them lie below the median, without
    // ink, and a quarter 0.6745 deviations below it.
    let middle = Double(drops.quantile(0.5))
    noise = middle + max(12, 6 * (middle - Double(drops.quantile(0.25))) / 0.6745)
    var ink = Histogram()
    var depths: [UInt8] = []
    depths.reserveCapacity(ground.count)
    for (tone, ground) in zip(page.values, ground) {
      let drop = Double(ground - tone)
      let depth = UInt8((255 * drop / max(Self.darkestGround, Double(ground))).rounded())
      depths.append(depth)
      if drop > noise { ink.add(depth) }
    }
    (self.ground, self.depths) = (ground, depths)
    // Ink is little beside the lines of ruled paper.
    level = Double(ink.quantile(0.97))
    inkCount = ink.total
  }

  /// The relief by a square that fits the strokes: a large one cuts the corners of regions, which
  /// then look like ink.
  func fitted(to page: GrayPicture) -> InkRelief {
    guard let widths = StrokeWidths(Mask(InkSignal(self)).distances()) else { return self }
    let fitting = max(4, Int((3 * widths.typical).rounded(.up)))
    guard fitting * 3 < reach * 2 else { return self }
    let fitted = InkRelief(page, reaching: fitting)
    return fitted.hasInk ? fitted : self
  }

  /// The depth above which each pixel is ink, row-major, shape [height, width]: half the greatest
  /// depth nearby, where blurred ink has its edge.
  func thresholds() -> [Float] {
    let reach = max(2, max(width, height) / 64)
    let floor = Float(Self.palest * level)
    let greatest = depths.extended(width: width, height: height, by: reach)
      .maxima(width: width + 2 * reach, height: height + 2 * reach, reaching: reach)
    return zip(greatest, ground).map { depth, ground in
      let noise = Float(255 * noise / max(Self.darkestGround, Double(ground)))
      return max(floor, noise, Float(depth) / 2)
    }
  }

  /// Finds the corners of regions that are narrower than the square, as where a shadow's edge
  /// crosses the page's.
  ///
  /// They look like ink, but on one side the picture goes on in the same tone. Ink is darker than
  /// what surrounds it.
  ///
  /// - Parameters:
  ///   - ink: The pixels deeper than the thresholds.
  ///   - page: The picture that this is the relief of.
  /// - Returns: Those of the pixels that are corners, as indices of the page's values.
  func corners(among ink: Mask, in page: GrayPicture) -> [Int] {
    // The square is three times as wide as strokes on each side. The edges of ink are blurred, so
    // its darkest tone nearby is compared with the tone at some distance from it.
    let (near, far) = (max(2, reach / 6), max(3, reach / 3))
    let darknesses = page.values.indices.map { pixel in
      ink[pixel / width, pixel % width] ? 255 - page.values[pixel] : 0
    }
    let darkest = darknesses.extended(width: width, height: height, by: near)
      .maxima(width: width + 2 * near, height: height + 2 * near, reaching: near)
    var corners: [Int] = []
    ink.forEachComponent(of: .ink) { piece, _ in
      var (sides, even) = (0, 0)
      for index in piece {
        let (row, column) = (Int(index) / ink.stride - 1, Int(index) % ink.stride - 1)
        for (down, across) in [(-1, 0), (0, 1), (1, 0), (0, -1)]
        where !ink[row + down, column + across] {
          let (y, x) = (row + far * down, column + far * across)
          guard (0..<height).contains(y), (0..<width).contains(x), !ink[y, x] else { continue }
          sides += 1
          let drop = Int(page.values[y * width + x]) - 255 + Int(darkest[row * width + column])
          if Double(abs(drop)) < noise { even += 1 }
        }
      }
      if Double(even) > Self.mostEven * Double(sides) {
        corners += piece.map { index in
          (Int(index) / ink.stride - 1) * width + Int(index) % ink.stride - 1
        }
      }
    }
    return corners
  }

  /// Whether a pixel is strong ink.
  func isStrong(_ pixel: Int) -> Bool { Double(depths[pixel]) > level / 2 }

  /// What a threshold for all of the page makes of the relief.
  struct Agreement {
    /// The number of the relief's pixels of strong ink.
    var ink = 0
    /// Those of them that the threshold leaves out.
    var pale = 0
    /// The pixels in regions wider than strokes that the threshold takes for ink.
    var inRegions = 0
    /// The number of pixels below the threshold.
    var dark = 0
    /// The number of pixels in such regions.
    var regions = 0
    /// The number of pixels along the picture's border.
    var border = 0
    /// Those of them that lie in such regions.
    var regionsAtBorder = 0

    /// Whether most of what the threshold takes for ink are regions.
    var isMostlyRegions: Bool { regions * 2 > dark }

    /// The share of the ink that is left out, or lies in a region. Regions that are mostly ink are
    /// what is scribbled over.
    var missedShare: Double {
      Double(pale + (inRegions * 3 < regions ? inRegions : 0)) / Double(max(1, ink))
    }

    /// Whether much of the ink is missed, or a region reaches the picture's edge, as a desk or a
    /// shadow does.
    var isPoor: Bool { missedShare > 0.2 || regionsAtBorder * 10 > border }
  }

  /// Compares the relief to a `threshold` for the tones of `page`.
  func agreement(with threshold: Double, in page: GrayPicture) -> Agreement {
    var result = Agreement()
    for row in 0..<height {
      for column in 0..<width {
        let pixel = row * width + column
        let isDark = Double(page.values[pixel]) < threshold
        let isInRegion = Double(ground[pixel]) < threshold
        if isDark { result.dark += 1 }
        if isInRegion { result.regions += 1 }
        if row == 0 || row == height - 1 || column == 0 || column == width - 1 {
          result.border += 1
          if isInRegion { result.regionsAtBorder += 1 }
        }
        guard isStrong(pixel) else { continue }
        result.ink += 1
        if isInRegion { result.inRegions += 1 } else if !isDark { result.pale += 1 }
      }
    }
    return result
  }
}

extension GrayPicture {
  /// The picture in even light: paper is white, and what takes a share of the paper's light is as
  /// much darker (`InkRelief`).
  package func flattened() -> GrayPicture {
    GrayPicture(
      width: width, height: height, values: InkRelief(self).depths.map { 255 - $0 })
  }
}
