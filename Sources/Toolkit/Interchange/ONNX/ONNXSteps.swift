internal import InterchangeMessages
internal import NeuralNetwork

/// Reads the nodes of an ONNX graph that make a value: those that `ONNXGraph` writes for layers,
/// and others that compute the same. Operators: onnx.ai/onnx/operators.
struct ONNXSteps {
  private(set) var steps: [GraphStep] = []
  private var constants: ONNXConstants
  /// Values that are others under another name.
  private var aliases: [String: String] = [:]
  /// The lengths of vectors.
  private var lengths: [String: Length] = [:]
  /// The names of the inputs and of all values that nodes made.
  private var made: Set<String> = []
  /// How many nodes take each value.
  private var uses: [String: Int] = [:]
  /// The node that is read, for errors.
  private var place = ""

  private struct Length {
    /// The value it is the length of.
    var value: String
    /// Over how many axes.
    var axes: Int
    /// What it is at least.
    var least: Float = 1e-12
  }

  /// The steps that lead to `output`.
  ///
  /// - Throws: `ImportError` with the node, and the attribute or input.
  init(of graph: Onnx_GraphProto, to output: String) throws(ImportError) {
    constants = try ONNXConstants(graph.initializer)
    made = Set(graph.input.map(\.name))
    for name in graph.node.flatMap(\.input) { uses[name, default: 0] += 1 }
    let isNeeded = Self.nodes(of: graph, to: output)
    for (index, node) in graph.node.enumerated() where isNeeded[index] {
      place =
        "node \(index + 1), \(node.opType.prefix(60))"
        + (node.name.isEmpty ? "" : " \(node.name.prefix(60))")
      do throws(ImportError) { try add(node) } catch { throw error.inside(place) }
    }
  }

  /// The name that a step gives a value.
  func name(of value: String) -> String { aliases[value] ?? value }

  /// The nodes that lead to a value, by their place in the file.
  private static func nodes(of graph: Onnx_GraphProto, to output: String) -> [Bool] {
    var isNeeded = [Bool](repeating: false, count: graph.node.count)
    var wanted: Set<String> = [output]
    for (index, node) in graph.node.enumerated().reversed()
    where node.output.contains(where: wanted.contains) {
      isNeeded[index] = true
      // A length is expanded to the shape of its dividend, which other exporters compute from the
      // value.
      wanted.formUnion(node.input.prefix(node.opType == "Expand" ? 1 : .max))
    }
    return isNeeded
  }

  private static let unknown = ImportError.unsupported(
    """
    DrawML has no such layer; it has Conv, BatchNormalization, Relu, MaxPool, GlobalAveragePool, \
    Flatten, Reshape, Squeeze, Gemm, MatMul, Add, Concat, Dropout, and the division by the length
    """)

