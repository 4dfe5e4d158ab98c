internal import Ink

extension InkSignal {
  /// A contrast below this is no ink: compression leaves that much in a blank page.
  private static let leastContrast = 20.0
  /// In pictures with fewer rows or columns, strokes cannot be told from regions.
  private static let leastSide = 64

  /// Separates ink from ground.
  ///
  /// - Throws: `VectorizerError.noInk` if all pixels have nearly the same tone.
  init(
    _ picture: GrayPicture, polarity: Vectorizer.Polarity,
    thresholding: Vectorizer.Thresholding
  ) throws(VectorizerError) {
    guard let tones = OtsuThreshold(Histogram(picture.values)) else { throw .noInk }
    let inkIsDark =
      switch polarity {
      case .darkInk: true
      case .lightInk: false
      case .automatic: picture.hasDarkInk(tones)
      }
    let page = picture.withDarkInk(inkIsDark)
    let global = OtsuThreshold(Histogram(page.values))
      .flatMap { $0.contrast >= Self.leastContrast ? $0 : nil }
    let isLarge = min(page.width, page.height) >= Self.leastSide
    let relief = isLarge || thresholding == .local ? InkRelief(page) : nil
    let agreement = relief.flatMap { relief in
      global.map { relief.agreement(with: $0.middle, in: page) }
    }
    // Most of what the threshold takes for ink may be the page itself, on a desk of the other tone.
    if polarity == .automatic, thresholding != .global, let agreement, agreement.isMostlyRegions,
      inkIsDark != (picture.localSkew() < 0)
    {
      let page = picture.withDarkInk(!inkIsDark)
      let other = InkRelief(page)
      if other.hasInk, other.inkCount * 8 < agreement.regions {
        self.init(other.fitted(to: page), of: page)
        return
      }
    }
    let isLocal =
      switch (thresholding, global, agreement) {
      case (.local, _, _), (.automatic, nil, _): true
      case (.automatic, let global?, let agreement?):
        page.isLitUnevenly(global) || agreement.isPoor
      default: false
      }
    if isLocal, let relief, relief.hasInk {
      self.init(relief.fitted(to: page), of: page)
      return
    }
    guard let global, thresholding != .local else { throw .noInk }
    let scale = Float(2 / global.contrast)
    let middle = Float(global.middle)
    self.init(
      width: page.width, height: page.height,
      values: page.values.map { max(-1, min(1, (middle - Float($0)) * scale)) })
    if let relief, relief.hasInk, let agreement { missedShare = agreement.missedShare }
  }

  /// Separates the ink of `page` from ground by its depth, without the corners of regions.
  init(_ relief: InkRelief, of page: GrayPicture) {
    let signal = InkSignal(relief)
    var values = signal.values
    for pixel in relief.corners(among: Mask(signal), in: page) { values[pixel].negate() }
    self.init(width: signal.width, height: signal.height, values: values)
  }

  /// Separates ink, and corners of regions, from ground by their depth.
  init(_ relief: InkRelief) {
    let scale = Float(2 / relief.level)
    self.init(
      width: relief.width, height: relief.height,
      values: zip(relief.depths, relief.thresholds()).map {
        max(-1, min(1, (Float($0) - $1) * scale))
      })
  }
}

extension GrayPicture {
  /// The picture, or its negative, without noise. Ink is dark in what follows, so that a picture
  /// and its negative give bit-identical strokes.
  func withDarkInk(_ inkIsDark: Bool) -> GrayPicture {
    let dark = inkIsDark ? self : inverted
    guard let tones = OtsuThreshold(Histogram(dark.values)) else { return dark }
    let noise = dark.noise
    guard noise > 0.04 * tones.contrast else { return dark }
    return dark.blurred(noise > 0.12 * tones.contrast ? 2 : 1)
  }
}

