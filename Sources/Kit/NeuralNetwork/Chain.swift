extension Network {
  /// The maximum number of layers of a network, nested ones included.
  public static let mostLayers = 1024
}

/// The maximum nesting depth of layers.
private let deepest = 8
/// The maximum number of values in a layer's input or output for one example: 16 MB.
private let mostValues = 1 << 22

extension Layer {
  /// The chains of layers within the layer.
  fileprivate var inner: [[Layer]] {
    switch self {
    case .residual(let layer): [layer.body, layer.shortcut]
    case .branches(let layer): layer.chains
    case .convolution, .batchNormalization, .relu, .maxPool, .globalAveragePool, .dense, .dropout,
      .l2Normalize, .cosineClassifier:
      []
    }
  }

  /// The number of layers that hold no others.
  fileprivate var simpleLayers: Int {
    let chains = inner
    return chains.isEmpty ? 1 : chains.joined().reduce(0) { $0 + $1.simpleLayers }
  }
}

extension Network.Architecture {
  /// The number of layers, counting those within others instead of the others.
  public var layerCount: Int { layers.reduce(0) { $0 + $1.simpleLayers } }
}

/// A sequence of layers, as in a network or a branch of a residual layer.
extension [Layer] {
  /// - Throws: `NetworkError.tooLarge` for more layers than a stored architecture may have.
  func checkCount() throws(NetworkError) {
    _ = try layerCount(depth: 1)
  }

  /// The number of layers, nested ones included.
  private func layerCount(depth: Int) throws(NetworkError) -> Int {
    guard depth <= deepest else { throw .tooLarge("layers within layers", limit: deepest) }
    var total = count
    for layer in self {
      for chain in layer.inner { total += try 1 + chain.layerCount(depth: depth + 1) }
    }
    guard total <= Network.mostLayers else {
      throw .tooLarge("layers", limit: Network.mostLayers)
    }
    return total
  }

  /// Throws for shapes that no picture needs: a stored architecture may claim any size, so this is
  /// checked before anything is allocated.
  private func checkSize(_ shape: [Int]) throws(NetworkError) {
    var total = 1
    for length in shape {
      let (product, overflow) = total.multipliedReportingOverflow(by: length)
      guard length > 0, !overflow, product <= mostValues else {
        throw .unsuitableInput(
          layer: "a network", shape: shape,
          needs: "lengths above 0 and at most \(mostValues) values")
      }
      total = product
    }
  }

  /// The layout of the layers for inputs of shape `input`.
  func layout(for input: [Int]) throws(NetworkError) -> LayerLayout {
    try checkSize(input)
    var whole = LayerLayout(outputShape: input)
    for (index, layer) in enumerated() {
      let layout = try layer.runnable.layout(for: whole.outputShape)
      try checkSize(layout.outputShape)
      whole.append(layout, named: "\(index)")
      whole.outputShape = layout.outputShape
    }
    return whole
  }

  func states(
    for input: [Int], needsInputGradient: Bool, plan: inout LayerPlan
  ) throws(NetworkError) -> [LayerState] {
    var states: [LayerState] = []
    var shape = input
    var needsGradient = needsInputGradient
    for layer in self {
      let layer = layer.runnable
      let layout = try layer.layout(for: shape)
      var state = LayerState()
      state.inputShape = shape
      state.outputShape = layout.outputShape
      state.parameterBase = plan.parameterBase
      state.statisticBase = plan.statisticBase
      state.ordinal = plan.ordinal
      state.needsInputGradient = needsGradient
      state.backend = plan.backend
      state.output = [Float](repeating: 0, count: plan.capacity * state.outputSize)
      plan.ordinal += 1
      plan.widest = Swift.max(plan.widest, state.inputSize, state.outputSize)
      try layer.prepare(&state, plan: &plan)
      // A layer with nested layers has prepared those itself, from the same bases.
      plan.parameterBase = state.parameterBase + layout.parameterCount
      plan.statisticBase = state.statisticBase + layout.statisticCount
      needsGradient = needsGradient || !layout.parameters.isEmpty
      shape = state.outputShape
      states.append(state)
    }
    LayerGroup.form(self, &states, &plan)
    return states
  }

  func forward(_ input: [Float], _ states: inout [LayerState], _ pass: inout Pass) {
    var index = 0
    while index < count {
      let current = index == 0 ? input : states[index - 1].output
      if let group = states[index].group {
        group.forward(at: index, current, &states, &pass)
        index += group.length
      } else {
        self[index].runnable.forward(current, &states[index], &pass)
        index += 1
      }
    }
  }

  /// Leaves `gradient` unchanged if nothing before the chain needs one and the first layer skips
  /// it.
  func backward(
    _ input: [Float], _ gradient: inout [Float], _ states: inout [LayerState], _ pass: inout Pass
  ) {
    var end = count
    while end > 0 {
      let index = end - 1 - states[end - 1].grouped
      let current = index == 0 ? input : states[index - 1].output
      if let group = states[index].group {
        group.backward(at: index, current, &gradient, &states, &pass)
      } else {
        self[index].runnable.backward(current, &gradient, &states[index], &pass)
      }
      end = index
    }
  }
}
