internal import Numbers

/// Sets values to 0 at random in training and scales up the rest (Srivastava et al. 2014, JMLR 15);
/// the identity in inference. Any shape.
public struct Dropout: RunnableLayer {
  /// The probability that a value becomes 0, in 0..<1.
  public var rate: Float

  func layout(for input: [Int]) throws(NetworkError) -> LayerLayout {
    guard rate >= 0, rate < 1 else {
      throw .badHyperparameter(layer: "a dropout", name: "rate", value: "\(rate)")
    }
    return LayerLayout(outputShape: input)
  }

  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError) {
    guard plan.isTraining else { return }
    state.saved = [Float](repeating: 0, count: plan.capacity * state.outputSize)
  }

  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass) {
    let size = state.outputSize
    guard pass.isTraining, rate > 0 else {
      for index in 0..<(pass.count * size) { state.output[index] = input[index] }
      return
    }
    let kept = 1 / (1 - rate)
    for example in 0..<pass.count {
      // Stream 2; the order of examples uses 0, augmentation 1.
      var generator = SeededGenerator(
        seed: pass.seed, stream: 2, pass.epoch, pass.examples[example], state.ordinal)
      for index in (example * size)..<((example + 1) * size) {
        let factor = generator.chance(Double(rate)) ? 0 : kept
        state.saved[index] = factor
        state.output[index] = input[index] * factor
      }
    }
  }

  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass
  ) {
    guard pass.isTraining, rate > 0 else { return }
    for index in 0..<(pass.count * state.outputSize) { gradient[index] *= state.saved[index] }
  }
}
