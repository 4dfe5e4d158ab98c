internal import Ink
internal import NeuralNetwork

/// The hyper-parameters of an embedding's training: everything but the drawings and the seed.
public struct EmbeddingRecipe: Hashable, Sendable {
  /// The network's input representation.
  public var view: DrawingView
  /// The network's layers.
  public var network: NetworkShape
  /// How it is fitted.
  public var training: TrainingSchedule
  /// The weight in the loss of the distance to a teacher's vectors, relative to the labels.
  public var distillationWeight: Float
  /// The caller's description of how drawings are sampled and augmented. It is recorded, and a
  /// checkpoint with another description is refused.
  public var augmentation: String
  /// The fingerprint of the teacher's weights, nil without one.
  public var teacher: String?
  /// Whether the network of the epoch that was best on the validation drawings is kept, instead of
  /// the last.
  public var keepsBest: Bool

  /// A recipe.
  public init(
    view: DrawingView, network: NetworkShape, training: TrainingSchedule,
    distillationWeight: Float = 0, augmentation: String = "none", teacher: String? = nil,
    keepsBest: Bool = false
  ) {
    (self.view, self.network, self.training) = (view, network, training)
    (self.distillationWeight, self.augmentation) = (distillationWeight, augmentation)
    (self.teacher, self.keepsBest) = (teacher, keepsBest)
  }

  /// A residual network of 0.48 M parameters on 28×28 pixels, for some ten thousand drawings.
  public static let standard = EmbeddingRecipe(
    view: .picture(Rasterizer()), network: NetworkShape(channels: [32, 64, 128], dimension: 128),
    training: TrainingSchedule(
      epochs: 40, batchSize: 128, learningRate: 3e-3, weightDecay: 0.05, warmUpEpochs: 1,
      labelSmoothing: 0.1, averagingDecay: 0.998, checkpointInterval: 50))
}

extension EmbeddingRecipe: Codable {
  private enum CodingKeys: CodingKey {
    case distillationWeight, augmentation, teacher, keepsBest
  }

  /// Reads a recipe, in which the keys of view, network and training are at the same level as the
  /// others; keys missing from older files get the former defaults.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      view: try DrawingView(from: decoder), network: try NetworkShape(from: decoder),
      training: try TrainingSchedule(from: decoder),
      distillationWeight: try container.decodeIfPresent(Float.self, forKey: .distillationWeight)
        ?? 0,
      augmentation: try container.decode(String.self, forKey: .augmentation),
      teacher: try container.decodeIfPresent(String.self, forKey: .teacher),
      keepsBest: try container.decodeIfPresent(Bool.self, forKey: .keepsBest) ?? false)
  }

  /// Writes the recipe.
  public func encode(to encoder: any Encoder) throws {
    try view.encode(to: encoder)
    try network.encode(to: encoder)
    try training.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(distillationWeight, forKey: .distillationWeight)
    try container.encode(augmentation, forKey: .augmentation)
    try container.encodeIfPresent(teacher, forKey: .teacher)
    // Models that older versions read do not have it.
    if keepsBest { try container.encode(true, forKey: .keepsBest) }
  }
}
