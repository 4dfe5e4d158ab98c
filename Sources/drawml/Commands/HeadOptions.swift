internal import ArgumentParser
internal import Recognition

/// Which head turns vectors into labels.
struct HeadOptions: ParsableArguments {
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case knn
    case prototype
    case linear
    case plda

    /// The one for a model that is taught few drawings: plda where the model knows how labels differ in general.
    static func standard(for model: Recognizer) -> Kind {
      model.memory.background == nil ? .prototype : .plda
    }
  }

  @Option(
    help: """
      What turns vectors into labels: plda (by how much labels differ in general), prototype \
      (nearest class mean), knn (nearest neighbours) or linear (logistic regression).
      """)
  var head: Kind?
  @Option(help: "knn: how many neighbours vote.")
  var neighbors = 5
  @Flag(help: "knn: every neighbour's vote counts the same, not one over its distance.")
  var uniform = false
  @Option(help: "linear: what holds the weights near the class means.")
  var penalty = 1e-3

  func validate() throws {
    guard neighbors >= 1 else { throw ValidationError("--neighbors must be at least 1.") }
    guard penalty >= 0, penalty.isFinite else {
      throw ValidationError("--penalty must be a number from 0 up.")
    }
  }

  /// The head that the options name.
  ///
  /// - Parameter standard: Which one where they name none.
  /// - Returns: The head with its hyper-parameters.
  func configuration(standard: Kind) -> HeadConfiguration {
    switch head ?? standard {
    case .knn:
      .nearestNeighbours(count: neighbors, weights: uniform ? .uniform : .inverseDistance)
    case .prototype: .classMeans
    case .linear: .linear(penalty: penalty)
    case .plda: .twoCovariance
    }
  }
}

/// `--refuse`.
struct RefusalOption: ParsableArguments {
  @Option(
    name: .customLong("refuse"),
    help: ArgumentHelp(
      "How often a drawing of a taught label may be refused, from 0 to 0.5; the rarer, the more strangers pass.",
      valueName: "share"))
  var rate: Double?

  func validate() throws {
    guard DecisionPolicy.rates.contains(rate ?? 0) else {
      throw ValidationError("--refuse is a share of the drawings: from 0 to 0.5.")
    }
  }

  /// The policy that the option names, nil where it was not given.
  var policy: DecisionPolicy? { rate.map { DecisionPolicy(refusalRate: $0) } }
}

/// `--threads`.
struct ThreadOption: ParsableArguments {
  @Option(name: .customLong("threads"), help: "How many threads work (default: all processors).")
  var number: Int?

  func validate() throws {
    guard number ?? 1 >= 1 else { throw ValidationError("--threads must be at least 1.") }
  }

  /// How many threads work.
  var count: Int { number ?? Resources.processorCount }
}
