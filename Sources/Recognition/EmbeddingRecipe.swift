public import Ink

/// Everything that shapes an embedding's training, apart from the drawings and the seed.
public struct EmbeddingRecipe: Hashable, Sendable, Codable {
  /// What the network sees.
  public var rasterizer: Rasterizer
  /// Filters of the residual stages; the picture is halved from one to the next.
  public var channels: [Int]
  /// The length of the vector.
  public var dimension: Int
  /// How often every drawing is seen, each time changed in another way.
  public var epochs: Int
  /// Drawings a step.
  public var batchSize: Int
  /// The highest learning rate of AdamW.
  public var learningRate: Float
  /// The strength of weight decay.
  public var weightDecay: Float
  /// Epochs in which the learning rate rises.
  public var warmUpEpochs: Double
  /// The share of each target spread over all labels.
  public var labelSmoothing: Float
  /// The share of the old value in the running average of the weights, in 0..<1.
  public var averagingDecay: Float
  /// Steps between checkpoints within an epoch.
  public var checkpointInterval: Int
  /// How drawings are changed, as the caller describes it: recorded, and a checkpoint of a training with
  /// another description is refused.
  public var augmentation: String

  /// A recipe.
  public init(
    rasterizer: Rasterizer, channels: [Int], dimension: Int, epochs: Int, batchSize: Int,
    learningRate: Float, weightDecay: Float, warmUpEpochs: Double, labelSmoothing: Float,
    averagingDecay: Float, checkpointInterval: Int, augmentation: String
  ) {
    self.rasterizer = rasterizer
    self.channels = channels
    self.dimension = dimension
    self.epochs = epochs
    self.batchSize = batchSize
    self.learningRate = learningRate
    self.weightDecay = weightDecay
    self.warmUpEpochs = warmUpEpochs
    self.labelSmoothing = labelSmoothing
    self.averagingDecay = averagingDecay
    self.checkpointInterval = checkpointInterval
    self.augmentation = augmentation
  }

  /// A residual network of 0.48 M parameters on 28×28 pixels, for some ten thousand drawings.
  public static let standard = EmbeddingRecipe(
    rasterizer: Rasterizer(), channels: [32, 64, 128], dimension: 128, epochs: 40, batchSize: 128,
    learningRate: 3e-3, weightDecay: 0.05, warmUpEpochs: 1, labelSmoothing: 0.1,
    averagingDecay: 0.998, checkpointInterval: 50, augmentation: "none")
}
