internal import ArgumentParser
internal import Benchmarks
internal import Recognition

/// The options of the head.
struct HeadOptions: ParsableArguments {
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case knn
    case prototype
    case linear
    case plda
  }

  @Option(
    help: """
      What turns vectors into labels: plda (by how much labels differ in general), prototype \
      (nearest class mean), knn (nearest neighbors) or linear (logistic regression).
      """)
  var head: Kind?
  @Option(help: "knn: how many neighbors vote.", in: 1...10_000)
  var neighbors = 5
  @Flag(help: "knn: every neighbor's vote counts the same, not one over its distance.")
  var uniform = false
  @Option(help: "linear: what holds the weights near the class means.", in: 0...1e6)
  var penalty = 1e-3

  /// The head selected by the options.
  ///
  /// - Parameter standard: The head if the options select none.
  /// - Returns: The head with its hyper-parameters.
  func configuration(standard: HeadConfiguration) -> HeadConfiguration {
    switch head {
    case .knn:
      .nearestNeighbors(count: neighbors, weights: uniform ? .uniform : .inverseDistance)
    case .prototype: .classMeans
    case .linear: .linear(penalty: penalty)
    case .plda: .twoCovariance
    case nil: if case .linear = standard { .linear(penalty: penalty) } else { standard }
    }
  }
}

/// `--refuse`.
struct RefusalOption: ParsableArguments {
  @Option(
    name: .customLong("refuse"),
    help: ArgumentHelp(
      "How often a drawing of a taught label may be refused; the rarer, the more unknowns pass.",
      valueName: "share"), in: DecisionPolicy.rates)
  var rate: Double?

  /// The policy of the option; nil if it was not given.
  var policy: DecisionPolicy? { rate.map { DecisionPolicy(refusalRate: $0) } }
}

/// `--threads`.
struct ThreadOption: ParsableArguments {
  @Option(
    name: .customLong("threads"), help: "How many threads work; all processors where not given.",
    in: Self.range)
  var number: Int?

  /// More threads than processors are slower, and each uses more memory.
  private static let range = 1...256

  /// The number of threads.
  var count: Int { number ?? min(Resources.processorCount, Self.range.upperBound) }
}
