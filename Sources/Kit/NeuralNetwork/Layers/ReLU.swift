/// max(x, 0), for any shape. The gradient at 0 is 0.
struct ReLU: RunnableLayer {
  func layout(for input: [Int]) throws(NetworkError) -> LayerLayout {
    LayerLayout(outputShape: input)
  }

  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass) {
    Kernels.rectify(
      state.backend.level, input, count: pass.count * state.inputSize, into: &state.output)
  }

  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass
  ) {
    Kernels.maskNegative(
      state.backend.level, &gradient, by: state.output, count: pass.count * state.inputSize)
  }
}
