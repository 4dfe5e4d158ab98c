/// A convolution of stride 1 whose output is as large as its input; what lies outside is 0.
///
/// Input [height, width, input channels], output [height, width, channels]; weights
/// [kernel, kernel, input channels, channels], bias [channels].
public struct Convolution: RunnableLayer {
  static let kind = "convolution"

  /// The number of output channels.
  public var channels: Int
  /// The side of the kernel in pixels, odd.
  public var kernel: Int
  /// Whether a bias is added; batch normalisation behind makes one useless.
  public var bias: Bool

  /// A convolution.
  public init(channels: Int, kernel: Int = 3, bias: Bool = true) {
    self.channels = channels
    self.kernel = kernel
    self.bias = bias
  }

  func outputShape(for input: [Int]) throws(NetworkError) -> [Int] {
    guard input.count == 3 else {
      throw .unsuitableInput(
        layer: "a convolution", shape: input, needs: "[height, width, channels]")
    }
    guard channels > 0, channels <= 1 << 16 else {
      throw .badHyperparameter(layer: "a convolution", name: "channels", value: "\(channels)")
    }
    guard kernel > 0, kernel % 2 == 1, kernel < 32 else {
      throw .badHyperparameter(layer: "a convolution", name: "kernel", value: "\(kernel)")
    }
    return [input[0], input[1], channels]
  }

  func parameters(for input: [Int]) throws(NetworkError) -> [ParameterSlot] {
    // He et al. 2015, doi:10.1109/ICCV.2015.123.
    let deviation = (2 / Double(kernel * kernel * input[2])).squareRoot()
    var slots = [
      ParameterSlot(
        name: "weight", shape: [kernel, kernel, input[2], channels],
        initial: .normal(deviation: deviation), decays: true)
    ]
    if bias {
      slots.append(
        ParameterSlot(name: "bias", shape: [channels], initial: .constant(0), decays: false))
    }
    return slots
  }

  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError) {
    let patches = geometry(state)
    if kernel > 1 {
      plan.scratch = max(plan.scratch, patches.columnCount)
      if plan.isTraining { plan.scratch = max(plan.scratch, patches.reversed.columnCount) }
    }
    if plan.isTraining { plan.scratch2 = max(plan.scratch2, patches.weightCount) }
  }

  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass) {
    let patches = geometry(state)
    let biasBase = state.parameterBase + patches.weightCount
    Kernels.convolve(
      input, patches, count: pass.count, weights: pass.parameters, at: state.parameterBase,
      biasAt: bias ? biasBase : nil, columns: &pass.scratch, into: &state.output)
  }

  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass
  ) {
    let patches = geometry(state)
    Kernels.addWeightGradient(
      input, patches, count: pass.count, outputGradient: gradient, columns: &pass.scratch,
      into: &pass.gradient, at: state.parameterBase)
    if bias {
      Kernels.addColumnSums(
        gradient, rows: pass.count * patches.pixels, columns: channels, into: &pass.gradient,
        at: state.parameterBase + patches.weightCount)
    }
    guard state.needsInputGradient else { return }
    // The gradient by the input is a convolution with the kernel turned by half a circle.
    Kernels.turn(pass.parameters, at: state.parameterBase, patches, into: &pass.scratch2)
    let turned = pass.scratch2
    Kernels.convolve(
      gradient, patches.reversed, count: pass.count, weights: turned, at: 0, biasAt: nil,
      columns: &pass.scratch, into: &pass.spare)
    swap(&gradient, &pass.spare)
  }

  private func geometry(_ state: LayerState) -> PatchGeometry {
    PatchGeometry(
      height: state.inputShape[0], width: state.inputShape[1], inputChannels: state.inputShape[2],
      outputChannels: channels, kernel: kernel)
  }
}
