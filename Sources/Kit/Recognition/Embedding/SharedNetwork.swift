internal import NeuralNetwork
internal import Synchronization

/// A network with what inference makes of it.
///
/// Equal networks in use at the same time are one object: models that were taught from the same
/// base hold its weights once, in memory and in the processor's caches.
final class SharedNetwork: Sendable {
  let network: Network
  let prepared: PreparedNetwork

  private init(_ network: Network) {
    self.network = network
    prepared = PreparedNetwork(network)
  }

  private struct Reference {
    weak var object: SharedNetwork?
  }

  private static let used = Mutex<[Reference]>([])

  /// The object of a network: the one in use, or a new one.
  static func of(_ network: Network) -> SharedNetwork {
    if let known = used.withLock({ find(network, in: $0) }) { return known }
    // Preparing takes milliseconds; meanwhile another thread may have made the same.
    let new = SharedNetwork(network)
    return used.withLock { used in
      if let known = find(network, in: used) { return known }
      used.removeAll { $0.object == nil }
      used.append(Reference(object: new))
      return new
    }
  }

  private static func find(_ network: Network, in used: [Reference]) -> SharedNetwork? {
    for case let object? in used.map(\.object) where object.network.isIdentical(to: network) {
      return object
    }
    return nil
  }
}

extension Network {
  /// Whether both have the same layers, and numbers of the same bits: 0 is not -0 here.
  fileprivate func isIdentical(to other: Network) -> Bool {
    architecture == other.architecture && Self.areIdentical(parameters, other.parameters)
      && Self.areIdentical(statistics, other.statistics)
  }

  private static func areIdentical(_ a: [Float], _ b: [Float]) -> Bool {
    a.count == b.count && a.indices.allSatisfy { a[$0].bitPattern == b[$0].bitPattern }
  }
}
