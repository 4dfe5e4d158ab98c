/// A network prepared for inference: batch normalizations folded, weights packed for this
/// processor's kernels, and layers fused where possible.
///
/// An example's result is bit-identical whatever the rest of the batch: the order of each sum
/// depends only on the layers.
public struct PreparedNetwork: Sendable {
  let plan: InferencePlan
  /// The number of values in one input example.
  public let inputSize: Int
  /// The number of values in one output example.
  public let outputSize: Int

  /// Prepares `network`. This takes milliseconds, so do it once.
  public init(_ network: Network) {
    self.init(network, backend: .forUse)
  }

  init(_ network: Network, backend: Backend) {
    let folded = network.folded()
    plan = InferencePlan(folded, backend: backend)
    isFinite = Self.areFinite(folded.parameters) && Self.areFinite(folded.statistics)
    (inputSize, outputSize) = (network.inputSize, network.outputSize)
  }

  /// Whether all weights are finite after folding batch normalizations; a negative variance makes
  /// some non-finite.
  public let isFinite: Bool

  /// The number of values in working buffers per example, 4 bytes each.
  public var workingValues: Int { plan.size }

  private static func areFinite(_ values: [Float]) -> Bool {
    // Bit patterns of magnitudes are ordered like the magnitudes, and an integer maximum
    // vectorizes.
    var largest: UInt32 = 0
    for value in values { largest = max(largest, value.magnitude.bitPattern) }
    return largest < Float.infinity.bitPattern
  }

  /// Runs the network into the caller's buffer; it does not allocate.
  ///
  /// - Parameters:
  ///   - input: Examples, row-major [count, input shape].
  ///   - count: The number of examples.
  ///   - output: Row-major [count, output shape].
  ///   - workspace: Buffers made for this network, or for one of the same architecture.
  public func predict(
    _ input: Span<Float>, count: Int, into output: inout MutableSpan<Float>,
    workspace: inout InferenceWorkspace
  ) {
    precondition(workspace.frames == plan.frames, "the workspace is of another architecture")
    precondition(
      input.count >= count * inputSize, "\(count) examples of \(inputSize), got \(input.count)")
    precondition(
      output.count >= count * outputSize, "\(count) results of \(outputSize), got \(output.count)")
    let capacity = workspace.capacity
    for first in stride(from: 0, to: count, by: capacity) {
      let examples = min(capacity, count - first)
      Kernels.forward(
        plan, input, from: first, count: examples, into: &output, capacity: capacity,
        buffer: &workspace.values)
    }
  }
}

/// Buffers for running a prepared network, reused from call to call.
public struct InferenceWorkspace: Sendable {
  /// The default number of examples per pass: enough to reuse weights while they are in the cache,
  /// few enough that the examples stay in it too.
  public static let chunk = 2

  let frames: [Frame]
  var values: [Float]

  /// The number of examples per pass.
  public let capacity: Int

  /// Buffers for `network`.
  ///
  /// - Parameters:
  ///   - network: The network to run.
  ///   - capacity: The number of examples per pass, at least 1; memory grows with it.
  public init(for network: PreparedNetwork, capacity: Int = Self.chunk) {
    precondition(capacity >= 1, "a workspace is for one example or more, got \(capacity)")
    self.capacity = capacity
    frames = network.plan.frames
    values = [Float](repeating: 0, count: network.plan.bufferCount(capacity: capacity))
  }
}

extension Network {
  /// Runs the network in inference mode.
  ///
  /// Every call prepares the network again; a `PreparedNetwork` does that once.
  ///
  /// - Parameter batch: Examples, shape [examples] followed by the input shape.
  /// - Returns: Shape [examples] followed by the output shape.
  public func callAsFunction(_ batch: Tensor) -> Tensor {
    precondition(
      Array(batch.shape.dropFirst()) == inputShape,
      "the network takes [examples] + \(inputShape), got \(batch.shape)")
    let prepared = PreparedNetwork(self)
    var workspace = InferenceWorkspace(for: prepared)
    var output = Tensor(shape: [batch.shape[0]] + outputShape)
    var values = output.values
    var span = values.mutableSpan
    prepared.predict(batch.values.span, count: batch.shape[0], into: &span, workspace: &workspace)
    output.values = values
    return output
  }
}