  private mutating func add(_ node: Onnx_NodeProto) throws(ImportError) {
    guard ["", "ai.onnx"].contains(node.domain) else {
      throw .unsupported("its operator is not a standard one, but of \(node.domain)")
    }
    guard let output = node.output.first else { throw .malformed("it has no output") }
    guard made.insert(output).inserted, constants[output] == nil else {
      throw .malformed("two values have the name \(output.prefix(60))")
    }
    let attributes = ONNXAttributes(node)
    guard node.opType != "Constant" else {
      guard let tensor = attributes.tensor("value") else {
        throw .unsupported("it has no value that is a tensor")
      }
      return try constants.add(tensor, named: output)
    }
    guard let input = node.input.first else { throw .malformed("it has no input") }
    let x = name(of: input)
    switch node.opType {
    case "Identity", "Dropout":
      // A third input is the mode of training, in which values are left out.
      guard try constants.isFalse(node, 2, "training_mode") else {
        throw .unsupported("training_mode is true, so it drops values at random")
      }
      if let tensor = constants[x] {
        try constants.alias(tensor, output)
      } else {
        aliases[output] = x
      }
    case "Conv": add(try convolution(node, attributes), [x], output)
    case "BatchNormalization": add(try normalization(node, attributes), [x], output)
    case "Relu": add(.rectifier, [x], output)
    case "MaxPool": add(try maxPool(attributes), [x], output)
    case "GlobalAveragePool": add(.means(), [x], output)
    case "AveragePool": add(try averagePool(attributes), [x], output)
    case "ReduceMean":
      let axes = try axes(of: node, attributes)
      guard [[2, 3], [3, 2], [-2, -1], [-1, -2]].contains(axes) else {
        throw .unsupported("axes are \(axes), not height and width, [2, 3]")
      }
      add(.means(), [x], output)
    case "Squeeze":
      let axes = try axes(of: node, attributes)
      guard [[2, 3], [3, 2], [-2, -1], [-1, -2]].contains(axes) else {
        throw .unsupported("axes are \(axes), not height and width, [2, 3]")
      }
      add(.squeezing, [x], output)
    case "Flatten":
      // Of four axes, -3 is the second.
      guard [1, -3].contains(attributes.integer("axis") ?? 1) else {
        throw .unsupported("axis is \(attributes.integer("axis") ?? 1), not 1")
      }
      add(.flattening(.channelsFirst), [x], output)
    case "Reshape":
      let shape = try constants.integers(node, 1, "shape")
      guard shape.count == 2, [0, 1, -1].contains(shape[0]),
        shape[1] > 0 || shape[1] == -1 && shape[0] != -1
      else { throw .unsupported("shape is \(shape), not that of a vector for each example") }
      add(.flattening(.channelsFirst, size: shape[1] > 0 ? shape[1] : nil), [x], output)
    case "Gemm": add(try product(node, attributes), [x], output)
    case "MatMul":
      let (values, shape) = try constants.floats(node, 1, "B", axes: 2)
      add(.linearMap(Tensor(shape: shape, values: values), bias: []), [x], output)
    case "Add": try sum(node, output)
    case "Mul":
      let isFirst = constants[input] != nil
      let factor = try constants.float(node, isFirst ? 0 : 1, isFirst ? "A" : "B")
      try add(.product(factor: factor), [isFirst ? second(node) : x], output)
    case "Concat":
      try attributes.require("axis", 1, usual: nil)
      add(.concatenation, node.input.map { name(of: $0) }, output)
    case "LpNormalization":
      try attributes.require("p", 2, usual: 2)
      guard [1, -1].contains(attributes.integer("axis") ?? -1) else {
        throw .unsupported("axis is not 1")
      }
      add(.unitVector(epsilon: 1e-12, axes: 1), [x], output)
    case "ReduceL2":
      let axes = try axes(of: node, attributes)
      guard axes == [-1] || !axes.isEmpty && axes == Array(1..<(axes.count + 1)) else {
        throw .unsupported("axes are \(axes), not all of an example")
      }
      try attributes.require("keepdims", 1, usual: 1)
      lengths[output] = Length(value: x, axes: axes.count)
    case "Max", "Clip":
      guard var length = lengths[x] else { throw Self.unknown }
      length.least = try constants.float(node, 1, "min")
      guard length.least > 0, node.input.dropFirst(2).allSatisfy(\.isEmpty) else {
        throw .unsupported("it has a max, or a min below 0")
      }
      lengths[output] = length
    case "Expand":
      guard let length = lengths[x] else { throw Self.unknown }
      lengths[output] = length
    case "Div":
      let divisor = try second(node)
      guard let length = lengths[divisor], length.value == x else {
        throw .unsupported("it divides by something other than the length")
      }
      add(.unitVector(epsilon: length.least, axes: length.axes), [x], output)
    default: throw Self.unknown
    }
  }

  private mutating func add(_ kind: GraphStep.Kind, _ inputs: [String], _ output: String) {
    steps.append(GraphStep(place: place, kind: kind, inputs: inputs, output: output))
  }

  private func second(_ node: Onnx_NodeProto) throws(ImportError) -> String {
    guard node.input.count == 2 else { throw .malformed("it has \(node.input.count) inputs") }
    return name(of: node.input[1])
  }

  /// The axes of a reduction, which are an attribute up to operator set 12 or 17, then an input.
  private mutating func axes(
    of node: Onnx_NodeProto, _ attributes: ONNXAttributes
  ) throws(ImportError) -> [Int] {
    try node.input.count > 1
      ? constants.integers(node, 1, "axes") : attributes.integers("axes") ?? []
  }

  private mutating func convolution(
    _ node: Onnx_NodeProto, _ attributes: ONNXAttributes
  ) throws(ImportError) -> GraphStep.Kind {
    let (values, shape) = try constants.floats(node, 1, "W", axes: 4)
    let (outputs, inputs, rows, columns) = (shape[0], shape[1], shape[2], shape[3])
    guard rows % 2 == 1, columns % 2 == 1, rows < 32, columns < 32 else {
      throw .unsupported("kernel_shape is \(rows) × \(columns); sides must be odd and below 32")
    }
    try attributes.require("group", 1, usual: 1)
    try attributes.require("kernel_shape", [rows, columns], usual: [rows, columns])
    try attributes.require("strides", [1, 1], usual: [1, 1])
    try attributes.require("dilations", [1, 1], usual: [1, 1])
    switch attributes.text("auto_pad") {
    case "SAME_UPPER", "SAME_LOWER": break
    case "", "NOTSET":
      try attributes.require(
        "pads", [rows / 2, columns / 2, rows / 2, columns / 2], usual: [0, 0, 0, 0])
    case let other: throw .unsupported("auto_pad is \(other)")
    }
    return .convolution(
      Tensor(outputsFirst: values, shape: [rows, columns, inputs, outputs]),
      bias: try constants.bias(node, 2, "B", count: outputs))
  }

