/// Max pooling over 2 × 2 (or 1 × 2) pixels, per channel; an odd last row or column is dropped.
///
/// Input [height, width, channels], output [height / rows, width / 2, channels]. Among equal
/// values, the first in reading order gets the gradient.
public struct MaxPool: RunnableLayer {
  /// The height of the window; nil for 2. 1 suits a sequence, [1, steps, channels].
  public var rows: Int?

  func layout(for input: [Int]) throws(NetworkError) -> LayerLayout {
    let rows = rows ?? 2
    guard rows == 1 || rows == 2 else {
      throw .badHyperparameter(layer: "a max-pool", name: "rows", value: "\(rows)")
    }
    guard input.count == 3, input[0] >= rows, input[1] >= 2 else {
      throw .unsuitableInput(
        layer: "a max-pool", shape: input,
        needs: "[height, width, channels] of at least \(rows) × 2")
    }
    return LayerLayout(outputShape: [input[0] / rows, input[1] / 2, input[2]])
  }

  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError) {
    state.marks = [UInt8](repeating: 0, count: plan.capacity * state.outputSize)
  }

  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass) {
    Kernels.maxPool(
      state.backend.level, input, geometry(state), count: pass.count, into: &state.output,
      marks: &state.marks)
  }

  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass
  ) {
    Kernels.spreadToMarks(
      state.backend.level, gradient, marks: state.marks, geometry(state), count: pass.count,
      into: &pass.spare)
    swap(&gradient, &pass.spare)
  }

  private func geometry(_ state: LayerState) -> PoolGeometry {
    PoolGeometry(
      height: state.inputShape[0], width: state.inputShape[1], channels: state.inputShape[2],
      rows: rows ?? 2)
  }
}

/// The mean of each channel: input [height, width, channels], output [channels].
struct GlobalAveragePool: RunnableLayer {
  func layout(for input: [Int]) throws(NetworkError) -> LayerLayout {
    guard input.count == 3 else {
      throw .unsuitableInput(
        layer: "a global average pool", shape: input, needs: "[height, width, channels]")
    }
    return LayerLayout(outputShape: [input[2]])
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
