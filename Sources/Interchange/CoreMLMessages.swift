internal import NeuralNetwork

// The supported messages of Core ML's format, with the field numbers of its published Model.proto,
// FeatureTypes.proto and NeuralNetwork.proto.

/// A feed-forward network as a Core ML file describes it.
struct CoreMLNetwork {
  /// One layer.
  struct Layer {
    var name = ""
    var inputs: [String] = []
    var outputs: [String] = []
    var kind = Kind.unknown(0)
  }

  enum Kind {
    case convolution(Convolution)
    case maxPool
    case rectifier
    case innerProduct(InnerProduct)
    case flatten(channelsLast: Bool)
    case unknown(Int)
  }

  struct Convolution {
    var outputs = 0
    var inputs = 0
    var groups = 1
    var kernel: [UInt64] = []
    var stride: [UInt64] = []
    var dilation: [UInt64] = []
    var isSame = false
    var isDeconvolution = false
    var hasBias = false
    var weights: [Float] = []
    var bias: [Float] = []
  }

  struct InnerProduct {
    var inputs = 0
    var outputs = 0
    var hasBias = false
    var weights: [Float] = []
    var bias: [Float] = []
  }

  /// The size of the input picture; nil for another type of input.
  var picture: (width: Int, height: Int)?
  var layers: [Layer] = []

  init(_ bytes: [UInt8]) throws(CoreMLError) {
    var model = WireReader(bytes[...])
    var network: ArraySlice<UInt8>?
    while let (number, value) = try model.next() {
      switch (number, value) {
      case (2, .bytes(let bytes)): picture = try Self.inputPicture(bytes) ?? picture
      case (500, .bytes(let bytes)): network = bytes
      default: break
      }
    }
    guard let network else { throw .unsupported("it holds no plain neural network") }
    var reader = WireReader(network)
    while let (number, value) = try reader.next() {
      switch (number, value) {
      case (1, .bytes(let bytes)):
        guard layers.count < Network.mostLayers else {
          throw .unsupported("it has more than \(Network.mostLayers) layers")
        }
        do throws(CoreMLError) { layers.append(try Self.layer(bytes)) } catch {
          throw error.inside("layer \(layers.count + 1)")
        }
      case (2, .bytes):
        throw .unsupported("its input is scaled or shifted before the first layer")
      default: break
      }
    }
  }

  /// ModelDescription: input = 1, whose type = 3 holds imageType = 4 with width = 1 and height = 2.
  private static func inputPicture(
    _ description: ArraySlice<UInt8>
  ) throws(CoreMLError) -> (width: Int, height: Int)? {
    guard let input = try bytes(in: description, 1), let type = try bytes(in: input, 3),
      let image = try bytes(in: type, 4)
    else { return nil }
    var (width, height) = (0, 0)
    var reader = WireReader(image)
    while let (number, value) = try reader.next() {
      switch (number, value) {
      case (1, .varint(let value)): width = try size(value, of: "the picture's width")
      case (2, .varint(let value)): height = try size(value, of: "the picture's height")
      default: break
      }
    }
    return (width, height)
  }

  /// The first field of that number which holds bytes.
  private static func bytes(
    in message: ArraySlice<UInt8>, _ wanted: Int
  ) throws(CoreMLError) -> ArraySlice<UInt8>? {
    var reader = WireReader(message)
    while let (number, value) = try reader.next() {
      if number == wanted, case .bytes(let bytes) = value { return bytes }
    }
    return nil
  }

  private static func layer(_ message: ArraySlice<UInt8>) throws(CoreMLError) -> Layer {
    var layer = Layer()
    var reader = WireReader(message)
    while let (number, value) = try reader.next() {
      guard case .bytes(let bytes) = value else { continue }
      switch number {
      case 1: layer.name = String(decoding: bytes, as: UTF8.self)
      case 2: layer.inputs.append(String(decoding: bytes, as: UTF8.self))
      case 3: layer.outputs.append(String(decoding: bytes, as: UTF8.self))
      case 100: layer.kind = .convolution(try convolution(bytes))
      case 120: layer.kind = try pooling(bytes)
      case 130: layer.kind = try activation(bytes)
      case 140: layer.kind = .innerProduct(try innerProduct(bytes))
      case 301: layer.kind = try flatten(bytes)
      case 20..<10_000: layer.kind = .unknown(number)
      default: break
      }
    }
    return layer
  }

