internal import Foundation
internal import InterchangeMessages

/// The constants of an ONNX graph by name, read by the nodes that take them.
struct ONNXConstants {
  private var tensors: [String: Onnx_TensorProto] = [:]
  /// How many numbers may still be read: as many as the file has, and some for constants that nodes
  /// share. Otherwise a small file could have one large constant read thousands of times.
  private var unread = 1 << 16

  init(_ tensors: [Onnx_TensorProto]) throws(ImportError) {
    for tensor in tensors { try add(tensor, named: tensor.name) }
  }

  /// The constant of this name; nil for other values.
  subscript(name: String) -> Onnx_TensorProto? { tensors[name] }

  /// Adds a constant.
  mutating func add(_ tensor: Onnx_TensorProto, named name: String) throws(ImportError) {
    try alias(tensor, name)
    unread += (tensor.rawData.count + tensor.floatData.count) / 4 + tensor.int64Data.count
  }

  /// Gives a constant a further name.
  mutating func alias(_ tensor: Onnx_TensorProto, _ name: String) throws(ImportError) {
    guard tensors.updateValue(tensor, forKey: name) == nil else {
      throw .malformed("two values have the name \(name)")
    }
  }

  /// The floats that a node takes, finite and at least one; `place` is that of the constant among
  /// its inputs, `name` what ONNX calls it, `axes` the number of its axes, nil for any.
  mutating func floats(
    _ node: Onnx_NodeProto, _ place: Int, _ name: String, axes: Int? = nil
  ) throws(ImportError) -> (values: [Float], shape: [Int]) {
    let tensor = try constant(node, place, name)
    let (values, shape) = try tensor.floats(name)
    try count(values.count, name)
    guard axes == nil || shape.count == axes, !values.isEmpty else {
      throw .unsupported("\(name) has the shape \(shape)")
    }
    return (values, shape)
  }

  /// The number that a node takes.
  mutating func float(
    _ node: Onnx_NodeProto, _ place: Int, _ name: String
  ) throws(ImportError) -> Float {
    let values = try floats(node, place, name).values
    guard values.count == 1 else {
      throw .unsupported("\(name) has \(values.count) numbers, not one")
    }
    return values[0]
  }

  /// The numbers of a bias, [count]; empty if the node has none.
  mutating func bias(
    _ node: Onnx_NodeProto, _ place: Int, _ name: String, count: Int
  ) throws(ImportError) -> [Float] {
    guard place < node.input.count, !node.input[place].isEmpty else { return [] }
    let (values, shape) = try floats(node, place, name)
    guard values.count == count, shape.last == count else {
      throw .unsupported("\(name) has the shape \(shape), not [\(count)]")
    }
    return values
  }

  /// The whole numbers that a node takes.
  mutating func integers(
    _ node: Onnx_NodeProto, _ place: Int, _ name: String
  ) throws(ImportError) -> [Int] {
    let values = try constant(node, place, name).integers(name)
    try count(values.count, name)
    return values
  }

  /// Whether a node takes the constant false, or nothing, for an input.
  mutating func isFalse(
    _ node: Onnx_NodeProto, _ place: Int, _ name: String
  ) throws(ImportError) -> Bool {
    guard place < node.input.count, !node.input[place].isEmpty else { return true }
    let tensor = try constant(node, place, name)
    guard tensor.dataType == ONNXElement.bool.rawValue else {
      throw .unsupported("data_type of \(name) is \(tensor.dataType), not BOOL (9)")
    }
    return (tensor.rawData + tensor.int32Data).allSatisfy { $0 == 0 }
  }

  private func constant(
    _ node: Onnx_NodeProto, _ place: Int, _ name: String
  ) throws(ImportError) -> Onnx_TensorProto {
    guard place < node.input.count, let tensor = tensors[node.input[place]] else {
      throw .unsupported("\(name) is not a constant")
    }
    return tensor
  }

  private mutating func count(_ numbers: Int, _ name: String) throws(ImportError) {
    unread -= numbers
    guard unread >= 0 else {
      throw .unsupported("\(name) is a large constant shared with other nodes")
    }
  }
}

extension Onnx_TensorProto {
  /// The lengths of the axes, at most 2^20, and the number of values, at most 2^28.
  private func size(_ name: String) throws(ImportError) -> (shape: [Int], count: Int) {
    guard externalData.isEmpty else {
      throw .unsupported(
        "\(name) is in another file; save all in one (in PyTorch with external_data=False)")
    }
    var count = 1
    for length in dims.prefix(9) {
      guard dims.count <= 8, (0...(1 << 20)).contains(length), count * Int(length) <= 1 << 28 else {
        throw .malformed("dims of \(name) are \(dims.prefix(8))")
      }
      count *= Int(length)
    }
    return (dims.map { Int($0) }, count)
  }

  /// The numbers, which must be finite 32-bit floats.
  func floats(_ name: String) throws(ImportError) -> (values: [Float], shape: [Int]) {
    let (shape, count) = try size(name)
    guard dataType == ONNXElement.float.rawValue else {
      throw .unsupported("data_type of \(name) is \(dataType), not FLOAT (1)")
    }
    let bytes = rawData.isEmpty ? floatData : rawData
    guard bytes.count == 4 * count, let values = bytes.floats else {
      throw .malformed("\(name) has \(bytes.count) bytes, dims are \(shape)")
    }
    guard values.allSatisfy(\.isFinite) else {
      throw .malformed("\(name) has a number that is not finite")
    }
    return (values, shape)
  }

  /// The whole numbers.
  func integers(_ name: String) throws(ImportError) -> [Int] {
    let (shape, count) = try size(name)
    guard dataType == ONNXElement.int64.rawValue else {
      throw .unsupported("data_type of \(name) is \(dataType), not INT64 (7)")
    }
    let values =
      rawData.isEmpty
      ? int64Data.varints(atMost: count)?.map { Int(truncatingIfNeeded: $0) } : rawData.longs
    guard let values, values.count == count else {
      throw .malformed("\(name) has a number of values that does not match its dims, \(shape)")
    }
    return values
  }
}

/// The attributes of a node by name; a list has at most eight numbers.
struct ONNXAttributes {
  private let found: [String: Onnx_AttributeProto]

  init(_ node: Onnx_NodeProto) {
    found = Dictionary(node.attribute.map { ($0.name, $0) }) { $1 }
  }

  func tensor(_ name: String) -> Onnx_TensorProto? {
    found[name].flatMap { $0.hasT ? $0.t : nil }
  }

  func integer(_ name: String) -> Int? { found[name].map { Int($0.i) } }
  func integers(_ name: String) -> [Int]? { found[name]?.ints.prefix(9).map { Int($0) } }
  func float(_ name: String) -> Float? { found[name]?.f }
  func text(_ name: String) -> String {
    String(decoding: found[name]?.s.prefix(64) ?? Data(), as: UTF8.self)
  }

  /// Refuses another number than `value`; a missing one counts as `usual`.
  func require(_ name: String, _ value: Int, usual: Int?) throws(ImportError) {
    let found = integer(name) ?? usual
    guard found == value else {
      throw .unsupported("\(name) is \(found.map { "\($0)" } ?? "missing"), not \(value)")
    }
  }

  /// Refuses other numbers than `values`; missing ones count as `usual`.
  func require(_ name: String, _ values: [Int], usual: [Int]) throws(ImportError) {
    let found = integers(name) ?? usual
    guard found == values else { throw .unsupported("\(name) is \(found), not \(values)") }
  }
}
