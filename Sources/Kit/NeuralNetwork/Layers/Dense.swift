/// A linear map of all values: input of any shape, output [features].
///
/// Weights [input values, features], bias [features].
public struct Dense: RunnableLayer {
  /// The number of outputs.
  public var features: Int
  /// Whether a bias is added.
  public var bias: Bool

  func layout(for input: [Int]) throws(NetworkError) -> LayerLayout {
    guard features > 0, features <= 1 << 20 else {
      throw .badHyperparameter(layer: "a dense layer", name: "features", value: "\(features)")
    }
    let size = input.reduce(1, *)
    var layout = LayerLayout(outputShape: [features])
    layout.products = [2 * Double(size * features)]
    layout.parameters = [
      ParameterSlot(
        name: "weight", shape: [size, features],
        initial: .normal(deviation: (1 / Double(size)).squareRoot()), decays: true)
    ]
    if bias {
      layout.parameters.append(
        ParameterSlot(name: "bias", shape: [features], initial: .constant(0), decays: false))
    }
    return layout
  }

  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass) {
    let weightCount = state.inputSize * features
    if bias {
      Kernels.repeatRow(
        pass.parameters, at: state.parameterBase + weightCount, columns: features,
        rows: pass.count, into: &state.output)
    }
    BLAS.multiply(
      .init(input, columns: state.inputSize),
      .init(pass.parameters, at: state.parameterBase, columns: features),
      m: pass.count, n: features, k: state.inputSize, adding: bias, into: &state.output)
  }

  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass
  ) {
    let size = state.inputSize
    BLAS.multiply(
      .init(input, columns: size, transposed: true), .init(gradient, columns: features),
      m: size, n: features, k: pass.count, adding: true, into: &pass.gradient,
      at: state.parameterBase)
    if bias {
      Kernels.addColumnSums(
        state.backend.level, gradient, rows: pass.count, columns: features, into: &pass.gradient,
        at: state.parameterBase + size * features)
    }
    guard state.needsInputGradient else { return }
    BLAS.multiply(
      .init(gradient, columns: features),
      .init(pass.parameters, at: state.parameterBase, columns: features, transposed: true),
      m: pass.count, n: size, k: features, adding: false, into: &pass.spare)
    swap(&gradient, &pass.spare)
  }
}
