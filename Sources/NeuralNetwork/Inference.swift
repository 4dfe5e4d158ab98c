/// Buffers for running a network forward, reused from call to call.
///
/// It fits networks of the architecture that it was made for.
public struct InferenceWorkspace: Sendable {
  /// Examples that go through the layers together.
  public static let chunk = 16

  let architecture: Network.Architecture
  var states: [LayerState]
  var pass: Pass
  var input: [Float]

  /// How many examples go through the layers together.
  let capacity: Int

  /// Buffers for `network`.
  ///
  /// - Parameters:
  ///   - network: The network to run.
  ///   - capacity: How many examples go through the layers together, at least 1; memory grows with it.
  public init(for network: Network, capacity: Int = Self.chunk) {
    precondition(capacity >= 1, "a workspace is for one example or more, got \(capacity)")
    architecture = network.architecture
    self.capacity = capacity
    (states, pass) = network.prepare(capacity: capacity, isTraining: false)
    input = [Float](repeating: 0, count: capacity * network.inputSize)
  }
}

extension Network {
  /// Lays the layers out for passes of at most `capacity` examples.
  func prepare(capacity: Int, isTraining: Bool) -> ([LayerState], Pass) {
    var plan = LayerPlan(capacity: capacity, isTraining: isTraining)
    do throws(NetworkError) {
      let states = try Chain.states(
        architecture.layers, for: inputShape, needsInputGradient: false, plan: &plan)
      var pass = Pass()
      pass.isTraining = isTraining
      pass.scratch = [Float](repeating: 0, count: plan.scratch)
      pass.scratch2 = [Float](repeating: 0, count: plan.scratch2)
      if isTraining {
        pass.spare = [Float](repeating: 0, count: capacity * plan.widest)
        pass.gradient = [Float](repeating: 0, count: parameters.count)
        pass.statistics = statistics
      }
      return (states, pass)
    } catch {
      preconditionFailure("a sound network cannot be laid out: \(error)")
    }
  }

  /// Runs the network as it is used after training.
  ///
  /// - Parameter batch: Examples, shape [examples] followed by the input shape.
  /// - Returns: Shape [examples] followed by the output shape.
  public func callAsFunction(_ batch: Tensor) -> Tensor {
    precondition(
      Array(batch.shape.dropFirst()) == inputShape,
      "the network takes [examples] + \(inputShape), got \(batch.shape)")
    let count = batch.shape[0]
    var output = Tensor(shape: [count] + outputShape)
    var workspace = InferenceWorkspace(for: self)
    var values = output.values
    var span = values.mutableSpan
    predict(batch.values.span, count: count, into: &span, workspace: &workspace)
    output.values = values
    return output
  }

  /// Runs the network as it is used after training, into the caller's buffer.
  ///
  /// Examples go through in chunks of the workspace's capacity, so an example's result does not depend on the
  /// others beyond the rounding of sums.
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
    precondition(
      workspace.architecture == architecture, "the workspace is of another architecture")
    precondition(
      input.count >= count * inputSize, "\(count) examples of \(inputSize), got \(input.count)")
    precondition(
      output.count >= count * outputSize, "\(count) results of \(outputSize), got \(output.count)")
    workspace.pass.parameters = parameters
    workspace.pass.statistics = statistics
    for first in stride(from: 0, to: count, by: workspace.capacity) {
      let examples = min(workspace.capacity, count - first)
      for index in 0..<(examples * inputSize) {
        workspace.input[index] = input[first * inputSize + index]
      }
      workspace.pass.count = examples
      Chain.forward(
        architecture.layers, workspace.input, &workspace.states, &workspace.pass)
      let result = workspace.states.last?.output ?? workspace.input
      for index in 0..<(examples * outputSize) {
        output[first * outputSize + index] = result[index]
      }
    }
    workspace.pass.parameters = []
    workspace.pass.statistics = []
  }
}
