public import Text

/// Why a network could not be made, read, trained or resumed.
public enum NetworkError: DescribedError, Equatable {
  /// A layer does not support an input of this shape.
  case unsuitableInput(layer: String, shape: [Int], needs: String)
  /// The two branches of a residual layer have different output shapes.
  case branchesDiffer(body: [Int], shortcut: [Int])
  /// A description names a layer that this version does not have.
  case unknownLayer(String)
  /// A layer's hyper-parameter is out of its range.
  case badHyperparameter(layer: String, name: String, value: String)
  /// A network exceeds a limit.
  case tooLarge(String, limit: Int)
  /// The number of stored values is not the number that the architecture needs.
  case wrongCount(of: String, expected: Int, actual: Int)
  /// A stored value is not a finite number.
  case notFinite(String)
  /// A network whose weights are to be trained further has other layers.
  case otherLayers
  /// The training data cannot train this network.
  case unsuitableData(String)
  /// There are fewer shards in a mini-batch than processes to share them.
  case tooManyRanks(Int, shards: Int, batchSize: Int, shardSize: Int)
  /// The loss became infinite or not a number.
  case diverged(epoch: Int, step: Int, learningRate: Float)
  /// A checkpoint is of another training; gives what differs, and the saved and the current value.
  case checkpointDiffers(in: String, saved: String, current: String)
  /// A checkpoint file is intact but its contents are not a checkpoint.
  case malformedCheckpoint(String)
  /// An eigenvalue problem has no solution.
  case noEigenvectors(String)

  /// One sentence for people: what is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .unsuitableInput(let layer, let shape, let needs):
      "\(layer) cannot take an input of shape \(shape): it needs \(needs)"
    case .branchesDiffer(let body, let shortcut):
      """
      a residual layer's body gives shape \(body) and its shortcut \(shortcut); they must be the \
      same
      """
    case .unknownLayer(let kind):
      "the network has a layer of kind \"\(kind)\", which this version does not know; update drawml"
    case .badHyperparameter(let layer, let name, let value):
      "\(layer) cannot have \(name) = \(value)"
    case .tooLarge(let what, let limit):
      "the network needs too many \(what): at most \(limit) are read"
    case .wrongCount(let what, let expected, let actual):
      "the network has \(expected) \(what), got \(actual)"
    case .notFinite(let what):
      "\(what) has a value that is not a finite number"
    case .otherLayers:
      "the network to start from has other layers than the one to train: use its recipe"
    case .unsuitableData(let what):
      "cannot train: \(what)"
    case .tooManyRanks(let count, let shards, let batchSize, let shardSize):
      "\(count) processes cannot share a mini-batch of \(batchSize) examples, which has "
        + "\(shards == 1 ? "1 shard" : "\(shards) shards") of \(shardSize): start at most \(shards), or "
        + "set training.shardSize to \(max(1, batchSize / count)), or training.batchSize to more"
    case .diverged(let epoch, let step, let rate):
      "training diverged in epoch \(epoch + 1), step \(step + 1): the loss is not a finite number "
        + "(learning rate \(rate)); use a lower learning rate or clip the gradient"
    case .checkpointDiffers(let what, let saved, let current):
      "cannot resume: the checkpoint has \(what) \(Self.excerpt(of: saved, unlike: current)), "
        + "this run has \(Self.excerpt(of: current, unlike: saved)); "
        + "use the same settings, or start from scratch without the checkpoint"
    case .malformedCheckpoint(let what):
      "cannot resume: the checkpoint \(what)"
    case .noEigenvectors(let why):
      "the statistics of the vectors cannot be used: \(why)"
    }
  }
}

extension NetworkError {
  /// Where a long text differs from another one, with some characters around it.
  private static func excerpt(of text: String, unlike other: String) -> String {
    let most = 80
    guard text.count > most else { return text }
    let same = zip(text, other).prefix { $0 == $1 }.count
    let start = max(0, same - most / 4)
    let part = text.dropFirst(start)
    return (start > 0 ? "…" : "") + part.prefix(most) + (part.count > most ? "…" : "")
  }
}
