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

  /// The results of some examples.
  private struct Tally: Sendable {
    var result = TrainingLoss.Result()
    /// Each class's examples, and how many of them are right.
    var classes: [Int: (count: Int, correct: Int)] = [:]

    /// Adds the result of one example of a class, or of none.
    mutating func add(_ other: TrainingLoss.Result, of label: Int?) {
      result.add(other)
      guard let label else { return }
      let old = classes[label] ?? (0, 0)
      classes[label] = (old.count + 1, old.correct + other.correct)
    }

    mutating func add(_ other: Tally) {
      result.add(other.result)
      classes.merge(other.classes) { ($0.count + $1.count, $0.correct + $1.correct) }
    }

    var macroRecall: Double? {
      guard Set(classes.values.map(\.count)).count > 1 else { return nil }
      // In order, so that the sum is reproducible to the bit.
      let rates = classes.sorted { $0.key < $1.key }.map {
        Double($0.value.correct) / Double($0.value.count)
      }
      return rates.reduce(0, +) / Double(rates.count)
    }
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
    var results = [Tally](repeating: Tally(), count: chunks)
    try await concurrently(chunks, threads: threads) { number in
      var workspace = workspaces.take() ?? InferenceWorkspace(for: network)
      defer { workspaces.putBack(workspace) }
      let examples = (number * chunk)..<min((number + 1) * chunk, data.count)
      return try score(network, data, examples, &workspace)
    } then: { number, result in
      results[number] = result
    }
    // In order, so that the sum of losses is reproducible to the bit.
    var sum = Tally()
    for result in results { sum.add(result) }
    return Score(
      loss: sum.result.loss / Double(data.count),
      accuracy: Double(sum.result.correct) / Double(max(1, sum.result.labeled)),
      macroRecall: sum.macroRecall)
  }

  private func score(
    _ network: PreparedNetwork, _ data: any TrainingData, _ examples: Range<Int>,
    _ workspace: inout InferenceWorkspace
  ) throws -> Tally {
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
    var tally = Tally()
    var gradient = [Float](repeating: 0, count: outputSize)
    for (row, label) in labels.enumerated() {
      let target = targets[(row * data.targetSize)..<((row + 1) * data.targetSize)]
      tally.add(
        TrainingLoss()(
          Array(output[(row * outputSize)..<((row + 1) * outputSize)]), width: outputSize,
          targets: Array(target), targetSize: data.targetSize, labels: [label],
          gradient: &gradient), of: label)
    }
    return tally
  }
}
