import Files
import Foundation
import HDF5
import Numbers
import TestTools
import Testing

@testable import NeuralNetwork

/// Pictures of 8 × 8 with a bar: class 0 upright, 1 level, 2 along the diagonal; noisy, and shifted
/// at random when augmented.
struct Bars: TrainingData {
  var count = 96
  var isAugmented = true
  var fingerprint = "bars"
  var labelOffset = 0
  var poison: Int?

  func fill(
    _ input: inout MutableSpan<Float>, target: inout MutableSpan<Float>, with index: Int,
    using generator: inout SeededGenerator
  ) throws -> Int? {
    var fixed = SeededGenerator(seed: 77, stream: index)
    var place = 1 + fixed.integer(below: 5)
    if isAugmented { place = max(0, min(7, place + generator.integer(below: 3) - 1)) }
    for y in 0..<8 {
      for x in 0..<8 {
        let hit =
          switch index % 3 {
          case 0: x == place
          case 1: y == place
          default: (x + y) % 8 == place
          }
        input[y * 8 + x] = (hit ? 1 : 0) + Float(fixed.normal(deviation: 0.2))
      }
    }
    if index == poison { input[0] = .nan }
    return index % 3 + labelOffset
  }
}

private struct Stop: Error {}

func smallNetwork() throws -> Network {
  var generator = SeededGenerator(seed: 9)
  let layers: [Layer] = [
    .convolution(channels: 6, bias: false), .batchNormalization(), .relu, .maxPool(),
    .residual(
      body: [.convolution(channels: 8, bias: false), .batchNormalization()],
      shortcut: [.convolution(channels: 8, kernel: 1)]),
    .relu, .dropout(rate: 0.1), .dense(features: 8), .l2Normalize(),
    .cosineClassifier(classes: 3, scale: 8),
  ]
  return try Network(.init(inputShape: [8, 8, 1], layers: layers), using: &generator)
}

private func settings() -> TrainingLoop.Configuration {
  TrainingLoop.Configuration(
    epochs: 3, batchSize: 20, shardSize: 8, optimizer: .adamW(weightDecay: 0.01),
    learningRate: 0.01, warmUpEpochs: 0.5, labelSmoothing: 0.05, gradientNormLimit: 5,
    averagingDecay: 0.9, seed: 4)
}

/// What a training that is stopped at its first checkpoint leaves.
private func firstCheckpoint(
  _ configuration: TrainingLoop.Configuration
) async throws -> TrainingCheckpoint {
  var first: TrainingCheckpoint?
  _ = try? await TrainingLoop(configuration).fit(try smallNetwork(), to: Bars()) { event in
    guard case .checkpoint(let checkpoint) = event else { return }
    first = checkpoint
    throw Stop()
  }
  return try #require(first)
}

@Suite("Training")
struct TrainingTests {
  @Test("learns to tell bars apart")
  func learning() async throws {
    var configuration = settings()
    configuration.epochs = 14
    configuration.threads = 2
    let outcome = try await TrainingLoop(configuration).fit(
      try smallNetwork(), to: Bars(), validation: Bars(count: 60, isAugmented: false))
    #expect(outcome.history.count == 14)
    #expect(outcome.history[13].validationAccuracy ?? 0 > 0.95)
    #expect(outcome.history[13].trainingLoss < outcome.history[0].trainingLoss)
    let score = try await outcome.network.evaluate(on: Bars(count: 60, isAugmented: false))
    #expect(score.accuracy == outcome.history[13].validationAccuracy)
    #expect(score.loss == outcome.history[13].validationLoss)
  }

  @Test("gives the same bytes for any number of threads, and others for another seed")
  func threads() async throws {
    var networks: [Network] = []
    var histories: [[TrainingLoop.EpochSummary]] = []
    for (threads, seed) in [(1, 4), (2, 4), (3, 4), (2, 5)] {
      var configuration = settings()
      configuration.threads = threads
      configuration.seed = UInt64(seed)
      let outcome = try await TrainingLoop(configuration).fit(
        try smallNetwork(), to: Bars(), validation: Bars(count: 70, isAugmented: false))
      networks.append(outcome.network)
      histories.append(outcome.history)
    }
    #expect(networks[0] == networks[1])
    #expect(networks[0] == networks[2])
    #expect(histories[0] == histories[1])
    #expect(networks[0] != networks[3])
  }

