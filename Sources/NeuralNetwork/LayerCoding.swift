/// A layer as it is stored: its hyper-parameters and its kind side by side in one object.
struct StoredLayer: Codable {
  let layer: any Layer

  private enum Key: String, CodingKey { case kind }

  private static let known: [any RunnableLayer.Type] = [
    Convolution.self, BatchNormalization.self, ReLU.self, MaxPool.self, GlobalAveragePool.self,
    Dense.self, Dropout.self, Residual.self, L2Normalize.self, CosineClassifier.self,
    Branches.self,
  ]

  init(_ layer: any Layer) {
    self.layer = layer
  }

  init(from decoder: any Decoder) throws {
    let kind = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .kind)
    guard let type = Self.known.first(where: { $0.kind == kind }) else {
      throw NetworkError.unknownLayer(kind)
    }
    layer = try type.init(from: decoder)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let layer = try Chain.runnable(layer)
    try container.encode(type(of: layer).kind, forKey: .kind)
    try layer.encode(to: encoder)
  }
}
