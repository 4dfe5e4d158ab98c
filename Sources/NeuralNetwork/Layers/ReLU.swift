/// max(x, 0), for any shape. The slope at 0 is taken as 0.
public struct ReLU: RunnableLayer {
  static let kind = "relu"

  /// A rectifier.
  public init() {}

  func outputShape(for input: [Int]) throws(NetworkError) -> [Int] { input }

  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass) {
    guard state.level == .plain else {
      Kernels.rectify(
        state.level, input, count: pass.count * state.inputSize, into: &state.output)
      return
    }
    Kernels.rectify(input, count: pass.count * state.inputSize, into: &state.output)
  }

  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass
  ) {
    guard state.level == .plain else {
      Kernels.maskNegative(
        state.level, &gradient, by: state.output, count: pass.count * state.inputSize)
      return
    }
    Kernels.maskNegative(&gradient, by: state.output, count: pass.count * state.inputSize)
  }
}
