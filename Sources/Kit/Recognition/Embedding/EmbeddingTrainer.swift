internal import Files
public import Ink
public import NeuralNetwork
public import Numbers

/// Trains an embedding with a cosine classifier on top, which is removed afterward.
public struct EmbeddingTrainer: Sendable {
  /// Augments a drawing for one example; all randomness comes from the generator.
  public typealias Augment = @Sendable (Drawing, inout SeededGenerator) -> AugmentedDrawing

  /// The hyper-parameters.
  public let recipe: EmbeddingRecipe
  private let augment: Augment
  private let teacher: Embedding?
  private let start: Network?
  /// The processes that train the embedding together.
  package var reducer: any GradientReducer = OneProcess()

  /// A trainer.
  ///
  /// - Parameters:
  ///   - recipe: The hyper-parameters.
  ///   - start: A trained network of the recipe's layers, whose weights are trained further
  ///     (fine-tuning); nil for random ones. The classifier begins at random in either case.
  ///   - teacher: An embedding whose vectors of the augmented drawings are distillation targets,
  ///     besides the labels; see `EmbeddingRecipe.distillationWeight`.
  ///   - augment: The augmentation of
  ///     `fit(training:validation:seed:threads:resumingFrom:onEvent:)`.
  public init(
    _ recipe: EmbeddingRecipe, from start: Network? = nil, teacher: Embedding? = nil,
    augment: @escaping Augment = { drawing, _ in .init(drawing) }
  ) {
    self.recipe = recipe
    self.start = start
    self.teacher = teacher
    self.augment = augment
  }

  /// A trained embedding.
  public struct Outcome: Sendable {
    /// The embedding, without the classifier.
    public var embedding: Embedding
    /// The class vectors of the classifier.
    public var trained: ClassVectors
    /// One summary per epoch.
    public var history: [TrainingLoop.EpochSummary]
  }

  /// Trains on labeled drawings.
  ///
  /// - Parameters:
  ///   - training: Labeled drawings that the weights are fitted to.
  ///   - validation: Labeled drawings for evaluation only; may be empty.
  ///   - seed: The same seed and drawings give the same embedding, to the bit.
  ///   - threads: The number of threads.
  ///   - checkpoint: A checkpoint of the same training to resume from.
  ///   - onEvent: Called for every event, including checkpoints to save.
  /// - Returns: The embedding, its class vectors and one summary per epoch.
  /// - Throws: `ModelError` for drawings that cannot be used, `NetworkError` when training fails or
  ///   the checkpoint is of another training, and `CancellationError`.
  public func fit(
    training: [Drawing], validation: [Drawing], seed: UInt64, threads: Int,
    resumingFrom checkpoint: TrainingCheckpoint? = nil,
    onEvent: @Sendable (TrainingLoop.Event) throws -> Void = { _ in }
  ) async throws -> Outcome {
    let labels = Set((training + validation).compactMap(\.label)).sorted()
    return try await fit(
      try TrainingExamples(training, labels: labels, described: recipe.augmentation, augment),
      validation: validation, seed: seed, threads: threads, resumingFrom: checkpoint,
      onEvent: onEvent)
  }

