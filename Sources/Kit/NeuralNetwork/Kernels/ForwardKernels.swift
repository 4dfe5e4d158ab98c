internal import CKernels

extension Kernels {
  /// Runs a plan over some examples.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - input: Examples without margins.
  ///   - first: The first example to run.
  ///   - count: The number of examples to run.
  ///   - output: Results without margins, one for each example of `input`.
  ///   - capacity: The number of examples that `buffer` was made for, at least `count`.
  ///   - buffer: The plan's frames, whose margins must be zero and stay so, and scratch space.
  static func forward(
    _ plan: InferencePlan, _ input: Span<Float>, from first: Int, count: Int,
    into output: inout MutableSpan<Float>, capacity: Int, buffer: inout [Float]
  ) {
    let (from, to) = (plan.frames[0], plan.frames[plan.output])
    precondition(
      count <= capacity && buffer.count >= plan.bufferCount(capacity: capacity)
        && input.count >= (first + count) * from.count
        && output.count >= (first + count) * to.count, "\(count) examples need larger buffers")
    unsafe input.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe buffer.withUnsafeMutableBufferPointer { buffer in
          unsafe plan.weights.values.withUnsafeBufferPointer { weights in
            guard let source = input.baseAddress, let target = output.baseAddress,
              let values = buffer.baseAddress
            else { return }
            let pass = unsafe ForwardPass(
              plan: plan, count: count, capacity: capacity, values: values,
              weights: weights.baseAddress)
            unsafe pass.take(source + first * from.count)
            for step in plan.steps { unsafe pass.run(step) }
            unsafe pass.give(target + first * to.count)
          }
        }
      }
    }
  }
}

/// The execution of a plan.
@unsafe
private struct ForwardPass {
  let plan: InferencePlan
  let count: Int
  let capacity: Int
  let values: UnsafeMutablePointer<Float>
  /// Nil if the network has no weights.
  let weights: UnsafePointer<Float>?

  func run(_ step: InferencePlan.Step) {
    switch step {
    case .product(let product): unsafe run(product)
    case .winograd(let convolution): unsafe run(convolution)
    case .maxPool(let input, let rows, let output): unsafe maxPool(input, rows, output)
    case .globalAveragePool(let input, let output): unsafe globalAveragePool(input, output)
    case .scaled(let input, let start, let output): unsafe scale(input, start, output)
    case .rectified(let input, let output):
      unsafe eachRow(input, output) { x, y, count in
        // NaN propagates.
        for i in 0..<count { unsafe y[i] = x[i] < 0 ? 0 : x[i] }
      }
    case .sum(let one, let other, let output):
      unsafe eachRow(one, output) { x, y, count in unsafe y.update(from: x, count: count) }
      unsafe eachRow(other, output) { x, y, count in
        for i in 0..<count { unsafe y[i] += x[i] }
      }
    case .unit(let input, let least, let output): unsafe normalize(input, least, output)
    case .part(let input, let output, let channel): unsafe place(input, output, channel)
    }
  }

  // MARK: In and out

  func take(_ source: UnsafePointer<Float>) {
    let frame = unsafe plan.frames[0]
    unsafe eachRow(0) { row, target in
      unsafe target.update(from: source + row * frame.rowCount, count: frame.rowCount)
    }
  }

  func give(_ target: UnsafeMutablePointer<Float>) {
    let frame = unsafe plan.frames[plan.output]
    unsafe eachRow(plan.output) { row, source in
      unsafe (target + row * frame.rowCount).update(from: source, count: frame.rowCount)
    }
  }

  // MARK: Steps with vectors

  private func run(_ product: InferencePlan.Product) {
    guard let weights = unsafe weights else { return }
    if unsafe plan.weights.backend == .blas { return unsafe multiply(product, weights) }
    let output = unsafe plan.frames[product.output]
    var call = unsafe drawml_convolution()
    unsafe call.channels = output.channels
    unsafe call.first = patches(product.first, product.isDense)
    if let second = product.second { unsafe call.second = patches(second, product.isDense) }
    if let addend = product.addend { unsafe call.addend = pixels(addend) }
    unsafe call.output = pixels(product.output)
    unsafe call.weights = weights + product.weights.weights
    unsafe call.bias = weights + product.weights.bias
    unsafe call.rectifies = product.rectifies ? 1 : 0
    if product.isDense {
      // Treats the examples as the pixels of one row.
      unsafe (call.examples, call.height, call.width) = (1, 1, count)
      unsafe call.output.pixel = output.exampleStep
    } else {
      unsafe (call.examples, call.height, call.width) = (count, output.height, output.width)
    }
    unsafe plan.weights.backend.loops.convolve(&call)
  }

