/// Consecutive layers that are fused in training, so that their intermediate values need not be
/// kept.
///
/// They give the same results as the single layers, up to rounding. Only the vector kernels use
/// groups; BLAS runs layer by layer.
enum LayerGroup: Sendable {
  /// `Convolution` with a bias, `ReLU`, `MaxPool` of 2 × 2.
  case pooledConvolution(Convolution)
  /// `BatchNormalization`, `ReLU`.
  case rectifiedNormalization(BatchNormalization)

  /// The number of layers.
  var length: Int {
    switch self {
    case .pooledConvolution: 3
    case .rectifiedNormalization: 2
    }
  }

  /// Finds the groups among `layers` and plans their buffers.
  static func form(_ layers: [Layer], _ states: inout [LayerState], _ plan: inout LayerPlan) {
    var index = 0
    while index < layers.count {
      guard case .vector = states[index].backend, let group = group(layers, at: index, states)
      else {
        index += 1
        continue
      }
      let last = index + group.length - 1
      states[index].group = group
      states[last].grouped = group.length - 1
      // The intermediate outputs are unused.
      for inner in index..<last { states[inner].output = [] }
      if case .pooledConvolution(let convolution) = group {
        let patches = convolution.geometry(states[index])
        plan.scratch = max(plan.scratch, patches.poolScratchCount(states[index].backend))
      }
      index += group.length
    }
  }

  private static func group(
    _ layers: [Layer], at index: Int, _ states: [LayerState]
  ) -> LayerGroup? {
    guard index + 1 < layers.count, layers[index + 1] == .relu else { return nil }
    if case .batchNormalization(let layer) = layers[index] { return .rectifiedNormalization(layer) }
    guard index + 2 < layers.count, case .convolution(let convolution) = layers[index],
      convolution.bias, case .maxPool(let pool) = layers[index + 2], pool.rows ?? 2 == 2
    else { return nil }
    let state = states[index]
    let pools = convolution.geometry(state).pools(
      state.backend, needsInputGradient: state.needsInputGradient)
    return pools ? .pooledConvolution(convolution) : nil
  }

  /// As `RunnableLayer.forward`, for the group that begins at `index`.
  func forward(
    at index: Int, _ input: [Float], _ states: inout [LayerState], _ pass: inout Pass
  ) {
    var last = LayerState()
    swap(&last, &states[index + length - 1])
    defer { swap(&last, &states[index + length - 1]) }
    switch self {
    case .pooledConvolution(let convolution):
      let (start, patches) = (states[index].parameterBase, convolution.geometry(states[index]))
      Kernels.convolveAndPool(
        states[index].backend.level, input, patches, count: pass.count, weights: pass.parameters,
        at: start, biasAt: start + patches.weightCount, room: &pass.scratch,
        into: &last.output, marks: &last.marks)
    case .rectifiedNormalization(let normalization):
      normalization.forward(input, &states[index], &pass, rectifies: true, into: &last.output)
    }
  }

  /// As `RunnableLayer.backward`, for the group that begins at `index`.
  func backward(
    at index: Int, _ input: [Float], _ gradient: inout [Float], _ states: inout [LayerState],
    _ pass: inout Pass
  ) {
    switch self {
    case .pooledConvolution(let convolution):
      let state = states[index]
      Kernels.poolBack(
        state.backend.level, input, convolution.geometry(state), count: pass.count,
        weights: pass.parameters, at: state.parameterBase, outputGradient: gradient,
        marks: states[index + 2].marks, wantsInputGradient: state.needsInputGradient,
        room: &pass.scratch, into: &pass.gradient, inputGradient: &pass.spare)
      if state.needsInputGradient { swap(&gradient, &pass.spare) }
    case .rectifiedNormalization(let normalization):
      let rectified = states[index + 1].output
      normalization.backward(input, &gradient, &states[index], &pass, rectified: rectified)
    }
  }
}
