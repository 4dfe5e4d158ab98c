/// The sizes of a convolution.
struct PatchGeometry {
  let height: Int
  let width: Int
  let inputChannels: Int
  let outputChannels: Int
  /// The rows and columns of the kernel.
  let kernel: (rows: Int, columns: Int)

  var pixels: Int { height * width }
  /// The pixels under the kernel.
  var taps: Int { kernel.rows * kernel.columns }
  /// The values under the kernel at one pixel.
  var patch: Int { taps * inputChannels }
  var weightCount: Int { patch * outputChannels }

  /// The convolution that takes the gradient back.
  var reversed: PatchGeometry {
    PatchGeometry(
      height: height, width: width, inputChannels: outputChannels, outputChannels: inputChannels,
      kernel: kernel)
  }

  /// Examples whose patches together stay in a core's second-level cache (about 1 MB).
  var examplesPerChunk: Int { max(1, 262_144 / (pixels * patch)) }
  /// The values of the patches of one chunk.
  var columnCount: Int { examplesPerChunk * pixels * patch }
}

extension Kernels {
  // MARK: Convolution

  /// A convolution as a product of patches and weights (Chellapilla, Puri and Simard 2006).
  static func convolve(
    _ input: [Float], _ g: PatchGeometry, count: Int, weights: [Float], at start: Int,
    biasAt: Int?, columns: inout [Float], into output: inout [Float]
  ) {
    precondition(weights.count - start >= g.weightCount, "\(g.weightCount) weights")
    precondition((biasAt ?? 0) + g.outputChannels <= weights.count, "\(g.outputChannels) biases")
    let (inputCount, outputCount) = (
      count * g.pixels * g.inputChannels, count * g.pixels * g.outputChannels
    )
    unsafe weights.withUnsafeBufferPointer { values in
      guard let base = values.baseAddress else { return }
      unsafe map(input, inputCount, &output, outputCount) { x, y in
        if let biasAt {
          for row in 0..<(count * g.pixels) {
            unsafe (y + row * g.outputChannels).update(from: base + biasAt, count: g.outputChannels)
          }
        }
        unsafe forEachChunk(x, g, count: count, columns: &columns) { patches, first, rows in
          unsafe BLAS.multiply(
            patches, g.patch, false, base + start, g.outputChannels, false, m: rows,
            n: g.outputChannels, k: g.patch, adding: biasAt != nil,
            into: y + first * g.outputChannels)
        }
      }
    }
  }

  /// gradient += patchesᵀ · output gradient.
  static func addWeightGradient(
    _ input: [Float], _ g: PatchGeometry, count: Int, outputGradient: [Float],
    columns: inout [Float], into gradient: inout [Float], at start: Int
  ) {
    precondition(
      outputGradient.count >= count * g.pixels * g.outputChannels, "a gradient for each output")
    unsafe outputGradient.withUnsafeBufferPointer { values in
      guard let base = values.baseAddress else { return }
      unsafe map(
        input, count * g.pixels * g.inputChannels, &gradient, at: start, g.weightCount
      ) { x, y in
        unsafe forEachChunk(x, g, count: count, columns: &columns) { patches, first, rows in
          unsafe BLAS.multiply(
            patches, g.patch, true, base + first * g.outputChannels, g.outputChannels, false,
            m: g.patch, n: g.outputChannels, k: rows, adding: true, into: y)
        }
      }
    }
  }

  /// Calls `body` with the patches of some examples, their first pixel and their number.
  private static func forEachChunk(
    _ input: UnsafePointer<Float>, _ g: PatchGeometry, count: Int, columns: inout [Float],
    _ body: (UnsafePointer<Float>, Int, Int) -> Void
  ) {
    guard g.taps > 1 else {
      // A 1 × 1 patch is the pixel itself.
      unsafe body(input, 0, count * g.pixels)
      return
    }
    precondition(columns.count >= g.columnCount, "\(g.columnCount) values for patches")
    unsafe columns.withUnsafeMutableBufferPointer { buffer in
      guard let patches = buffer.baseAddress else { return }
      for first in stride(from: 0, to: count, by: g.examplesPerChunk) {
        let examples = min(g.examplesPerChunk, count - first)
        for example in 0..<examples {
          unsafe gather(
            input + (first + example) * g.pixels * g.inputChannels, g,
            into: patches + example * g.pixels * g.patch)
        }
        unsafe body(UnsafePointer(patches), first * g.pixels, examples * g.pixels)
      }
    }
  }

