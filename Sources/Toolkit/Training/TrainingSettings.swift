package import Datasets
package import JSON
package import Recognition

/// The hyper-parameters of `drawml train`, as its configuration file has them: all but the
/// drawings, the base model and what does not change the result. The keys are the properties'
/// names.
///
/// What options set has the options' names; the rest has the keys of a member of a
/// `TrainingRecipe`.
package struct TrainingSettings: Codable, Equatable, Sendable {
  /// The ranges of options, which hold for files, too.
  package enum Limits {
    package static let holdOut = 0.0...0.8
    package static let neighbors = 1...10_000
    package static let penalty = 0.0...1e6
    package static let keep = 2...100_000
  }

  /// The seed of splits, initial weights, order and augmentation.
  package var seed: UInt64 = 1
  /// The share of each label's drawings that are held out.
  package var holdOut = 0.0
  /// Nil for the standard head: linear, or what suits the base.
  package var head: HeadConfiguration.Kind?
  /// How many neighbors vote, with the head knn.
  package var neighbors = 5
  /// Whether every neighbor's vote counts the same, with the head knn.
  package var uniform = false
  /// What holds the weights near the class means, with the head linear.
  package var penalty = 1e-3
  /// How often a drawing of a taught label may be refused; nil for the standard rate, or that of
  /// the base.
  package var refuse: Double?
  /// Whether a base's prior is adapted to the drawings.
  package var adapt = true
  /// The exponent of class frequency in training and in the head linear, in 0...1: by 0 every label
  /// counts the same, by 1 every drawing; see `ExampleSampler.Settings.balance`. Streams heed it in
  /// the head alone.
  package var balance = 0.0
  /// Whether the network of the epoch that is best on the validation drawings is kept, instead of
  /// the last.
  package var keepBest = false
  /// Whether the drawings are read from a sharded set when they are needed.
  package var stream = false
  /// With `stream`, how many drawings of each label stay in memory.
  package var keep = 100
  /// The network's input representation.
  package var view: DrawingView
  package var network: NetworkShape
  package var training: TrainingSchedule
  package var augmentation: Augmentation

  /// The standard settings.
  ///
  /// - Parameter hasBase: Whether there is a base model, whose embedding is kept unless
  ///   `training.epochs` is more than 0.
  package init(hasBase: Bool) {
    let recipe = hasBase ? FineTuning.recipe : .standard
    view = recipe.view
    (network, training) = (recipe.network, recipe.training)
    training.batchSize = nil
    augmentation = .standard
  }

  /// The keys of what only a new embedding needs, which a base has already.
  package static let embeddingKeys = ["keep", "network", "stream", "view"]

  /// The network and its training as a member of a recipe.
  private var member: TrainingRecipe.Member {
    TrainingRecipe.Member(
      name: "network", weight: 1, view: view, network: network, training: training,
      augmentation: augmentation, teacherWeight: 0)
  }

  /// Whether an embedding is trained: without a base always, with one if it is trained further.
  package func trainsEmbedding(hasBase: Bool) -> Bool { !hasBase || training.epochs > 0 }

  /// The hyper-parameters of the embedding's training.
  ///
  /// - Parameters:
  ///   - sampling: How drawings are sampled and augmented; recorded.
  ///   - drawings: How many it is trained on.
  /// - Returns: The recipe for an `EmbeddingTrainer`.
  func embeddingRecipe(describedAs sampling: String, drawings: Int) -> EmbeddingRecipe {
    var recipe = member.embeddingRecipe(
      describedAs: sampling, teacher: nil, drawings: drawings)
    recipe.keepsBest = keepBest
    return recipe
  }

  /// The head.
  ///
  /// - Parameter standard: The head where `head` is nil.
  /// - Returns: The head with its hyper-parameters.
  package func head(standard: HeadConfiguration) -> HeadConfiguration {
    switch head {
    case .knn:
      .nearestNeighbors(count: neighbors, weights: uniform ? .uniform : .inverseDistance)
    case .prototype: .classMeans
    case .linear: .linear(penalty: penalty, balance: balance)
    case .plda: .twoCovariance
    case nil:
      if case .linear = standard { .linear(penalty: penalty, balance: balance) } else { standard }
    }
  }

  /// The decision policy; nil for the standard one, or that of the base.
  var policy: DecisionPolicy? { refuse.map { DecisionPolicy(refusalRate: $0) } }

  /// What does not go with a job that holds out drawings itself; nil if all does.
  ///
  /// - Parameter reason: How it holds them out, as the beginning of a sentence.
  /// - Returns: The sentence, without a full stop.
  package func holdOutProblem(_ reason: String) -> String? {
    guard stream || training.examplesPerEpoch != nil || holdOut != 0 else { return nil }
    return "\(reason), and all drawings are in memory: leave out holdOut, stream and "
      + "examplesPerEpoch"
  }

  /// Refuses settings of a training where a base's embedding is kept: they would change nothing.
  ///
  /// - Parameter hasBase: Whether there is a base model.
  /// - Throws: `JobProblem` that names one.
  func requireUsed(hasBase: Bool) throws(JobProblem) {
    guard !trainsEmbedding(hasBase: hasBase) else { return }
    let usual = TrainingSettings(hasBase: true)
    let changed = [
      ("training", training != usual.training),
      ("augmentation", augmentation != usual.augmentation),
      ("keepBest", keepBest),
    ].first { $0.1 }
    guard let changed else { return }
    throw JobProblem(
      "\(changed.0) is set, but the base's embedding is kept as it is: leave it out, or add --epochs "
        + "(training.epochs) to train it further")
  }

  /// Refuses values out of their ranges; the first is named.
  ///
  /// - Parameter hasBase: Whether there is a base model.
  /// - Throws: `JSONFault` that names the key.
  package func check(hasBase: Bool) throws(JSONFault) {
    try require(holdOut, in: Limits.holdOut, "holdOut")
    try require(balance, in: 0...1, "balance")
    try require(neighbors, in: Limits.neighbors, "neighbors")
    try require(penalty, in: Limits.penalty, "penalty")
    try require(refuse ?? 0, in: DecisionPolicy.rates, "refuse")
    try require(keep, in: Limits.keep, "keep")
    var member = member
    // A base is kept by 0 epochs.
    if hasBase, training.epochs == 0 { member.training.epochs = 1 }
    try member.check("")
  }
}
