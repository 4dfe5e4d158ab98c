internal import CKernels

// What a training step spends its time on, in the processor's widest vectors: calls of `CKernels`. Each entry checks
// lengths once. The plain twins are the functions of the same names without a level.

extension PatchGeometry {
  /// The same for `CKernels`.
  fileprivate var wide: drawml_convolution {
    drawml_convolution(
      height: height, width: width, inputs: inputChannels, outputs: outputChannels,
      rows: kernel.rows, columns: kernel.columns)
  }

  /// The room for pictures with a margin of zeros.
  var paddedCount: Int { drawml_padded_count(wide) }

  /// The room for weights in panels.
  func packedCount(_ level: VectorLevel) -> Int {
    drawml_packed_count(level.rawValue, patch, outputChannels)
  }

  /// Whether rectifier and 2 × 2 maximum behind the convolution can be one with it.
  func pools(needsInputGradient: Bool) -> Bool { drawml_pools(wide, needsInputGradient ? 1 : 0) != 0 }

  /// The room that such a convolution needs besides its padded pictures.
  var poolCount: Int { drawml_pool_count(wide) }

  /// The values of one example behind the maximum.
  var pooledCount: Int { (height / 2) * (width / 2) * outputChannels }
}

extension Kernels {
  /// Pointers to some values from `start`, of which there must be `count`.
  @inline(__always)
  private static func read(
    _ values: [Float], from start: Int = 0, _ count: Int,
    _ body: (UnsafePointer<Float>) -> Void
  ) {
    precondition(start >= 0 && values.count - start >= count, "\(count) values to read")
    unsafe values.withUnsafeBufferPointer {
      guard let base = $0.baseAddress else { return }
      unsafe body(base + start)
    }
  }

  @inline(__always)
  private static func write(
    _ values: inout [Float], at start: Int = 0, _ count: Int,
    _ body: (UnsafeMutablePointer<Float>) -> Void
  ) {
    precondition(start >= 0 && values.count - start >= count, "\(count) values to write")
    unsafe values.withUnsafeMutableBufferPointer {
      guard let base = $0.baseAddress else { return }
      unsafe body(base + start)
    }
  }

  // MARK: Convolution

  static func convolve(
    _ level: VectorLevel, _ input: [Float], _ g: PatchGeometry, count: Int, weights: [Float],
    at start: Int, biasAt: Int?, padded: inout [Float], panels: inout [Float],
    into output: inout [Float]
  ) {
    unsafe write(&panels, g.packedCount(level)) { panels in
      unsafe read(weights, from: start, g.weightCount) { w in
        unsafe drawml_pack_weights(level.rawValue, w, g.patch, g.outputChannels, panels)
      }
      unsafe write(&padded, g.paddedCount) { padded in
        unsafe read(weights, from: biasAt ?? 0, g.outputChannels) { bias in
          unsafe map(
            input, count * g.pixels * g.inputChannels, &output, count * g.pixels * g.outputChannels
          ) { x, y in
            unsafe drawml_convolve(
              level.rawValue, x, count, g.wide, panels, biasAt == nil ? nil : bias, padded, y)
          }
        }
      }
    }
  }

  /// The gradient by the input of the convolution `g`.
  static func convolveBack(
    _ level: VectorLevel, _ gradient: [Float], _ g: PatchGeometry, count: Int, weights: [Float],
    at start: Int, padded: inout [Float], panels: inout [Float], into output: inout [Float]
  ) {
    unsafe write(&panels, g.reversed.packedCount(level)) { panels in
      unsafe read(weights, from: start, g.weightCount) { w in
        unsafe drawml_pack_turned_weights(level.rawValue, w, g.wide, panels)
      }
      unsafe write(&padded, g.reversed.paddedCount) { padded in
        unsafe map(
          gradient, count * g.pixels * g.outputChannels, &output, count * g.pixels * g.inputChannels
        ) { x, y in
          unsafe drawml_convolve(
            level.rawValue, x, count, g.reversed.wide, panels, nil, padded, y)
        }
      }
    }
  }

  static func addWeightGradient(
    _ level: VectorLevel, _ input: [Float], _ g: PatchGeometry, count: Int,
    outputGradient: [Float], padded: inout [Float], into gradient: inout [Float], at start: Int
  ) {
    unsafe write(&padded, g.paddedCount) { padded in
      unsafe read(outputGradient, count * g.pixels * g.outputChannels) { slopes in
        unsafe map(
          input, count * g.pixels * g.inputChannels, &gradient, at: start, g.weightCount
        ) { x, y in
          unsafe drawml_add_weight_gradient(
            level.rawValue, x, count, g.wide, slopes, padded, y)
        }
      }
    }
  }

  // MARK: Convolution, rectifier and maximum

