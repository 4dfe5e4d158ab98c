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
  /// The drop in tone that noise does not reach.
  private let noise: Double

  /// Darker paper counts as this dark: the noise of black regions would become ink.
  private static let darkestGround = 64.0
  /// Depths below this share of strong ink's are left out, such as ruled lines.
  private static let palest = 0.35

  /// The relief of the dark ink in `page`.
  init(_ page: GrayPicture) {
    (width, height) = (page.width, page.height)
    let ground = page.values.closed(
      width: width, height: height, reaching: max(4, max(width, height) / 16))
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

  /// What a threshold for all of the page makes of the relief.
  struct Agreement {
    /// The number of the relief's pixels of strong ink.
    var ink = 0
    /// Those of them that the threshold leaves out.
    var pale = 0
    /// Those of them that lie in regions wider than strokes that the threshold takes for ink.
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

    /// Whether a fifth of the ink is left out, or drawn in a region, of which ink is little; or a
    /// region reaches the picture's edge, as a desk or a shadow does.
    var isPoor: Bool {
      let missed = pale + (inRegions * 3 < regions ? inRegions : 0)
      return missed * 5 > ink || regionsAtBorder * 10 > border
    }
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
        guard Double(depths[pixel]) > level / 2 else { continue }
        result.ink += 1
        if isInRegion { result.inRegions += 1 } else if !isDark { result.pale += 1 }
      }
    }
    return result
  }
}

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
