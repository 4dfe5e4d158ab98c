internal import CKernels

// Convolutions of a training step in the processor's widest vectors: calls of `CKernels`. Each
// entry checks lengths once. The plain twins are the functions of the same names without a level.

extension PatchGeometry {
  /// The same for `CKernels`.
  fileprivate var wide: drawml_train_convolution {
    drawml_train_convolution(
      height: height, width: width, inputs: inputChannels, outputs: outputChannels,
      rows: kernel.rows, columns: kernel.columns)
  }

  /// Whether the convolution is done with fewer multiplications, by Winograd's way (Lavin and Gray
  /// 2016, doi:10.1109/CVPR.2016.435).
  var isTransformed: Bool { drawml_train_transforms(wide) != 0 }

  /// The room for what goes at a time: pictures with a margin of zeros, transformed or not.
  var roomCount: Int { isTransformed ? drawml_train_winograd_room(wide) : paddedCount }

  /// The room for weights as the kernels read them.
  func panelCount(_ level: VectorLevel) -> Int {
    isTransformed ? drawml_train_winograd_count(level.rawValue, wide) : packedCount(level)
  }

  /// The room for pictures with a margin of zeros.
  var paddedCount: Int { drawml_train_padded_count(wide) }

  /// The room for weights in panels.
  func packedCount(_ level: VectorLevel) -> Int {
    drawml_train_packed_count(level.rawValue, patch, outputChannels)
  }

  /// Whether rectifier and 2 × 2 maximum behind the convolution can be one with it.
  func pools(needsInputGradient: Bool) -> Bool {
    drawml_train_pools(wide, needsInputGradient ? 1 : 0) != 0
  }

  /// The room that such a convolution needs besides its padded pictures.
  var poolCount: Int { drawml_train_pool_count(wide) }

  /// The values of one example behind the maximum.
  var pooledCount: Int { (height / 2) * (width / 2) * outputChannels }
}

extension Kernels {
  // MARK: Convolution

  static func convolve(
    _ level: VectorLevel, _ input: [Float], _ g: PatchGeometry, count: Int, weights: [Float],
    at start: Int, biasAt: Int?, room: inout [Float], panels: inout [Float],
    into output: inout [Float]
  ) {
    unsafe write(&panels, g.panelCount(level)) { panels in
      unsafe read(weights, from: start, g.weightCount) { w in
        if g.isTransformed {
          unsafe drawml_train_winograd_weights(level.rawValue, w, g.wide, 0, panels)
        } else {
          unsafe drawml_train_pack_weights(level.rawValue, w, g.patch, g.outputChannels, panels)
        }
      }
      unsafe read(weights, from: biasAt ?? 0, g.outputChannels) { bias in
        unsafe convolve(
          level, input, g, count: count, panels: panels, bias: biasAt == nil ? nil : bias,
          room: &room, into: &output)
      }
    }
  }

  /// The gradient by the input of the convolution `g`.
  static func convolveBack(
    _ level: VectorLevel, _ gradient: [Float], _ g: PatchGeometry, count: Int, weights: [Float],
    at start: Int, room: inout [Float], panels: inout [Float], into output: inout [Float]
  ) {
    let reversed = g.reversed
    unsafe write(&panels, reversed.panelCount(level)) { panels in
      unsafe read(weights, from: start, g.weightCount) { w in
        if reversed.isTransformed {
          unsafe drawml_train_winograd_weights(level.rawValue, w, g.wide, 1, panels)
        } else {
          unsafe drawml_train_pack_turned_weights(level.rawValue, w, g.wide, panels)
        }
      }
      unsafe convolve(
        level, gradient, reversed, count: count, panels: panels, bias: nil, room: &room,
        into: &output)
    }
  }

  private static func convolve(
    _ level: VectorLevel, _ input: [Float], _ g: PatchGeometry, count: Int,
    panels: UnsafePointer<Float>, bias: UnsafePointer<Float>?, room: inout [Float],
    into output: inout [Float]
  ) {
    unsafe write(&room, g.roomCount) { room in
      unsafe map(
        input, count * g.pixels * g.inputChannels, &output, count * g.pixels * g.outputChannels
      ) { x, y in
        if g.isTransformed {
          unsafe drawml_train_winograd(level.rawValue, x, count, g.wide, panels, bias, room, y)
        } else {
          unsafe drawml_train_convolve(level.rawValue, x, count, g.wide, panels, bias, room, y)
        }
      }
    }
  }

  static func addWeightGradient(
    _ level: VectorLevel, _ input: [Float], _ g: PatchGeometry, count: Int,
    outputGradient: [Float], room: inout [Float], panels: inout [Float],
    into gradient: inout [Float], at start: Int
  ) {
    unsafe write(&room, g.roomCount) { room in
      unsafe write(&panels, g.panelCount(level)) { sums in
        unsafe read(outputGradient, count * g.pixels * g.outputChannels) { slopes in
          unsafe map(
            input, count * g.pixels * g.inputChannels, &gradient, at: start, g.weightCount
          ) { x, y in
            if g.isTransformed {
              unsafe drawml_train_add_winograd_gradient(
                level.rawValue, x, count, g.wide, slopes, room, sums, y)
            } else {
              unsafe drawml_train_add_weight_gradient(
                level.rawValue, x, count, g.wide, slopes, room, y)
            }
          }
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
        unsafe drawml_train_pack_weights(level.rawValue, w, g.patch, g.outputChannels, panels)
      }
      unsafe write(&padded, g.paddedCount) { padded in
        unsafe read(weights, from: biasAt, g.outputChannels) { bias in
          unsafe map(
            input, count * g.pixels * g.inputChannels, &output, count * g.pooledCount
          ) { x, y in
            unsafe marks.withUnsafeMutableBufferPointer {
              unsafe drawml_train_convolve_pool(
                level.rawValue, x, count, g.wide, panels, bias, padded, panels + packed, y,
                $0.baseAddress)
            }
          }
        }
      }
    }
  }

  /// Adds the gradients by weights and bias, which follow each other, and writes that by the input
  /// if it is wanted.
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
                    unsafe drawml_train_convolve_pool_gradient(
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
}
