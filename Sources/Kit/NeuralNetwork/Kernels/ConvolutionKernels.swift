internal import CKernels

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
  /// The number of values of one example after 2 × 2 max pooling.
  var pooledCount: Int { (height / 2) * (width / 2) * outputChannels }

  /// The convolution that propagates the gradient back.
  var reversed: PatchGeometry {
    PatchGeometry(
      height: height, width: width, inputChannels: outputChannels, outputChannels: inputChannels,
      kernel: kernel)
  }

  /// The C representation.
  fileprivate var layer: drawml_layer {
    drawml_layer(
      height: height, width: width, inputs: inputChannels, outputs: outputChannels,
      rows: kernel.rows, columns: kernel.columns)
  }

  /// The number of examples whose patches fit in a core's L2 cache (about 1 MB).
  fileprivate var examplesPerChunk: Int { max(1, 262_144 / (pixels * patch)) }

  /// The number of scratch values that a convolution needs.
  func scratchCount(_ backend: Backend) -> Int {
    switch backend {
    case .blas: taps > 1 ? examplesPerChunk * pixels * patch : 0
    case .vector(let level): level.loops.scratch_count(layer)
    }
  }

  /// The number of values of the packed weights.
  func packedCount(_ backend: Backend) -> Int {
    switch backend {
    case .blas: weightCount
    case .vector(let level): level.loops.packed_count(layer)
    }
  }

  /// Whether the rectifier and 2 × 2 max pooling after the convolution can be fused with it.
  func pools(_ backend: Backend, needsInputGradient: Bool) -> Bool {
    switch backend {
    case .blas: false
    case .vector(let level): level.loops.pools(layer, needsInputGradient ? 1 : 0) != 0
    }
  }

  /// The number of scratch values that such a fused convolution needs.
  func poolScratchCount(_ backend: Backend) -> Int { backend.loops.pool_scratch_count(layer) }
}

extension Kernels {
  // MARK: Convolution

  static func convolve(
    _ backend: Backend, _ input: [Float], _ g: PatchGeometry, count: Int, weights: [Float],
    at start: Int, biasAt: Int?, room: inout [Float], packed: inout [Float],
    into output: inout [Float]
  ) {
    let bias = biasAt ?? 0
    unsafe read(weights, from: bias, biasAt == nil ? 0 : g.outputChannels) { bias in
      let bias = unsafe biasAt == nil ? nil : bias
      unsafe read(weights, from: start, g.weightCount) { weights in
        switch backend {
        case .blas:
          unsafe convolve(input, g, count, weights, bias, &room, into: &output)
        case .vector(let level):
          unsafe write(&packed, g.packedCount(backend)) { packed in
            unsafe level.loops.pack(weights, g.layer, 0, packed)
            unsafe convolve(level, input, g, count, packed, bias, &room, into: &output)
          }
        }
      }
    }
  }

  /// The gradient with respect to the input of convolution `g`: a convolution with the kernel
  /// rotated by 180°, inputs and outputs exchanged.
  static func convolveBack(
    _ backend: Backend, _ gradient: [Float], _ g: PatchGeometry, count: Int, weights: [Float],
    at start: Int, room: inout [Float], packed: inout [Float], into output: inout [Float]
  ) {
    let back = g.reversed
    unsafe read(weights, from: start, g.weightCount) { weights in
      unsafe write(&packed, back.packedCount(backend)) { packed in
        switch backend {
        case .blas:
          unsafe turn(weights, g, into: packed)
          unsafe convolve(gradient, back, count, packed, nil, &room, into: &output)
        case .vector(let level):
          unsafe level.loops.pack(weights, g.layer, 1, packed)
          unsafe convolve(level, gradient, back, count, packed, nil, &room, into: &output)
        }
      }
    }
  }

  /// gradient += patchesᵀ · output gradient.
  static func addWeightGradient(
    _ backend: Backend, _ input: [Float], _ g: PatchGeometry, count: Int,
    outputGradient: [Float], room: inout [Float], packed: inout [Float],
    into gradient: inout [Float], at start: Int
  ) {
    unsafe read(outputGradient, count * g.pixels * g.outputChannels) { slopes in
      unsafe map(
        input, count * g.pixels * g.inputChannels, &gradient, at: start, g.weightCount
      ) { x, y in
        switch backend {
        case .blas:
          unsafe forEachChunk(x, g, count: count, room: &room) { patches, first, rows in
            unsafe BLAS.multiply(
              patches, g.patch, true, slopes + first * g.outputChannels, g.outputChannels, false,
              m: g.patch, n: g.outputChannels, k: rows, adding: true, into: y)
          }
        case .vector(let level):
          unsafe write(&room, g.scratchCount(backend)) { room in
            unsafe write(&packed, g.packedCount(backend)) { sums in
              unsafe level.loops.add_weight_gradient(x, count, g.layer, slopes, room, sums, y)
            }
          }
        }
      }
    }
  }

  private static func convolve(
    _ level: VectorLevel, _ input: [Float], _ g: PatchGeometry, _ count: Int,
    _ packed: UnsafePointer<Float>, _ bias: UnsafePointer<Float>?, _ room: inout [Float],
    into output: inout [Float]
  ) {
    unsafe write(&room, g.scratchCount(.vector(level))) { room in
      unsafe map(
        input, count * g.pixels * g.inputChannels, &output, count * g.pixels * g.outputChannels
      ) { x, y in
        unsafe level.loops.convolve_layer(x, count, g.layer, packed, bias, room, y)
      }
    }
  }

  // MARK: Convolution by BLAS