  private mutating func normalization(
    _ node: Onnx_NodeProto, _ attributes: ONNXAttributes
  ) throws(ImportError) -> GraphStep.Kind {
    try attributes.require("training_mode", 0, usual: 0)
    let scale = try constants.floats(node, 1, "scale", axes: 1).values
    let shift = try constants.floats(node, 2, "B", axes: 1).values
    let mean = try constants.floats(node, 3, "input_mean", axes: 1).values
    let variance = try constants.floats(node, 4, "input_var", axes: 1).values
    guard [shift, mean, variance].allSatisfy({ $0.count == scale.count }) else {
      throw .malformed("scale, B, input_mean and input_var differ in length")
    }
    return .normalization(
      NormalizationTerms(
        scale: scale, shift: shift, mean: mean, variance: variance,
        epsilon: attributes.float("epsilon") ?? 1e-5))
  }

  private func maxPool(_ attributes: ONNXAttributes) throws(ImportError) -> GraphStep.Kind {
    let kernel = attributes.integers("kernel_shape") ?? []
    guard kernel == [2, 2] || kernel == [1, 2] else {
      throw .unsupported("kernel_shape is \(kernel), neither [2, 2] nor [1, 2]")
    }
    try attributes.require("strides", kernel, usual: [1, 1])
    try attributes.require("pads", [0, 0, 0, 0], usual: [0, 0, 0, 0])
    try attributes.require("dilations", [1, 1], usual: [1, 1])
    let isSame = ["SAME_UPPER", "SAME_LOWER"].contains(attributes.text("auto_pad"))
    guard isSame || ["", "NOTSET", "VALID"].contains(attributes.text("auto_pad")) else {
      throw .unsupported("auto_pad is \(attributes.text("auto_pad"))")
    }
    return .maxPool(
      rows: kernel[0], keepsRest: isSame || attributes.integer("ceil_mode") ?? 0 != 0)
  }

  /// A mean of as many pixels as the picture must have.
  private func averagePool(_ attributes: ONNXAttributes) throws(ImportError) -> GraphStep.Kind {
    let kernel = attributes.integers("kernel_shape") ?? []
    try attributes.require("pads", [0, 0, 0, 0], usual: [0, 0, 0, 0])
    try attributes.require("dilations", [1, 1], usual: [1, 1])
    guard kernel.count == 2, ["", "NOTSET", "VALID"].contains(attributes.text("auto_pad")) else {
      throw .unsupported(
        "kernel_shape is \(kernel), auto_pad \(attributes.text("auto_pad")); means of all pixels "
          + "are read")
    }
    return .means(of: kernel)
  }

  private mutating func product(
    _ node: Onnx_NodeProto, _ attributes: ONNXAttributes
  ) throws(ImportError) -> GraphStep.Kind {
    let (values, shape) = try constants.floats(node, 1, "B", axes: 2)
    try attributes.require("transA", 0, usual: 0)
    guard attributes.float("alpha") ?? 1 == 1, attributes.float("beta") ?? 1 == 1 else {
      throw .unsupported("alpha and beta are not 1")
    }
    let isTransposed = attributes.integer("transB") ?? 0 != 0
    let weights =
      isTransposed
      ? Tensor(outputsFirst: values, shape: [shape[1], shape[0]])
      : Tensor(shape: shape, values: values)
    return .linearMap(
      weights, bias: try constants.bias(node, 2, "C", count: weights.shape[1]))
  }

  /// A sum of values, or of a product and its bias.
  private mutating func sum(_ node: Onnx_NodeProto, _ output: String) throws(ImportError) {
    let inputs = try [name(of: node.input[0]), second(node)]
    guard let place = node.input.firstIndex(where: { constants[$0] != nil }) else {
      return add(.sum, inputs, output)
    }
    guard let last = steps.last, last.output == inputs[1 - place],
      uses[node.input[1 - place]] == 1, case .linearMap(let weights, let none) = last.kind,
      none.isEmpty
    else { throw .unsupported("it adds numbers to something other than a matrix product") }
    let bias = try constants.bias(
      node, place, place == 0 ? "A" : "B", count: weights.shape[1])
    steps.removeLast()
    add(.linearMap(weights, bias: bias), last.inputs, output)
  }
}
