public import Ink
public import NeuralNetwork
public import Support

/// A drawing changed for training, and by how much the pen's width is changed.
public struct AugmentedDrawing: Sendable {
  /// The changed drawing.
  public var drawing: Drawing
  /// What the rasteriser's pen width is multiplied with, > 0.
  public var strokeWidthFactor: Double

  /// A changed drawing.
  public init(_ drawing: Drawing, strokeWidthFactor: Double = 1) {
    self.drawing = drawing
    self.strokeWidthFactor = strokeWidthFactor
  }
}

/// Trains an embedding to tell labels apart, with a cosine classifier on top that is then left off.
public struct EmbeddingTrainer: Sendable {
  /// How a drawing is changed each time it is seen; takes its randomness from the generator alone.
  public typealias Augment = @Sendable (Drawing, inout SeededGenerator) -> AugmentedDrawing

  /// The hyper-parameters.
  public let recipe: EmbeddingRecipe
  private let augment: Augment

  /// A trainer.
  public init(
    _ recipe: EmbeddingRecipe, augment: @escaping Augment = { drawing, _ in .init(drawing) }
  ) {
    self.recipe = recipe
    self.augment = augment
  }

  /// A trained embedding.
  public struct Outcome: Sendable {
    /// The embedding, without the classifier that taught it.
    public var embedding: Embedding
    /// What that classifier learned of the labels.
    public var trained: ClassVectors
    /// Every epoch.
    public var history: [TrainingLoop.EpochSummary]
  }

  /// Trains.
  ///
  /// - Parameters:
  ///   - training: Labelled drawings that the weights are fitted to.
  ///   - validation: Labelled drawings that only measure; may be empty.
  ///   - seed: The same seed and drawings give the same embedding, to the bit.
  ///   - threads: How many threads work.
  ///   - checkpoint: A checkpoint of the same training to go on from.
  ///   - onEvent: Told what happens; checkpoints to save come here too.
  /// - Returns: The embedding and what each epoch gave.
  /// - Throws: `ModelError` for drawings that cannot be used, `NetworkError` when training fails or
  ///   the checkpoint is of another training, and `CancellationError`.
  public func fit(
    training: [Drawing], validation: [Drawing], seed: UInt64, threads: Int,
    resumingFrom checkpoint: TrainingCheckpoint? = nil,
    onEvent: @Sendable (TrainingLoop.Event) throws -> Void = { _ in }
  ) async throws -> Outcome {
    let labels = Set((training + validation).compactMap(\.label)).sorted()
    guard !training.isEmpty else { throw ModelError.noSamples }
    guard labels.count > 1 else { throw ModelError.oneLabel(labels.first ?? "nothing") }
    var generator = SeededGenerator(seed: seed, stream: 0x1417)
    let network = try Network.residual(
      inputShape: recipe.rasterizer.shape,
      channels: recipe.channels, embedding: recipe.dimension, classes: labels.count,
      using: &generator)
    let loop = TrainingLoop(
      TrainingLoop.Configuration(
        epochs: recipe.epochs, batchSize: recipe.batchSize, shardSize: 64,
        optimizer: .adamW(weightDecay: recipe.weightDecay), learningRate: recipe.learningRate,
        warmUpEpochs: recipe.warmUpEpochs, labelSmoothing: recipe.labelSmoothing,
        averagingDecay: recipe.averagingDecay, checkpointInterval: recipe.checkpointInterval,
        seed: seed, threads: threads))
    let outcome = try await loop.fit(
      network,
      to: try RasterizedDrawings(
        training, labels: labels, recipe.rasterizer, augment, described: recipe.augmentation),
      validation: validation.isEmpty
        ? nil
        : try RasterizedDrawings(
          validation, labels: labels, recipe.rasterizer, nil, described: "none"),
      resuming: checkpoint
    ) { try onEvent($0) }
    return Outcome(
      embedding: try Embedding(rasterizer: recipe.rasterizer, network: outcome.network.dropLast()),
      trained: ClassVectors(labels: labels, vectors: outcome.network.classVectors()),
      history: outcome.history)
  }
}

/// Labelled drawings as the network sees them.
private struct RasterizedDrawings: TrainingData {
  let drawings: [Drawing]
  let classes: [Int]
  let rasterizer: Rasterizer
  let augment: EmbeddingTrainer.Augment?
  let fingerprint: String

  init(
    _ drawings: [Drawing], labels: [String], _ rasterizer: Rasterizer,
    _ augment: EmbeddingTrainer.Augment?, described augmentation: String
  ) throws {
    let numbers = Dictionary(uniqueKeysWithValues: zip(labels, labels.indices))
    self.drawings = drawings
    self.rasterizer = rasterizer
    self.augment = augment
    classes = try drawings.map { drawing in
      guard let label = drawing.label, let number = numbers[label] else {
        throw ModelError.missingLabel(id: drawing.id)
      }
      return number
    }
    // All that makes pixels of the drawings: other pixels would be another training.
    var fingerprint = Fingerprint()
    fingerprint.update("\(rasterizer.width) \(rasterizer.height)")
    fingerprint.update("\(rasterizer.strokeWidth) \(rasterizer.margin)")
    fingerprint.update(augmentation)
    for drawing in drawings {
      fingerprint.update(drawing.label ?? "")
      fingerprint.update(drawing.digest)
    }
    self.fingerprint = fingerprint.hexadecimal()
  }

  var count: Int { drawings.count }

  func label(of index: Int) -> Int { classes[index] }

  func fill(
    _ input: inout MutableSpan<Float>, with index: Int, using generator: inout SeededGenerator
  ) throws {
    var (drawing, rasterizer) = (drawings[index], rasterizer)
    if let augment {
      let changed = augment(drawing, &generator)
      drawing = changed.drawing
      rasterizer = Rasterizer(
        width: rasterizer.width, height: rasterizer.height,
        strokeWidth: rasterizer.strokeWidth * changed.strokeWidthFactor, margin: rasterizer.margin,
        channels: rasterizer.channels)
    }
    do {
      var scratch = Rasterizer.Scratch()
      try rasterizer.draw(drawing, into: &input, using: &scratch)
    } catch {
      throw ModelError.drawing(id: drawing.id, reason: "\(error)")
    }
  }
}

extension Network {
  /// The weights of the cosine classifier at the end as unit vectors, shape [classes, dimension].
  fileprivate func classVectors() -> [Float] {
    guard let slot = parameterSlots.last(where: { $0.shape.count == 2 }),
      let range = parameterRange(of: slot.name)
    else { return [] }
    var vectors = Array(parameters[range])
    let dimension = slot.shape[1]
    for start in stride(from: 0, to: vectors.count, by: dimension) {
      normalise(&vectors, start..<(start + dimension))
    }
    return vectors
  }
}