  static func convolveAndPool(
    _ level: VectorLevel, _ input: [Float], _ g: PatchGeometry, count: Int, weights: [Float],
    at start: Int, biasAt: Int, padded: inout [Float], panels: inout [Float],
    into output: inout [Float], marks: inout [UInt8]
  ) {
    precondition(marks.count >= count * g.pooledCount, "a mark for each maximum")
    let packed = g.packedCount(level)
    unsafe write(&panels, packed + g.poolCount) { panels in
      unsafe read(weights, from: start, g.weightCount) { w in
        unsafe drawml_pack_weights(level.rawValue, w, g.patch, g.outputChannels, panels)
      }
      unsafe write(&padded, g.paddedCount) { padded in
        unsafe read(weights, from: biasAt, g.outputChannels) { bias in
          unsafe map(
            input, count * g.pixels * g.inputChannels, &output, count * g.pooledCount
          ) { x, y in
            unsafe marks.withUnsafeMutableBufferPointer {
              unsafe drawml_convolve_pool(
                level.rawValue, x, count, g.wide, panels, bias, padded, panels + packed, y,
                $0.baseAddress)
            }
          }
        }
      }
    }
  }

  /// Adds the gradients by weights and bias, which follow each other, and writes that by the input if it is wanted.
  static func poolBack(
    _ level: VectorLevel, _ input: [Float], _ g: PatchGeometry, count: Int, weights: [Float],
    at start: Int, outputGradient: [Float], marks: [UInt8], wantsInputGradient: Bool,
    padded: inout [Float], room: inout [Float], into gradient: inout [Float],
    inputGradient: inout [Float]
  ) {
    precondition(marks.count >= count * g.pooledCount, "a mark for each maximum")
    precondition(
      g.pools(needsInputGradient: wantsInputGradient), "a convolution that is one with its maximum")
    let inputCount = count * g.pixels * g.inputChannels
    unsafe write(&room, g.poolCount) { room in
      unsafe write(&padded, g.paddedCount) { padded in
        unsafe read(outputGradient, count * g.pooledCount) { slopes in
          unsafe read(weights, from: start, g.weightCount) { w in
            unsafe read(input, inputCount) { x in
              unsafe write(&gradient, at: start, g.weightCount + g.outputChannels) { y in
                unsafe write(&inputGradient, wantsInputGradient ? inputCount : 0) { back in
                  unsafe marks.withUnsafeBufferPointer {
                    unsafe drawml_convolve_pool_gradient(
                      level.rawValue, x, count, g.wide, w, slopes, $0.baseAddress, padded, room, y,
                      y + g.weightCount, wantsInputGradient ? back : nil)
                  }
                }
              }
            }
          }
        }
      }
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
        unsafe drawml_max_pool(
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
        unsafe drawml_spread_to_marks(
          level.rawValue, x, $0.baseAddress, count, g.height, g.width, g.channels,
          g.rows == 2 ? 1 : 0, y)
      }
    }
  }

  // MARK: Rows and columns

  /// The sums over rows of g and of g · x, for each column, into `sums` one after the other; g counts as 0 where
  /// `output` is not above 0.
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
              unsafe drawml_column_sums(
                level.rawValue, g, x, $0, rows, columns, plain, plain + columns)
            }
          } else {
            unsafe drawml_column_sums(
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
          unsafe drawml_scale_and_shift(
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
            unsafe drawml_combine(
              level.rawValue, g, x, $0, rows, columns, a, a + columns, a + 2 * columns)
          }
        } else {
          unsafe drawml_combine(
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
      unsafe drawml_add_column_sums(level.rawValue, x, rows, columns, y)
    }
  }

  // MARK: Any shape

  static func rectify(
    _ level: VectorLevel, _ input: [Float], count: Int, into output: inout [Float]
  ) {
    unsafe map(input, count, &output, count) { x, y in
      unsafe drawml_rectify(level.rawValue, x, count, y)
    }
  }

  static func maskNegative(
    _ level: VectorLevel, _ gradient: inout [Float], by output: [Float], count: Int
  ) {
    unsafe map(output, count, &gradient, count) { x, y in
      unsafe drawml_mask_negative(level.rawValue, y, x, count)
    }
  }

  static func accumulate(
    _ level: VectorLevel, _ input: [Float], count: Int, into output: inout [Float]
  ) {
    unsafe map(input, count, &output, count) { x, y in
      unsafe drawml_accumulate(level.rawValue, x, count, y)
    }
  }

  static func add(
    _ level: VectorLevel, _ one: [Float], _ other: [Float], count: Int, into output: inout [Float]
  ) {
    unsafe read(other, count) { second in
      unsafe map(one, count, &output, count) { x, y in
        unsafe drawml_add(level.rawValue, x, second, count, y)
      }
    }
  }
}
