internal import JSON
internal import Numbers

extension TrainingLoop {
  /// Trains `network` on `data` and validates it after every epoch.
  ///
  /// A canceled task stops with `CancellationError`; a step that is not done by then does not
  /// count.
  ///
  /// - Parameters:
  ///   - network: The initial network; its output is one score per class.
  ///   - data: The training data.
  ///   - validation: The validation data, not trained on.
  ///   - checkpoint: A checkpoint of the same training to resume from. The outcome is bit-identical
  ///     to that of an uninterrupted training.
  ///   - isolation: The caller's actor, on which `onEvent` runs.
  ///   - onEvent: Called with each event; if it throws, the training stops.
  ///   - measure: Another measure of the network after every epoch, such as few-shot accuracy; its
  ///     result goes into the summary. It must be deterministic.
  /// - Returns: The trained network and the summary of every epoch.
  /// - Throws: `NetworkError` when data or settings are unsuitable, the loss diverges, or the
  ///   checkpoint is of another training; any error of `data` or `onEvent`.
  public func fit(
    _ network: Network, to data: any TrainingData, validation: (any TrainingData)? = nil,
    resuming checkpoint: TrainingCheckpoint? = nil,
    isolation: isolated (any Actor)? = #isolation,
    onEvent: (Event) async throws -> Void = { _ in },
    measure: (@Sendable (Network) async throws -> Double)? = nil
  ) async throws -> Outcome {
    try configuration.check(network, data, validation)
    guard configuration.selection == nil || validation != nil || measure != nil else {
      throw NetworkError.unsuitableData("the best epoch can only be chosen by validation examples")
    }
    var run = TrainingRun(configuration, network, data, validation, reducer)
    try reducer.agree { try run.facts() }
    if let checkpoint {
      try checkpoint.check(
        configuration, network.architecture, data: run.dataFingerprint,
        validation: run.validationFingerprint)
      guard checkpoint.step < run.stepsPerEpoch else {
        throw NetworkError.malformedCheckpoint("is at step \(checkpoint.step) of an epoch")
      }
      run.progress = checkpoint.progress
    }
    try run.progress.broadcast(by: reducer)
    let perEpoch = run.stepsPerEpoch
    let total = perEpoch * configuration.epochs
    try await onEvent(
      .started(step: run.progress.epoch * perEpoch + run.progress.step, totalSteps: total))
    let runner = try ShardRunner(
      for: network, batchSize: min(configuration.batchSize, data.count),
      shardSize: configuration.shardSize, threads: configuration.threads, reducer: reducer)
    while run.progress.epoch < configuration.epochs {
      let order = run.order()
      while run.progress.step < perEpoch {
        try Task.checkCancellation()
        let summary = try await run.step(order, runner)
        try await onEvent(.step(summary))
        if let interval = configuration.checkpointInterval, summary.number % interval == 0,
          run.progress.step < perEpoch, reducer.isFirst
        {
          try await onEvent(.checkpoint(run.checkpoint()))
        }
      }
      let summary = try await run.finishEpoch(measure, sharedBy: reducer)
      try await onEvent(.epoch(summary))
      if reducer.isFirst { try await onEvent(.checkpoint(run.checkpoint())) }
    }
    try await onEvent(.finished)
    var result = run.result()
    // Only rank 0 knows which epoch was the best.
    try result.broadcast(by: reducer)
    return Outcome(network: result, history: run.progress.history)
  }
}

/// The state of a running training.
private struct TrainingRun {
  let configuration: TrainingLoop.Configuration
  let data: any TrainingData
  let validation: (any TrainingData)?
  /// Computed once: it may be a digest of all examples.
  let dataFingerprint: String
  let validationFingerprint: String?
  let schedule: LearningRateSchedule
  let stepsPerEpoch: Int
  /// Whether this process keeps the history and the best network.
  let isFirst: Bool
  /// The mutable state, as stored in a checkpoint. Each buffer has one reference between steps: a
  /// second one would cause a copy at every step.
  var progress: TrainingSnapshot
  private var gradient: [Float]

  init(
    _ configuration: TrainingLoop.Configuration, _ network: Network, _ data: any TrainingData,
    _ validation: (any TrainingData)?, _ reducer: any GradientReducer
  ) {
    isFirst = reducer.isFirst
    self.configuration = configuration
    self.data = data
    self.validation = validation
    dataFingerprint = data.fingerprint
    validationFingerprint = validation?.fingerprint
    stepsPerEpoch = (data.count + configuration.batchSize - 1) / configuration.batchSize
    schedule = LearningRateSchedule(
      peak: configuration.learningRate, finalShare: configuration.finalLearningRateShare,
      warmUpSteps: Int((configuration.warmUpEpochs * Double(stepsPerEpoch)).rounded()),
      totalSteps: stepsPerEpoch * configuration.epochs)
    gradient = [Float](repeating: 0, count: network.parameters.count)
    progress = TrainingSnapshot(
      network: network,
      optimizer: OptimizerState(
        configuration.optimizer, parameterCount: network.parameters.count),
      average: configuration.averagingDecay == nil ? nil : network)
  }

