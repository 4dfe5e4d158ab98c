internal import Foundation
internal import InterchangeMessages
internal import NeuralNetwork
internal import SwiftProtobuf

/// The types of a tensor's elements, with ONNX's numbers.
enum ONNXElement: Int32 {
  case float = 1
  case int64 = 7
  case bool = 9
}

/// Writes nodes of an ONNX graph, whose values have the examples as their first axis.
///
/// Operators are those of operator set 17: onnx.ai/onnx/operators.
struct ONNXGraph: GraphWriter {
  /// The version of the operators.
  static let operatorSet: Int64 = 17

  private(set) var nodes: [Onnx_NodeProto] = []
  private(set) var constants: [Onnx_TensorProto] = []

  // MARK: Nodes

  /// Adds a node with one output.
  mutating func add(
    _ kind: String, _ inputs: [String], _ attributes: [Onnx_AttributeProto] = [],
    output name: String? = nil
  ) -> String {
    add(kind, inputs, attributes, outputs: [name ?? "\(kind)\(nodes.count + 1)"])[0]
  }

  /// Adds a node with the given outputs.
  mutating func add(
    _ kind: String, _ inputs: [String], _ attributes: [Onnx_AttributeProto] = [],
    outputs: [String]
  ) -> [String] {
    nodes.append(
      .with {
        $0.name = "\(kind)\(nodes.count + 1)"
        $0.opType = kind
        $0.input = inputs
        $0.output = outputs
        $0.attribute = attributes
      })
    return outputs
  }

  /// Adds constant floats.
  mutating func constant(_ values: [Float], shape: [Int], named name: String? = nil) -> String {
    constant(shape, .float, Data(packing: values), name)
  }

  /// Adds constant whole numbers.
  mutating func constant(_ values: [Int], shape: [Int], named name: String? = nil) -> String {
    constant(shape, .int64, Data(packing: values.map { Int64($0) }), name)
  }

  /// Adds a number.
  mutating func constant(_ value: Float) -> String { constant([value], shape: []) }

  private mutating func constant(
    _ shape: [Int], _ type: ONNXElement, _ bytes: Data, _ name: String?
  ) -> String {
    let name = name ?? "constant\(constants.count + 1)"
    constants.append(
      .with {
        $0.name = name
        $0.dims = shape.map { Int64($0) }
        $0.dataType = type.rawValue
        $0.rawData = bytes
      })
    return name
  }

  /// The types of attributes, with ONNX's numbers.
  private enum AttributeType: Int32 {
    case float = 1
    case int = 2
    case ints = 7
  }

  static func attribute(_ name: String, _ value: Int) -> Onnx_AttributeProto {
    .with {
      $0.name = name
      $0.type = AttributeType.int.rawValue
      $0.i = Int64(value)
    }
  }

  static func attribute(_ name: String, _ values: [Int]) -> Onnx_AttributeProto {
    .with {
      $0.name = name
      $0.type = AttributeType.ints.rawValue
      $0.ints = values.map { Int64($0) }
    }
  }

  static func attribute(_ name: String, _ value: Float) -> Onnx_AttributeProto {
    .with {
      $0.name = name
      $0.type = AttributeType.float.rawValue
      $0.f = value
    }
  }

  // MARK: Layers

  mutating func convolution(_ x: String, _ weights: Tensor, bias: [Float]) -> String {
    let (rows, columns) = (weights.shape[0], weights.shape[1])
    let (inputs, outputs) = (weights.shape[2], weights.shape[3])
    let kernel = constant(weights.outputsFirst, shape: [outputs, inputs, rows, columns])
    let shift = bias.isEmpty ? [] : [constant(bias, shape: [outputs])]
    return add(
      "Conv", [x, kernel] + shift,
      [
        Self.attribute("kernel_shape", [rows, columns]),
        Self.attribute("pads", [rows / 2, columns / 2, rows / 2, columns / 2]),
      ])
  }

  mutating func normalization(_ x: String, _ terms: NormalizationTerms) -> String {
    let inputs = [terms.scale, terms.shift, terms.mean, terms.variance].map {
      constant($0, shape: [$0.count])
    }
    return add(
      "BatchNormalization", [x] + inputs, [Self.attribute("epsilon", terms.epsilon)])
  }

  mutating func rectifier(_ x: String) -> String { add("Relu", [x]) }

  mutating func maxPool(_ x: String, rows: Int) -> String {
    add(
      "MaxPool", [x],
      [Self.attribute("kernel_shape", [rows, 2]), Self.attribute("strides", [rows, 2])])
  }

  mutating func means(_ x: String) -> String { flattening(add("GlobalAveragePool", [x])) }

  mutating func flattening(_ x: String) -> String { add("Flatten", [x]) }

  mutating func linearMap(_ x: String, _ weights: Tensor, bias: [Float]) -> String {
    let shift = bias.isEmpty ? [] : [constant(bias, shape: [bias.count])]
    return add("Gemm", [x, constant(weights.values, shape: weights.shape)] + shift)
  }

  mutating func sum(_ x: String, _ y: String) -> String { add("Add", [x, y]) }

  mutating func unitVector(_ x: String, epsilon: Float, axes: Int) -> String {
    let length = add("ReduceL2", [x], [Self.attribute("axes", Array(1...axes))])
    return add("Div", [x, add("Max", [length, constant(epsilon)])])
  }

  mutating func product(_ x: String, factor: Float) -> String {
    add("Mul", [x, constant(factor)])
  }

  mutating func concatenation(_ parts: [String]) -> String {
    add("Concat", parts, [Self.attribute("axis", 1)])
  }

  /// The products of the vectors of x and of `rows`, [rows, columns], plus `bias`, [rows] or empty.
  mutating func products(
    _ x: String, with rows: [Float], columns: Int, bias: [Float] = [], factor: Float = 1,
    named name: String? = nil
  ) -> String {
    let count = rows.count / columns
    let shift = bias.isEmpty ? [] : [constant(bias, shape: [count])]
    return add(
      "Gemm", [x, constant(rows, shape: [count, columns], named: name)] + shift,
      [Self.attribute("transB", 1), Self.attribute("alpha", factor)])
  }

  /// How many of the ascending `values` are at most x, as floats; x is [N, 1].
  mutating func rank(_ x: String, among values: [Float]) -> String {
    let isBelow = add("LessOrEqual", [constant(values, shape: [1, values.count]), x])
    let ones = add(
      "Cast", [isBelow], [Self.attribute("to", Int(ONNXElement.float.rawValue))])
    return add("ReduceSum", [ones, constant([1], shape: [1])])
  }
}
