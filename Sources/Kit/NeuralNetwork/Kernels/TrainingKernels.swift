internal import CKernels

// The element-wise parts of a training step, by `CKernels`. Each entry point checks lengths once.

/// The sizes of max pooling over non-overlapping windows of `rows` × 2 pixels.
struct PoolGeometry {
  let height: Int
  let width: Int
  let channels: Int
  /// 1 or 2.
  let rows: Int

  var inputCount: Int { height * width * channels }
  var outputCount: Int { (height / rows) * (width / 2) * channels }
}

extension Kernels {
  // MARK: Pooling

  static func maxPool(
    _ level: VectorLevel, _ input: [Float], _ g: PoolGeometry, count: Int,
    into output: inout [Float], marks: inout [UInt8]
  ) {
    precondition(marks.count >= count * g.outputCount, "a mark for each maximum")
    unsafe map(input, count * g.inputCount, &output, count * g.outputCount) { x, y in
      unsafe marks.withUnsafeMutableBufferPointer {
        guard let marks = $0.baseAddress else { return }
        unsafe level.loops.max_pool(
          x, count, g.height, g.width, g.channels, g.rows == 2 ? 1 : 0, y, marks)
      }
    }
  }

  static func spreadToMarks(
    _ level: VectorLevel, _ gradient: [Float], marks: [UInt8], _ g: PoolGeometry, count: Int,
    into output: inout [Float]
  ) {
    precondition(marks.count >= count * g.outputCount, "a mark for each maximum")
    unsafe map(gradient, count * g.outputCount, &output, count * g.inputCount) { x, y in
      unsafe marks.withUnsafeBufferPointer {
        guard let marks = $0.baseAddress else { return }
        unsafe level.loops.spread_to_marks(
          x, marks, count, g.height, g.width, g.channels, g.rows == 2 ? 1 : 0, y)
      }
    }
  }

  // MARK: Rows and columns

  /// Writes the sums over rows of g, then of g · x, for each column, to `sums`; g counts as 0 where
  /// `output` is not above 0.
  static func columnSums(
    _ level: VectorLevel, _ g: [Float], _ x: [Float], above output: [Float]?, rows: Int,
    columns: Int, into sums: inout [Double]
  ) {
    precondition(sums.count >= 2 * columns, "two sums for each column")
    unsafe read(g, rows * columns) { g in
      unsafe read(x, rows * columns) { x in
        unsafe read(output, rows * columns) { output in
          unsafe sums.withUnsafeMutableBufferPointer { sums in
            guard let plain = sums.baseAddress else { return }
            unsafe level.loops.column_sums(
              g, x, output, rows, columns, plain, plain + columns)
          }
        }
      }
    }
  }

  /// output = input · scale + shift, column by column; with `rectifies`, negative values become 0.
  static func scaleAndShift(
    _ level: VectorLevel, _ input: [Float], rows: Int, columns: Int, coefficients: [Float],
    scaleAt: Int, shiftAt: Int, rectifies: Bool, into output: inout [Float]
  ) {
    unsafe read(coefficients, from: scaleAt, columns) { scale in
      unsafe read(coefficients, from: shiftAt, columns) { shift in
        unsafe map(input, rows * columns, &output, rows * columns) { x, y in
          unsafe level.loops.scale_and_shift(
            x, rows, columns, scale, shift, rectifies ? 1 : 0, y)
        }
      }
    }
  }

  /// gradient = gradient · a + input · b + c, column by column; a, b and c are contiguous, and the
  /// gradient counts as 0 where `output` is not above 0.
  static func combine(
    _ level: VectorLevel, _ gradient: inout [Float], _ input: [Float], above output: [Float]?,
    rows: Int, columns: Int, coefficients: [Float], at start: Int
  ) {
    unsafe read(coefficients, from: start, 3 * columns) { a in
      unsafe read(output, rows * columns) { output in
        unsafe map(input, rows * columns, &gradient, rows * columns) { x, g in
          unsafe level.loops.combine(
            g, x, output, rows, columns, a, a + columns, a + 2 * columns)
        }
      }
    }
  }

