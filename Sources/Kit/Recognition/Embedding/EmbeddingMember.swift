public import NeuralNetwork

/// A network with its input representation.
public struct EmbeddingMember: Sendable, Equatable {
  /// Converts a drawing to the network's input.
  public let view: DrawingView
  /// Maps an input of the view's shape to a vector; batch normalization is not folded, for further
  /// training.
  public var network: Network { shared.network }
  /// The weight of its vector relative to those of other members, in 1e-6...1e6.
  public let weight: Float
  /// The network prepared for inference.
  var prepared: PreparedNetwork { shared.prepared }
  /// Both, shared by all models with this network.
  let shared: SharedNetwork

  /// A member by a trained network.
  ///
  /// - Throws: `ModelError.malformed` if the shapes of view and network differ, the network does
  ///   not output a vector, or a number is out of range.
  public init(view: DrawingView, network: Network, weight: Float = 1) throws(ModelError) {
    guard network.inputShape == view.shape else {
      throw .malformed(
        "its network takes \(network.inputShape) and its view of drawings gives \(view.shape)")
    }
    guard network.outputShape.count == 1 else {
      throw .malformed("its network gives \(network.outputShape), not a vector")
    }
    guard weight >= 1e-6, weight <= 1e6 else {
      throw .malformed("one of its networks has the weight \(weight)")
    }
    self.view = view
    self.weight = weight
    shared = SharedNetwork.of(network)
    guard shared.prepared.isFinite else {
      throw .malformed("its network's numbers are too large, or a variance is below 0")
    }
  }

  /// The number of values held per drawing: the network's input and its activations.
  var workingValues: Int { prepared.inputSize + prepared.workingValues }

  /// The length of its vector.
  public var dimension: Int { network.outputShape[0] }

  /// Whether both turn every drawing into the same vector.
  public static func == (a: EmbeddingMember, b: EmbeddingMember) -> Bool {
    a.view == b.view && a.network == b.network && a.weight == b.weight
  }
}
