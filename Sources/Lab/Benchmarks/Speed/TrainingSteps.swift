internal import Ink
internal import JSON
internal import NeuralNetwork
internal import Numbers
internal import Recognition

extension SpeedInputs {
  /// One training step: forward pass, backward pass and optimizer.
  func trainingSteps() throws -> [SpeedStep] {
    let optimizers: [(String, Optimizer)] = [
      ("sgd", .sgd(momentum: 0.9)), ("adamw", .adamW(weightDecay: 0.05)),
    ]
    let references = optimizers.map { name, optimizer in
      SpeedStep(
        name: "train-reference-\(name)",
        title: "a training step of the reference network, batch 128", unit: "images",
        threads: threads,
        prepare: { try self.prepareTraining(try self.referenceTraining(), by: optimizer) })
    }
    let recognizer = try blankRecognizer()
    let members = recognizer.embedding.members.indices.map { index in
      SpeedStep(
        name: "train-embedding-\(index + 1)",
        title: "a training step of the embedding's network \(index + 1)", unit: "images",
        threads: threads,
        prepare: {
          try self.prepareTraining(
            try self.embeddingTraining(index), by: .adamW(weightDecay: 0.05))
        })
    }
    return references + members
  }

  /// The number of classes of the trained networks, as in Quick, Draw!.
  private static let classes = 345

  /// A network with its training data and batch sizes.
  private struct Training {
    var network: Network
    var data: RepeatedExamples
    var batchSize: Int
    var shardSize: Int
  }

  /// Three convolutions of 3 × 3 with 16, 32 and 64 channels, each with a rectifier and 2 × 2 max
  /// pooling; then a dense layer of 128 and one score per class: a common small network for
  /// comparison.
  private func referenceTraining() throws -> Training {
    var generator = SeededGenerator(seed: seed, stream: 3)
    var layers: [Layer] = []
    for channels in [16, 32, 64] {
      layers += [.convolution(channels: channels), .relu, .maxPool()]
    }
    layers += [.dense(features: 128), .relu, .dense(features: Self.classes)]
    let network = try Network(
      Network.Architecture(inputShape: [28, 28, 1], layers: layers), using: &generator)
    return Training(
      network: network, data: try examples(seenAs: .picture(Self.plainPicture)), batchSize: 128,
      shardSize: 64)
  }

  private static let plainPicture = EmbeddingRecipe.standard.view.rasterizer

  /// A network of the embedding followed by a classifier, with the batch sizes of its recipe.
  private func embeddingTraining(_ index: Int) throws -> Training {
    let recognizer = try blankRecognizer()
    let member = recognizer.embedding.members[index]
    let recipes = recognizer.provenance.recipes
    let recipe = index < recipes.count ? recipes[index] : .standard
    var generator = SeededGenerator(seed: seed, stream: 4, index)
    let architecture = Network.Architecture(
      inputShape: member.network.inputShape,
      layers: member.network.architecture.layers + [.cosineClassifier(classes: Self.classes)])
    return Training(
      network: try Network(architecture, using: &generator),
      data: try examples(seenAs: member.view), batchSize: recipe.training.batchSize ?? 1,
      shardSize: recipe.training.shardSize)
  }

  private func examples(seenAs view: DrawingView) throws -> RepeatedExamples {
    let drawings = Array(try taughtDrawings().prefix(960))
    var generator = SeededGenerator(seed: seed, stream: 5)
    return RepeatedExamples(
      values: try Self.values(of: drawings, seenAs: view),
      labels: drawings.map { _ in generator.integer(below: Self.classes) }, count: drawings.count)
  }

  private func prepareTraining(
    _ training: Training, by optimizer: Optimizer
  ) throws -> PreparedStep {
    let (network, batch) = (training.network, training.batchSize)
    var data = training.data
    // A long epoch, because its end does more work than a step.
    data.count = batch * 1000
    let loop = TrainingLoop(
      .init(
        epochs: 100, batchSize: batch, shardSize: training.shardSize, optimizer: optimizer,
        learningRate: 1e-4, warmUpEpochs: 0, labelSmoothing: 0, seed: seed, threads: threads))
    let steps = SteppedTraining(of: network, by: loop, on: data)
    return PreparedStep(
      count: batch, operations: OperationCount(network.architecture).training * Double(batch)
    ) {
      try await steps.next()
    } record: {
      try await Self.record(training, optimizer)
    } finish: {
      await steps.end()
    }
  }

