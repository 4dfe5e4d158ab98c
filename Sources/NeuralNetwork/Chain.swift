/// Layers one after the other: what a network and the branches of a residual layer have in common.
enum Chain {
  /// - Throws: `NetworkError.unknownLayer` when the layer is not one of this module's.
  static func runnable(_ layer: any Layer) throws(NetworkError) -> any RunnableLayer {
    guard let layer = layer as? any RunnableLayer else {
      throw .unknownLayer("\(type(of: layer))")
    }
    return layer
  }

  private static func unchecked(_ layer: any Layer) -> any RunnableLayer {
    guard let layer = layer as? any RunnableLayer else {
      preconditionFailure("a network was made with the foreign layer \(type(of: layer))")
    }
    return layer
  }

  static func outputShape(
    _ layers: [any Layer], for input: [Int]
  ) throws(NetworkError) -> [Int] {
    var shape = input
    for layer in layers {
      shape = try runnable(layer).outputShape(for: shape)
      try checkSize(shape)
    }
    return shape
  }

  /// The most layers of a network, those within others included.
  static let mostLayers = 1024
  /// Layers within layers.
  private static let deepest = 8

  /// How many layers there are, those within others included.
  ///
  /// - Throws: `NetworkError.tooLarge` for more than a stored architecture may have.
  static func count(_ layers: [any Layer], depth: Int = 1) throws(NetworkError) -> Int {
    guard depth <= deepest else { throw .tooLarge("layers within layers", limit: deepest) }
    var total = layers.count
    for layer in layers {
      let inner: [[any Layer]] =
        switch layer {
        case let layer as Residual: [layer.body, layer.shortcut]
        case let layer as Branches: layer.chains
        default: []
        }
      for chain in inner { total += try 1 + count(chain, depth: depth + 1) }
    }
    guard total <= mostLayers else { throw .tooLarge("layers", limit: mostLayers) }
    return total
  }

  /// The most values that a layer takes or gives for one example: 16 MB.
  static let mostValues = 1 << 22

  /// A stored architecture may claim any size: what no picture needs is refused before it is
  /// allocated.
  static func checkSize(_ shape: [Int]) throws(NetworkError) {
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

  static func parameters(
    _ layers: [any Layer], for input: [Int]
  ) throws(NetworkError) -> [ParameterSlot] {
    var shape = input
    var slots: [ParameterSlot] = []
    for (index, layer) in layers.enumerated() {
      for var slot in try runnable(layer).parameters(for: shape) {
        slot.name = "\(index).\(slot.name)"
        slots.append(slot)
      }
      shape = try runnable(layer).outputShape(for: shape)
    }
    return slots
  }

  static func statistics(
    _ layers: [any Layer], for input: [Int]
  ) throws(NetworkError) -> [StatisticSlot] {
    var shape = input
    var slots: [StatisticSlot] = []
    for (index, layer) in layers.enumerated() {
      for var slot in try runnable(layer).statistics(for: shape) {
        slot.name = "\(index).\(slot.name)"
        slots.append(slot)
      }
      shape = try runnable(layer).outputShape(for: shape)
    }
    return slots
  }

  static func states(
    _ layers: [any Layer], for input: [Int], needsInputGradient: Bool, plan: inout LayerPlan
  ) throws(NetworkError) -> [LayerState] {
    var states: [LayerState] = []
    var shape = input
    var needsGradient = needsInputGradient
    for layer in layers {
      var state = LayerState()
      state.inputShape = shape
      state.outputShape = try runnable(layer).outputShape(for: shape)
      state.parameterBase = plan.parameterBase
      state.statisticBase = plan.statisticBase
      state.ordinal = plan.ordinal
      state.needsInputGradient = needsGradient
      if plan.isTraining { state.level = plan.level }
      state.output = [Float](repeating: 0, count: plan.capacity * state.outputSize)
      plan.ordinal += 1
      plan.widest = max(plan.widest, state.inputSize, state.outputSize)
      try runnable(layer).prepare(&state, plan: &plan)
      let parameters = try runnable(layer).parameters(for: shape)
      // A layer with others inside has laid those out itself, from the same bases.
      plan.parameterBase = state.parameterBase + parameters.reduce(0) { $0 + $1.count }
      plan.statisticBase =
        state.statisticBase
        + (try runnable(layer).statistics(for: shape)).reduce(0) { $0 + $1.count }
      needsGradient = needsGradient || !parameters.isEmpty
      shape = state.outputShape
      states.append(state)
    }
    LayerGroup.form(layers, &states, &plan)
    return states
  }

  static func forward(
    _ layers: [any Layer], _ input: [Float], _ states: inout [LayerState], _ pass: inout Pass
  ) {
    var index = 0
    while index < layers.count {
      let current = index == 0 ? input : states[index - 1].output
      if let group = states[index].group {
        group.forward(layers, at: index, current, &states, &pass)
        index += group.length
      } else {
        unchecked(layers[index]).forward(current, &states[index], &pass)
        index += 1
      }
    }
  }

  /// Leaves `gradient` as it is when nothing before the chain wants one and its first layer skips
  /// it.
  static func backward(
    _ layers: [any Layer], _ input: [Float], _ gradient: inout [Float],
    _ states: inout [LayerState], _ pass: inout Pass
  ) {
    var end = layers.count
    while end > 0 {
      let index = end - 1 - states[end - 1].grouped
      let current = index == 0 ? input : states[index - 1].output
      if let group = states[index].group {
        group.backward(layers, at: index, current, &gradient, &states, &pass)
      } else {
        unchecked(layers[index]).backward(current, &gradient, &states[index], &pass)
      }
      end = index
    }
  }

  static func equal(_ one: [any Layer], _ other: [any Layer]) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { $0.equals($1) }
  }
}

extension Layer {
  /// Whether both are of one kind and have the same hyper-parameters.
  fileprivate func equals(_ other: any Layer) -> Bool {
    (other as? Self) == self
  }
}