  /// All that determines the steps, which processes that train together must have in common.
  func facts() throws -> [(name: String, value: String)] {
    [
      ("settings", try configuration.described()),
      ("network", try jsonText(progress.network.architecture)),
      ("training drawings", dataFingerprint), ("validation drawings", validationFingerprint ?? ""),
      // Processors of different vector widths differ by rounding.
      ("kernels", "\(Backend.forTraining)"),
    ]
  }

  func order() -> [Int] {
    // Stream 0; augmentation uses 1, dropout 2.
    var generator = SeededGenerator(seed: configuration.seed, stream: 0, progress.epoch)
    return generator.permutation(data.count)
  }

  func checkpoint() -> TrainingCheckpoint {
    TrainingCheckpoint(
      configuration: configuration, dataFingerprint: dataFingerprint,
      validationFingerprint: validationFingerprint, progress: progress)
  }

  mutating func step(
    _ order: [Int], _ runner: ShardRunner
  ) async throws -> TrainingLoop.StepSummary {
    let start = progress.step * configuration.batchSize
    let batch = order[start..<min(start + configuration.batchSize, order.count)]
    try data.prepare(batch, epoch: progress.epoch, position: start)
    let number = progress.epoch * stepsPerEpoch + progress.step
    let rate = schedule.rate(at: number)
    let score = try await runner.run(
      &progress.network, batch, of: data, epoch: progress.epoch, seed: configuration.seed,
      loss: TrainingLoss(
        labelSmoothing: configuration.labelSmoothing, targetWeight: configuration.targetWeight),
      gradient: &gradient)
    let level = Backend.forTraining.level
    let norm = Kernels.squaredNorm(level, gradient).squareRoot()
    guard score.loss.isFinite, norm.isFinite else {
      throw NetworkError.diverged(epoch: progress.epoch, step: progress.step, learningRate: rate)
    }
    if let limit = configuration.gradientNormLimit, norm > Double(limit) {
      Kernels.scale(level, &gradient, by: Float(Double(limit) / norm))
    }
    configuration.optimizer.step(
      &progress.network.parameters, gradient: gradient, slots: progress.network.parameterSlots,
      learningRate: rate, &progress.optimizer)
    if let decay = configuration.averagingDecay {
      // The average decays faster at first, so that it forgets the random initialization.
      let share = 1 - min(decay, Float(1 + number) / Float(10 + number))
      progress.average?.approach(progress.network, share: share, level)
    }
    progress.step += 1
    progress.lossSum += score.loss
    progress.correct += score.correct
    progress.labeled += score.labeled
    progress.cosines += score.cosines
    progress.seen += batch.count
    return TrainingLoop.StepSummary(
      number: number + 1, totalSteps: stepsPerEpoch * configuration.epochs, epoch: progress.epoch,
      examples: batch.count, loss: score.loss / Double(batch.count),
      accuracy: score.labeled > 0 ? Double(score.correct) / Double(score.labeled) : nil,
      learningRate: rate)
  }

  mutating func finishEpoch(
    _ measure: (@Sendable (Network) async throws -> Double)?, sharedBy ranks: any Ranks
  ) async throws -> TrainingLoop.EpochSummary {
    var summary = TrainingLoop.EpochSummary(
      epoch: progress.epoch, trainingLoss: progress.lossSum / Double(progress.seen),
      trainingAccuracy: Double(progress.correct) / Double(max(1, progress.labeled)),
      learningRate: schedule.rate(at: (progress.epoch + 1) * stepsPerEpoch - 1))
    if data.targetSize > 0 { summary.targetCosine = progress.cosines / Double(progress.seen) }
    let current = try checkedResult()
    summary.measured = try await measure?(current)
    if let validation {
      let score = try await current.evaluate(
        on: validation, threads: configuration.threads, sharedBy: ranks)
      guard score.loss.isFinite else {
        throw NetworkError.diverged(
          epoch: progress.epoch, step: stepsPerEpoch - 1, learningRate: summary.learningRate)
      }
      summary.validationLoss = score.loss
      summary.validationAccuracy = score.accuracy
      summary.validationMacroRecall = score.macroRecall
    }
    progress.history.append(summary)
    if isFirst, configuration.selection == .best, progress.history.best == summary {
      progress.best = current
    }
    progress.epoch += 1
    (progress.step, progress.lossSum, progress.correct, progress.seen) = (0, 0, 0, 0)
    (progress.labeled, progress.cosines) = (0, 0)
    return summary
  }