  /// Three steps on one batch at a constant learning rate, for other programs to reproduce and
  /// compare.
  private static func record(_ training: Training, _ optimizer: Optimizer) async throws
    -> SpeedRecord
  {
    let (network, batch) = (training.network, training.batchSize)
    var data = training.data
    data.count = batch
    let loop = TrainingLoop(
      .init(
        epochs: 3, batchSize: batch, shardSize: batch, optimizer: optimizer, learningRate: 1e-3,
        finalLearningRateShare: 1, warmUpEpochs: 0, labelSmoothing: 0))
    var losses: [Float] = []
    let outcome = try await loop.fit(network, to: data) { event in
      if case .step(let step) = event { losses.append(Float(step.loss)) }
    }
    var record = SpeedRecord()
    record.add("architecture", [try jsonText(network.architecture)])
    record.add("optimizer", [try jsonText(optimizer)])
    record.add("losses", losses, shape: [losses.count])
    record.add(
      "input", Array(data.values.prefix(batch * network.inputSize)),
      shape: [batch] + network.inputShape)
    record.add("labels", Array(data.labels.prefix(batch)), shape: [batch])
    for (name, values) in [("before", network.parameters), ("after", outcome.network.parameters)] {
      var start = 0
      for slot in network.parameterSlots {
        record.add(
          "\(name)/\(slot.name)", Array(values[start..<(start + slot.count)]), shape: slot.shape)
        start += slot.count
      }
    }
    return record
  }
}

extension DrawingView {
  /// The rasterizer of a picture view.
  fileprivate var rasterizer: Rasterizer {
    if case .picture(let rasterizer) = self { rasterizer } else { Rasterizer() }
  }
}

/// Examples in memory, repeated as often as needed.
struct RepeatedExamples: TrainingData {
  /// Row-major, [examples, input].
  let values: [Float]
  /// The class of each example.
  let labels: [Int]
  /// The number of examples, including repetitions.
  var count: Int

  /// By its count alone: no checkpoint is resumed.
  var fingerprint: String { "\(count) examples to measure speed by" }

  func fill(
    _ input: inout MutableSpan<Float>, target: inout MutableSpan<Float>, with index: Int,
    using generator: inout SeededGenerator
  ) -> Int? {
    let example = index % labels.count
    let start = example * input.count
    for place in 0..<input.count { input[place] = values[start + place] }
    return labels[example]
  }
}

/// A training that does one step per request.
final class SteppedTraining {
  private let questions: AsyncStream<Void>.Continuation
  private var answers: AsyncStream<Void>.Iterator
  private let training: Task<Void, any Error>

  init(of network: Network, by loop: TrainingLoop, on data: some TrainingData) {
    let (asked, questions) = AsyncStream.makeStream(of: Void.self)
    let (answered, answers) = AsyncStream.makeStream(of: Void.self)
    self.questions = questions
    self.answers = answered.makeAsyncIterator()
    training = Task {
      defer { answers.finish() }
      var asked = asked.makeAsyncIterator()
      _ = try await loop.fit(network, to: data) { event in
        switch event {
        case .started: break
        case .step: answers.yield()
        default: return
        }
        guard await asked.next() != nil else { throw CancellationError() }
      }
    }
  }

  /// Runs the next step and returns its duration.
  func next() async throws -> Duration {
    let start = ContinuousClock.now
    questions.yield()
    guard await answers.next() != nil else {
      try await training.value
      throw SpeedError.trainingEnded
    }
    return ContinuousClock.now - start
  }

  /// Ends the training.
  func end() async {
    questions.finish()
    _ = await training.result
  }
}
