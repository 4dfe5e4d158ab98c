internal import ArgumentParser
package import Recognition
internal import Training

/// The options of the head.
struct HeadOptions: ParsableArguments {
  @Option(
    help: """
      What turns vectors into labels: plda (probabilistic linear discriminant analysis), prototype \
      (nearest class mean), knn (nearest neighbors) or linear (logistic regression).
      """)
  var head: HeadConfiguration.Kind?
  @Option(
    help:
      "knn: how many neighbors vote (default: \(TrainingSettings(hasBase: false).neighbors)).",
    in: TrainingSettings.Limits.neighbors)
  var neighbors: Int?
  @Flag(
    inversion: .prefixedNo,
    help: "knn: all votes count the same, instead of being weighted by inverse distance.")
  var uniform: Bool?
  @Option(
    help: """
      linear: the penalty (L2) on weights far from the class means (default: \
      \(TrainingSettings(hasBase: false).penalty)).
      """, in: TrainingSettings.Limits.penalty)
  var penalty: Double?

  func validate() throws {
    if let head { try requireOptions(of: head) }
  }

  /// Whether any of them was given.
  var isGiven: Bool { head != nil || neighbors != nil || uniform != nil || penalty != nil }

  /// Refuses options of another head than this one, or than the standard one for nil.
  private func requireOptions(of head: HeadConfiguration.Kind?) throws {
    guard head == .knn || (neighbors == nil && uniform == nil) else {
      throw ValidationError("--neighbors and --uniform go with --head knn.")
    }
    guard head == .linear || penalty == nil else {
      throw ValidationError("--penalty goes with --head linear.")
    }
  }

  /// Applies the options to settings.
  ///
  /// - Throws: `ValidationError` for an option of another head than the settings'.
  func set(_ settings: inout TrainingSettings) throws {
    if let head { settings.head = head }
    try requireOptions(of: settings.head)
    if let neighbors { settings.neighbors = neighbors }
    if let uniform { settings.uniform = uniform }
    if let penalty { settings.penalty = penalty }
  }

  /// The head selected by the options.
  ///
  /// - Parameter standard: The head if the options select none.
  /// - Returns: The head with its hyper-parameters.
  /// - Throws: `ValidationError` for an option of another head.
  func configuration(standard: HeadConfiguration) throws -> HeadConfiguration {
    var settings = TrainingSettings(hasBase: false)
    try set(&settings)
    return settings.head(standard: standard)
  }
}

extension HeadConfiguration.Kind: ExpressibleByArgument {}

/// `--refuse`.
struct RefusalOption: ParsableArguments {
  @Option(
    name: .customLong("refuse"),
    help: ArgumentHelp(
      "The share of drawings of taught labels that may be refused; less accepts more unknowns.",
      valueName: "share"), in: DecisionPolicy.rates)
  var rate: Double?

  /// The policy of the option; nil if it was not given.
  var policy: DecisionPolicy? { rate.map { DecisionPolicy(refusalRate: $0) } }
}

/// `--threads`.
struct ThreadOption: ParsableArguments {
  @Option(
    name: .customLong("threads"), help: "How many threads (default: one per processor).",
    in: Self.range)
  var number: Int?

  /// More threads than processors are slower, and each uses more memory.
  private static let range = 1...256

  /// The number of threads.
  var count: Int { number ?? min(SharedRun.processorCount, Self.range.upperBound) }
}
