internal import Foundation

/// How an embedding's network is fitted: steps, learning rate and regularization.
public struct TrainingSchedule: Hashable, Sendable {
  /// The number of passes over the drawings, each with new augmentation; or of rounds of
  /// `examplesPerEpoch` examples.
  public var epochs: Int
  /// The number of examples of an epoch; nil for each drawing once, and in an `EmbeddingRecipe`,
  /// whose trainer is given the examples.
  public var examplesPerEpoch: Int?
  /// Drawings per step; nil for one by their number: `batchSize(forDrawings:)`.
  public var batchSize: Int?
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
  /// The maximum norm of a step's gradient; nil for no clipping.
  public var gradientNormLimit: Float?
  /// The share of the old value in the running average of the weights, in 0..<1.
  public var averagingDecay: Float
  /// Steps between checkpoints within an epoch.
  public var checkpointInterval: Int

  /// A schedule.
  public init(
    epochs: Int, examplesPerEpoch: Int? = nil, batchSize: Int? = nil, shardSize: Int = 64,
    learningRate: Float, weightDecay: Float, warmUpEpochs: Double, labelSmoothing: Float,
    gradientNormLimit: Float? = nil, averagingDecay: Float, checkpointInterval: Int
  ) {
    (self.epochs, self.examplesPerEpoch) = (epochs, examplesPerEpoch)
    (self.batchSize, self.shardSize) = (batchSize, shardSize)
    (self.learningRate, self.weightDecay) = (learningRate, weightDecay)
    (self.warmUpEpochs, self.labelSmoothing) = (warmUpEpochs, labelSmoothing)
    (self.gradientNormLimit, self.averagingDecay) = (gradientNormLimit, averagingDecay)
    self.checkpointInterval = checkpointInterval
  }

  /// The batch sizes that suit small sets and large ones.
  public static let batchSizes = 16...128

  /// A batch size for a number of drawings: the power of two nearest to its square root, within
  /// `batchSizes`. So few drawings get enough steps: `docs/research/unequal.md`.
  public static func batchSize(forDrawings count: Int) -> Int {
    let exponent = (log2(Double(max(1, count))) / 2).rounded()
    return min(max(Int(exp2(exponent)), batchSizes.lowerBound), batchSizes.upperBound)
  }

  /// The schedule with a batch size and shards for a number of drawings, unless it has a batch size.
  public func fitted(toDrawings count: Int) -> TrainingSchedule {
    guard batchSize == nil else { return self }
    var fitted = self
    let size = Self.batchSize(forDrawings: count)
    // Two shards keep two threads busy; smaller ones than 16 give noisy batch statistics.
    fitted.shardSize = min(shardSize, max(Self.batchSizes.lowerBound, size / 2))
    fitted.batchSize = size
    return fitted
  }
}

extension TrainingSchedule: Codable {
  /// Reads a schedule; models of older versions lack the shards' size, which was 64.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func value<Value: Decodable>(_ key: CodingKeys) throws -> Value {
      try container.decode(Value.self, forKey: key)
    }
    self.init(
      epochs: try value(.epochs),
      examplesPerEpoch: try container.decodeIfPresent(Int.self, forKey: .examplesPerEpoch),
      batchSize: try container.decodeIfPresent(Int.self, forKey: .batchSize),
      shardSize: try container.decodeIfPresent(Int.self, forKey: .shardSize) ?? 64,
      learningRate: try value(.learningRate), weightDecay: try value(.weightDecay),
      warmUpEpochs: try value(.warmUpEpochs), labelSmoothing: try value(.labelSmoothing),
      gradientNormLimit: try container.decodeIfPresent(Float.self, forKey: .gradientNormLimit),
      averagingDecay: try value(.averagingDecay),
      checkpointInterval: try value(.checkpointInterval))
  }
}