  /// A product by BLAS: for each example, the matrix of patches times the weights.
  private func multiply(_ product: InferencePlan.Product, _ weights: UnsafePointer<Float>) {
    let (pixels, together) = unsafe (plan.pixels(product), plan.pixelsTogether(product))
    for example in unsafe 0..<count {
      for first in stride(from: 0, to: pixels, by: together) {
        unsafe multiply(product, weights, example, first..<min(pixels, first + together))
      }
    }
  }

  /// The same for some pixels of an example.
  private func multiply(
    _ product: InferencePlan.Product, _ weights: UnsafePointer<Float>, _ example: Int,
    _ range: Range<Int>
  ) {
    let output = unsafe plan.frames[product.output]
    let (channels, pixels) = (output.channels, range.count)
    let sums = unsafe values + plan.size * capacity
    let rows = unsafe sums + pixels * channels
    for pixel in 0..<pixels {
      unsafe (sums + pixel * channels).update(
        from: weights + product.weights.bias, count: channels)
    }
    var matrix = unsafe weights + product.weights.weights
    for operand in [product.first, product.second].compactMap(\.self) {
      let patches = unsafe patches(operand, product.isDense)
      let patch = unsafe plan.patchCount(operand)
      guard let first = unsafe patches.values else { return }
      for (pixel, place) in range.enumerated() {
        let (y, x) = (place / output.width, place % output.width)
        let corner =
          unsafe first + example * patches.example + y * patches.row + x * patches.pixel
        for row in unsafe 0..<patches.kernel_rows {
          unsafe (rows + pixel * patch + row * patches.run).update(
            from: corner + row * patches.row, count: patches.run)
        }
      }
      unsafe BLAS.multiply(
        rows, patch, false, matrix, channels, false, m: pixels, n: channels, k: patch,
        adding: true, into: sums)
      unsafe matrix += patch * channels
    }
    for (pixel, place) in range.enumerated() {
      let (y, x) = (place / output.width, place % output.width)
      let sum = unsafe sums + pixel * channels
      if let addend = product.addend {
        let frame = unsafe plan.frames[addend]
        let other =
          unsafe start(addend) + example * frame.exampleStep + y * frame.rowStep + x * channels
        for i in 0..<channels { unsafe sum[i] += other[i] }
      }
      if product.rectifies { for i in 0..<channels where unsafe sum[i] < 0 { unsafe sum[i] = 0 } }
      let target = example * output.exampleStep + y * output.rowStep + x * channels
      unsafe (start(product.output) + target).update(from: sum, count: channels)
    }
  }

  private func patches(
    _ operand: InferencePlan.Product.Operand, _ isDense: Bool
  ) -> drawml_patches {
    let frame = unsafe plan.frames[operand.frame]
    let above = isDense ? 0 : operand.kernelRows / 2
    let before = isDense ? 0 : operand.kernelColumns / 2
    return unsafe drawml_patches(
      values: start(operand.frame) - above * frame.rowStep - before * frame.channels,
      example: frame.exampleStep, row: frame.rowStep,
      pixel: isDense ? frame.exampleStep : frame.channels,
      kernel_rows: operand.kernelRows, run: operand.kernelColumns * frame.channels)
  }

  private func run(_ step: InferencePlan.Winograd) {
    guard let weights = unsafe weights else { return }
    let (tiling, output) = unsafe (step.tiling, plan.frames[step.output])
    // Rounds of nearly equal size.
    let rounds = unsafe (count + tiling.examplesPerRound - 1) / tiling.examplesPerRound
    var call = unsafe drawml_winograd()
    unsafe (call.examples, call.height, call.width) = (count, output.height, output.width)
    unsafe (call.inputs, call.channels) = (tiling.inputs, tiling.channels)
    unsafe (call.kernel_rows, call.kernel_columns) = (tiling.kernelRows, tiling.kernelColumns)
    unsafe (call.rows, call.columns) = (tiling.rows, tiling.columns)
    unsafe call.weights = weights + step.weights.weights
    unsafe call.bias = weights + step.weights.bias
    unsafe call.input = pixels(step.input)
    if let addend = step.addend { unsafe call.addend = pixels(addend) }
    unsafe call.output = pixels(step.output)
    unsafe call.rectifies = step.rectifies ? 1 : 0
    unsafe call.examples_per_round = (count + rounds - 1) / rounds
    unsafe call.scratch = values + plan.size * capacity
    unsafe plan.weights.backend.loops.convolve_winograd(&call)
  }

