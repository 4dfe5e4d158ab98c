public import NeuralNetwork

/// The layers of an embedding's network: residual stages, pooling, and a linear layer.
public struct NetworkShape: Hashable, Sendable {
  /// Filters of the residual stages; the picture or sequence is halved from one to the next by max
  /// pooling.
  public var channels: [Int]
  /// Residual blocks of each stage; nil for one in each.
  public var blocks: [Int]?
  /// The width of each stage's kernels; nil for 3 in each.
  public var kernels: [Int]?
  /// How the last stage becomes one vector.
  public var pooling: FinalPooling
  /// The length of the vector.
  public var dimension: Int

  /// The layers of a network.
  public init(
    channels: [Int], blocks: [Int]? = nil, kernels: [Int]? = nil, pooling: FinalPooling = .mean,
    dimension: Int
  ) {
    (self.channels, self.blocks, self.kernels) = (channels, blocks, kernels)
    (self.pooling, self.dimension) = (pooling, dimension)
  }
}

extension NetworkShape: Codable {
  /// Reads a shape; models of older versions lack the pooling, which was the mean.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    channels = try container.decode([Int].self, forKey: .channels)
    blocks = try container.decodeIfPresent([Int].self, forKey: .blocks)
    kernels = try container.decodeIfPresent([Int].self, forKey: .kernels)
    pooling = try container.decodeIfPresent(FinalPooling.self, forKey: .pooling) ?? .mean
    dimension = try container.decode(Int.self, forKey: .dimension)
  }
}
