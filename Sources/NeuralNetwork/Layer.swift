/// One step of a network, described by its hyper-parameters: a value of one of this module's
/// layers.
///
/// A layer holds no weights: the network keeps all parameters in one buffer and all statistics in
/// another.
public protocol Layer: Codable, Sendable, Equatable {}

/// What a layer computes, with parameters kept elsewhere.
///
/// `LayerState` says where a layer's own parameters begin. Shapes are those of one example, such as
/// [height, width, channels]; buffers hold many examples, one after the other.
protocol RunnableLayer: Layer {
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
  /// None.
  func parameters(for input: [Int]) throws(NetworkError) -> [ParameterSlot] { [] }

  /// None.
  func statistics(for input: [Int]) throws(NetworkError) -> [StatisticSlot] { [] }

  /// Nothing but the output.
  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError) {}

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
