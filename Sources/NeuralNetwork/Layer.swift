/// One step of a network: its hyper-parameters, and what it computes with parameters kept elsewhere.
///
/// A layer holds no weights. The network keeps all parameters in one buffer and all statistics in
/// another; `LayerState` says where a layer's own ones begin. Shapes are those of one example, such as
/// [height, width, channels]; buffers hold many examples, one after the other.
public protocol Layer: Codable, Sendable, Equatable {
  /// The name that stands for the layer in a stored architecture, such as "convolution".
  static var kind: String { get }

  /// The shape of one example's output.
  ///
  /// - Throws: `NetworkError` when the layer cannot take such an input or a hyper-parameter is bad.
  func outputShape(for input: [Int]) throws(NetworkError) -> [Int]

  /// The trainable values for inputs of shape `input`, in the order in which they are stored.
  func parameters(for input: [Int]) throws(NetworkError) -> [ParameterSlot]

  /// The values that follow the training data without a gradient, in storage order.
  func statistics(for input: [Int]) throws(NetworkError) -> [StatisticSlot]

  /// Makes the buffers that `forward` and `backward` use; they run without allocating after it.
  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError)

  /// Computes `state.output` [pass.count, output shape] from `input` [pass.count, input shape].
  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass)

  /// Adds the parameters' gradient to `pass.gradient` and turns the gradient of the loss by the output
  /// into that by the input, in place.
  ///
  /// - Parameters:
  ///   - input: What `forward` was given.
  ///   - gradient: At first by the output, then by the input. It may be longer than either.
  ///   - state: As `forward` left it.
  ///   - pass: The same pass.
  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass)
}

extension Layer {
  /// None.
  public func parameters(for input: [Int]) throws(NetworkError) -> [ParameterSlot] { [] }

  /// None.
  public func statistics(for input: [Int]) throws(NetworkError) -> [StatisticSlot] { [] }

  /// Nothing but the output.
  public func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError) {}

  func equals(_ other: any Layer) -> Bool {
    (other as? Self) == self
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

/// A layer's place in a network and its buffers, reused from batch to batch.
public struct LayerState: Sendable {
  /// The shape of one input example.
  public var inputShape: [Int] = []
  /// The shape of one output example.
  public var outputShape: [Int] = []
  /// Where the layer's parameters begin in the network's buffer.
  public var parameterBase = 0
  /// Where the layer's statistics begin in the network's buffer.
  public var statisticBase = 0
  /// The layer's number in a walk through the network; random streams use it.
  public var ordinal = 0
  /// Whether anything before the layer wants a gradient.
  public var needsInputGradient = true
  /// The output, [examples, output shape].
  public var output: [Float] = []
  /// What `forward` leaves for `backward`.
  public var saved: [Float] = []
  /// Choices that `forward` leaves for `backward`, such as the place of each maximum.
  public var choices: [UInt8] = []
  /// The states of the layers inside, in a layer that has some.
  public var inner: [[LayerState]] = []

  /// The number of values in one input example.
  public var inputSize: Int { inputShape.reduce(1, *) }
  /// The number of values in one output example.
  public var outputSize: Int { outputShape.reduce(1, *) }
}

/// What is shared by all layers while they run forward and backward over some examples.
public struct Pass: Sendable {
  /// Whether layers behave as in training: statistics of the batch, dropout.
  public var isTraining = false
  /// The number of examples.
  public var count = 0
  /// The network's trainable values.
  public var parameters: [Float] = []
  /// In training the examples' own statistics, which layers write; else the running ones, which they read.
  public var statistics: [Float] = []
  /// The gradient of the loss by the parameters; `backward` adds to it.
  public var gradient: [Float] = []
  /// A second buffer for `backward`: a layer writes here and swaps.
  public var spare: [Float] = []
  /// Space that any layer may overwrite.
  public var scratch: [Float] = []
  /// More such space.
  public var scratch2: [Float] = []
  /// The seed of the run, for random layers.
  public var seed: UInt64 = 0
  /// The epoch, for random layers.
  public var epoch = 0
  /// Which examples of the data these are, for random layers; `count` numbers.
  public var examples: [Int] = []
}

/// Collects the room that the layers need while they are laid out.
public struct LayerPlan: Sendable {
  /// The greatest number of examples in a pass.
  public let capacity: Int
  /// Whether `backward` will run.
  public let isTraining: Bool
  /// Where the next layer's parameters begin.
  public var parameterBase = 0
  /// Where the next layer's statistics begin.
  public var statisticBase = 0
  /// The next layer's number.
  public var ordinal = 0
  /// The most scratch space that a layer asked for.
  public var scratch = 0
  /// The most second scratch space that a layer asked for.
  public var scratch2 = 0
  /// The longest activation of one example, input included.
  public var widest = 0
}
