internal import NeuralNetwork
internal import Recognition

/// A step of another program's network, in the layouts of `GraphWriter`.
struct GraphStep {
  /// What it does.
  enum Kind {
    /// A convolution of stride 1 that keeps the size; weights [rows, columns, inputs, outputs],
    /// bias [outputs] or empty.
    case convolution(Tensor, bias: [Float])
    case normalization(NormalizationTerms)
    case rectifier
    /// The maximum of `rows` × 2 pixels. The last row or column of an odd size is left out or, with
    /// `keepsRest`, pooled alone.
    case maxPool(rows: Int, keepsRest: Bool = false)
    /// The mean of each channel, over a window of [rows, columns] where the file gives one.
    case means(of: [Int]? = nil)
    /// A picture of one pixel becomes the vector of its channels.
    case squeezing
    /// The values of a picture in a row, `size` of them if the file says it.
    case flattening(Order, size: Int? = nil)
    /// A linear map; weights [inputs, outputs], bias [outputs] or empty.
    case linearMap(Tensor, bias: [Float])
    case sum
    /// Division by the length, which is taken over `axes` axes; nil for all of them.
    case unitVector(epsilon: Float, axes: Int? = nil)
    case product(factor: Float)
    case concatenation
  }

  /// The order of a picture's values.
  enum Order {
    /// [channels, height, width].
    case channelsFirst
    /// [height, width, channels], as ours.
    case channelsLast
  }

  /// What it is called in errors, such as "layer 3, sum3".
  var place: String
  var kind: Kind
  /// The names of the values it takes.
  var inputs: [String]
  /// The name of the value it makes.
  var output: String
}

/// Finds networks in the steps of a graph: what `GraphWriter` does, backwards.
///
/// Chains of steps may part and meet again, in a sum or concatenation. They parted at the nearest
/// value through which all ways to the meeting lead, its dominator (Lengauer and Tarjan 1979,
/// doi:10.1145/357062.357071): the steps from there on are a residual layer, or branches.
struct GraphReader {
  /// A network of the graph.
  struct Part {
    /// The name of its input.
    var input: String
    var network: Network
    /// The factor of its vector.
    var factor: Float
  }

  private struct Value {
    var name: String
    /// The shape of an input, [height, width, channels]; empty for other values.
    var shape: [Int] = []
    /// The step that makes the value; nil for an input.
    var step: GraphStep?
    /// The values that the step takes.
    var parents: [Int] = []
    /// The value's dominator; nil for an input, and where several inputs lead to the value.
    var source: Int?
    /// The number of dominators behind each other.
    var depth = 0
    /// Whether a network has the step.
    var isTaken = false
  }

  private var values: [Value] = []
  private var places: [String: Int] = [:]

  /// A graph.
  ///
  /// - Parameters:
  ///   - inputs: Names and shapes, [height, width, channels].
  ///   - steps: Each after those whose values it takes.
  /// - Throws: `ImportError` for a step that takes a value which is not there.
  init(inputs: [(name: String, shape: [Int])], steps: [GraphStep]) throws(ImportError) {
    for (name, shape) in inputs { try add(Value(name: name, shape: shape)) }
    for step in steps {
      do throws(ImportError) { try add(step) } catch { throw error.inside(step.place) }
    }
  }

  private mutating func add(_ step: GraphStep) throws(ImportError) {
    var value = Value(name: step.output, step: step)
    for name in step.inputs {
      guard let place = places[name] else {
        throw .malformed("its input \(name) is not an earlier value")
      }
      value.parents.append(place)
    }
    let isCountRight =
      switch step.kind {
      case .sum: value.parents.count == 2
      case .concatenation: !value.parents.isEmpty
      default: value.parents.count == 1
      }
    guard isCountRight, let first = value.parents.first else {
      throw .unsupported("it has \(value.parents.count) inputs")
    }
    var source: Int? = first
    for parent in value.parents.dropFirst() { source = common(source, parent) }
    value.source = source
    value.depth = source.map { values[$0].depth + 1 } ?? 0
    try add(value)
  }

