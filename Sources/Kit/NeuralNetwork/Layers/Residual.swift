/// The sum of two branches: body(x) + shortcut(x), where a shortcut without layers is x itself
/// (He et al. 2016, doi:10.1109/CVPR.2016.90).
public struct Residual: RunnableLayer {
  /// The layers of the residual function.
  public var body: [Layer]
  /// Empty for the identity, or layers that map x to the shape of the body's output, such as a 1 ×
  /// 1 convolution.
  public var shortcut: [Layer]

  func layout(for input: [Int]) throws(NetworkError) -> LayerLayout {
    guard !body.isEmpty else {
      throw .badHyperparameter(layer: "a residual layer", name: "body", value: "no layers")
    }
    let layouts = (try body.layout(for: input), try shortcut.layout(for: input))
    guard layouts.0.outputShape == layouts.1.outputShape else {
      throw .branchesDiffer(body: layouts.0.outputShape, shortcut: layouts.1.outputShape)
    }
    var whole = LayerLayout(outputShape: layouts.0.outputShape)
    whole.append(layouts.0, named: "body")
    whole.append(layouts.1, named: "shortcut")
    return whole
  }

  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError) {
    let needsGradient = state.needsInputGradient
    state.inner = [
      try body.states(for: state.inputShape, needsInputGradient: needsGradient, plan: &plan),
      try shortcut.states(for: state.inputShape, needsInputGradient: needsGradient, plan: &plan),
    ]
  }

  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass) {
    body.forward(input, &state.inner[0], &pass)
    shortcut.forward(input, &state.inner[1], &pass)
    let first = state.inner[0].last?.output ?? input
    let second = state.inner[1].last?.output ?? input
    Kernels.add(
      state.backend.level, first, second, count: pass.count * state.outputSize,
      into: &state.output)
  }

  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass
  ) {
    // Buffers are swapped in the backward pass, so all must be as long as the longest.
    if state.saved.count != gradient.count {
      state.saved = [Float](repeating: 0, count: gradient.count)
    }
    Kernels.copy(gradient, count: pass.count * state.outputSize, into: &state.saved)
    body.backward(input, &gradient, &state.inner[0], &pass)
    var branch: [Float] = []
    swap(&branch, &state.saved)
    shortcut.backward(input, &branch, &state.inner[1], &pass)
    let count = pass.count * state.inputSize
    if state.needsInputGradient {
      Kernels.accumulate(state.backend.level, branch, count: count, into: &gradient)
    }
    swap(&branch, &state.saved)
  }
}
