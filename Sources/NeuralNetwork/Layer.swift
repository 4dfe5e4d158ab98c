/// One step of a network, described by its hyper-parameters.
///
///     let layers: [Layer] = [.convolution(channels: 8), .relu, .maxPool(), .dense(features: 10)]
///
/// A layer holds no weights: the network keeps all parameters in one buffer and all statistics in
/// another.
///
/// A new kind needs a `RunnableLayer` in `Layers/` with its loops in `Kernels/`, and a step in
/// `InferencePlan` that `InferencePlanner` lays and `ForwardKernels` runs; the compiler names the
/// other switches, `LayerKindTests` the lists of tests. Neither names `scripts/peers/networks.py`.
public enum Layer: Sendable, Equatable {
  /// A convolution of stride 1.
  case convolution(Convolution)
  /// Gives each channel mean 0 and variance 1, then a learned scale and shift.
  case batchNormalization(BatchNormalization)
  /// max(x, 0), for any shape.
  case relu
  /// The largest of neighboring pixels.
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
  /// Several chains of layers on the same input, and what they give one after the other.
  case branches(Branches)

  /// A convolution; `kernel` and `rows` are its width and height, as high as wide unless given.
  public static func convolution(
    channels: Int, kernel: Int = 3, rows: Int? = nil, bias: Bool = true
  ) -> Layer {
    .convolution(Convolution(channels: channels, kernel: kernel, rows: rows, bias: bias))
  }

  /// A batch normalization.
  public static func batchNormalization(momentum: Float = 0.1, epsilon: Float = 1e-5) -> Layer {
    .batchNormalization(BatchNormalization(momentum: momentum, epsilon: epsilon))
  }

  /// A maximum of `rows` × 2 pixels, 2 × 2 unless given.
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

  /// Chains side by side.
  public static func branches(_ chains: [[Layer]]) -> Layer { .branches(Branches(chains: chains)) }
}

/// A layer as it is stored: its hyper-parameters and its kind side by side in one object.
extension Layer: Codable {
  private enum Key: String, CodingKey { case kind }

  /// What a layer is called where it is stored.
  enum Kind: String, Codable, CaseIterable {
    case convolution, batchNormalization, relu, maxPool, globalAveragePool, dense, dropout
    case residual, l2Normalize, cosineClassifier, branches
  }

  /// What the layer is called where it is stored.
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

  /// What computes the layer.
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

/// What a kind of layer computes, with parameters kept elsewhere.
///
/// `LayerState` says where a layer's own parameters begin. Shapes are those of one example, such as
/// [height, width, channels]; buffers hold many examples, one after the other.
protocol RunnableLayer: Codable, Sendable, Equatable {
  /// What it makes of inputs of the shape `input`.
  ///
  /// - Throws: `NetworkError` when the layer cannot take such an input or a hyper-parameter is bad.
  func layout(for input: [Int]) throws(NetworkError) -> LayerLayout

  /// Makes the buffers that `forward` and `backward` use; they run without allocating after it.
  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError)

  /// Computes `state.output` [pass.count, output shape] from `input` [pass.count, input shape].
  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass)

  /// Adds the parameters' gradient to `pass.gradient` and turns the gradient of the loss by the
  /// output into that by the input, in place.
  ///
  /// - Parameters:
  ///   - input: What `forward` was given.
  ///   - gradient: At first by the output, then by the input. It may be longer than either.
  ///   - state: As `forward` left it.
  ///   - pass: The same pass.
  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass)
}

extension RunnableLayer {
  /// Nothing but the output.
  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError) {}
}

/// What layers make of inputs of one shape: what they give, and which values they keep.
struct LayerLayout {
  /// The shape of one example's output.
  var outputShape: [Int]
  /// The trainable values, in the order in which they are stored.
  var parameters: [ParameterSlot] = []
  /// The values that follow the training data without a gradient, in storage order.
  var statistics: [StatisticSlot] = []

  /// How many trainable values there are.
  var parameterCount: Int { parameters.reduce(0) { $0 + $1.count } }
  /// How many running statistics there are.
  var statisticCount: Int { statistics.reduce(0) { $0 + $1.count } }

  /// Adds the values of layers inside, which are called `name`.
  mutating func append(_ inner: LayerLayout, named name: String) {
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

/// Some of a network's trainable values: what they are and how they begin.
public struct ParameterSlot: Sendable, Equatable {
  /// How values begin.
  public enum Initial: Sendable, Equatable {
    /// All the same.
    case constant(Float)
    /// Normally distributed around 0.
    case normal(deviation: Double)
  }

  /// A path such as "2.body.0.weight".
  public var name: String
  /// The length of each axis, outermost first.
  public var shape: [Int]
  /// How the values begin.
  public var initial: Initial
  /// Whether weight decay applies: it does to weights, not to biases, scales and shifts.
  public var decays: Bool

  /// Describes some trainable values.
  public init(name: String, shape: [Int], initial: Initial, decays: Bool) {
    self.name = name
    self.shape = shape
    self.initial = initial
    self.decays = decays
  }

  /// How many values it has.
  public var count: Int { shape.reduce(1, *) }
}

/// Some of a network's running statistics.
public struct StatisticSlot: Sendable, Equatable {
  /// A path such as "1.variance".
  public var name: String
  /// The length of each axis, outermost first.
  public var shape: [Int]
  /// What every value is before training.
  public var initial: Float
  /// The share of a new shard's value in the running one, in 0...1.
  public var momentum: Float

  /// Describes some statistics.
  public init(name: String, shape: [Int], initial: Float, momentum: Float) {
    self.name = name
    self.shape = shape
    self.initial = initial
    self.momentum = momentum
  }

  /// How many values it has.
  public var count: Int { shape.reduce(1, *) }
}