  private mutating func add(_ value: Value) throws(ImportError) {
    guard places.updateValue(values.count, forKey: value.name) == nil else {
      throw .malformed("two values have the name \(value.name)")
    }
    values.append(value)
  }

  /// The nearest value that all paths to both pass through, if any.
  private func common(_ a: Int?, _ b: Int?) -> Int? {
    var (a, b) = (a, b)
    while let x = a, let y = b, x != y {
      if values[x].depth >= values[y].depth { a = values[x].source } else { b = values[y].source }
    }
    return b == nil ? nil : a
  }

  /// Whether there is a value of this name.
  func has(_ name: String) -> Bool { places[name] != nil }

  // MARK: Networks

  /// The networks that make a value: one of one input, or several, each of an input of its own,
  /// whose vectors are multiplied by numbers and concatenated.
  ///
  /// - Throws: `ImportError`, and `NetworkError` if layers do not fit together.
  mutating func parts(of output: String) throws -> [Part] {
    guard let end = places[output] else {
      throw ImportError.malformed("its output \(output) is not one of its values")
    }
    if let input = input(of: end) { return [try part(from: input, to: end, factor: 1)] }
    guard case .concatenation? = values[end].step?.kind else {
      throw ImportError.unsupported("\(output) is not the joined vectors of networks")
    }
    var parts: [Part] = []
    for place in values[end].parents {
      var (place, factor) = (place, Float(1))
      if case .product(let number)? = values[place].step?.kind {
        (place, factor) = (values[place].parents[0], number)
      }
      guard let input = input(of: place), !parts.contains(where: { $0.input == values[input].name })
      else {
        throw ImportError.unsupported("the networks joined to \(output) share inputs")
      }
      parts.append(try part(from: input, to: place, factor: factor))
    }
    return parts
  }

  /// The only input that leads to a value; nil if several do.
  private func input(of place: Int) -> Int? {
    var place = place
    while let source = values[place].source { place = source }
    return values[place].step == nil ? place : nil
  }

  private mutating func part(from input: Int, to end: Int, factor: Float) throws -> Part {
    var building = Building()
    var x = Shape(sizes: values[input].shape)
    var layers = try chain(from: input, to: end, &x, &building)
    layers += try Self.vector(&x, &building)
    guard x.sizes.count == 1 else {
      throw ImportError.unsupported("\(values[end].name) is a picture, not a vector")
    }
    let network = try Network(
      Network.Architecture(inputShape: values[input].shape, layers: layers),
      parameters: building.parameters, statistics: building.statistics)
    return Part(input: values[input].name, network: network, factor: factor)
  }

  /// The numbers of a network in storage order.
  private struct Building {
    var parameters: [Float] = []
    var statistics: [Float] = []
  }

  /// What a value is to our layers.
  private struct Shape {
    /// [height, width, channels] or [values].
    var sizes: [Int]
    /// The order of the values of a flattened picture; nil for other pictures and vectors.
    var order: GraphStep.Order?

    var isPicture: Bool { sizes.count == 3 && order == nil }
  }

  /// The layers from one value to another, which it dominates.
  private mutating func chain(
    from start: Int, to end: Int, _ x: inout Shape, _ building: inout Building
  ) throws(ImportError) -> [Layer] {
    var (path, place) = ([Int](), end)
    while place != start {
      path.append(place)
      guard let source = values[place].source else {
        throw .unsupported("\(values[place].name) does not come from \(values[start].name) alone")
      }
      place = source
    }
    var layers: [Layer] = []
    for place in path.reversed() {
      guard let step = values[place].step else { continue }
      guard !values[place].isTaken else {
        throw ImportError.unsupported("chains that branch before it do not meet at one node")
          .inside(step.place)
      }
      values[place].isTaken = true
      let meeting = try chains(to: place, x, &building)
      do throws(ImportError) {
        switch step.kind {
        case .sum: layers += try Self.sum(meeting, &x)
        case .concatenation: layers += try Self.concatenation(meeting, &x)
        default: layers += try Self.layer(step.kind, &x, &building)
        }
      } catch { throw error.inside(step.place) }
    }
    return layers
  }