  /// Trains on examples that are sampled again in every epoch, evaluated by few-shot tasks of other
  /// labels.
  ///
  /// - Parameters:
  ///   - examples: What the weights are fitted to.
  ///   - validation: Drawings for evaluation only, with labels among the examples' classes.
  ///   - tasks: Few-shot tasks evaluated after every epoch, as `EpochSummary.measured`; nothing is
  ///     fitted to them.
  ///   - seed: The same seed and examples give the same embedding, to the bit.
  ///   - threads: The number of threads.
  ///   - checkpoint: A checkpoint of the same training to resume from.
  ///   - onEvent: Called for every event, including checkpoints to save.
  /// - Returns: The embedding, its class vectors and one summary per epoch.
  /// - Throws: `ModelError` for drawings that cannot be used, `NetworkError` when training fails or
  ///   the checkpoint is of another training, and `CancellationError`.
  public func fit(
    _ examples: TrainingExamples, validation: [Drawing] = [], tasks: FewShotTasks? = nil,
    seed: UInt64, threads: Int, resumingFrom checkpoint: TrainingCheckpoint? = nil,
    onEvent: @Sendable (TrainingLoop.Event) throws -> Void = { _ in }
  ) async throws -> Outcome {
    guard examples.count > 0 else { throw ModelError.noSamples }
    guard examples.classes.count > 1 else {
      throw ModelError.oneLabel(examples.classes.first ?? "nothing")
    }
    let validation = try TrainingExamples.unchanged(validation, labels: examples.classes)
    let recipe = recipe
    var generator = SeededGenerator(seed: seed, stream: 0x1417)
    var network = try Network.residual(
      recipe.network, inputShape: recipe.view.shape, classes: examples.classes.count,
      targets: teacher?.dimension ?? 0, using: &generator)
    var beginning: String?
    if let start {
      try network.begin(with: start)
      beginning = try Embedding([EmbeddingMember(view: recipe.view, network: start)]).fingerprint
    }
    let training = recipe.training.fitted(toDrawings: examples.count)
    var loop = TrainingLoop(
      TrainingLoop.Configuration(
        epochs: training.epochs, batchSize: training.batchSize ?? 1, shardSize: training.shardSize,
        optimizer: .adamW(weightDecay: training.weightDecay), learningRate: training.learningRate,
        warmUpEpochs: training.warmUpEpochs, labelSmoothing: training.labelSmoothing,
        targetWeight: teacher == nil ? 0 : recipe.distillationWeight,
        gradientNormLimit: training.gradientNormLimit, averagingDecay: training.averagingDecay,
        checkpointInterval: training.checkpointInterval,
        selection: recipe.keepsBest ? .best : nil, start: beginning, seed: seed,
        threads: threads))
    loop.reducer = reducer
    var measure: (@Sendable (Network) async throws -> Double)?
    if let tasks {
      measure = { [reducer] network in
        let embedding = try Embedding([
          EmbeddingMember(view: recipe.view, network: network.dropLast())
        ])
        return try await tasks.accuracy(of: embedding, threads: threads, sharedBy: reducer)
      }
    }
    let outcome = try await loop.fit(
      network, to: ViewedExamples(examples, recipe.view, teacher: teacher),
      validation: validation.map { ViewedExamples($0, recipe.view, teacher: teacher) },
      resuming: checkpoint, onEvent: { try onEvent($0) }, measure: measure)
    let unit = outcome.network.dropLast()
    return Outcome(
      embedding: try Embedding([EmbeddingMember(view: recipe.view, network: unit)]),
      trained: ClassVectors(
        labels: examples.classes,
        vectors: outcome.network.classVectors(
          of: examples.classes.count, at: unit.parameters.count, dimension: recipe.network.dimension
        )),
      history: outcome.history)
  }
}

extension TrainingExamples {
  /// The drawings without augmentation; nil if `drawings` is empty.
  fileprivate static func unchanged(
    _ drawings: [Drawing], labels: [String]
  ) throws(ModelError) -> TrainingExamples? {
    guard !drawings.isEmpty else { return nil }
    return try TrainingExamples(drawings, labels: labels, described: "none") { drawing, _ in
      AugmentedDrawing(drawing)
    }
  }

  /// Every drawing once per epoch.
  fileprivate init(
    _ drawings: [Drawing], labels: [String], described augmentation: String,
    _ augment: @escaping EmbeddingTrainer.Augment
  ) throws(ModelError) {
    let numbers = Dictionary(uniqueKeysWithValues: zip(labels, labels.indices))
    let classes = try drawings.map { drawing throws(ModelError) in
      guard let label = drawing.label, let number = numbers[label] else {
        throw .missingLabel(id: drawing.id)
      }
      return number
    }
    var fingerprint = Fingerprint()
    fingerprint.update(augmentation)
    for drawing in drawings {
      fingerprint.update(drawing.label ?? "")
      fingerprint.update(drawing.digest)
    }
    self.init(
      classes: labels, count: drawings.count, fingerprint: fingerprint.hexadecimal()
    ) { index, generator in
      (augment(drawings[index], &generator), classes[index])
    }
  }
}

extension Network {
  /// A residual network of a recipe, with random weights: see the other initializer of that name.
  package static func residual(
    _ shape: NetworkShape, inputShape: [Int], classes: Int, targets: Int = 0,
    using generator: inout SeededGenerator
  ) throws -> Network {
    try residual(
      inputShape: inputShape, channels: shape.channels, blocks: shape.blocks,
      kernels: shape.kernels, pooling: shape.pooling, embedding: shape.dimension, classes: classes,
      targets: targets, using: &generator)
  }

  /// Takes the weights and statistics of a network of the first layers, all but the last.
  ///
  /// - Throws: `NetworkError` if its layers are others.
  fileprivate mutating func begin(with start: Network) throws {
    let own = dropLast()
    guard own.architecture == start.architecture else { throw NetworkError.otherLayers }
    self = try Network(
      architecture, parameters: start.parameters + parameters.dropFirst(own.parameters.count),
      statistics: start.statistics + statistics.dropFirst(own.statistics.count))
  }

  /// The weights of the cosine classifier, which begin at `start`, as unit vectors, shape [classes,
  /// dimension].
  fileprivate func classVectors(of classes: Int, at start: Int, dimension: Int) -> [Float] {
    var vectors = Array(parameters[start..<(start + classes * dimension)])
    for start in stride(from: 0, to: vectors.count, by: dimension) {
      normalize(&vectors, start..<(start + dimension))
    }
    return vectors
  }
}