/// The threshold that maximizes the between-class variance of dark and light tones.
///
/// Otsu, "A threshold selection method from gray-level histograms", IEEE Trans. Systems, Man, and
/// Cybernetics 9 (1979), doi:10.1109/TSMC.1979.4310076. The negative of a picture has the mirrored
/// threshold exactly.
struct OtsuThreshold {
  /// Tones below are dark. It is the midpoint between two tones that occur.
  let threshold: Double
  /// The mean of the dark tones.
  let darkMean: Double
  /// The mean of the light tones.
  let lightMean: Double
  /// The fraction of pixels that are dark.
  let darkShare: Double

  /// The difference of the means.
  var contrast: Double { lightMean - darkMean }
  /// The tone halfway between the means: the edge of blurred ink.
  var middle: Double { (lightMean + darkMean) / 2 }

  /// Nil if there is only one tone.
  init?(_ histogram: Histogram) {
    let total = histogram.total
    let sum = histogram.counts.enumerated().reduce(0) { $0 + $1.offset * $1.element }
    var (count, darkSum) = (0, 0)
    var best = 0.0
    var found: (first: Int, last: Int)?
    for tone in 0..<255 {
      count += histogram.counts[tone]
      darkSum += tone * histogram.counts[tone]
      guard count > 0, count < total else { continue }
      // From integers, so that it is equal for a picture and its negative, and across tones that do
      // not occur.
      let difference =
        Double(darkSum) * Double(total - count) - Double(sum - darkSum) * Double(count)
      let between = difference * difference / (Double(count) * Double(total - count))
      if between > best {
        best = between
        found = (tone, tone)
      } else if between == best, found != nil {
        found?.last = tone
      }
    }
    guard let found else { return nil }
    threshold = Double(found.first + found.last + 1) / 2
    var (darkCount, darkTotal) = (0, 0)
    for tone in 0..<256 where Double(tone) < threshold {
      darkCount += histogram.counts[tone]
      darkTotal += tone * histogram.counts[tone]
    }
    guard darkCount > 0, darkCount < total else { return nil }
    darkMean = Double(darkTotal) / Double(darkCount)
    lightMean = Double(sum - darkTotal) / Double(total - darkCount)
    darkShare = Double(darkCount) / Double(total)
  }
}

extension GrayPicture {
  /// Whether the dark pixels are ink: the minority, overall and along the border.
  ///
  /// The share of all pixels counts twice as much as the share along the border, so that a frame is
  /// not taken for ground. If the result is ambiguous, as with a shadow over half the page, the
  /// sign of the local contrast decides: thin lines differ from their surroundings.
  func hasDarkInk(_ tones: OtsuThreshold) -> Bool {
    var (dark, all) = (0, 0)
    func look(_ row: Int, _ column: Int) {
      all += 1
      if Double(values[row * width + column]) < tones.threshold { dark += 1 }
    }
    for column in 0..<width {
      look(0, column)
      look(height - 1, column)
    }
    for row in 0..<height {
      look(row, 0)
      look(row, width - 1)
    }
    let share = (Double(dark) / Double(all) + 2 * tones.darkShare) / 3
    guard abs(share - 0.5) < 0.15 else { return share < 0.5 }
    let skew = localSkew()
    return skew == 0 ? share <= 0.5 : skew < 0
  }

  /// The sum of cubed differences to the local mean: below 0 if thin lines are darker than their
  /// surroundings.
  func localSkew() -> Double {
    let window = max(3, max(width, height) / 16)
    var skew = 0.0
    forEachWindow(reaching: window) { pixel, mean in
      let difference = Double(values[pixel]) - mean
      skew += difference * difference * difference
    }
    return skew
  }

