/// The sum of two branches: body(x) + shortcut(x), where a shortcut without layers is x itself
/// (He et al. 2016, doi:10.1109/CVPR.2016.90).
public struct Residual: RunnableLayer {
  static let kind = "residual"

  /// The layers that learn what to add.
  public var body: [any Layer]
  /// Empty, or layers that bring x to the shape of the body's output, such as a 1 × 1 convolution.
  public var shortcut: [any Layer]

  /// A residual layer.
  public init(body: [any Layer], shortcut: [any Layer] = []) {
    self.body = body
    self.shortcut = shortcut
  }

  private enum Key: String, CodingKey { case body, shortcut }

  /// Reads a stored layer.
  ///
  /// - Throws: `NetworkError.unknownLayer` when a newer version wrote it, or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    body = try container.decode([StoredLayer].self, forKey: .body).map(\.layer)
    shortcut = try container.decode([StoredLayer].self, forKey: .shortcut).map(\.layer)
  }

  /// Stores the layer.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(body.map { StoredLayer($0) }, forKey: .body)
    try container.encode(shortcut.map { StoredLayer($0) }, forKey: .shortcut)
  }

  /// Whether both compute the same.
  public static func == (one: Residual, other: Residual) -> Bool {
    Chain.equal(one.body, other.body) && Chain.equal(one.shortcut, other.shortcut)
  }

  func outputShape(for input: [Int]) throws(NetworkError) -> [Int] {
    guard !body.isEmpty else {
      throw .badHyperparameter(layer: "a residual layer", name: "body", value: "no layers")
    }
    let shapes = (
      try Chain.outputShape(body, for: input), try Chain.outputShape(shortcut, for: input)
    )
    guard shapes.0 == shapes.1 else {
      throw .branchesDiffer(body: shapes.0, shortcut: shapes.1)
    }
    return shapes.0
  }

  func parameters(for input: [Int]) throws(NetworkError) -> [ParameterSlot] {
    let (first, second) = (
      try Chain.parameters(body, for: input), try Chain.parameters(shortcut, for: input)
    )
    return first.map { Self.named("body", $0) } + second.map { Self.named("shortcut", $0) }
  }

  func statistics(for input: [Int]) throws(NetworkError) -> [StatisticSlot] {
    let (first, second) = (
      try Chain.statistics(body, for: input), try Chain.statistics(shortcut, for: input)
    )
    return first.map { Self.named("body", $0) } + second.map { Self.named("shortcut", $0) }
  }

  private static func named(_ branch: String, _ slot: ParameterSlot) -> ParameterSlot {
    var slot = slot
    slot.name = "\(branch).\(slot.name)"
    return slot
  }

  private static func named(_ branch: String, _ slot: StatisticSlot) -> StatisticSlot {
    var slot = slot
    slot.name = "\(branch).\(slot.name)"
    return slot
  }

  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError) {
    let needsGradient = state.needsInputGradient
    state.inner = [
      try Chain.states(
        body, for: state.inputShape, needsInputGradient: needsGradient, plan: &plan),
      try Chain.states(
        shortcut, for: state.inputShape, needsInputGradient: needsGradient, plan: &plan),
    ]
  }

  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass) {
    Chain.forward(body, input, &state.inner[0], &pass)
    Chain.forward(shortcut, input, &state.inner[1], &pass)
    let first = state.inner[0].last?.output ?? input
    let second = state.inner[1].last?.output ?? input
    guard state.level == .plain else {
      Kernels.add(
        state.level, first, second, count: pass.count * state.outputSize, into: &state.output)
      return
    }
    Kernels.add(first, second, count: pass.count * state.outputSize, into: &state.output)
  }

  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass
  ) {
    // Buffers change places on the way back, so all of them must be as long as the longest.
    if state.saved.count != gradient.count {
      state.saved = [Float](repeating: 0, count: gradient.count)
    }
    Kernels.copy(gradient, count: pass.count * state.outputSize, into: &state.saved)
    Chain.backward(body, input, &gradient, &state.inner[0], &pass)
    var branch: [Float] = []
    swap(&branch, &state.saved)
    Chain.backward(shortcut, input, &branch, &state.inner[1], &pass)
    let count = pass.count * state.inputSize
    if state.needsInputGradient, state.level > .plain {
      Kernels.accumulate(state.level, branch, count: count, into: &gradient)
    } else if state.needsInputGradient {
      Kernels.accumulate(branch, count: count, into: &gradient)
    }
    swap(&branch, &state.saved)
  }
}