  /// Writes what lies under the kernel at each pixel of one example, [pixels, patch] ("im2col").
  private static func gather(
    _ input: UnsafePointer<Float>, _ g: PatchGeometry, into patches: UnsafeMutablePointer<Float>
  ) {
    let (channels, row) = (g.inputChannels, g.kernel.columns * g.inputChannels)
    let reach = g.kernel.columns / 2
    for dy in 0..<g.kernel.rows {
      for y in 0..<g.height {
        let target = unsafe patches + y * g.width * g.patch + dy * row
        let sourceY = y + dy - g.kernel.rows / 2
        guard sourceY >= 0, sourceY < g.height else {
          for x in 0..<g.width { unsafe (target + x * g.patch).update(repeating: 0, count: row) }
          continue
        }
        let source = unsafe input + sourceY * g.width * channels
        for x in 0..<g.width {
          // Pixels x - reach ... x + reach lie side by side, apart from those outside.
          let patch = unsafe target + x * g.patch
          guard x < reach || x + reach >= g.width else {
            let pixels = unsafe source + (x - reach) * channels
            if row < 16 {
              // A call would take longer than the few values.
              for i in 0..<row { unsafe patch[i] = pixels[i] }
            } else {
              unsafe patch.update(from: pixels, count: row)
            }
            continue
          }
          let left = max(0, reach - x)
          let right = max(0, x + reach + 1 - g.width)
          for i in 0..<(left * channels) { unsafe patch[i] = 0 }
          for i in (row - right * channels)..<row { unsafe patch[i] = 0 }
          unsafe (patch + left * channels).update(
            from: source + (x - reach + left) * channels, count: row - (left + right) * channels)
        }
      }
    }
  }

  /// The weights of the convolution that takes the gradient back: turned by half a circle, input
  /// and output channels exchanged.
  static func turn(
    _ weights: [Float], at start: Int, _ g: PatchGeometry, into turned: inout [Float]
  ) {
    unsafe map(weights, from: start, g.weightCount, &turned, g.weightCount) { w, t in
      for tap in 0..<g.taps {
        let source = unsafe w + (g.taps - 1 - tap) * g.inputChannels * g.outputChannels
        let target = unsafe t + tap * g.inputChannels * g.outputChannels
        for output in 0..<g.outputChannels {
          for input in 0..<g.inputChannels {
            unsafe target[output * g.inputChannels + input] =
              source[input * g.outputChannels + output]
          }
        }
      }
    }
  }

  // MARK: Pooling

  static func maxPool(
    _ input: [Float], _ g: PoolGeometry, count: Int, into output: inout [Float]
  ) {
    unsafe map(input, count * g.inputCount, &output, count * g.outputCount) { x, y in
      g.forEachWindow(count: count) { window, start in
        let best = unsafe y + start
        unsafe best.update(from: x + window, count: g.channels)
        for tap in 1..<g.taps {
          let values = unsafe x + window + g.offset(of: tap)
          // Without branches, so that many channels go at a time.
          for channel in 0..<g.channels {
            unsafe best[channel] = values[channel] > best[channel] ? values[channel] : best[channel]
          }
        }
      }
    }
  }

  /// Gives the gradient of each maximum to the first pixel of its window that has it.
  static func spreadToMaxima(
    _ gradient: [Float], input: [Float], maxima: [Float], _ g: PoolGeometry, count: Int,
    into output: inout [Float]
  ) {
    precondition(
      input.count >= count * g.inputCount && maxima.count >= count * g.outputCount,
      "\(count) pictures and their maxima")
    unsafe input.withUnsafeBufferPointer { pixels in
      unsafe maxima.withUnsafeBufferPointer { maxima in
        guard let pixels = pixels.baseAddress, let maxima = maxima.baseAddress else { return }
        unsafe map(gradient, count * g.outputCount, &output, count * g.inputCount) { x, y in
          if g.leavesPixelsOut { unsafe y.update(repeating: 0, count: count * g.inputCount) }
          let whole = g.channels / 8 * 8
          g.forEachWindow(count: count) { window, start in
            for channel in stride(from: 0, to: whole, by: 8) {
              let best = unsafe load8(maxima + start + channel)
              // What is left of the gradient: a pixel that takes it leaves 0.
              var rest = unsafe load8(x + start + channel)
              for tap in 0..<g.taps {
                let place = window + g.offset(of: tap) + channel
                let isBest = unsafe load8(pixels + place) .== best
                unsafe UnsafeMutableRawPointer(y + place).storeBytes(
                  of: SIMD8<Float>().replacing(with: rest, where: isBest), as: SIMD8<Float>.self)
                rest.replace(with: 0, where: isBest)
              }
            }
            for channel in whole..<g.channels {
              var rest = unsafe x[start + channel]
              for tap in 0..<g.taps {
                let place = window + g.offset(of: tap) + channel
                let isBest = unsafe pixels[place] == maxima[start + channel]
                unsafe y[place] = isBest ? rest : 0
                if isBest { rest = 0 }
              }
            }
          }
        }
      }
    }
  }
}

/// The sizes of a maximum over windows of `rows` × 2 pixels that do not overlap.
struct PoolGeometry {
  let height: Int
  let width: Int
  let channels: Int
  /// 1 or 2.
  let rows: Int

  var taps: Int { rows * 2 }
  var inputCount: Int { height * width * channels }
  var outputCount: Int { (height / rows) * (width / 2) * channels }
  var leavesPixelsOut: Bool { height % rows + width % 2 > 0 }

  /// How far behind the window's first pixel another one lies, in reading order.
  func offset(of tap: Int) -> Int { (tap / 2 * width + tap % 2) * channels }

  /// Calls `body` with where each window begins in the input, and where its maxima are in the
  /// output.
  func forEachWindow(count: Int, _ body: (_ window: Int, _ start: Int) -> Void) {
    let (down, across) = (height / rows, width / 2)
    for row in 0..<(count * down) {
      let top = (row / down * height + row % down * rows) * width * channels
      for column in 0..<across {
        body(top + column * 2 * channels, (row * across + column) * channels)
      }
    }
  }
}
