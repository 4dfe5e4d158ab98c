/// Trains and validates a network.
///
/// The result depends on the configuration, the data and the initial parameters, not on `threads`:
/// each mini-batch is split into shards of a fixed size, and the shards' gradients are summed in
/// order. Batch normalization uses a shard's own statistics ("ghost batch normalization", Hoffer,
/// Hubara and Soudry 2017, arXiv 1705.08741).
public struct TrainingLoop: Sendable {
  /// Which epoch's network a training returns.
  public enum Selection: String, Codable, Sendable {
    /// The best epoch by `EpochSummary.isBetter`. Its validation numbers are slightly too
    /// optimistic, because they chose it.
    case best
  }

  /// The hyper-parameters of a training.
  public struct Configuration: Codable, Sendable, Equatable {
    /// The number of passes over the data.
    public var epochs: Int
    /// Examples per step.
    public var batchSize: Int
    /// Examples per shard, which are normalized together; a step's shards run in parallel.
    public var shardSize: Int
    /// The update rule of the parameters and its weight decay.
    public var optimizer: Optimizer
    /// The highest learning rate, reached at the end of the warm-up.
    public var learningRate: Float
    /// The final learning rate as a share of the highest, in 0...1.
    public var finalLearningRateShare: Float
    /// Epochs of linear warm-up from 0; the learning rate then decays along half a cosine.
    public var warmUpEpochs: Double
    /// The label smoothing: the share of each target spread over all classes, in 0..<1 (Szegedy et
    /// al. 2016, arXiv 1512.00567).
    public var labelSmoothing: Float
    /// The weight of 1 - cosine of the predicted and the target vector, beside the cross-entropy.
    public var targetWeight: Float
    /// The maximum norm of a step's gradient; larger gradients are clipped to it.
    public var gradientNormLimit: Float?
    /// The decay of the running average of the parameters, in 0..<1, such as 0.999. If set, the
    /// averaged network is validated and returned (Polyak and Juditsky 1992, doi:10.1137/0330046).
    public var averagingDecay: Float?
    /// Steps between checkpoints within an epoch; every epoch also ends with one.
    public var checkpointInterval: Int?
    /// Which epoch's network is returned; nil for the last.
    public var selection: Selection?
    /// The fingerprint of the trained network that the training began with; nil for random weights.
    public var start: String?
    /// The seed of all randomness.
    public var seed: UInt64
    /// The number of shards that run in parallel; the result does not depend on it.
    public var threads: Int

    /// Hyper-parameters of a training.
    public init(
      epochs: Int = 30, batchSize: Int = 128, shardSize: Int = 64,
      optimizer: Optimizer = .adamW(weightDecay: 0.05), learningRate: Float = 2e-3,
      finalLearningRateShare: Float = 0.01, warmUpEpochs: Double = 1, labelSmoothing: Float = 0.1,
      targetWeight: Float = 0, gradientNormLimit: Float? = nil, averagingDecay: Float? = nil,
      checkpointInterval: Int? = nil, selection: Selection? = nil, start: String? = nil,
      seed: UInt64 = 0, threads: Int = 1
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
      self.checkpointInterval = checkpointInterval
      self.selection = selection
      self.start = start
      self.seed = seed
      self.threads = threads
    }
  }

  /// The results of one epoch.
  public struct EpochSummary: Codable, Sendable, Equatable {
    /// Counted from 0.
    public var epoch: Int
    /// The mean loss of the training examples during the epoch.
    public var trainingLoss: Double
    /// The accuracy on labeled training examples during the epoch, in 0...1.
    public var trainingAccuracy: Double
    /// The mean cosine with the target vectors during the epoch, in -1...1; nil without targets.
    public var targetCosine: Double?
    /// The result of the caller's own measure.
    public var measured: Double?
    /// The mean loss of the validation examples, without label smoothing.
    public var validationLoss: Double?
    /// The accuracy on validation examples, in 0...1.
    public var validationAccuracy: Double?
    /// The mean of the classes' recalls on validation examples, in 0...1; nil where classes have
    /// equally many.
    public var validationMacroRecall: Double?
    /// The learning rate of the epoch's last step.
    public var learningRate: Float

    /// Whether its network did better than another epoch's on the validation examples, or else by
    /// the caller's measure: it has a higher accuracy, or the same and a lower loss.
    public func isBetter(than other: EpochSummary) -> Bool {
      guard let own = validationAccuracy ?? measured,
        let theirs = other.validationAccuracy ?? other.measured
      else { return false }
      return (own, -(validationLoss ?? 0)) > (theirs, -(other.validationLoss ?? 0))
    }
  }

  /// The results of one step.
  public struct StepSummary: Sendable, Equatable {
    /// Its number in the whole training, counted from 1.
    public var number: Int
    /// The number of steps of the whole training.
    public var totalSteps: Int
    /// Its epoch, counted from 0.
    public var epoch: Int
    /// The number of its examples.
    public var examples: Int
    /// Their mean loss.
    public var loss: Double
    /// The accuracy on its labeled examples, in 0...1; nil without any.
    public var accuracy: Double?
    /// The learning rate.
    public var learningRate: Float
  }

  /// An event during training.
  public enum Event: Sendable {
    /// Training begins, or resumes from a checkpoint: the next step and the total number of steps.
    case started(step: Int, totalSteps: Int)
    /// A step is done.
    case step(StepSummary)
    /// An epoch is done.
    case epoch(EpochSummary)
    /// A checkpoint is due to be saved.
    case checkpoint(TrainingCheckpoint)
    /// Training is over.
    case finished
  }

  /// A trained network.
  public struct Outcome: Sendable {
    /// The network after the last epoch or the best, averaged if the configuration says so.
    public var network: Network
    /// The summaries of all epochs.
    public var history: [EpochSummary]
  }

  /// The hyper-parameters.
  public let configuration: Configuration
  /// The processes that train the network together.
  package var reducer: any GradientReducer = OneProcess()

  /// A loop with these hyper-parameters.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
  }
}

extension [TrainingLoop.EpochSummary] {
  /// The first that no other is better than, whose network `TrainingLoop.Selection.best` returns;
  /// nil if there is none.
  package var best: TrainingLoop.EpochSummary? {
    reduce(first) { best, epoch in
      best.map { epoch.isBetter(than: $0) ? epoch : $0 }
    }
  }
}
