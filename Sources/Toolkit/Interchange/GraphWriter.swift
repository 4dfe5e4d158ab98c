internal import NeuralNetwork
internal import Recognition

/// A format's steps of a network. Values are known by name; those of pictures are
/// [channels, height, width] of one example, others [values].
protocol GraphWriter {
  /// A convolution of stride 1 that keeps the size; weights [rows, columns, inputs, outputs], bias
  /// [outputs] or empty.
  mutating func convolution(_ x: String, _ weights: Tensor, bias: [Float]) -> String
  /// (x - mean) / sqrt(variance + epsilon) · scale + shift, each [channels].
  mutating func normalization(_ x: String, _ terms: NormalizationTerms) -> String
  /// max(x, 0).
  mutating func rectifier(_ x: String) -> String
  /// The maximum of `rows` × 2 pixels.
  mutating func maxPool(_ x: String, rows: Int) -> String
  /// The mean of each channel of a picture, [channels].
  mutating func means(_ x: String) -> String
  /// The values of a picture, [channels · height · width].
  mutating func flattening(_ x: String) -> String
  /// A linear map; weights [inputs, outputs], bias [outputs] or empty.
  mutating func linearMap(_ x: String, _ weights: Tensor, bias: [Float]) -> String
  /// The sum of two values of one shape.
  mutating func sum(_ x: String, _ y: String) -> String
  /// x divided by its length, which counts as `epsilon` at least; x has `axes` axes.
  mutating func unitVector(_ x: String, epsilon: Float, axes: Int) -> String
  /// x times a number.
  mutating func product(_ x: String, factor: Float) -> String
  /// Vectors behind each other.
  mutating func concatenation(_ parts: [String]) -> String
}

/// The numbers of a batch normalization, each [channels].
struct NormalizationTerms {
  var scale: [Float]
  var shift: [Float]
  var mean: [Float]
  var variance: [Float]
  var epsilon: Float
}

extension GraphWriter {
  /// Writes an embedding: its networks and, if there are several, the joining of their vectors.
  ///
  /// - Parameters:
  ///   - members: The networks.
  ///   - shares: The factor of each network's vector.
  ///   - inputs: The name of each network's input.
  /// - Returns: The name of the vector.
  /// - Throws: `ExportError.unsupportedLayer`.
  mutating func embedding(
    _ members: [EmbeddingMember], shares: [Float], inputs: [String]
  ) throws(ExportError) -> String {
    var vectors: [String] = []
    for ((member, share), input) in zip(zip(members, shares), inputs) {
      var walk = NetworkWalk(member.network.folded())
      let vector = try walk.write(input, to: &self)
      vectors.append(members.count == 1 ? vector : product(vector, factor: share))
    }
    return vectors.count == 1 ? vectors[0] : concatenation(vectors)
  }
}

/// Walks through a network's layers in storage order.
private struct NetworkWalk {
  private let network: Network
  private var parameters: ArraySlice<Float>
  private var statistics: ArraySlice<Float>

  init(_ network: Network) {
    self.network = network
    parameters = network.parameters[...]
    statistics = network.statistics[...]
  }

  /// Writes all layers; returns the name of the output.
  mutating func write(
    _ input: String, to writer: inout some GraphWriter
  ) throws(ExportError) -> String {
    var value = Value(name: input, shape: network.inputShape)
    try write(network.architecture.layers, &value, to: &writer)
    return value.name
  }

  /// A value with the shape that our own layers give it: [height, width, channels] or [values].
  private struct Value {
    var name: String
    var shape: [Int]
  }

  private mutating func write(
    _ layers: [Layer], _ x: inout Value, to writer: inout some GraphWriter
  ) throws(ExportError) {
    for layer in layers { try write(layer, &x, to: &writer) }
  }

  private mutating func write(
    _ layer: Layer, _ x: inout Value, to writer: inout some GraphWriter
  ) throws(ExportError) {
    switch layer {
    case .convolution(let layer):
      let shape = [layer.rows ?? layer.kernel, layer.kernel, x.shape[2], layer.channels]
      let weights = Tensor(shape: shape, values: take(shape.reduce(1, *)))
      x.name = writer.convolution(x.name, weights, bias: take(layer.bias ? layer.channels : 0))
      x.shape[2] = layer.channels
    case .batchNormalization(let layer):
      let channels = x.shape[x.shape.count - 1]
      let (scale, shift) = (take(channels), take(channels))
      let mean = takeStatistics(channels)
      x.name = writer.normalization(
        x.name,
        NormalizationTerms(
          scale: scale, shift: shift, mean: mean, variance: takeStatistics(channels),
          epsilon: layer.epsilon))
    case .relu: x.name = writer.rectifier(x.name)
    case .maxPool(let layer):
      let rows = layer.rows ?? 2
      x.name = writer.maxPool(x.name, rows: rows)
      x.shape = [x.shape[0] / rows, x.shape[1] / 2, x.shape[2]]
    case .globalAveragePool:
      x.name = writer.means(x.name)
      x.shape = [x.shape[2]]
    case .dense(let layer):
      let size = x.shape.reduce(1, *)
      var weights = take(size * layer.features)
      if x.shape.count == 3 {
        x.name = writer.flattening(x.name)
        // The rows in the order [channels, height, width] of a picture's values.
        weights = weights.transposed(rows: x.shape[0] * x.shape[1], width: layer.features)
      }
      x.name = writer.linearMap(
        x.name, Tensor(shape: [size, layer.features], values: weights),
        bias: take(layer.bias ? layer.features : 0))
      x.shape = [layer.features]
    case .dropout: break
    case .residual(let layer):
      var (body, shortcut) = (x, x)
      try write(layer.body, &body, to: &writer)
      try write(layer.shortcut, &shortcut, to: &writer)
      x = Value(name: writer.sum(body.name, shortcut.name), shape: body.shape)
    case .l2Normalize(let layer):
      x.name = writer.unitVector(x.name, epsilon: layer.epsilon, axes: x.shape.count)
    case .branches(let layer):
      var parts: [Value] = []
      for chain in layer.chains {
        var part = x
        try write(chain, &part, to: &writer)
        parts.append(part)
      }
      x = Value(
        name: writer.concatenation(parts.map(\.name)),
        shape: [parts.reduce(0) { $0 + $1.shape[0] }])
    case .cosineClassifier: throw .unsupportedLayer("cosine classifier")
    }
  }

  private mutating func take(_ count: Int) -> [Float] {
    defer { parameters = parameters.dropFirst(count) }
    return Array(parameters.prefix(count))
  }

  private mutating func takeStatistics(_ count: Int) -> [Float] {
    defer { statistics = statistics.dropFirst(count) }
    return Array(statistics.prefix(count))
  }
}

extension [Float] {
  /// The transpose of a matrix, row-major, whose elements are `width` numbers each: [rows, columns,
  /// width] → [columns, rows, width].
  func transposed(rows: Int, width: Int = 1) -> [Float] {
    let columns = count / (rows * width)
    var result: [Float] = []
    result.reserveCapacity(count)
    for column in 0..<columns {
      for row in 0..<rows {
        let start = (row * columns + column) * width
        for index in start..<(start + width) { result.append(self[index]) }
      }
    }
    return result
  }
}
