/// Several chains of layers on the same input, and what they give one after the other.
///
/// Any input that the first layers of the chains take; each chain gives [values], and the output is
/// all of them, [values of the first + values of the second + …].
public struct Branches: RunnableLayer {
  static let kind = "branches"

  /// The chains in the order of their outputs; a chain without layers gives the input itself.
  public var chains: [[any Layer]]

  /// Chains side by side.
  public init(_ chains: [[any Layer]]) {
    self.chains = chains
  }

  private enum Key: String, CodingKey { case chains }

  /// Reads a stored layer.
  ///
  /// - Throws: `NetworkError.unknownLayer` when a newer version wrote it, or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    chains = try container.decode([[StoredLayer]].self, forKey: .chains).map { $0.map(\.layer) }
  }

  /// Stores the layer.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(chains.map { $0.map { StoredLayer($0) } }, forKey: .chains)
  }

  /// Whether both compute the same.
  public static func == (one: Branches, other: Branches) -> Bool {
    one.chains.count == other.chains.count
      && zip(one.chains, other.chains).allSatisfy { Chain.equal($0, $1) }
  }

  func outputShape(for input: [Int]) throws(NetworkError) -> [Int] {
    guard !chains.isEmpty else {
      throw .badHyperparameter(layer: "branches", name: "chains", value: "none")
    }
    var total = 0
    for chain in chains {
      let shape = try Chain.outputShape(chain, for: input)
      guard shape.count == 1 else {
        throw .unsuitableInput(
          layer: "branches", shape: shape, needs: "chains that each give [values]")
      }
      total += shape[0]
    }
    return [total]
  }

  func parameters(for input: [Int]) throws(NetworkError) -> [ParameterSlot] {
    var slots: [ParameterSlot] = []
    for (number, chain) in chains.enumerated() {
      for var slot in try Chain.parameters(chain, for: input) {
        slot.name = "\(number).\(slot.name)"
        slots.append(slot)
      }
    }
    return slots
  }

  func statistics(for input: [Int]) throws(NetworkError) -> [StatisticSlot] {
    var slots: [StatisticSlot] = []
    for (number, chain) in chains.enumerated() {
      for var slot in try Chain.statistics(chain, for: input) {
        slot.name = "\(number).\(slot.name)"
        slots.append(slot)
      }
    }
    return slots
  }

  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError) {
    let needsGradient = state.needsInputGradient
    for chain in chains {
      state.inner.append(
        try Chain.states(
          chain, for: state.inputShape, needsInputGradient: needsGradient, plan: &plan))
    }
    plan.widest = max(plan.widest, state.inputSize, state.outputSize)
  }

  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass) {
    var start = 0
    for (number, chain) in chains.enumerated() {
      Chain.forward(chain, input, &state.inner[number], &pass)
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
    // Whoever wanted the output has read it by now: the gradient waits in its place.
    Kernels.copy(gradient, count: pass.count * state.outputSize, into: &state.output)
    // Buffers change places on the way back, so all of them must be as long as the longest.
    if state.saved.count != gradient.count {
      state.saved = [Float](repeating: 0, count: gradient.count)
    }
    var start = 0
    for (number, chain) in chains.enumerated() {
      let width = state.inner[number].last?.outputSize ?? state.inputSize
      var branch: [Float] = []
      // The first chain leaves its gradient where the sum is to be.
      if number == 0 { swap(&branch, &gradient) } else { swap(&branch, &state.saved) }
      Kernels.copyColumns(
        state.output, columns: state.outputSize, from: start, into: &branch, columns: width, at: 0,
        width: width, rows: pass.count)
      Chain.backward(chain, input, &branch, &state.inner[number], &pass)
      if number == 0 {
        swap(&branch, &gradient)
      } else {
        if state.needsInputGradient {
          Kernels.accumulate(branch, count: pass.count * state.inputSize, into: &gradient)
        }
        swap(&branch, &state.saved)
      }
      start += width
    }
  }
}
