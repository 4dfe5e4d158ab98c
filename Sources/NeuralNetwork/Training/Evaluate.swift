internal import Support

extension Network {
  /// The loss and accuracy of a network on some examples.
  public struct Score: Sendable, Equatable {
    /// The mean cross-entropy, without label smoothing.
    public var loss: Double
    /// The share of labeled examples whose own class has the highest score, in 0...1.
    public var accuracy: Double
  }

  /// Runs all examples of `data`, which must not be empty; the result does not depend on `threads`.
  ///
  /// - Throws: Any error of `data`, or `CancellationError`.
  public func evaluate(on data: any TrainingData, threads: Int = 1) async throws -> Score {
    precondition(data.count > 0, "a score needs examples")
    let network = PreparedNetwork(self)
    let chunk = 64
    let chunks = (data.count + chunk - 1) / chunk
    let workspaces = Pool<InferenceWorkspace>()
    var results = [TrainingLoss.Result](repeating: .init(), count: chunks)
    try await concurrently(chunks, threads: threads) { number in
      var workspace = workspaces.take() ?? InferenceWorkspace(for: network)
      defer { workspaces.putBack(workspace) }
      let examples = (number * chunk)..<min((number + 1) * chunk, data.count)
      return try score(network, data, examples, &workspace)
    } then: { number, result in
      results[number] = result
    }
    // In order, so that the sum of losses is reproducible to the bit.
    var sum = TrainingLoss.Result()
    for result in results { sum.add(result) }
    return Score(
      loss: sum.loss / Double(data.count),
      accuracy: Double(sum.correct) / Double(max(1, sum.labeled)))
  }

  private func score(
    _ network: PreparedNetwork, _ data: any TrainingData, _ examples: Range<Int>,
    _ workspace: inout InferenceWorkspace
  ) throws -> TrainingLoss.Result {
    var (input, labels, targets): ([Float], [Int?], [Float]) = ([], [], [])
    input.reserveCapacity(examples.count * inputSize)
    for index in examples {
      var example = [Float](repeating: 0, count: inputSize)
      var target = [Float](repeating: 0, count: data.targetSize)
      var generator = SeededGenerator(seed: 0, stream: 3, index)
      labels.append(
        try data.fill(
          &example, &target, with: index, classes: outputSize - data.targetSize, of: "validation",
          using: &generator))
      input += example
      targets += target
    }
    var output = [Float](repeating: 0, count: examples.count * outputSize)
    var span = output.mutableSpan
    network.predict(input.span, count: examples.count, into: &span, workspace: &workspace)
    var gradient = output
    return TrainingLoss()(
      output, width: outputSize, targets: targets, targetSize: data.targetSize, labels: labels,
      gradient: &gradient)
  }
}