  /// The chains that meet in a sum or concatenation; none for other steps.
  private mutating func chains(
    to place: Int, _ x: Shape, _ building: inout Building
  ) throws(ImportError) -> [(layers: [Layer], end: Shape)] {
    let parents = values[place].parents
    guard parents.count > 1, let source = values[place].source else { return [] }
    var chains: [(layers: [Layer], end: Shape)] = []
    for parent in parents {
      var end = x
      var layers = try chain(from: source, to: parent, &end, &building)
      if case .concatenation? = values[place].step?.kind {
        layers += try Self.vector(&end, &building)
      }
      chains.append((layers, end))
    }
    return chains
  }

  private static func sum(
    _ chains: [(layers: [Layer], end: Shape)], _ x: inout Shape
  ) throws(ImportError) -> [Layer] {
    guard chains.count == 2, chains[0].end.order == chains[1].end.order,
      chains[0].end.sizes == chains[1].end.sizes
    else { throw .unsupported("it adds values of different shapes") }
    // A shortcut may have no layers, a body may not; either way, the layers' order is the file's.
    let (body, shortcut) =
      chains[0].layers.isEmpty
      ? (chains[1].layers, chains[0].layers) : (chains[0].layers, chains[1].layers)
    guard !body.isEmpty else { throw .unsupported("it adds a value to itself") }
    x = chains[0].end
    return [.residual(body: body, shortcut: shortcut)]
  }

  private static func concatenation(
    _ chains: [(layers: [Layer], end: Shape)], _ x: inout Shape
  ) throws(ImportError) -> [Layer] {
    guard !chains.isEmpty else { return [] }
    guard chains.allSatisfy({ $0.end.sizes.count == 1 }) else {
      throw .unsupported("it joins pictures; only vectors are joined here")
    }
    x = Shape(sizes: [chains.reduce(0) { $0 + $1.end.sizes[0] }])
    return [.branches(chains.map(\.layers))]
  }