  /// The standard deviation of noise in the tones; 0 for a clean picture.
  ///
  /// Immerkær's mask ("Fast noise variance estimation", 1996, doi:10.1006/cviu.1996.0060) does not
  /// respond to constant slopes; the median of its responses ignores other edges.
  var noise: Double {
    guard width >= 3, height >= 3 else { return 0 }
    var counts = [Int](repeating: 0, count: 2041)
    var total = 0
    for row in 1..<(height - 1) {
      for column in 1..<(width - 1) {
        let middle = row * width + column
        func at(_ offset: Int) -> Int { Int(values[middle + offset]) }
        let corners = at(-width - 1) + at(-width + 1) + at(width - 1) + at(width + 1)
        let sides = at(-width) + at(width) + at(-1) + at(1)
        counts[min(2040, abs(corners - 2 * sides + 4 * at(0)))] += 1
        total += 1
      }
    }
    var left = total / 2
    for (answer, count) in counts.enumerated() {
      left -= count
      // 6 is the mask's norm; the median of a normal variable's absolute value is 0.6745
      // deviations.
      if left < 0 { return Double(answer) / (6 * 0.6745) }
    }
    return 0
  }

  /// The picture with every pixel averaged with its neighbors by the binomial weights 1, 2, 1,
  /// `times` times.
  package func blurred(_ times: Int) -> GrayPicture {
    var result = values
    for _ in 0..<times {
      var across = [UInt16](repeating: 0, count: result.count)
      for row in 0..<height {
        for column in 0..<width {
          let start = row * width
          across[start + column] =
            UInt16(result[start + max(0, column - 1)]) + 2 * UInt16(result[start + column])
            + UInt16(result[start + min(width - 1, column + 1)])
        }
      }
      for row in 0..<height {
        let (above, below) = (max(0, row - 1) * width, min(height - 1, row + 1) * width)
        for column in 0..<width {
          let sum =
            across[above + column] + 2 * across[row * width + column] + across[below + column]
          result[row * width + column] = UInt8((sum + 8) / 16)
        }
      }
    }
    return GrayPicture(width: width, height: height, values: result)
  }

  /// Whether the ground's tone varies too much for one global threshold; ink must be dark.
  func isLitUnevenly(_ tones: OtsuThreshold) -> Bool {
    let tiles = 8
    guard min(width, height) >= 4 * tiles else { return false }
    var means: [Double] = []
    for tileRow in 0..<tiles {
      for tileColumn in 0..<tiles {
        let rows = (tileRow * height / tiles)..<((tileRow + 1) * height / tiles)
        let columns = (tileColumn * width / tiles)..<((tileColumn + 1) * width / tiles)
        var (sum, count) = (0, 0)
        for row in rows {
          for column in columns {
            let value = Int(values[row * width + column])
            if Double(value) >= tones.threshold {
              sum += value
              count += 1
            }
          }
        }
        // In a tile full of ink only blurred edges are light, so it is skipped.
        if count * 3 >= rows.count * columns.count { means.append(Double(sum) / Double(count)) }
      }
    }
    guard let lightest = means.max(), let darkest = means.min() else { return false }
    return lightest - darkest > 0.25 * tones.contrast
  }

  /// Calls `body` for each pixel, in order, with the mean of the tones in the square from -`reach`
  /// to +`reach` around it, clipped to the picture. The cost does not depend on `reach`.
  private func forEachWindow(
    reaching reach: Int, _ body: (_ pixel: Int, _ mean: Double) -> Void
  ) {
    // For each column, the sum of tones in the band of rows around the current one.
    var sums = [Int](repeating: 0, count: width)
    func add(_ row: Int, _ sign: Int) {
      guard (0..<height).contains(row) else { return }
      for column in 0..<width { sums[column] += sign * Int(values[row * width + column]) }
    }
    for row in 0..<min(reach, height) { add(row, 1) }
    var before = [Int](repeating: 0, count: width + 1)
    for row in 0..<height {
      add(row + reach, 1)
      add(row - reach - 1, -1)
      for column in 0..<width { before[column + 1] = before[column] + sums[column] }
      let rows = min(height, row + reach + 1) - max(0, row - reach)
      for column in 0..<width {
        let (left, right) = (max(0, column - reach), min(width, column + reach + 1))
        body(
          row * width + column, Double(before[right] - before[left]) / Double(rows * (right - left))
        )
      }
    }
  }
}
