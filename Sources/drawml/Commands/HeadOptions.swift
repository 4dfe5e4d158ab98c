internal import ArgumentParser
internal import Recognition

/// Which head turns vectors into labels.
struct HeadOptions: ParsableArguments {
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case knn
    case prototype
    case linear
  }

  @Option(
    help: """
      What turns vectors into labels: prototype (nearest class mean), knn (nearest neighbours) or \
      linear (logistic regression).
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
    }
  }
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
