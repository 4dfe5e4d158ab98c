internal import CKernels

// What a training step spends its time on, in the processor's widest vectors: calls of `CKernels`.
// Each entry checks lengths once. The plain twins are the functions of the same names without a
// level.

extension Kernels {
  /// Pointers to some values from `start`, of which there must be `count`.
  @inline(__always)
  static func read(
    _ values: [Float], from start: Int = 0, _ count: Int,
    _ body: (UnsafePointer<Float>) -> Void
  ) {
    precondition(start >= 0 && values.count - start >= count, "\(count) values to read")
    unsafe values.withUnsafeBufferPointer {
      guard let base = $0.baseAddress else { preconditionFailure("values without a place") }
      unsafe body(base + start)
    }
  }

  @inline(__always)
  static func write(
    _ values: inout [Float], at start: Int = 0, _ count: Int,
    _ body: (UnsafeMutablePointer<Float>) -> Void
  ) {
    precondition(start >= 0 && values.count - start >= count, "\(count) values to write")
    unsafe values.withUnsafeMutableBufferPointer {
      guard let base = $0.baseAddress else { preconditionFailure("values without a place") }
      unsafe body(base + start)
    }
  }

  // MARK: Pooling

  static func maxPool(
    _ level: VectorLevel, _ input: [Float], _ g: PoolGeometry, count: Int,
    into output: inout [Float], marks: inout [UInt8]
  ) {
    precondition(marks.count >= count * g.outputCount, "a mark for each maximum")
    unsafe map(input, count * g.inputCount, &output, count * g.outputCount) { x, y in
      unsafe marks.withUnsafeMutableBufferPointer {
        unsafe drawml_train_max_pool(
          level.rawValue, x, count, g.height, g.width, g.channels, g.rows == 2 ? 1 : 0, y,
          $0.baseAddress)
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
        unsafe drawml_train_spread_to_marks(
          level.rawValue, x, $0.baseAddress, count, g.height, g.width, g.channels,
          g.rows == 2 ? 1 : 0, y)
      }
    }
  }

  // MARK: Rows and columns

  /// The sums over rows of g and of g · x, for each column, into `sums` one after the other; g
  /// counts as 0 where `output` is not above 0.
  static func columnSums(
    _ level: VectorLevel, _ g: [Float], _ x: [Float], above output: [Float]?, rows: Int,
    columns: Int, into sums: inout [Double]
  ) {
    precondition(sums.count >= 2 * columns, "two sums for each column")
    unsafe read(g, rows * columns) { g in
      unsafe read(x, rows * columns) { x in
        unsafe sums.withUnsafeMutableBufferPointer { sums in
          guard let plain = sums.baseAddress else { return }
          if let output {
            unsafe read(output, rows * columns) {
              unsafe drawml_train_column_sums(
                level.rawValue, g, x, $0, rows, columns, plain, plain + columns)
            }
          } else {
            unsafe drawml_train_column_sums(
              level.rawValue, g, x, nil, rows, columns, plain, plain + columns)
          }
        }
      }
    }
  }

  static func scaleAndShift(
    _ level: VectorLevel, _ input: [Float], rows: Int, columns: Int, coefficients: [Float],
    scaleAt: Int, shiftAt: Int, rectifies: Bool, into output: inout [Float]
  ) {
    unsafe read(coefficients, from: scaleAt, columns) { scale in
      unsafe read(coefficients, from: shiftAt, columns) { shift in
        unsafe map(input, rows * columns, &output, rows * columns) { x, y in
          unsafe drawml_train_scale_and_shift(
            level.rawValue, x, rows, columns, scale, shift, rectifies ? 1 : 0, y)
        }
      }
    }
  }

  /// As `combine` without a level, where the gradient counts as 0 if `output` is not above 0.
  static func combine(
    _ level: VectorLevel, _ gradient: inout [Float], _ input: [Float], above output: [Float]?,
    rows: Int, columns: Int, coefficients: [Float], at start: Int
  ) {
    unsafe read(coefficients, from: start, 3 * columns) { a in
      unsafe map(input, rows * columns, &gradient, rows * columns) { x, g in
        if let output {
          unsafe read(output, rows * columns) {
            unsafe drawml_train_combine(
              level.rawValue, g, x, $0, rows, columns, a, a + columns, a + 2 * columns)
          }
        } else {
          unsafe drawml_train_combine(
            level.rawValue, g, x, nil, rows, columns, a, a + columns, a + 2 * columns)
        }
      }
    }
  }

  static func addColumnSums(
    _ level: VectorLevel, _ input: [Float], rows: Int, columns: Int, into output: inout [Float],
    at start: Int
  ) {
    unsafe map(input, rows * columns, &output, at: start, columns) { x, y in
      unsafe drawml_train_add_column_sums(level.rawValue, x, rows, columns, y)
    }
  }

  // MARK: Any shape

  static func rectify(
    _ level: VectorLevel, _ input: [Float], count: Int, into output: inout [Float]
  ) {
    unsafe map(input, count, &output, count) { x, y in
      unsafe drawml_train_rectify(level.rawValue, x, count, y)
    }
  }

  static func maskNegative(
    _ level: VectorLevel, _ gradient: inout [Float], by output: [Float], count: Int
  ) {
    unsafe map(output, count, &gradient, count) { x, y in
      unsafe drawml_train_mask_negative(level.rawValue, y, x, count)
    }
  }

  static func accumulate(
    _ level: VectorLevel, _ input: [Float], count: Int, into output: inout [Float]
  ) {
    unsafe map(input, count, &output, count) { x, y in
      unsafe drawml_train_accumulate(level.rawValue, x, count, y)
    }
  }

  static func add(
    _ level: VectorLevel, _ one: [Float], _ other: [Float], count: Int, into output: inout [Float]
  ) {
    unsafe read(other, count) { second in
      unsafe map(one, count, &output, count) { x, y in
        unsafe drawml_train_add(level.rawValue, x, second, count, y)
      }
    }
  }
}
