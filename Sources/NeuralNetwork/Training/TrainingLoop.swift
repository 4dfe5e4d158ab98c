/// Trains and validates a network.
///
/// The result depends on the configuration, the data and the first parameters, not on `threads`:
/// each mini-batch is cut into shards of a fixed size, and the shards' gradients are summed in
/// order. Batch normalization uses a shard's own statistics ("ghost batch normalization", Hoffer,
/// Hubara and Soudry 2017, arXiv 1705.08741).
public struct TrainingLoop: Sendable {
  /// The hyper-parameters of a training.
  public struct Configuration: Codable, Sendable, Equatable {
    /// How often every example is seen.
    public var epochs: Int
    /// Examples a step.
    public var batchSize: Int
    /// Examples whose activations are held and normalized together; a step's shards run in
    /// parallel.
    public var shardSize: Int
    /// How parameters follow their gradient.
    public var optimizer: Optimizer
    /// The highest learning rate, reached at the end of the warm-up.
    public var learningRate: Float
    /// The learning rate at the very end as a share of the highest, in 0...1.
    public var finalLearningRateShare: Float
    /// Epochs in which the learning rate rises from 0; it then falls along half a cosine.
    public var warmUpEpochs: Double
    /// The share of each target that is spread over all classes, in 0..<1 (Szegedy et al. 2016,
    /// arXiv 1512.00567).
    public var labelSmoothing: Float
    /// What the distance to the examples' target vectors counts; see `TrainingLoss`.
    public var targetWeight: Float
    /// The greatest norm of a step's gradient; longer ones are shortened to it.
    public var gradientNormLimit: Float?
    /// The share of the old value in the running average of the parameters, in 0..<1, such as
    /// 0.999. With it the averaged network is validated and returned (Polyak and Juditsky 1992,
    /// doi:10.1137/0330046).
    public var averagingDecay: Float?
    /// Stops after so many epochs without a better validation loss.
    public var earlyStoppingPatience: Int?
    /// Steps between checkpoints within an epoch; one is made at every epoch's end anyway.
    public var checkpointInterval: Int?
    /// Where all randomness comes from.
    public var seed: UInt64
    /// Shards that run at the same time; the result does not depend on it.
    public var threads: Int

    /// Hyper-parameters of a training.
    public init(
      epochs: Int = 30, batchSize: Int = 128, shardSize: Int = 64,
      optimizer: Optimizer = .adamW(weightDecay: 0.05), learningRate: Float = 2e-3,
      finalLearningRateShare: Float = 0.01, warmUpEpochs: Double = 1, labelSmoothing: Float = 0.1,
      targetWeight: Float = 0, gradientNormLimit: Float? = nil, averagingDecay: Float? = nil,
      earlyStoppingPatience: Int? = nil, checkpointInterval: Int? = nil, seed: UInt64 = 0,
      threads: Int = 1
    ) {
      self.epochs = epochs
      self.batchSize = batchSize
      self.shardSize = shardSize
      self.optimizer = optimizer
      self.learningRate = learningRate
      self.finalLearningRateShare = finalLearningRateShare
      self.warmUpEpochs = warmUpEpochs
      self.labelSmoothing = labelSmoothing
      self.targetWeight = targetWeight
      self.gradientNormLimit = gradientNormLimit
      self.averagingDecay = averagingDecay
      self.earlyStoppingPatience = earlyStoppingPatience
      self.checkpointInterval = checkpointInterval
      self.seed = seed
      self.threads = threads
    }
  }

  /// What one epoch gave.
  public struct EpochSummary: Codable, Sendable, Equatable {
    /// Counted from 0.
    public var epoch: Int
    /// The mean loss of the training examples while they were learned.
    public var trainingLoss: Double
    /// The share of training examples with a class that were right while they were learned, in
    /// 0...1.
    public var trainingAccuracy: Double
    /// The mean cosine with the target vectors while they were learned, in -1...1, where there are
    /// some.
    public var targetCosine: Double?
    /// What the caller's own measure gave.
    public var measured: Double?
    /// The mean loss of the validation examples, without label smoothing.
    public var validationLoss: Double?
    /// The share of validation examples that are right, in 0...1.
    public var validationAccuracy: Double?
    /// The learning rate of the epoch's last step.
    public var learningRate: Float
  }

  /// What happens while a network trains.
  public enum Event: Sendable {
    /// Training begins, or goes on from a checkpoint: the next step and the number of all steps.
    case started(step: Int, totalSteps: Int)
    /// A step is done: its number from 1, the number of all steps, examples in it and their mean
    /// loss.
    case step(done: Int, totalSteps: Int, examples: Int, loss: Double)
    /// An epoch is done.
    case epoch(EpochSummary)
    /// The moment to save a checkpoint.
    case checkpoint(TrainingCheckpoint)
    /// Training is over; `stoppedEarly` when the patience ran out.
    case finished(stoppedEarly: Bool)
  }

  /// A trained network.
  public struct Outcome: Sendable {
    /// The network of the best epoch by validation loss when there is early stopping, else of the
    /// last.
    public var network: Network
    /// Every epoch.
    public var history: [EpochSummary]
  }

  /// The hyper-parameters.
  public let configuration: Configuration

  /// A loop with these hyper-parameters.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
  }
}
