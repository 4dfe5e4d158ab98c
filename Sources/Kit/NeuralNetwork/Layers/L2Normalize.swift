/// Divides each example by its Euclidean norm: input and output [features].
///
/// An example with norm below `epsilon` is divided by `epsilon` instead, so zero stays zero.
public struct L2Normalize: RunnableLayer {
  /// The least divisor.
  public var epsilon: Float

  func layout(for input: [Int]) throws(NetworkError) -> LayerLayout {
    guard epsilon > 0, epsilon.isFinite else {
      throw .badHyperparameter(layer: "an L2 normalization", name: "epsilon", value: "\(epsilon)")
    }
    return LayerLayout(outputShape: input)
  }

  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError) {
    state.saved = [Float](repeating: 0, count: plan.capacity)
  }

  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass) {
    Kernels.normalizeRows(
      input, rows: pass.count, columns: state.inputSize, epsilon: epsilon, into: &state.output,
      norms: &state.saved)
  }

  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass
  ) {
    Kernels.denormalizeGradient(
      &gradient, unit: state.output, norms: state.saved, rows: pass.count,
      columns: state.inputSize, epsilon: epsilon)
  }
}