  func result() -> Network { progress.best ?? progress.average ?? progress.network }

  /// The result so far; throws if an average is not finite.
  private func checkedResult() throws -> Network {
    guard let average = progress.average else { return progress.network }
    return try Network(
      average.architecture, parameters: average.parameters, statistics: average.statistics)
  }
}

extension TrainingSnapshot {
  /// Takes the place and the values of rank 0's training, which may have been resumed; the other
  /// ranks have no use for the history.
  fileprivate mutating func broadcast(by ranks: any Ranks) throws {
    guard ranks.rankCount > 1 else { return }
    var places = [epoch, step, optimizer.steps].map(Double.init)
    try ranks.broadcast(&places)
    (epoch, step, optimizer.steps) = (Int(places[0]), Int(places[1]), Int(places[2]))
    try network.broadcast(by: ranks)
    try average?.broadcast(by: ranks)
    try ranks.broadcast(&optimizer.first)
    try ranks.broadcast(&optimizer.second)
  }
}

extension Ranks {
  /// Replaces the values by those of rank 0, which has equally many.
  fileprivate func broadcast(_ values: inout [Float]) throws {
    guard rankCount > 1 else { return }
    var numbers = values.map(Double.init)
    try broadcast(&numbers)
    values = numbers.map { Float($0) }
  }
}

extension Network {
  /// Takes the values of rank 0's network, which has the same layers.
  fileprivate mutating func broadcast(by ranks: any Ranks) throws {
    try ranks.broadcast(&parameters)
    try ranks.broadcast(&statistics)
  }

  /// Moves the values towards those of `other`, by `share` of the distance.
  fileprivate mutating func approach(_ other: Network, share: Float, _ level: VectorLevel) {
    Kernels.average(level, &parameters, with: other.parameters, share: share)
    Kernels.average(level, &statistics, with: other.statistics, share: share)
  }
}

extension TrainingLoop.Configuration {
  /// The settings that affect the result, as JSON.
  fileprivate func described() throws -> String {
    var settings = self
    (settings.threads, settings.checkpointInterval) = (1, nil)
    return try jsonText(settings)
  }

  /// Throws for settings and data that cannot train `network`.
  fileprivate func check(
    _ network: Network, _ data: any TrainingData, _ validation: (any TrainingData)?
  ) throws(NetworkError) {
    func positive(_ name: String, _ value: Int) throws(NetworkError) {
      guard value > 0 else {
        throw .badHyperparameter(layer: "a training", name: name, value: "\(value)")
      }
    }
    func within(_ name: String, _ value: Double, _ range: Range<Double>) throws(NetworkError) {
      guard range.contains(value) else {
        throw .badHyperparameter(layer: "a training", name: name, value: "\(value)")
      }
    }
    try positive("batchSize", batchSize)
    try positive("shardSize", shardSize)
    try positive("threads", threads)
    try positive("checkpointInterval", checkpointInterval ?? 1)
    try within("epochs", Double(epochs), 0..<1e6)
    try within("learningRate", Double(learningRate), 0..<1e6)
    try within("warmUpEpochs", warmUpEpochs, 0..<1e6)
    try within("labelSmoothing", Double(labelSmoothing), 0..<1)
    try within("targetWeight", Double(targetWeight), 0..<1e6)
    try within("averagingDecay", Double(averagingDecay ?? 0), 0..<1)
    try within("weightDecay", Double(optimizer.weightDecay), 0..<1e6)
    switch optimizer.method {
    case .sgd(let momentum, _):
      try within("momentum", Double(momentum), 0..<1)
    case .adamW(let beta1, let beta2, let epsilon):
      try within("beta1", Double(beta1), 0..<1)
      try within("beta2", Double(beta2), 0..<1)
      try within("epsilon", Double(epsilon), 0..<1)
    }
    guard network.outputShape.count == 1 else {
      throw .unsuitableData(
        "the network gives shape \(network.outputShape) where one score a class is needed")
    }
    guard data.count > 0 else { throw .unsuitableData("there are no training examples") }
    for (name, set) in [("training", data), ("validation", validation ?? data)] {
      guard set.count > 0 else { throw .unsuitableData("there are no \(name) examples") }
      guard set.targetSize >= 0, set.targetSize < network.outputSize else {
        throw .unsuitableData(
          "the \(name) examples have targets of \(set.targetSize) values, the network gives "
            + "\(network.outputSize) for classes and targets together")
      }
    }
  }
}
