/// The largest of each 2 × 2 pixels, channel by channel; an odd last row or column is left out.
///
/// Input [height, width, channels], output [height / 2, width / 2, channels]. Of equal values the first
/// in reading order gets the gradient.
public struct MaxPool: RunnableLayer {
  static let kind = "maxPool"

  /// A 2 × 2 maximum.
  public init() {}

  func outputShape(for input: [Int]) throws(NetworkError) -> [Int] {
    guard input.count == 3, input[0] >= 2, input[1] >= 2 else {
      throw .unsuitableInput(
        layer: "a max-pool", shape: input, needs: "[height, width, channels] of at least 2 × 2")
    }
    return [input[0] / 2, input[1] / 2, input[2]]
  }

  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError) {
    state.choices = [UInt8](repeating: 0, count: plan.capacity * state.outputSize)
  }

  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass) {
    Kernels.maxPool(
      input, count: pass.count, height: state.inputShape[0], width: state.inputShape[1],
      channels: state.inputShape[2], into: &state.output, choices: &state.choices)
  }

  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass
  ) {
    Kernels.spreadToMaxima(
      gradient, choices: state.choices, count: pass.count, height: state.inputShape[0],
      width: state.inputShape[1], channels: state.inputShape[2], into: &pass.spare)
    swap(&gradient, &pass.spare)
  }
}

/// The mean of each channel: input [height, width, channels], output [channels].
public struct GlobalAveragePool: RunnableLayer {
  static let kind = "globalAveragePool"

  /// A mean over all pixels.
  public init() {}

  func outputShape(for input: [Int]) throws(NetworkError) -> [Int] {
    guard input.count == 3 else {
      throw .unsuitableInput(
        layer: "a global average pool", shape: input, needs: "[height, width, channels]")
    }
    return [input[2]]
  }

  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass) {
    let (pixels, channels) = (state.inputSize / state.outputSize, state.outputSize)
    Kernels.means(input, count: pass.count, rows: pixels, columns: channels, into: &state.output)
  }

  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass
  ) {
    let (pixels, channels) = (state.inputSize / state.outputSize, state.outputSize)
    Kernels.spreadMeans(
      gradient, count: pass.count, rows: pixels, columns: channels, into: &pass.spare)
    swap(&gradient, &pass.spare)
  }
}