  @Test(
    "killed and resumed gives the bytes of an uninterrupted run",
    arguments: [1, 3, 7], [Optimizer.adamW(), .sgd()])
  func resuming(stopAt: Int, optimizer: Optimizer) async throws {
    var configuration = settings()
    configuration.optimizer = optimizer
    configuration.checkpointInterval = 1
    configuration.selection = stopAt == 3 ? nil : .best
    let validation = Bars(count: 30, isAugmented: false)
    let whole = try await TrainingLoop(configuration).fit(
      try smallNetwork(), to: Bars(), validation: validation)

    let folder = try TemporaryFolder()
    let path = folder.file("checkpoint")
    var made = 0
    await #expect(throws: Stop.self) {
      try await TrainingLoop(configuration).fit(
        try smallNetwork(), to: Bars(), validation: validation
      ) { event in
        guard case .checkpoint(let checkpoint) = event else { return }
        try checkpoint.write(to: path)
        let read = try TrainingCheckpoint(reading: path)
        #expect(read == checkpoint)
        made += 1
        if made == stopAt { throw Stop() }
      }
    }
    // Threads and the interval may change: they change no result.
    configuration.threads = 2
    configuration.checkpointInterval = nil
    var first: Int?
    let resumed = try await TrainingLoop(configuration).fit(
      try smallNetwork(), to: Bars(), validation: validation,
      resuming: try TrainingCheckpoint(reading: path)
    ) { event in
      if case .started(let step, let total) = event {
        first = step
        #expect(total == 15)
      }
    }
    #expect(first == stopAt)
    #expect(resumed.network == whole.network)
    #expect(resumed.history == whole.history)
  }

  @Test("By choice the network of the epoch that validation found best is returned")
  func bestEpoch() async throws {
    var configuration = settings()
    (configuration.epochs, configuration.learningRate) = (8, 0.05)
    (configuration.finalLearningRateShare, configuration.averagingDecay) = (1, nil)
    let validation = Bars(count: 30, isAugmented: false)
    let last = try await TrainingLoop(configuration).fit(
      try smallNetwork(), to: Bars(), validation: validation)
    configuration.selection = .best
    let best = try await TrainingLoop(configuration).fit(
      try smallNetwork(), to: Bars(), validation: validation)
    #expect(best.history == last.history)
    let chosen = try #require(
      best.history.first { epoch in !best.history.contains { $0.isBetter(than: epoch) } })
    #expect(chosen.epoch < 7, "another seed is needed: \(best.history)")
    let score = try await best.network.evaluate(on: validation)
    #expect(score.accuracy == chosen.validationAccuracy && score.loss == chosen.validationLoss)
    #expect(best.network != last.network)
    await #expect(
      throws: NetworkError.unsuitableData(
        "the best epoch can only be chosen by validation examples")
    ) {
      try await TrainingLoop(configuration).fit(try smallNetwork(), to: Bars())
    }
  }

  @Test("A score over many examples is the mean of the single ones, for any number of threads")
  func evaluation() async throws {
    let network = try smallNetwork()
    let data = Bars(count: 150, isAugmented: false)
    let score = try await network.evaluate(on: data)
    #expect(try await network.evaluate(on: data, threads: 3) == score)
    var (loss, correct) = (0.0, 0)
    for index in 0..<150 {
      var input = [Float](repeating: 0, count: 64)
      var generator = SeededGenerator(seed: 0)
      var none: [Float] = []
      var values = input.mutableSpan
      var target = none.mutableSpan
      let label = try data.fill(&values, target: &target, with: index, using: &generator)
      #expect(label == index % 3)
      let scores = network(Tensor(shape: [1, 8, 8, 1], values: input)).values
      let powers = scores.map { exp(Double($0)) }
      loss -= log(powers[index % 3] / powers.reduce(0, +))
      if scores[index % 3] == scores.max() { correct += 1 }
    }
    #expect(abs(score.loss - loss / 150) < 1e-5)
    #expect(score.accuracy == Double(correct) / 150)
    #expect(score.macroRecall == nil, "three classes of 50 each")
  }

  @Test("Where classes are of different sizes, the mean of their recalls is told, too")
  func macroRecall() async throws {
    let network = try smallNetwork()
    // Classes 0, 1, 2, 0: the first one has two examples.
    let (four, three) = (
      Bars(count: 4, isAugmented: false), Bars(count: 3, isAugmented: false)
    )
    let score = try await network.evaluate(on: four)
    let right = score.accuracy * 4
    let others = try await network.evaluate(on: three).accuracy * 3
    // The fourth example is of class 0, as the first one.
    let last = right - others
    var firstIsRight = 0.0
    firstIsRight = try await network.evaluate(on: Bars(count: 1, isAugmented: false)).accuracy
    let expected = ((firstIsRight + last) / 2 + (others - firstIsRight)) / 3
    #expect(abs(try #require(score.macroRecall) - expected) < 1e-12)
  }

  @Test("A finished training resumed gives its result at once")
  func finished() async throws {
    var last: TrainingCheckpoint?
    let whole = try await TrainingLoop(settings()).fit(try smallNetwork(), to: Bars()) { event in
      if case .checkpoint(let checkpoint) = event { last = checkpoint }
    }
    let checkpoint: TrainingCheckpoint = try #require(last)
    var steps = 0
    let again = try await TrainingLoop(settings()).fit(
      try smallNetwork(), to: Bars(), resuming: checkpoint
    ) { event in
      if case .step = event { steps += 1 }
    }
    #expect(again.network == whole.network)
    #expect(steps == 0)
  }

  @Test("A checkpoint of another training is refused, naming what differs")
  func foreignCheckpoint() async throws {
    let checkpoint = try await firstCheckpoint(settings())
    func refusal(
      _ change: (inout TrainingLoop.Configuration) -> Void = { _ in }, _ network: Network? = nil,
      _ data: Bars = Bars(), _ validation: Bars? = nil
    ) async throws -> String? {
      var configuration = settings()
      change(&configuration)
      do {
        _ = try await TrainingLoop(configuration).fit(
          try network ?? smallNetwork(), to: data, validation: validation, resuming: checkpoint)
        return nil
      } catch NetworkError.checkpointDiffers(let what, let saved, let current) {
        #expect(saved != current)
        return what
      }
    }
    #expect(try await refusal({ $0.seed = 5 }) == "seed")
    #expect(try await refusal({ $0.learningRate = 0.02 }) == "learningRate")
    #expect(try await refusal({ $0.optimizer = .sgd() }) == "optimizer")
    #expect(try await refusal({ $0.averagingDecay = nil }) == "averagingDecay")
    var layers = try smallNetwork().architecture.layers
    layers[6] = .dropout(rate: 0.2)
    var generator = SeededGenerator(seed: 9)
    let other = try Network(.init(inputShape: [8, 8, 1], layers: layers), using: &generator)
    #expect(try await refusal({ _ in }, other) == "network")
    // Of long texts, what differs is shown.
    let long = String(repeating: "same ", count: 100)
    let words = NetworkError.checkpointDiffers(
      in: "network", saved: long + "4" + long, current: long + "2" + long
    ).description
    #expect(words.contains("same 4same") && words.contains("same 2same") && words.count < 400)
    #expect(try await refusal({ _ in }, nil, Bars(fingerprint: "others")) == "training data")
    #expect(try await refusal({ _ in }, nil, Bars(), Bars(count: 9)) == "validation data")
  }

  @Test("A damaged checkpoint file is refused")
  func damagedCheckpoint() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("checkpoint")
    try await firstCheckpoint(settings()).write(to: path)
    let bytes = try AtomicFile.read(path)
    try AtomicFile.write(Array(bytes.dropLast(9)), to: path)
    #expect(throws: FileError.self) { try TrainingCheckpoint(reading: path) }
    try AtomicFile.write("text", to: path)
    #expect(throws: FileError.self) { try TrainingCheckpoint(reading: path) }
    try SealedFile(kind: "DrawML checkpoint", version: 2).write(Array("x".utf8), to: path)
    #expect(
      throws: NetworkError.malformedCheckpoint("cannot be read: it is not an HDF5 file")
    ) { try TrainingCheckpoint(reading: path) }
    let image = try HDF5Writer()
    try image.write(["{}"], at: "/header")
    try SealedFile(kind: "DrawML checkpoint", version: 2).write(try image.bytes(), to: path)
    let fault = "has a header of another form: configuration is missing"
    #expect(throws: NetworkError.malformedCheckpoint(fault)) {
      try TrainingCheckpoint(reading: path)
    }
  }

  @Test(
    "A checkpoint that is at a place where no training comes is refused",
    arguments: ["\"epoch\":", "\"step\":"])
  func impossiblePlace(key: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("checkpoint")
    var configuration = settings()
    configuration.checkpointInterval = 1
    try await firstCheckpoint(configuration).write(to: path)
    let format = SealedFile(kind: "DrawML checkpoint", version: 2)
    var payload = try format.read(path)
    let digit =
      try #require(
        payload.indices.first { payload[$0...].starts(with: Array(key.utf8)) }) + key.utf8.count
    payload[digit] = UInt8(ascii: "9")
    try format.write(payload, to: path)
    await #expect(throws: NetworkError.self) {
      try await TrainingLoop(configuration).fit(
        try smallNetwork(), to: Bars(), resuming: try TrainingCheckpoint(reading: path))
    }
  }

  @Test("A checkpoint of an older version whose training would stop early is refused")
  func stopsEarly() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("checkpoint")
    for (now, before) in [
      (#""hasBest":false"#, #""hasBest":true "#), (#""isOver":false"#, #""isOver":true "#),
    ] {
      try await firstCheckpoint(settings()).write(to: path)
      let format = SealedFile(kind: "DrawML checkpoint", version: 2)
      try #require(try format.replace(Array(now.utf8), with: Array(before.utf8), in: path))
      let fault = "is of a training that stops early, which none does now"
      #expect(throws: NetworkError.malformedCheckpoint(fault)) {
        try TrainingCheckpoint(reading: path)
      }
    }
  }

  @Test("A checkpoint with a count or sum that no training reaches is refused")
  func impossibleCount() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("checkpoint")
    var configuration = settings()
    configuration.checkpointInterval = 1
    let sound = try await firstCheckpoint(configuration)
    let counts: [WritableKeyPath<TrainingSnapshot, Int>] = [
      \.step, \.seen, \.labeled, \.correct, \.optimizer.steps,
    ]
    for count in counts {
      for value in [-1, Int.max] {
        var checkpoint = sound
        checkpoint.progress[keyPath: count] = value
        try checkpoint.write(to: path)
        #expect(throws: NetworkError.malformedCheckpoint("has a count out of its range")) {
          try TrainingCheckpoint(reading: path)
        }
      }
    }
    for value in [Double.nan, .infinity] {
      var checkpoint = sound
      checkpoint.progress.lossSum = value
      try checkpoint.write(to: path)
      #expect(throws: NetworkError.self) { try TrainingCheckpoint(reading: path) }
    }
  }

  @Test("A loss that is not a number stops with the epoch, the step and the learning rate")
  func divergence() async throws {
    var data = Bars()
    data.poison = 3
    var configuration = settings()
    configuration.batchSize = 96
    configuration.warmUpEpochs = 0
    await #expect(
      throws: NetworkError.diverged(epoch: 0, step: 0, learningRate: 0.01)
    ) {
      try await TrainingLoop(configuration).fit(try smallNetwork(), to: data)
    }
  }

  @Test("A validation loss that is not a number stops the training too")
  func divergenceInValidation() async throws {
    var validation = Bars(count: 30, isAugmented: false)
    validation.poison = 7
    var epochs = 0
    let error = await #expect(throws: NetworkError.self) {
      try await TrainingLoop(settings()).fit(
        try smallNetwork(), to: Bars(), validation: validation
      ) { event in
        switch event {
        case .epoch, .checkpoint, .finished: epochs += 1
        default: break
        }
      }
    }
    #expect(error?.description.contains("epoch 1, step 5: the loss is not a finite number") == true)
    #expect(epochs == 0, "what is not sound is neither reported nor kept")
  }

  @Test("A canceled training stops between steps, and its last checkpoint goes on")
  func cancellation() async throws {
    var configuration = settings()
    configuration.checkpointInterval = 1
    let loop = TrainingLoop(configuration)
    let network = try smallNetwork()
    let task = Task {
      var saved: [TrainingCheckpoint] = []
      do {
        _ = try await loop.fit(network, to: Bars()) { event in
          guard case .checkpoint(let checkpoint) = event else { return }
          saved.append(checkpoint)
          withUnsafeCurrentTask { unsafe $0?.cancel() }
        }
      } catch is CancellationError {
        return saved
      }
      return []
    }
    let saved = try await task.value
    #expect(saved.count == 1)
    let checkpoint = try #require(saved.last)
    #expect(checkpoint.epoch == 0)
    #expect(checkpoint.step == 1)
    let resumed = try await loop.fit(network, to: Bars(), resuming: checkpoint)
    #expect(resumed.network == (try await loop.fit(network, to: Bars())).network)
  }

  @Test("Data and settings that cannot train are refused with a reason")
  func refusals() async throws {
    func refusal(
      _ change: (inout TrainingLoop.Configuration) -> Void = { _ in }, _ data: Bars = Bars()
    ) async throws -> NetworkError? {
      var configuration = settings()
      change(&configuration)
      do {
        _ = try await TrainingLoop(configuration).fit(try smallNetwork(), to: data)
        return nil
      } catch { return error as? NetworkError }
    }
    #expect(
      try await refusal({ _ in }, Bars(count: 0))
        == .unsuitableData("there are no training examples"))
    let foreign = try await refusal({ _ in }, Bars(labelOffset: 1))?.description
    #expect(foreign?.contains("has class 3, the network has 3 classes") == true)
    #expect(
      try await refusal({ $0.batchSize = 0 })
        == .badHyperparameter(layer: "a training", name: "batchSize", value: "0"))
    #expect(
      try await refusal({ $0.learningRate = .nan })
        == .badHyperparameter(layer: "a training", name: "learningRate", value: "nan"))
    #expect(
      try await refusal({ $0.optimizer = .adamW(beta2: 1) })
        == .badHyperparameter(layer: "a training", name: "beta2", value: "1.0"))
  }

  @Test("Events tell every step and epoch in order")
  func events() async throws {
    var log: [String] = []
    _ = try await TrainingLoop(settings()).fit(try smallNetwork(), to: Bars(count: 30)) { event in
      switch event {
      case .started(let step, let total): log.append("started \(step) of \(total)")
      case .step(let step): log.append("\(step.number)/\(step.totalSteps): \(step.examples)")
      case .epoch(let summary): log.append("epoch \(summary.epoch)")
      case .checkpoint(let checkpoint): log.append("checkpoint \(checkpoint.epoch)")
      case .finished: log.append("finished")
      }
    }
    #expect(
      log == [
        "started 0 of 6", "1/6: 20", "2/6: 10", "epoch 0", "checkpoint 1", "3/6: 20", "4/6: 10",
        "epoch 1", "checkpoint 2", "5/6: 20", "6/6: 10", "epoch 2", "checkpoint 3",
        "finished",
      ])
  }
}
