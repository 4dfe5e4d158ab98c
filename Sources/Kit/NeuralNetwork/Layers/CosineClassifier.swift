/// Scores each class by the cosine between the input and the class's vector, times a scale
/// (Gidaris and Komodakis 2018, doi:10.1109/CVPR.2018.00459).
///
/// Input [features] of unit length, output [classes]; weights [classes, features], whose rows are
/// normalized to unit length before use, and the scale [1] if it is learned.
public struct CosineClassifier: RunnableLayer {
  /// The number of classes.
  public var classes: Int
  /// The scale, or its initial value if it is learned; above 0.
  public var scale: Float
  /// Whether the scale is learned.
  public var learnsScale: Bool

  func layout(for input: [Int]) throws(NetworkError) -> LayerLayout {
    guard input.count == 1 else {
      throw .unsuitableInput(layer: "a cosine classifier", shape: input, needs: "[features]")
    }
    guard classes > 0, classes <= 1 << 20 else {
      throw .badHyperparameter(
        layer: "a cosine classifier", name: "classes", value: "\(classes)")
    }
    guard scale > 0, scale.isFinite else {
      throw .badHyperparameter(layer: "a cosine classifier", name: "scale", value: "\(scale)")
    }
    let features = input[0]
    var layout = LayerLayout(outputShape: [classes])
    layout.products = [2 * Double(features * classes)]
    // A row's length does not change the output, so decay would only change the step size.
    layout.parameters = [
      ParameterSlot(
        name: "weight", shape: [classes, features],
        initial: .normal(deviation: (1 / Double(features)).squareRoot()), decays: false)
    ]
    if learnsScale {
      layout.parameters.append(
        ParameterSlot(name: "scale", shape: [1], initial: .constant(scale), decays: false))
    }
    return layout
  }

  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError) {
    // The class vectors' norms, then the unit class vectors, then their gradient.
    let size = classes * state.inputSize
    state.saved = [Float](repeating: 0, count: classes)
    plan.scratch = max(plan.scratch, size)
    plan.secondScratch = max(plan.secondScratch, size)
  }

  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass) {
    let features = state.inputSize
    Kernels.normalizeRows(
      pass.parameters, at: state.parameterBase, rows: classes, columns: features,
      epsilon: Self.epsilon, into: &pass.scratch, norms: &state.saved)
    let units = pass.scratch
    BLAS.multiply(
      .init(input, columns: features), .init(units, columns: features, transposed: true),
      m: pass.count, n: classes, k: features, scale: currentScale(state, pass), adding: false,
      into: &state.output)
  }

  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass
  ) {
    let features = state.inputSize
    let scale = currentScale(state, pass)
    if learnsScale {
      let product = Kernels.dot(gradient, state.output, count: pass.count * classes)
      pass.gradient[state.parameterBase + classes * features] += product / scale
    }
    Kernels.normalizeRows(
      pass.parameters, at: state.parameterBase, rows: classes, columns: features,
      epsilon: Self.epsilon, into: &pass.scratch, norms: &state.saved)
    let units = pass.scratch
    BLAS.multiply(
      .init(gradient, columns: classes, transposed: true), .init(input, columns: features),
      m: classes, n: features, k: pass.count, scale: scale, adding: false, into: &pass.secondScratch
    )
    Kernels.denormalizeGradient(
      &pass.secondScratch, unit: units, norms: state.saved, rows: classes, columns: features,
      epsilon: Self.epsilon)
    Kernels.accumulate(
      state.backend.level, pass.secondScratch, count: classes * features, into: &pass.gradient,
      at: state.parameterBase)
    guard state.needsInputGradient else { return }
    BLAS.multiply(
      .init(gradient, columns: classes), .init(units, columns: features),
      m: pass.count, n: features, k: classes, scale: scale, adding: false, into: &pass.spare)
    swap(&gradient, &pass.spare)
  }

  static let epsilon: Float = 1e-12

  private func currentScale(_ state: LayerState, _ pass: Pass) -> Float {
    learnsScale ? pass.parameters[state.parameterBase + classes * state.inputSize] : scale
  }
}
