/// Several chains of layers on the same input, with concatenated outputs.
///
/// Any input that the first layers of the chains accept; each chain outputs [values], and the
/// output is their concatenation, [values of the first + values of the second + …].
public struct Branches: RunnableLayer {
  /// The chains in the order of their outputs; a chain without layers is the identity.
  public var chains: [[Layer]]

  func layout(for input: [Int]) throws(NetworkError) -> LayerLayout {
    guard !chains.isEmpty else {
      throw .badHyperparameter(layer: "branches", name: "chains", value: "none")
    }
    var whole = LayerLayout(outputShape: [0])
    for (number, chain) in chains.enumerated() {
      let layout = try chain.layout(for: input)
      guard layout.outputShape.count == 1 else {
        throw .unsuitableInput(
          layer: "branches", shape: layout.outputShape, needs: "chains that each give [values]")
      }
      whole.outputShape[0] += layout.outputShape[0]
      whole.append(layout, named: "\(number)")
    }
    return whole
  }

  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError) {
    let needsGradient = state.needsInputGradient
    for chain in chains {
      state.inner.append(
        try chain.states(
          for: state.inputShape, needsInputGradient: needsGradient, plan: &plan))
    }
    plan.widest = max(plan.widest, state.inputSize, state.outputSize)
  }

  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass) {
    var start = 0
    for (number, chain) in chains.enumerated() {
      chain.forward(input, &state.inner[number], &pass)
      let output = state.inner[number].last?.output ?? input
      let width = state.inner[number].last?.outputSize ?? state.inputSize
      Kernels.copyColumns(
        output, columns: width, from: 0, into: &state.output, columns: state.outputSize, at: start,
        width: width, rows: pass.count)
      start += width
    }
  }

  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass
  ) {
    // The output is no longer needed, so its buffer holds the gradient.
    Kernels.copy(gradient, count: pass.count * state.outputSize, into: &state.output)
    // Buffers are swapped in the backward pass, so all must be as long as the longest.
    if state.saved.count != gradient.count {
      state.saved = [Float](repeating: 0, count: gradient.count)
    }
    var start = 0
    for (number, chain) in chains.enumerated() {
      let width = state.inner[number].last?.outputSize ?? state.inputSize
      var branch: [Float] = []
      // The first chain's gradient is written directly to the sum.
      if number == 0 { swap(&branch, &gradient) } else { swap(&branch, &state.saved) }
      Kernels.copyColumns(
        state.output, columns: state.outputSize, from: start, into: &branch, columns: width, at: 0,
        width: width, rows: pass.count)
      chain.backward(input, &branch, &state.inner[number], &pass)
      if number == 0 {
        swap(&branch, &gradient)
      } else {
        if state.needsInputGradient {
          Kernels.accumulate(
            state.backend.level, branch, count: pass.count * state.inputSize, into: &gradient)
        }
        swap(&branch, &state.saved)
      }
      start += width
    }
  }
}