  private func maxPool(_ input: Int, _ rows: Int, _ output: Int) {
    let frame = unsafe plan.frames[output]
    var call = unsafe drawml_max_pool(
      examples: count, height: frame.height, width: frame.width, channels: frame.channels,
      rows: rows, input: pixels(input), output: pixels(output))
    unsafe plan.weights.backend.loops.pool(&call)
  }

  private func pixels(_ number: Int) -> drawml_pixels {
    let frame = unsafe plan.frames[number]
    return unsafe drawml_pixels(
      values: start(number), example: frame.exampleStep, row: frame.rowStep,
      pixel: frame.channels)
  }

  // MARK: Other steps

  private func globalAveragePool(_ input: Int, _ output: Int) {
    let frame = unsafe plan.frames[input]
    let share = 1 / Float(frame.height * frame.width)
    for example in unsafe 0..<count {
      let target = unsafe start(output) + example * plan.frames[output].exampleStep
      for channel in 0..<frame.channels { unsafe target[channel] = 0 }
      for row in 0..<frame.height {
        let source = unsafe start(input) + example * frame.exampleStep + row * frame.rowStep
        for pixel in 0..<frame.width {
          for channel in 0..<frame.channels {
            unsafe target[channel] += source[pixel * frame.channels + channel]
          }
        }
      }
      for channel in 0..<frame.channels { unsafe target[channel] *= share }
    }
  }

  private func scale(_ input: Int, _ first: Int, _ output: Int) {
    guard let weights = unsafe weights else { return }
    let channels = unsafe plan.frames[input].channels
    let (factors, shifts) = unsafe (weights + first, weights + first + channels)
    unsafe eachRow(input, output) { x, y, count in
      for pixel in stride(from: 0, to: count, by: channels) {
        for channel in 0..<channels {
          unsafe y[pixel + channel] = x[pixel + channel] * factors[channel] + shifts[channel]
        }
      }
    }
  }

  private func normalize(_ input: Int, _ least: Float, _ output: Int) {
    let (from, to) = unsafe (plan.frames[input], plan.frames[output])
    for example in unsafe 0..<count {
      let source = unsafe start(input) + example * from.exampleStep
      let target = unsafe start(output) + example * to.exampleStep
      var sum = 0.0
      for row in 0..<from.height {
        for index in 0..<from.rowCount {
          let value = unsafe Double(source[row * from.rowStep + index])
          sum += value * value
        }
      }
      let factor = 1 / max(Float(sum.squareRoot()), least)
      for row in 0..<from.height {
        for index in 0..<from.rowCount {
          unsafe target[row * to.rowStep + index] = source[row * from.rowStep + index] * factor
        }
      }
    }
  }

  private func place(_ input: Int, _ output: Int, _ channel: Int) {
    let (from, to) = unsafe (plan.frames[input], plan.frames[output])
    for example in unsafe 0..<count {
      unsafe (start(output) + example * to.exampleStep + channel).update(
        from: start(input) + example * from.exampleStep, count: from.channels)
    }
  }

  // MARK: Places

  /// The first value inside the margin of a frame's first example.
  private func start(_ number: Int) -> UnsafeMutablePointer<Float> {
    unsafe values + plan.frames[number].start * capacity + plan.frames[number].inside
  }

  private func eachRow(_ number: Int, _ body: (Int, UnsafeMutablePointer<Float>) -> Void) {
    let frame = unsafe plan.frames[number]
    for example in unsafe 0..<count {
      for row in 0..<frame.height {
        unsafe body(
          example * frame.height + row,
          start(number) + example * frame.exampleStep + row * frame.rowStep)
      }
    }
  }

  private func eachRow(
    _ input: Int, _ output: Int,
    _ body: (UnsafePointer<Float>, UnsafeMutablePointer<Float>, Int) -> Void
  ) {
    let (from, to) = unsafe (plan.frames[input], plan.frames[output])
    unsafe eachRow(input) { number, source in
      let (example, row) = (number / from.height, number % from.height)
      unsafe body(
        UnsafePointer(source), start(output) + example * to.exampleStep + row * to.rowStep,
        from.rowCount)
    }
  }
}