  /// Adds the sum of each column to `output`.
  static func addColumnSums(
    _ level: VectorLevel, _ input: [Float], rows: Int, columns: Int, into output: inout [Float],
    at start: Int
  ) {
    unsafe map(input, rows * columns, &output, at: start, columns) { x, y in
      unsafe level.loops.add_column_sums(x, rows, columns, y)
    }
  }

  // MARK: Any shape

  static func rectify(
    _ level: VectorLevel, _ input: [Float], count: Int, into output: inout [Float]
  ) {
    unsafe map(input, count, &output, count) { x, y in unsafe level.loops.rectify(x, count, y) }
  }

  /// gradient = 0 where `output` is not positive.
  static func maskNegative(
    _ level: VectorLevel, _ gradient: inout [Float], by output: [Float], count: Int
  ) {
    unsafe map(output, count, &gradient, count) { x, y in
      unsafe level.loops.mask_negative(y, x, count)
    }
  }

  /// output += input.
  static func accumulate(
    _ level: VectorLevel, _ input: [Float], count: Int, into output: inout [Float],
    at start: Int = 0
  ) {
    unsafe map(input, count, &output, at: start, count) { x, y in
      unsafe level.loops.accumulate(x, count, y)
    }
  }

  /// output += the values of `input` in `places`, of which `output` has as many.
  static func accumulate(
    _ level: VectorLevel, _ input: [Float], in places: Range<Int>,
    into output: inout MutableSpan<Float>
  ) {
    precondition(output.count == places.count, "\(places.count) values to add to")
    unsafe read(input, from: places.lowerBound, places.count) { x in
      unsafe output.withUnsafeMutableBufferPointer {
        guard let y = $0.baseAddress else { return }
        unsafe level.loops.accumulate(x, places.count, y)
      }
    }
  }

  /// output = one + other.
  static func add(
    _ level: VectorLevel, _ one: [Float], _ other: [Float], count: Int, into output: inout [Float]
  ) {
    unsafe read(other, count) { second in
      unsafe map(one, count, &output, count) { x, y in
        unsafe level.loops.add(x, second, count, y)
      }
    }
  }

  // MARK: All parameters

  static func zero(_ values: inout [Float]) {
    unsafe values.withUnsafeMutableBufferPointer { unsafe $0.update(repeating: 0) }
  }

  /// The sum of squares in double precision, in interleaved sums.
  static func squaredNorm(_ level: VectorLevel, _ values: [Float]) -> Double {
    var norm = 0.0
    unsafe read(values, values.count) { norm = unsafe level.loops.squared_norm($0, values.count) }
    return norm
  }

  static func scale(_ level: VectorLevel, _ values: inout [Float], by factor: Float) {
    let count = values.count
    unsafe write(&values, count) { unsafe level.loops.scale($0, count, factor) }
  }

  /// average += share · (values - average).
  static func average(
    _ level: VectorLevel, _ average: inout [Float], with values: [Float], share: Float
  ) {
    let count = average.count
    unsafe map(values, count, &average, count) { x, y in
      unsafe level.loops.average(y, x, count, share)
    }
  }

  static func stepSGD(
    _ level: VectorLevel, _ parameters: inout [Float], _ gradient: [Float],
    _ momenta: inout [Float], in range: Range<Int>, rate: Float, momentum: Float, nesterov: Bool,
    decay: Float
  ) {
    let (start, count) = (range.lowerBound, range.count)
    unsafe write(&momenta, at: start, count) { m in
      unsafe map(gradient, from: start, count, &parameters, at: start, count) { g, p in
        unsafe level.loops.step_sgd(p, g, m, count, rate, momentum, nesterov ? 1 : 0, decay)
      }
    }
  }

  static func stepAdam(
    _ level: VectorLevel, _ parameters: inout [Float], _ gradient: [Float],
    _ first: inout [Float], _ second: inout [Float], in range: Range<Int>, rate: Float,
    beta1: Float, beta2: Float, root: Float, epsilon: Float, keep: Float
  ) {
    let (start, count) = (range.lowerBound, range.count)
    unsafe write(&first, at: start, count) { m in
      unsafe write(&second, at: start, count) { v in
        unsafe map(gradient, from: start, count, &parameters, at: start, count) { g, p in
          unsafe level.loops.step_adam(
            p, g, m, v, count, rate, beta1, beta2, root, epsilon, keep)
        }
      }
    }
  }
}
