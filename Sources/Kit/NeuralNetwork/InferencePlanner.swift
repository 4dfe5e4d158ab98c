/// Builds the steps of a plan from layers in storage order.
struct InferencePlanner {
  private(set) var frames: [Frame]
  private(set) var steps: [InferencePlan.Step] = []
  private(set) var weights: PackedWeights
  private var parameters: ArraySlice<Float>
  private var statistics: ArraySlice<Float>

  init(_ network: Network, backend: Backend) {
    frames = [Frame(shape: network.inputShape)]
    weights = PackedWeights(for: backend, reserving: network.parameters.count)
    parameters = network.parameters[...]
    statistics = network.statistics[...]
  }

  /// Adds steps for a sequence of layers.
  ///
  /// - Returns: The frame of their output; `input` if there are no layers.
  mutating func lay(_ layers: some Collection<Layer>, on input: Int) -> Int {
    var current = input
    var rest = layers[...]
    while let layer = rest.popFirst() {
      let rectifies = rest.first == .relu && Self.takesRectifier(layer)
      if rectifies { rest.removeFirst() }
      current = lay(layer, on: current, rectifies: rectifies)
    }
    return current
  }

  private static func takesRectifier(_ layer: Layer) -> Bool {
    switch layer {
    case .convolution, .dense: true
    case .residual(let layer): if case .convolution? = layer.body.last { true } else { false }
    case .batchNormalization, .relu, .maxPool, .globalAveragePool, .dropout, .l2Normalize,
      .cosineClassifier, .branches:
      false
    }
  }

  private mutating func lay(_ layer: Layer, on input: Int, rectifies: Bool) -> Int {
    let frame = frames[input]
    switch layer {
    case .convolution(let layer):
      return multiply(read(layer, on: input), addend: nil, rectifies: rectifies)
    case .dense(let layer):
      let matrix = take(frame.count * layer.features)
      let bias = layer.bias ? take(layer.features) : []
      return map(
        input, by: matrix, bias: bias, rectifies: rectifies, features: layer.features)
    case .residual(let layer):
      return add(layer, on: input, rectifies: rectifies)
    case .cosineClassifier(let layer):
      return compare(input, layer)
    case .branches(let layer):
      let parts = layer.chains.map { lay($0, on: input) }
      let output = push(
        Frame(height: 1, width: 1, channels: parts.reduce(0) { $0 + frames[$1].count }))
      var channel = 0
      for part in parts {
        steps.append(.part(part, into: output, channel: channel))
        channel += frames[part].count
      }
      return output
    case .maxPool(let layer):
      let rows = layer.rows ?? 2
      let output = push(
        Frame(height: frame.height / rows, width: frame.width / 2, channels: frame.channels))
      steps.append(.maxPool(of: input, rows: rows, into: output))
      return output
    case .globalAveragePool:
      let output = push(Frame(height: 1, width: 1, channels: frame.channels))
      steps.append(.globalAveragePool(of: input, into: output))
      return output
    case .batchNormalization(let layer):
      let output = push(frame)
      steps.append(.scaled(input, at: weights.append(coefficients(layer, frame)), into: output))
      return output
    case .relu:
      let output = push(frame)
      steps.append(.rectified(input, into: output))
      return output
    case .l2Normalize(let layer):
      let output = push(frame)
      steps.append(.unit(input, least: layer.epsilon, into: output))
      return output
    case .dropout:
      return input
    }
  }

  // MARK: Products

  /// A convolution with its weights.
  private struct Kernel {
    let operand: InferencePlan.Product.Operand
    let tiling: WinogradTiling?
    let channels: Int
    let matrix: ArraySlice<Float>
    let bias: ArraySlice<Float>
  }

  private mutating func read(_ layer: Convolution, on input: Int) -> Kernel {
    let (rows, frame) = (layer.rows ?? layer.kernel, frames[input])
    return Kernel(
      operand: .init(frame: input, kernelRows: rows, kernelColumns: layer.kernel),
      tiling: weights.backend == .blas
        ? nil
        : WinogradTiling(
          height: frame.height, width: frame.width, inputs: frame.channels,
          channels: layer.channels, kernelRows: rows, kernelColumns: layer.kernel),
      channels: layer.channels,
      matrix: take(rows * layer.kernel * frame.channels * layer.channels),
      bias: layer.bias ? take(layer.channels) : [])
  }

  private mutating func multiply(_ kernel: Kernel, addend: Int?, rectifies: Bool) -> Int {
    guard let tiling = kernel.tiling else {
      return multiply([kernel], addend: addend, rectifies: rectifies)
    }
    let output = push(like: kernel)
    steps.append(
      .winograd(
        InferencePlan.Winograd(
          input: kernel.operand.frame, tiling: tiling, addend: addend, rectifies: rectifies,
          output: output,
          weights: weights.pack(kernel.matrix, bias: kernel.bias, for: tiling))))
    return output
  }

