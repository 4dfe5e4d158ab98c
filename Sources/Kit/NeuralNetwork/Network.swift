internal import Numbers

/// A sequence of layers and their learned values.
public struct Network: Sendable, Equatable {
  /// The structure of a network, without learned values. Its JSON is part of a model file.
  public struct Architecture: Sendable, Equatable, Codable {
    /// One example's shape, such as [height, width, channels].
    public var inputShape: [Int]
    /// The layers, first to last.
    public var layers: [Layer]

    /// An architecture.
    public init(inputShape: [Int], layers: [Layer]) {
      self.inputShape = inputShape
      self.layers = layers
    }
  }

  /// The structure of the network, without learned values.
  public let architecture: Architecture
  /// One example's output shape.
  public let outputShape: [Int]
  /// The groups of values in `parameters`, in order.
  public let parameterSlots: [ParameterSlot]
  /// The groups of values in `statistics`, in order.
  public let statisticSlots: [StatisticSlot]
  /// All trainable values, slot by slot.
  public internal(set) var parameters: [Float]
  /// All running statistics, slot by slot.
  public internal(set) var statistics: [Float]

  /// An untrained network, with parameters drawn from `generator`.
  ///
  /// - Throws: `NetworkError` when the layers' shapes do not match.
  public init(
    _ architecture: Architecture, using generator: inout some RandomNumberGenerator
  ) throws(NetworkError) {
    try self.init(shape: architecture)
    parameters.reserveCapacity(parameterSlots.reduce(0) { $0 + $1.count })
    for slot in parameterSlots {
      switch slot.initial {
      case .constant(let value):
        parameters.append(contentsOf: repeatElement(value, count: slot.count))
      case .normal(let deviation):
        for _ in 0..<slot.count {
          parameters.append(Float(generator.normal(mean: 0, deviation: deviation)))
        }
      }
    }
    statistics = statisticSlots.flatMap { [Float](repeating: $0.initial, count: $0.count) }
  }

  /// A network with stored values.
  ///
  /// - Throws: `NetworkError` when the layers' shapes do not match, a count is wrong, or a value is
  ///   not finite.
  public init(
    _ architecture: Architecture, parameters: [Float], statistics: [Float]
  ) throws(NetworkError) {
    try self.init(shape: architecture)
    func check(_ values: [Float], _ expected: Int, _ what: String) throws(NetworkError) {
      guard values.count == expected else {
        throw .wrongCount(of: what, expected: expected, actual: values.count)
      }
      guard values.allSatisfy(\.isFinite) else { throw .notFinite("one of the \(what)") }
    }
    try check(parameters, parameterSlots.reduce(0) { $0 + $1.count }, "parameters")
    try check(statistics, statisticSlots.reduce(0) { $0 + $1.count }, "statistics")
    self.parameters = parameters
    self.statistics = statistics
  }

  /// A network whose values are read slot by slot, as the architecture requires.
  ///
  /// - Parameters:
  ///   - architecture: The structure of the network.
  ///   - read: Returns the values of a parameter or statistic with the given name and shape.
  /// - Throws: `NetworkError` as for `init(_:parameters:statistics:)`, and any error of `read`.
  public init(
    _ architecture: Architecture, reading read: (_ name: String, _ shape: [Int]) throws -> [Float]
  ) throws {
    let blank = try Network(shape: architecture)
    var (parameters, statistics) = ([Float](), [Float]())
    parameters.reserveCapacity(blank.parameterSlots.reduce(0) { $0 + $1.count })
    for slot in blank.parameterSlots { parameters += try read(slot.name, slot.shape) }
    for slot in blank.statisticSlots { statistics += try read(slot.name, slot.shape) }
    try self.init(architecture, parameters: parameters, statistics: statistics)
  }

  /// A network with unchecked values, which must have the right counts.
  init(
    _ architecture: Architecture, unchecked parameters: [Float], _ statistics: [Float]
  ) throws(NetworkError) {
    try self.init(shape: architecture)
    self.parameters = parameters
    self.statistics = statistics
  }

  /// Throws for sizes that no machine holds: a stored architecture may claim any size, so this is
  /// checked before anything is allocated.
  private static func checkSizes(_ slots: [(name: String, shape: [Int])]) throws(NetworkError) {
    var total = 0
    for slot in slots {
      let count = slot.shape.reduce(into: (1, false)) { count, length in
        let (product, overflow) = count.0.multipliedReportingOverflow(by: length)
        count = (product, count.1 || overflow)
      }
      guard !count.1, count.0 <= 1 << 28, total + count.0 <= 1 << 28 else {
        throw .badHyperparameter(layer: "a network", name: slot.name, value: "\(slot.shape)")
      }
      total += count.0
    }
  }

  /// The maximum floating-point operations per example: about 0.2 s on one core. The base model
  /// takes 0.1 % of it.
  private static let mostOperations = 0x1p33

  private init(shape architecture: Architecture) throws(NetworkError) {
    let input = architecture.inputShape
    guard !input.isEmpty else {
      throw .unsuitableInput(layer: "a network", shape: input, needs: "at least one axis")
    }
    try architecture.layers.checkCount()
    let layout = try architecture.layers.layout(for: input)
    self.architecture = architecture
    outputShape = layout.outputShape
    parameterSlots = layout.parameters
    statisticSlots = layout.statistics
    try Self.checkSizes(parameterSlots.map { ($0.name, $0.shape) })
    try Self.checkSizes(statisticSlots.map { ($0.name, $0.shape) })
    guard OperationCount(layout).inference <= Self.mostOperations else {
      throw .tooLarge("operations for one example", limit: Int(Self.mostOperations))
    }
    parameters = []
    statistics = []
  }

  /// One example's input shape.
  public var inputShape: [Int] { architecture.inputShape }
  /// The number of values in one input example.
  public var inputSize: Int { inputShape.reduce(1, *) }
  /// The number of values in one output example.
  public var outputSize: Int { outputShape.reduce(1, *) }

  /// The parameters and then the statistics, slot by slot, with the slots' names.
  package var arrays: [(name: String, array: Tensor)] {
    func parts(
      of values: [Float], _ slots: [(name: String, shape: [Int])]
    ) -> [(name: String, array: Tensor)] {
      var rest = values[...]
      return slots.map { name, shape in
        let count = shape.reduce(1, *)
        defer { rest = rest.dropFirst(count) }
        return (name, Tensor(shape: shape, values: Array(rest.prefix(count))))
      }
    }
    return parts(of: parameters, parameterSlots.map { ($0.name, $0.shape) })
      + parts(of: statistics, statisticSlots.map { ($0.name, $0.shape) })
  }

  /// The network without its last `count` layers, such as the embedding before a classifier.
  public func dropLast(_ count: Int = 1) -> Network {
    precondition(
      count <= architecture.layers.count, "a network of \(architecture.layers.count) layers")
    let layers = Array(architecture.layers.dropLast(count))
    // Values are stored layer by layer, so the remaining ones are a prefix.
    do throws(NetworkError) {
      var short = try Network(shape: Architecture(inputShape: inputShape, layers: layers))
      short.parameters = Array(parameters.prefix(short.parameterSlots.reduce(0) { $0 + $1.count }))
      short.statistics = Array(statistics.prefix(short.statisticSlots.reduce(0) { $0 + $1.count }))
      return short
    } catch {
      preconditionFailure("the first layers of a sound network do not fit together: \(error)")
    }
  }
}
