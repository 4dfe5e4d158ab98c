internal import Numbers

extension Network {
  /// The loss and accuracy of a network on some examples.
  public struct Score: Sendable, Equatable {
    /// The mean cross-entropy, without label smoothing.
    public var loss: Double
    /// The share of labeled examples whose own class has the highest score, in 0...1.
    public var accuracy: Double
    /// The mean of the classes' recalls, in 0...1; nil where all classes with examples have equally
    /// many, so that it is the accuracy.
    public var macroRecall: Double?
  }

  /// The result of one example.
  private struct Outcome: BitwiseCopyable {
    /// Its class; -1 for none.
    var label: Int
    var result: TrainingLoss.Result
  }

  /// Runs all examples of `data`, which must not be empty; the result does not depend on `threads`.
  ///
  /// - Throws: Any error of `data`, or `CancellationError`.
  public func evaluate(on data: any TrainingData, threads: Int = 1) async throws -> Score {
    try await evaluate(on: data, threads: threads, sharedBy: OneProcess())
  }

  /// Runs a part of the examples on each rank; all get the same score.
  ///
  /// - Throws: Any error of `data`, when a rank is lost, and `CancellationError`.
  func evaluate(
    on data: any TrainingData, threads: Int, sharedBy ranks: any Ranks
  ) async throws -> Score {
    precondition(data.count > 0, "a score needs examples")
    let network = PreparedNetwork(self)
    let chunk = 64
    let own = ranks.part(of: (data.count + chunk - 1) / chunk)
    let workspaces = Pool<InferenceWorkspace>()
    var results = [[Outcome]](repeating: [], count: own.count)
    try await concurrently(own.count, threads: threads) { number in
      var workspace = workspaces.take() ?? InferenceWorkspace(for: network)
      defer { workspaces.putBack(workspace) }
      let start = (own.lowerBound + number) * chunk
      return try run(network, data, start..<min(start + chunk, data.count), &workspace)
    } then: { number, result in
      results[number] = result
    }
    let outcomes = try ranks.allGather(Array(results.joined()))
    var sum = TrainingLoss.Result()
    // In the same order always, so that the sum of losses is reproducible to the bit.
    for start in stride(from: 0, to: outcomes.count, by: chunk) {
      var part = TrainingLoss.Result()
      for outcome in outcomes[start...].prefix(chunk) { part.add(outcome.result) }
      sum.add(part)
    }
    return Score(
      loss: sum.loss / Double(data.count),
      accuracy: Double(sum.correct) / Double(max(1, sum.labeled)),
      macroRecall: Self.macroRecall(outcomes))
  }

  private static func macroRecall(_ outcomes: [Outcome]) -> Double? {
    let classes = Dictionary(grouping: outcomes.filter { $0.label >= 0 }, by: \.label)
    guard Set(classes.values.map(\.count)).count > 1 else { return nil }
    // In order, so that the sum is reproducible to the bit.
    let rates = classes.sorted { $0.key < $1.key }.map { _, outcomes in
      Double(outcomes.reduce(0) { $0 + $1.result.correct }) / Double(outcomes.count)
    }
    return rates.reduce(0, +) / Double(rates.count)
  }

  private func run(
    _ network: PreparedNetwork, _ data: any TrainingData, _ examples: Range<Int>,
    _ workspace: inout InferenceWorkspace
  ) throws -> [Outcome] {
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
    var gradient = [Float](repeating: 0, count: outputSize)
    return labels.enumerated().map { row, label in
      let target = targets[(row * data.targetSize)..<((row + 1) * data.targetSize)]
      return Outcome(
        label: label ?? -1,
        result: TrainingLoss()(
          Array(output[(row * outputSize)..<((row + 1) * outputSize)]), width: outputSize,
          targets: Array(target), targetSize: data.targetSize, labels: [label],
          gradient: &gradient))
    }
  }
}