  /// Adds a direct convolution with one or two kernels.
  private mutating func multiply(_ kernels: [Kernel], addend: Int?, rectifies: Bool) -> Int {
    for operand in kernels.map(\.operand) {
      let frame = frames[operand.frame]
      frames[operand.frame].marginRows = max(frame.marginRows, operand.kernelRows / 2)
      frames[operand.frame].marginColumns = max(frame.marginColumns, operand.kernelColumns / 2)
    }
    let output = push(like: kernels[0])
    steps.append(
      .product(
        InferencePlan.Product(
          isDense: false, first: kernels[0].operand,
          second: kernels.dropFirst().first?.operand, addend: addend, rectifies: rectifies,
          output: output,
          weights: weights.pack(
            kernels.map(\.matrix), biases: kernels.map(\.bias), channels: kernels[0].channels))))
    return output
  }

  private mutating func map(
    _ input: Int, by matrix: ArraySlice<Float>, bias: ArraySlice<Float>, rectifies: Bool,
    features: Int
  ) -> Int {
    let frame = frames[input]
    let output = push(Frame(height: 1, width: 1, channels: features))
    steps.append(
      .product(
        InferencePlan.Product(
          isDense: true,
          first: .init(frame: input, kernelRows: frame.height, kernelColumns: frame.width),
          rectifies: rectifies, output: output,
          weights: weights.pack([matrix], biases: [bias], channels: features))))
    return output
  }

  /// Adds a residual layer. If the body ends in a convolution, that step also adds the shortcut,
  /// which may be another convolution.
  private mutating func add(_ layer: Residual, on input: Int, rectifies: Bool) -> Int {
    guard case .convolution(let last)? = layer.body.last else {
      let body = lay(layer.body, on: input)
      let shortcut = lay(layer.shortcut, on: input)
      let output = push(frames[body])
      steps.append(.sum(body, shortcut, into: output))
      return output
    }
    let body = read(last, on: lay(layer.body.dropLast(), on: input))
    if body.tiling == nil, layer.shortcut.count == 1,
      case .convolution(let shortcut) = layer.shortcut[0]
    {
      return multiply([body, read(shortcut, on: input)], addend: nil, rectifies: rectifies)
    }
    return multiply(body, addend: lay(layer.shortcut, on: input), rectifies: rectifies)
  }

  /// Adds a cosine classifier as a dense map: its weights are the unit class vectors times the
  /// scale.
  private mutating func compare(_ input: Int, _ layer: CosineClassifier) -> Int {
    let features = frames[input].count
    let vectors = Array(take(layer.classes * features))
    let scale = layer.learnsScale ? take(1).first ?? layer.scale : layer.scale
    var units = vectors
    var norms = [Float](repeating: 0, count: layer.classes)
    Kernels.normalizeRows(
      vectors, rows: layer.classes, columns: features, epsilon: CosineClassifier.epsilon,
      into: &units, norms: &norms)
    var matrix = [Float](repeating: 0, count: units.count)
    for row in 0..<layer.classes {
      for column in 0..<features {
        matrix[column * layer.classes + row] = units[row * features + column] * scale
      }
    }
    return map(input, by: matrix[...], bias: [], rectifies: false, features: layer.classes)
  }

  // MARK: Values

  private mutating func push(like kernel: Kernel) -> Int {
    let frame = frames[kernel.operand.frame]
    return push(Frame(height: frame.height, width: frame.width, channels: kernel.channels))
  }

  private mutating func push(_ frame: Frame) -> Int {
    frames.append(Frame(height: frame.height, width: frame.width, channels: frame.channels))
    return frames.count - 1
  }

  private mutating func take(_ count: Int) -> ArraySlice<Float> {
    defer { parameters = parameters.dropFirst(count) }
    return parameters.prefix(count)
  }

  /// The factors of a batch normalization's channels, then the shifts.
  private mutating func coefficients(_ layer: BatchNormalization, _ frame: Frame) -> [Float] {
    let scale = Array(take(frame.channels))
    let shift = Array(take(frame.channels))
    let mean = Array(statistics.prefix(frame.channels))
    let variance = Array(statistics.dropFirst(frame.channels).prefix(frame.channels))
    statistics = statistics.dropFirst(2 * frame.channels)
    let factors = zip(scale, variance).map { $0 / ($1 + layer.epsilon).squareRoot() }
    return factors + (0..<frame.channels).map { shift[$0] - mean[$0] * factors[$0] }
  }
}