  /// The layer of a step with one input; none where our layers need none.
  private static func layer(
    _ kind: GraphStep.Kind, _ x: inout Shape, _ building: inout Building
  ) throws(ImportError) -> [Layer] {
    switch kind {
    case .convolution(let weights, let bias):
      guard x.isPicture else { throw misplaced }
      let shape = weights.shape
      guard shape[2] == x.sizes[2] else { throw misfit(x.sizes[2], shape[2], "channels") }
      building.parameters += weights.values
      building.parameters += bias
      x.sizes[2] = shape[3]
      return [
        .convolution(
          channels: shape[3], kernel: shape[1], rows: shape[0] == shape[1] ? nil : shape[0],
          bias: !bias.isEmpty)
      ]
    case .normalization(let terms):
      let layers = try vector(&x, &building)
      guard let channels = x.sizes.last else { throw misplaced }
      guard terms.scale.count == channels else {
        throw misfit(channels, terms.scale.count, "channels")
      }
      guard terms.variance.allSatisfy({ $0 >= 0 }) else {
        throw .malformed("it has a variance below 0")
      }
      building.parameters += terms.scale + terms.shift
      building.statistics += terms.mean + terms.variance
      return layers + [.batchNormalization(epsilon: terms.epsilon)]
    case .rectifier: return [.relu]
    case .maxPool(let rows, let keepsRest):
      guard x.isPicture else { throw misplaced }
      guard !keepsRest || x.sizes[0] % rows == 0 && x.sizes[1] % 2 == 0 else {
        throw .unsupported(
          "it pools the last row or column of an odd size, \(x.sizes[0]) × \(x.sizes[1]), alone, "
            + "where DrawML leaves it out")
      }
      x.sizes = [x.sizes[0] / rows, x.sizes[1] / 2, x.sizes[2]]
      return [.maxPool(rows: rows == 2 ? nil : rows)]
    case .means(let window):
      guard x.isPicture else { throw misplaced }
      guard window == nil || window == Array(x.sizes.prefix(2)) else {
        throw .unsupported(
          "it takes the mean of \(window ?? []) pixels, not of all \(x.sizes[0]) × \(x.sizes[1])")
      }
      x.sizes = [x.sizes[2]]
      return [.globalAveragePool]
    case .squeezing:
      // A vector, such as the means of channels, has lost these axes already.
      guard x.isPicture else { return [] }
      guard x.sizes[0] == 1, x.sizes[1] == 1 else {
        throw .malformed("it removes height and width, which are \(x.sizes[0]) × \(x.sizes[1])")
      }
      x.order = .channelsLast
      return []
    case .flattening(let order, let size):
      let count = x.sizes.reduce(1, *)
      guard size == nil || size == count else { throw misfit(count, size ?? 0, "values") }
      // A dense layer takes a picture as it is.
      if x.isPicture { x.order = order }
      return []
    case .linearMap(let weights, let bias):
      guard !x.isPicture else { throw .unsupported("it takes a picture that was not flattened") }
      let inputs = x.sizes.reduce(1, *)
      guard weights.shape[0] == inputs else { throw misfit(inputs, weights.shape[0], "values") }
      // Our rows are in the order [height, width, channels].
      building.parameters +=
        x.order == .channelsFirst
        ? weights.values.transposed(rows: x.sizes[2], width: weights.shape[1]) : weights.values
      building.parameters += bias
      x = Shape(sizes: [weights.shape[1]])
      return [.dense(features: weights.shape[1], bias: !bias.isEmpty)]
    case .unitVector(let epsilon, let axes):
      guard axes == nil || axes == (x.isPicture ? 3 : 1) else {
        throw .unsupported("it normalizes parts of an example")
      }
      // The order of the values makes no difference to their length.
      let isLarge = x.sizes.reduce(1, *) > ModelLimits.dimension
      return try (isLarge ? [] : vector(&x, &building)) + [.l2Normalize(epsilon: epsilon)]
    case .product: throw .unsupported("it multiplies by a number within a network")
    case .sum, .concatenation: return []
    }
  }

  /// What makes a vector of a flattened picture, in the order of the file; nothing for others.
  private static func vector(
    _ x: inout Shape, _ building: inout Building
  ) throws(ImportError) -> [Layer] {
    guard let order = x.order else { return [] }
    let (pixels, channels) = (x.sizes[0] * x.sizes[1], x.sizes[2])
    let count = pixels * channels
    // The mean of one pixel is that pixel.
    guard pixels > 1 else {
      x = Shape(sizes: [channels])
      return [.globalAveragePool]
    }
    guard count <= ModelLimits.dimension else {
      throw .unsupported(
        "a flattened picture of \(count) values is its vector, of at most \(ModelLimits.dimension)")
    }
    // A linear map that only moves values.
    var weights = [Float](repeating: 0, count: count * count)
    for pixel in 0..<pixels {
      for channel in 0..<channels {
        let ours = pixel * channels + channel
        let others = order == .channelsFirst ? channel * pixels + pixel : ours
        weights[ours * count + others] = 1
      }
    }
    building.parameters += weights
    x = Shape(sizes: [count])
    return [.dense(features: count, bias: false)]
  }

  private static let misplaced = ImportError.unsupported(
    "it needs a picture, which has become a vector before it")

  private static func misfit(_ found: Int, _ expected: Int, _ what: String) -> ImportError {
    .malformed("it is for \(expected) \(what), the value before it has \(found)")
  }
}