  /// A convolution as a product of patches and weights (Chellapilla, Puri and Simard 2006).
  private static func convolve(
    _ input: [Float], _ g: PatchGeometry, _ count: Int, _ weights: UnsafePointer<Float>,
    _ bias: UnsafePointer<Float>?, _ room: inout [Float], into output: inout [Float]
  ) {
    unsafe map(
      input, count * g.pixels * g.inputChannels, &output, count * g.pixels * g.outputChannels
    ) { x, y in
      if let bias = unsafe bias {
        for row in 0..<(count * g.pixels) {
          unsafe (y + row * g.outputChannels).update(from: bias, count: g.outputChannels)
        }
      }
      unsafe forEachChunk(x, g, count: count, room: &room) { patches, first, rows in
        unsafe BLAS.multiply(
          patches, g.patch, false, weights, g.outputChannels, false, m: rows,
          n: g.outputChannels, k: g.patch, adding: bias != nil, into: y + first * g.outputChannels)
      }
    }
  }

  /// Calls `body` with the patches of some examples, their first pixel and their number.
  private static func forEachChunk(
    _ input: UnsafePointer<Float>, _ g: PatchGeometry, count: Int, room: inout [Float],
    _ body: (UnsafePointer<Float>, Int, Int) -> Void
  ) {
    guard g.taps > 1 else {
      // A 1 × 1 patch is the pixel itself.
      unsafe body(input, 0, count * g.pixels)
      return
    }
    unsafe write(&room, g.scratchCount(.blas)) { patches in
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

  /// Writes the patch under the kernel at each pixel of one example, [pixels, patch] ("im2col").
  private static func gather(
    _ input: UnsafePointer<Float>, _ g: PatchGeometry, into patches: UnsafeMutablePointer<Float>
  ) {
    let (channels, reach) = (g.inputChannels, g.kernel.columns / 2)
    let row = g.kernel.columns * channels
    for y in 0..<g.height {
      for x in 0..<g.width {
        for dy in 0..<g.kernel.rows {
          let target = unsafe patches + (y * g.width + x) * g.patch + dy * row
          let sourceY = y + dy - g.kernel.rows / 2
          // Pixels x - reach ... x + reach are contiguous, except those outside.
          let first = sourceY >= 0 && sourceY < g.height ? max(0, x - reach) : g.width
          let count = max(0, min(g.width, x + reach + 1) - first) * channels
          let before = count > 0 ? (first - x + reach) * channels : 0
          unsafe target.update(repeating: 0, count: before)
          unsafe (target + before).update(
            from: input + (sourceY * g.width + first) * channels, count: count)
          unsafe (target + before + count).update(repeating: 0, count: row - before - count)
        }
      }
    }
  }

  private static func turn(
    _ weights: UnsafePointer<Float>, _ g: PatchGeometry, into turned: UnsafeMutablePointer<Float>
  ) {
    for tap in 0..<g.taps {
      let source = unsafe weights + (g.taps - 1 - tap) * g.inputChannels * g.outputChannels
      let target = unsafe turned + tap * g.inputChannels * g.outputChannels
      for output in 0..<g.outputChannels {
        for input in 0..<g.inputChannels {
          unsafe target[output * g.inputChannels + input] =
            source[input * g.outputChannels + output]
        }
      }
    }
  }

  // MARK: Convolution, rectifier and maximum

  static func convolveAndPool(
    _ level: VectorLevel, _ input: [Float], _ g: PatchGeometry, count: Int, weights: [Float],
    at start: Int, biasAt: Int, room: inout [Float], into output: inout [Float],
    marks: inout [UInt8]
  ) {
    precondition(marks.count >= count * g.pooledCount, "a mark for each maximum")
    unsafe write(&room, g.poolScratchCount(.vector(level))) { room in
      unsafe read(weights, from: start, g.weightCount) { w in
        unsafe read(weights, from: biasAt, g.outputChannels) { bias in
          unsafe map(
            input, count * g.pixels * g.inputChannels, &output, count * g.pooledCount
          ) { x, y in
            unsafe marks.withUnsafeMutableBufferPointer {
              guard let marks = $0.baseAddress else { return }
              unsafe level.loops.convolve_pool(x, count, g.layer, w, bias, room, y, marks)
            }
          }
        }
      }
    }
  }

  /// Adds the gradients with respect to weights and bias, which are contiguous, and writes that
  /// with respect to the input if `wantsInputGradient`.
  static func poolBack(
    _ level: VectorLevel, _ input: [Float], _ g: PatchGeometry, count: Int, weights: [Float],
    at start: Int, outputGradient: [Float], marks: [UInt8], wantsInputGradient: Bool,
    room: inout [Float], into gradient: inout [Float], inputGradient: inout [Float]
  ) {
    precondition(marks.count >= count * g.pooledCount, "a mark for each maximum")
    let backend = Backend.vector(level)
    precondition(
      g.pools(backend, needsInputGradient: wantsInputGradient),
      "a convolution that is one with its maximum")
    let inputCount = count * g.pixels * g.inputChannels
    unsafe write(&room, g.poolScratchCount(backend)) { room in
      unsafe read(outputGradient, count * g.pooledCount) { slopes in
        unsafe read(weights, from: start, g.weightCount) { w in
          unsafe read(input, inputCount) { x in
            unsafe write(&gradient, at: start, g.weightCount + g.outputChannels) { y in
              unsafe write(&inputGradient, wantsInputGradient ? inputCount : 0) { back in
                unsafe marks.withUnsafeBufferPointer {
                  guard let marks = $0.baseAddress else { return }
                  unsafe level.loops.convolve_pool_gradient(
                    x, count, g.layer, w, slopes, marks, room, y, y + g.weightCount,
                    wantsInputGradient ? back : nil)
                }
              }
            }
          }
        }
      }
    }
  }
}