  private static func convolution(
    _ message: ArraySlice<UInt8>
  ) throws(CoreMLError) -> Convolution {
    var result = Convolution()
    var reader = WireReader(message)
    while let (number, value) = try reader.next() {
      switch (number, value) {
      case (1, .varint(let value)): result.outputs = try size(value, of: "outputChannels")
      case (2, .varint(let value)): result.inputs = try size(value, of: "inputChannels")
      case (10, .varint(let value)): result.groups = try size(value, of: "nGroups")
      case (20, _): result.kernel += try list(value)
      case (30, _): result.stride += try list(value)
      case (40, _): result.dilation += try list(value)
      case (51, _): result.isSame = true
      case (60, .varint(let value)): result.isDeconvolution = value != 0
      case (70, .varint(let value)): result.hasBias = value != 0
      case (90, .bytes(let bytes)): result.weights = try weights(bytes, of: "weights")
      case (91, .bytes(let bytes)): result.bias = try weights(bytes, of: "bias")
      default: break
      }
    }
    return result
  }

  /// Only 2 × 2 max pooling with stride 2 and without padding is supported.
  private static func pooling(_ message: ArraySlice<UInt8>) throws(CoreMLError) -> Kind {
    var (kernel, stride): ([UInt64], [UInt64]) = ([], [])
    var (type, isValid, isGlobal) = (UInt64(0), false, false)
    var reader = WireReader(message)
    while let (number, value) = try reader.next() {
      switch (number, value) {
      case (1, .varint(let value)): type = value
      case (10, _): kernel += try list(value)
      case (20, _): stride += try list(value)
      case (30, .bytes(let bytes)): isValid = try !pads(bytes)
      case (60, .varint(let value)): isGlobal = value != 0
      default: break
      }
    }
    guard type == 0, isValid, !isGlobal, kernel == [2, 2], stride == [2, 2] else {
      throw .unsupported("a pooling is not the 2 × 2 maximum in steps of 2 without padding")
    }
    return .maxPool
  }

  /// ValidPadding: paddingAmounts = 1, whose borderAmounts = 10 have two sizes each.
  private static func pads(_ message: ArraySlice<UInt8>) throws(CoreMLError) -> Bool {
    guard let amounts = try bytes(in: message, 1) else { return false }
    var reader = WireReader(amounts)
    while let (number, value) = try reader.next() {
      guard number == 10, case .bytes(let edge) = value else { continue }
      var sizes = WireReader(edge)
      while let (_, size) = try sizes.next() {
        if case .varint(let size) = size, size != 0 { return true }
      }
    }
    return false
  }

  private static func activation(_ message: ArraySlice<UInt8>) throws(CoreMLError) -> Kind {
    var reader = WireReader(message)
    guard let (number, _) = try reader.next(), number == 10 else {
      throw .unsupported("an activation is not the rectifier")
    }
    return .rectifier
  }

  private static func innerProduct(
    _ message: ArraySlice<UInt8>
  ) throws(CoreMLError) -> InnerProduct {
    var result = InnerProduct()
    var reader = WireReader(message)
    while let (number, value) = try reader.next() {
      switch (number, value) {
      case (1, .varint(let value)): result.inputs = try size(value, of: "inputChannels")
      case (2, .varint(let value)): result.outputs = try size(value, of: "outputChannels")
      case (10, .varint(let value)): result.hasBias = value != 0
      case (20, .bytes(let bytes)): result.weights = try weights(bytes, of: "weights")
      case (21, .bytes(let bytes)): result.bias = try weights(bytes, of: "bias")
      default: break
      }
    }
    return result
  }

  private static func flatten(_ message: ArraySlice<UInt8>) throws(CoreMLError) -> Kind {
    var mode: UInt64 = 0
    var reader = WireReader(message)
    while let (number, value) = try reader.next() {
      if number == 1, case .varint(let value) = value { mode = value }
    }
    guard mode <= 1 else { throw .unsupported("a flattening has the order \(mode)") }
    return .flatten(channelsLast: mode == 1)
  }

  /// WeightParams: floatValue = 1, packed or not; other types of weights are not supported.
  private static func weights(
    _ message: ArraySlice<UInt8>, of field: String
  ) throws(CoreMLError) -> [Float] {
    var values: [Float] = []
    var reader = WireReader(message)
    while let (number, value) = try reader.next() {
      switch (number, value) {
      case (1, .bytes(let bytes)): values += try WireReader.floats(bytes)
      case (1, .fixed32(let bits)): values.append(Float(bitPattern: bits))
      case (2, _), (30, _), (31, _):
        throw .unsupported("\(field) are not stored as 32-bit floats")
      default: break
      }
    }
    guard values.allSatisfy(\.isFinite) else {
      throw .malformed("\(field) has a number that is not finite")
    }
    return values
  }

  private static func list(_ value: WireReader.Value) throws(CoreMLError) -> [UInt64] {
    switch value {
    case .varint(let value): [value]
    case .bytes(let bytes): try WireReader.integers(bytes)
    default: throw .malformed("a list of whole numbers has another form")
    }
  }

  /// A length, at most 2^20: pictures and weights are smaller.
  private static func size(_ value: UInt64, of field: String) throws(CoreMLError) -> Int {
    guard value <= 1 << 20 else {
      throw .malformed("\(field) is \(value); it must be at most \(1 << 20)")
    }
    return Int(value)
  }
}
