/// One step of a network, described by its hyper-parameters.
///
///     let layers: [Layer] = [.convolution(channels: 8), .relu, .maxPool(), .dense(features: 10)]
///
/// A layer holds no weights: the network keeps all parameters in one buffer and all statistics in
/// another.
///
/// To add a kind, write a `RunnableLayer` in `Layers/` with its loops in `Kernels/`, and a step in
/// `InferencePlan` that `InferencePlanner` adds and `ForwardKernels` runs. The compiler reports the
/// other switches and `LayerKindTests` the lists of tests; also extend `scripts/peers/networks.py`,
/// which neither reports.
public enum Layer: Sendable, Equatable {
  /// A convolution of stride 1.
  case convolution(Convolution)
  /// Gives each channel mean 0 and variance 1, then a learned scale and shift.
  case batchNormalization(BatchNormalization)
  /// max(x, 0), for any shape.
  case relu
  /// The maximum of neighboring pixels.
  case maxPool(MaxPool)
  /// The mean of each channel: input [height, width, channels], output [channels].
  case globalAveragePool
  /// A linear map of all values.
  case dense(Dense)
  /// Sets values to 0 at random in training.
  case dropout(Dropout)
  /// The sum of two chains of layers on the same input.
  case residual(Residual)
  /// Divides each example by its Euclidean norm.
  case l2Normalize(L2Normalize)
  /// Scores each class by the cosine between the input and the class's vector.
  case cosineClassifier(CosineClassifier)
  /// Several chains of layers on the same input, with concatenated outputs.
  case branches(Branches)

  /// A convolution; `kernel` and `rows` are its width and height, square by default.
  public static func convolution(
    channels: Int, kernel: Int = 3, rows: Int? = nil, bias: Bool = true
  ) -> Layer {
    .convolution(Convolution(channels: channels, kernel: kernel, rows: rows, bias: bias))
  }

  /// A batch normalization.
  public static func batchNormalization(momentum: Float = 0.1, epsilon: Float = 1e-5) -> Layer {
    .batchNormalization(BatchNormalization(momentum: momentum, epsilon: epsilon))
  }

  /// Max pooling over `rows` × 2 pixels, 2 × 2 by default.
  public static func maxPool(rows: Int? = nil) -> Layer { .maxPool(MaxPool(rows: rows)) }

  /// A linear map.
  public static func dense(features: Int, bias: Bool = true) -> Layer {
    .dense(Dense(features: features, bias: bias))
  }

  /// A dropout with the probability `rate`.
  public static func dropout(rate: Float) -> Layer { .dropout(Dropout(rate: rate)) }

  /// body(x) + shortcut(x); a shortcut without layers is x itself.
  public static func residual(body: [Layer], shortcut: [Layer] = []) -> Layer {
    .residual(Residual(body: body, shortcut: shortcut))
  }

  /// A normalization to unit length.
  public static func l2Normalize(epsilon: Float = 1e-12) -> Layer {
    .l2Normalize(L2Normalize(epsilon: epsilon))
  }

  /// A cosine classifier.
  public static func cosineClassifier(
    classes: Int, scale: Float = 16, learnsScale: Bool = true
  ) -> Layer {
    .cosineClassifier(CosineClassifier(classes: classes, scale: scale, learnsScale: learnsScale))
  }

  /// Parallel chains.
  public static func branches(_ chains: [[Layer]]) -> Layer { .branches(Branches(chains: chains)) }
}

/// A layer is stored as one object with its kind and its hyper-parameters.
extension Layer: Codable {
  private enum Key: String, CodingKey { case kind }

  /// The name of a layer's kind in storage.
  enum Kind: String, Codable, CaseIterable {
    case convolution, batchNormalization, relu, maxPool, globalAveragePool, dense, dropout
    case residual, l2Normalize, cosineClassifier, branches
  }

  /// The name of the layer's kind in storage.
  var kind: Kind { parts.kind }

  private var parts: (kind: Kind, runnable: any RunnableLayer) {
    switch self {
    case .convolution(let layer): (.convolution, layer)
    case .batchNormalization(let layer): (.batchNormalization, layer)
    case .relu: (.relu, ReLU())
    case .maxPool(let layer): (.maxPool, layer)
    case .globalAveragePool: (.globalAveragePool, GlobalAveragePool())
    case .dense(let layer): (.dense, layer)
    case .dropout(let layer): (.dropout, layer)
    case .residual(let layer): (.residual, layer)
    case .l2Normalize(let layer): (.l2Normalize, layer)
    case .cosineClassifier(let layer): (.cosineClassifier, layer)
    case .branches(let layer): (.branches, layer)
    }
  }

