/// A convolution of stride 1 with zero padding, whose output is as large as its input.
///
/// Input [height, width, input channels], output [height, width, channels]; weights
/// [rows, kernel, input channels, channels], bias [channels].
public struct Convolution: RunnableLayer {
  /// The number of output channels.
  public var channels: Int
  /// The width of the kernel in pixels, odd.
  public var kernel: Int
  /// The height of the kernel in pixels, odd; nil for a square kernel. 1 suits a sequence, [1,
  /// steps, channels].
  public var rows: Int?
  /// Whether a bias is added; redundant before batch normalization.
  public var bias: Bool

  func layout(for input: [Int]) throws(NetworkError) -> LayerLayout {
    guard input.count == 3 else {
      throw .unsuitableInput(
        layer: "a convolution", shape: input, needs: "[height, width, channels]")
    }
    guard channels > 0, channels <= 1 << 16 else {
      throw .badHyperparameter(layer: "a convolution", name: "channels", value: "\(channels)")
    }
    for (name, side) in [("kernel", kernel), ("rows", rows ?? kernel)] {
      guard side > 0, side % 2 == 1, side < 32 else {
        throw .badHyperparameter(layer: "a convolution", name: name, value: "\(side)")
      }
    }
    // He et al. 2015, doi:10.1109/ICCV.2015.123.
    let rows = rows ?? kernel
    let deviation = (2 / Double(rows * kernel * input[2])).squareRoot()
    var layout = LayerLayout(outputShape: [input[0], input[1], channels])
    layout.products = [2 * Double(input.reduce(1, *) * rows * kernel * channels)]
    layout.parameters = [
      ParameterSlot(
        name: "weight", shape: [rows, kernel, input[2], channels],
        initial: .normal(deviation: deviation), decays: true)
    ]
    if bias {
      layout.parameters.append(
        ParameterSlot(name: "bias", shape: [channels], initial: .constant(0), decays: false))
    }
    return layout
  }

  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError) {
    let (patches, backend) = (geometry(state), state.backend)
    plan.scratch = max(
      plan.scratch, patches.scratchCount(backend), patches.reversed.scratchCount(backend))
    plan.secondScratch = max(
      plan.secondScratch, patches.packedCount(backend), patches.reversed.packedCount(backend))
  }

  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass) {
    let patches = geometry(state)
    Kernels.convolve(
      state.backend, input, patches, count: pass.count, weights: pass.parameters,
      at: state.parameterBase, biasAt: bias ? state.parameterBase + patches.weightCount : nil,
      room: &pass.scratch, packed: &pass.secondScratch, into: &state.output)
  }

  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass
  ) {
    let patches = geometry(state)
    Kernels.addWeightGradient(
      state.backend, input, patches, count: pass.count, outputGradient: gradient,
      room: &pass.scratch, packed: &pass.secondScratch, into: &pass.gradient,
      at: state.parameterBase)
    if bias {
      Kernels.addColumnSums(
        state.backend.level, gradient, rows: pass.count * patches.pixels, columns: channels,
        into: &pass.gradient, at: state.parameterBase + patches.weightCount)
    }
    guard state.needsInputGradient else { return }
    Kernels.convolveBack(
      state.backend, gradient, patches, count: pass.count, weights: pass.parameters,
      at: state.parameterBase, room: &pass.scratch, packed: &pass.secondScratch, into: &pass.spare)
    swap(&gradient, &pass.spare)
  }

  func geometry(_ state: LayerState) -> PatchGeometry {
    PatchGeometry(
      height: state.inputShape[0], width: state.inputShape[1], inputChannels: state.inputShape[2],
      outputChannels: channels, kernel: (rows ?? kernel, kernel))
  }
}
