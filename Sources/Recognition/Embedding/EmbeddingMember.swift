public import NeuralNetwork

/// A network and what it sees.
public struct EmbeddingMember: Sendable, Equatable {
  /// Makes the network's numbers.
  public let view: DrawingView
  /// Numbers of the view's shape → vector; batch normalization still apart, for training on.
  public let network: Network
  /// What its vector counts beside those of other members, in 1e-6...1e6.
  public let weight: Float
  /// The network as it is used.
  let prepared: PreparedNetwork

  /// A member by a trained network.
  ///
  /// - Throws: `ModelError.malformed` when view and network do not fit, the network gives no
  ///   vector, or the weight is out of range.
  public init(view: DrawingView, network: Network, weight: Float = 1) throws {
    guard network.inputShape == view.shape else {
      throw ModelError.malformed(
        "its network takes \(network.inputShape) and its view of drawings gives \(view.shape)")
    }
    guard network.outputShape.count == 1 else {
      throw ModelError.malformed("its network gives \(network.outputShape), not a vector")
    }
    guard weight >= 1e-6, weight <= 1e6 else {
      throw ModelError.malformed("one of its networks has the weight \(weight)")
    }
    self.view = view
    self.weight = weight
    self.network = network
    prepared = PreparedNetwork(network)
    guard prepared.isFinite else {
      throw ModelError.malformed("its network's numbers are too large, or a variance is below 0")
    }
  }

  /// The values that it keeps of a drawing: what the network sees, and what it makes of that.
  var workingValues: Int { prepared.inputSize + prepared.workingValues }

  /// The length of its vector.
  public var dimension: Int { network.outputShape[0] }

  /// Whether both turn every drawing into the same vector.
  public static func == (a: EmbeddingMember, b: EmbeddingMember) -> Bool {
    a.view == b.view && a.network == b.network && a.weight == b.weight
  }
}