  /// The implementation of the layer.
  var runnable: any RunnableLayer { parts.runnable }

  /// Reads a stored layer.
  ///
  /// - Throws: `NetworkError.unknownLayer` when a newer version wrote it, or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let kind = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .kind)
    switch Kind(rawValue: kind) {
    case .convolution: self = .convolution(try Convolution(from: decoder))
    case .batchNormalization: self = .batchNormalization(try BatchNormalization(from: decoder))
    case .relu: self = .relu
    case .maxPool: self = .maxPool(try MaxPool(from: decoder))
    case .globalAveragePool: self = .globalAveragePool
    case .dense: self = .dense(try Dense(from: decoder))
    case .dropout: self = .dropout(try Dropout(from: decoder))
    case .residual: self = .residual(try Residual(from: decoder))
    case .l2Normalize: self = .l2Normalize(try L2Normalize(from: decoder))
    case .cosineClassifier: self = .cosineClassifier(try CosineClassifier(from: decoder))
    case .branches: self = .branches(try Branches(from: decoder))
    case nil: throw NetworkError.unknownLayer(kind)
    }
  }

  /// Stores the layer.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(parts.kind, forKey: .kind)
    try parts.runnable.encode(to: encoder)
  }
}

/// The implementation of a kind of layer; the network holds the parameters.
///
/// `LayerState` has the offset of a layer's own parameters. Shapes are those of one example, such
/// as [height, width, channels]; buffers hold many examples, one after the other.
protocol RunnableLayer: Codable, Sendable, Equatable {
  /// The layout for inputs of shape `input`.
  ///
  /// - Throws: `NetworkError` for an input shape or hyper-parameter that the layer does not
  ///   support.
  func layout(for input: [Int]) throws(NetworkError) -> LayerLayout

  /// Allocates the buffers of `forward` and `backward`, which then run without allocating.
  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError)

  /// Computes `state.output` [pass.count, output shape] from `input` [pass.count, input shape].
  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass)

  /// Adds the parameters' gradient to `pass.gradient` and replaces the gradient of the loss with
  /// respect to the output by that with respect to the input.
  ///
  /// - Parameters:
  ///   - input: The input of `forward`.
  ///   - gradient: On entry with respect to the output, on return to the input. It may be longer
  ///     than either.
  ///   - state: The state after `forward`.
  ///   - pass: The same pass.
  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass)
}

extension RunnableLayer {
  /// Allocates only the output, which needs no action here.
  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError) {}
}

/// The output shape and the stored values of layers for one input shape.
struct LayerLayout {
  /// The shape of one example's output.
  var outputShape: [Int]
  /// The trainable values, in the order in which they are stored.
  var parameters: [ParameterSlot] = []
  /// The running statistics, which training updates without a gradient, in storage order.
  var statistics: [StatisticSlot] = []
  /// The floating-point operations of each matrix product for one example, in traversal order.
  var products: [Double] = []

  /// The number of trainable values.
  var parameterCount: Int { parameters.reduce(0) { $0 + $1.count } }
  /// The number of running statistics.
  var statisticCount: Int { statistics.reduce(0) { $0 + $1.count } }

  /// Appends the values of nested layers, prefixed with `name`, and their products.
  mutating func append(_ inner: LayerLayout, named name: String) {
    products += inner.products
    for var slot in inner.parameters {
      slot.name = "\(name).\(slot.name)"
      parameters.append(slot)
    }
    for var slot in inner.statistics {
      slot.name = "\(name).\(slot.name)"
      statistics.append(slot)
    }
  }
}

/// A group of a network's trainable values, such as a layer's weights.
public struct ParameterSlot: Sendable, Equatable {
  /// The initial distribution of values.
  public enum Initial: Sendable, Equatable {
    /// The same value for all.
    case constant(Float)
    /// Normally distributed around 0.
    case normal(deviation: Double)
  }

  /// A path such as "2.body.0.weight".
  public var name: String
  /// The length of each axis, outermost first.
  public var shape: [Int]
  /// The initial distribution of the values.
  public var initial: Initial
  /// Whether weight decay applies: true for weights; false for biases, scales and shifts.
  public var decays: Bool

  /// The number of values.
  public var count: Int { shape.reduce(1, *) }
}

/// A group of a network's running statistics.
public struct StatisticSlot: Sendable, Equatable {
  /// A path such as "1.variance".
  public var name: String
  /// The length of each axis, outermost first.
  public var shape: [Int]
  /// The value before training.
  public var initial: Float
  /// The weight of a new shard's value in the running one, in 0...1.
  public var momentum: Float

  /// The number of values.
  public var count: Int { shape.reduce(1, *) }
}
