internal import Foundation
internal import Ink
public import NeuralNetwork

/// The hyper-parameters of an embedding's training: everything but the drawings and the seed.
public struct EmbeddingRecipe: Hashable, Sendable {
  /// The network's input representation.
  public var view: DrawingView
  /// Filters of the residual stages; the picture or sequence is halved from one to the next.
  public var channels: [Int]
  /// Residual blocks of each stage, nil for one in each.
  public var blocks: [Int]?
  /// The width of each stage's kernels, nil for 3 in each.
  public var kernels: [Int]?
  /// How the last stage becomes one vector.
  public var pooling: FinalPooling
  /// The length of the vector.
  public var dimension: Int
  /// The number of passes over the drawings, each with new augmentation; or of rounds of
  /// `TrainingExamples.count` examples.
  public var epochs: Int
  /// Drawings per step.
  public var batchSize: Int
  /// Drawings per shard, whose activations are in memory and batch-normalized together.
  public var shardSize: Int
  /// The highest learning rate of AdamW.
  public var learningRate: Float
  /// The strength of weight decay.
  public var weightDecay: Float
  /// Epochs in which the learning rate rises.
  public var warmUpEpochs: Double
  /// The share of each target spread over all labels.
  public var labelSmoothing: Float
  /// The weight in the loss of the distance to a teacher's vectors, relative to the labels.
  public var distillationWeight: Float
  /// The maximum norm of a step's gradient; nil for no clipping.
  public var gradientNormLimit: Float?
  /// The share of the old value in the running average of the weights, in 0..<1.
  public var averagingDecay: Float
  /// Steps between checkpoints within an epoch.
  public var checkpointInterval: Int
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
    view: DrawingView, channels: [Int], blocks: [Int]? = nil, kernels: [Int]? = nil,
    pooling: FinalPooling = .mean, dimension: Int, epochs: Int, batchSize: Int, shardSize: Int = 64,
    learningRate: Float,
    weightDecay: Float, warmUpEpochs: Double, labelSmoothing: Float, distillationWeight: Float = 0,
    gradientNormLimit: Float? = nil, averagingDecay: Float, checkpointInterval: Int,
    augmentation: String, teacher: String? = nil, keepsBest: Bool = false
  ) {
    self.view = view
    self.channels = channels
    self.blocks = blocks
    self.kernels = kernels
    self.pooling = pooling
    self.dimension = dimension
    self.epochs = epochs
    self.batchSize = batchSize
    self.shardSize = shardSize
    self.learningRate = learningRate
    self.weightDecay = weightDecay
    self.warmUpEpochs = warmUpEpochs
    self.labelSmoothing = labelSmoothing
    self.distillationWeight = distillationWeight
    self.gradientNormLimit = gradientNormLimit
    self.averagingDecay = averagingDecay
    self.checkpointInterval = checkpointInterval
    self.augmentation = augmentation
    self.teacher = teacher
    self.keepsBest = keepsBest
  }

  /// A residual network of 0.48 M parameters on 28×28 pixels, for some ten thousand drawings.
  public static let standard = EmbeddingRecipe(
    view: .picture(Rasterizer()), channels: [32, 64, 128], dimension: 128, epochs: 40,
    batchSize: 128,
    learningRate: 3e-3, weightDecay: 0.05, warmUpEpochs: 1, labelSmoothing: 0.1,
    averagingDecay: 0.998, checkpointInterval: 50, augmentation: "none")
}

extension EmbeddingRecipe {
  /// The batch sizes that suit small sets and large ones.
  public static let batchSizes = 16...128

  /// A batch size for a number of drawings: the power of two nearest to its square root, within
  /// `batchSizes`. So few drawings get enough steps: `docs/research/unequal.md`.
  public static func batchSize(forDrawings count: Int) -> Int {
    let exponent = (log2(Double(max(1, count))) / 2).rounded()
    return min(max(Int(exp2(exponent)), batchSizes.lowerBound), batchSizes.upperBound)
  }
}

extension EmbeddingRecipe: Codable {
  private enum CodingKeys: CodingKey {
    case channels, blocks, kernels, pooling, dimension, epochs, batchSize, shardSize, learningRate,
      weightDecay
    case warmUpEpochs, labelSmoothing, distillationWeight, gradientNormLimit, averagingDecay
    case checkpointInterval, augmentation, teacher, keepsBest
  }

  /// Reads a recipe; keys missing from older files get the former defaults. The view's keys are at
  /// the same level as the others.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func value<Value: Decodable>(_ key: CodingKeys) throws -> Value {
      try container.decode(Value.self, forKey: key)
    }
    func optional<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
      try container.decodeIfPresent(Value.self, forKey: key)
    }
    self.init(
      view: try DrawingView(from: decoder), channels: try value(.channels),
      blocks: try optional(.blocks), kernels: try optional(.kernels),
      pooling: try optional(.pooling) ?? .mean,
      dimension: try value(.dimension), epochs: try value(.epochs),
      batchSize: try value(.batchSize), shardSize: try optional(.shardSize) ?? 64,
      learningRate: try value(.learningRate), weightDecay: try value(.weightDecay),
      warmUpEpochs: try value(.warmUpEpochs), labelSmoothing: try value(.labelSmoothing),
      distillationWeight: try optional(.distillationWeight) ?? 0,
      gradientNormLimit: try optional(.gradientNormLimit),
      averagingDecay: try value(.averagingDecay),
      checkpointInterval: try value(.checkpointInterval),
      augmentation: try value(.augmentation), teacher: try optional(.teacher),
      keepsBest: try optional(.keepsBest) ?? false)
  }

  /// Writes the recipe.
  public func encode(to encoder: any Encoder) throws {
    try view.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(channels, forKey: .channels)
    try container.encodeIfPresent(blocks, forKey: .blocks)
    try container.encodeIfPresent(kernels, forKey: .kernels)
    try container.encode(pooling, forKey: .pooling)
    try container.encode(dimension, forKey: .dimension)
    try container.encode(epochs, forKey: .epochs)
    try container.encode(batchSize, forKey: .batchSize)
    try container.encode(shardSize, forKey: .shardSize)
    try container.encode(learningRate, forKey: .learningRate)
    try container.encode(weightDecay, forKey: .weightDecay)
    try container.encode(warmUpEpochs, forKey: .warmUpEpochs)
    try container.encode(labelSmoothing, forKey: .labelSmoothing)
    try container.encode(distillationWeight, forKey: .distillationWeight)
    try container.encodeIfPresent(gradientNormLimit, forKey: .gradientNormLimit)
    try container.encode(averagingDecay, forKey: .averagingDecay)
    try container.encode(checkpointInterval, forKey: .checkpointInterval)
    try container.encode(augmentation, forKey: .augmentation)
    try container.encodeIfPresent(teacher, forKey: .teacher)
    // Models that older versions read do not have it.
    if keepsBest { try container.encode(true, forKey: .keepsBest) }
  }
}
