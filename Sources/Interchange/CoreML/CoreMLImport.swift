internal import Foundation
internal import Ink
internal import InterchangeMessages
public import NeuralNetwork
public import Recognition
internal import Support
internal import SwiftProtobuf

typealias CoreMLLayer = CoreML_Specification_NeuralNetworkLayer
typealias CoreMLModel = CoreML_Specification_Model

/// Reads the networks of Core ML models.
public enum CoreMLImport {
  /// The network in a Core ML file's bytes: a chain of convolutions of stride 1 that keep the
  /// picture's size, rectifiers, 2 × 2 maxima, a flattening and inner products, with weights as
  /// 32-bit floats.
  ///
  /// It takes pictures of shape [height, width, channels] with values as the first layer expects
  /// them; a scale in the file is refused rather than ignored.
  ///
  /// - Throws: `CoreMLError`, also for layers that would run but compute different numbers, or
  ///   `NetworkError` if the layers do not fit together.
  public static func network(from bytes: [UInt8]) throws -> Network {
    let model = try decoded(bytes)
    guard case .neuralNetwork(let network)? = model.type else {
      throw CoreMLError.unsupported("it holds no plain neural network")
    }
    guard network.layers.count <= Network.mostLayers else {
      throw CoreMLError.unsupported("it has more than \(Network.mostLayers) layers")
    }
    guard network.preprocessing.isEmpty else {
      throw CoreMLError.unsupported("its input is scaled or shifted before the first layer")
    }
    guard case .imageType(let picture)? = model.description_p.input.first?.type.type else {
      throw CoreMLError.unsupported("it takes no picture")
    }
    let (height, width) = (
      try size(UInt64(bitPattern: picture.height), of: "the picture's height"),
      try size(UInt64(bitPattern: picture.width), of: "the picture's width")
    )
    try checkChain(network.layers)
    guard case .convolution(let first)? = network.layers.first?.layer else {
      throw CoreMLError.unsupported("its first layer is no convolution")
    }
    let shape = [height, width, try size(first.kernelChannels, of: "kernelChannels")]
    var builder = Builder(shape: shape)
    for (index, layer) in network.layers.enumerated() {
      do throws(CoreMLError) { try builder.add(layer) } catch {
        throw error.inside("layer \(index + 1)" + (layer.name.isEmpty ? "" : ", \(layer.name)"))
      }
    }
    return try Network(
      Network.Architecture(inputShape: shape, layers: builder.layers),
      parameters: builder.parameters, statistics: [])
  }

  private static func decoded(_ bytes: [UInt8]) throws(CoreMLError) -> CoreMLModel {
    try WireLimits.check(bytes)
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = WireLimits.depth
    options.discardUnknownFields = true
    do {
      return try CoreMLModel(serializedBytes: bytes, options: options)
    } catch {
      throw .malformed("it is cut off, or no protocol buffer of this format")
    }
  }

  /// An embedding of the network in the Core ML file at `path`, followed by L2 normalization.
  ///
  /// - Parameters:
  ///   - path: A `.mlmodel` file.
  ///   - strokeWidth: The pen's width in the network's input pictures, in pixels.
  ///   - margin: The distance of the ink from their edges, in pixels.
  /// - Returns: The embedding of the file's picture size.
  /// - Throws: `FileError` when the file cannot be read or its network cannot be used, and
  ///   `ModelError`.
  public static func embedding(
    at path: String, strokeWidth: Double = 1.5, margin: Double = 1.5
  ) throws -> Embedding {
    func fault(_ error: any Error) -> FileError {
      FileError("read", path: path, reason: .malformed("\(error)"))
    }
    let bytes = try AtomicFile.read(path)
    let network: Network
    do { network = try Self.network(from: bytes) } catch { throw fault(error) }
    let (height, width) = (network.inputShape[0], network.inputShape[1])
    guard (8...1024).contains(height), (8...1024).contains(width) else {
      throw fault(
        CoreMLError.unsupported(
          "it takes pictures of \(width) × \(height) pixels; sides must be from 8 to 1024"))
    }
    guard strokeWidth + 2 * margin < Double(min(width, height)) else {
      throw fault(
        CoreMLError.unsupported(
          "its pictures of \(width) × \(height) pixels have no room for a pen of \(strokeWidth) "
            + "pixels and a margin of \(margin)"))
    }
    return try Embedding(
      rasterizer: Rasterizer(
        width: width, height: height, strokeWidth: strokeWidth, margin: margin),
      network: Network(
        Network.Architecture(
          inputShape: network.inputShape, layers: network.architecture.layers + [.l2Normalize()]),
        parameters: network.parameters, statistics: network.statistics))
  }

  /// Checks that each layer takes the output of the one before it.
  private static func checkChain(_ layers: [CoreMLLayer]) throws(CoreMLError) {
    var previous: String?
    for layer in layers {
      guard layer.input.count == 1, layer.output.count == 1,
        previous == nil || layer.input[0] == previous
      else { throw .unsupported("layer \(layer.name) does not follow the one before it") }
      previous = layer.output[0]
    }
  }
}

/// A length, at most 2^20: pictures and weights are smaller.
private func size(_ value: UInt64, of field: String) throws(CoreMLError) -> Int {
  guard value <= 1 << 20 else {
    throw .malformed("\(field) is \(value); it must be at most \(1 << 20)")
  }
  return Int(value)
}

/// The numbers of a packed list, which has at most 8.
private func list(_ bytes: Data, of field: String) throws(CoreMLError) -> [UInt64] {
  guard let values = bytes.varints(atMost: 8) else {
    throw .malformed("\(field) is no list of up to 8 whole numbers")
  }
  return values
}

/// Weights, which must be finite 32-bit floats.
private func floats(
  _ weights: CoreML_Specification_WeightParams, of field: String
) throws(CoreMLError) -> [Float] {
  guard weights.float16Value.isEmpty, weights.rawValue.isEmpty, weights.int8RawValue.isEmpty else {
    throw .unsupported("\(field) are not stored as 32-bit floats")
  }
  guard let values = weights.floatValue.floats else {
    throw .malformed("\(field) has \(weights.floatValue.count) bytes")
  }
  guard values.allSatisfy(\.isFinite) else {
    throw .malformed("\(field) has a number that is not finite")
  }
  return values
}

/// Converts Core ML layers to layers of a `Network`, one after the other.
private struct Builder {
  var layers: [Layer] = []
  var parameters: [Float] = []
  /// The input shape of the next layer, [height, width, channels] or, flattened, [values].
  private var shape: [Int]
  /// The shape before flattening, if the file flattens channel by channel.
  private var channelsFirst: [Int]?

  init(shape: [Int]) {
    self.shape = shape
  }

  mutating func add(_ layer: CoreMLLayer) throws(CoreMLError) {
    switch layer.layer {
    case .convolution(let convolution): try add(convolution)
    case .pooling(let pooling):
      guard shape.count == 3 else { throw Self.misplaced }
      try Self.check(pooling)
      layers.append(.maxPool())
      shape = [shape[0] / 2, shape[1] / 2, shape[2]]
    case .activation(let activation):
      guard case .reLu? = activation.nonlinearityType else {
        throw .unsupported("it is an activation other than the rectifier")
      }
      layers.append(.relu)
    case .flatten(let flatten):
      // No layer is needed: a dense layer takes all values, with the channel changing fastest.
      guard shape.count == 3 else { throw Self.misplaced }
      switch flatten.mode {
      case .channelFirst: channelsFirst = shape
      case .channelLast: channelsFirst = nil
      case .UNRECOGNIZED(let order): throw .unsupported("mode has the order \(order)")
      }
      shape = [shape.reduce(1, *)]
    case .innerProduct(let product): try add(product)
    default: throw .unsupported("it is of a kind that is not known here")
    }
  }

  private static let misplaced = CoreMLError.unsupported(
    "it needs a picture, which has become a vector before it")

  /// Only 2 × 2 max pooling with stride 2 and without padding is supported.
  private static func check(
    _ pooling: CoreML_Specification_PoolingLayerParams
  ) throws(CoreMLError) {
    guard case .valid(let padding)? = pooling.poolingPaddingType, pooling.type == .max,
      padding.paddingAmounts.borderAmounts.allSatisfy({
        $0.startEdgeSize == 0 && $0.endEdgeSize == 0
      }), !pooling.globalPooling,
      try list(pooling.kernelSize, of: "kernelSize") == [2, 2],
      try list(pooling.stride, of: "stride") == [2, 2]
    else { throw .unsupported("it is not the 2 × 2 maximum in steps of 2 without padding") }
  }

  private mutating func add(
    _ convolution: CoreML_Specification_ConvolutionLayerParams
  ) throws(CoreMLError) {
    let kernels = try list(convolution.kernelSize, of: "kernelSize")
    let steps =
      try list(convolution.stride, of: "stride")
      + list(convolution.dilationFactor, of: "dilationFactor")
    let kernel = Int(clamping: kernels.first ?? 0)
    guard case .same? = convolution.convolutionPaddingType, shape.count == 3,
      !convolution.isDeconvolution, convolution.nGroups <= 1, kernels.count == 2,
      (1...31).contains(kernel), kernel % 2 == 1, kernels[0] == kernels[1],
      steps.allSatisfy({ $0 == 1 })
    else {
      throw .unsupported(
        "it is no convolution of stride 1 with an odd square kernel that keeps the size")
    }
    let inputs = try size(convolution.kernelChannels, of: "kernelChannels")
    let outputs = try size(convolution.outputChannels, of: "outputChannels")
    let weights = try floats(convolution.weights, of: "weights")
    let bias = try floats(convolution.bias, of: "bias")
    let area = kernel * kernel
    guard inputs == shape[2], outputs > 0, weights.count == outputs * inputs * area,
      bias.count == (convolution.hasBias_p ? outputs : 0)
    else { throw .malformed("it has not as many weights as its sizes say") }
    // Core ML has [output, input, row, column], `Network` [row, column, input, output].
    for place in 0..<area {
      for input in 0..<inputs {
        for output in 0..<outputs {
          parameters.append(weights[(output * inputs + input) * area + place])
        }
      }
    }
    parameters += bias
    layers.append(.convolution(channels: outputs, kernel: kernel, bias: convolution.hasBias_p))
    shape[2] = outputs
  }

  private mutating func add(
    _ product: CoreML_Specification_InnerProductLayerParams
  ) throws(CoreMLError) {
    guard shape.count == 1 else { throw .unsupported("it takes a picture that was not flattened") }
    let inputs = try size(product.inputChannels, of: "inputChannels")
    let outputs = try size(product.outputChannels, of: "outputChannels")
    let weights = try floats(product.weights, of: "weights")
    let bias = try floats(product.bias, of: "bias")
    guard inputs == shape[0], outputs > 0, weights.count == inputs * outputs,
      bias.count == (product.hasBias_p ? outputs : 0)
    else { throw .malformed("it has not as many weights as its sizes say") }
    // Core ML has [output, input], `Network` [input, output].
    for input in 0..<inputs {
      let place = Self.place(input, in: channelsFirst)
      for output in 0..<outputs { parameters.append(weights[output * inputs + place]) }
    }
    parameters += bias
    layers.append(.dense(features: outputs, bias: product.hasBias_p))
    shape = [outputs]
    channelsFirst = nil
  }

  /// The index in [channel, row, column] order of the value at `index` in [row, column, channel]
  /// order.
  private static func place(_ index: Int, in picture: [Int]?) -> Int {
    guard let picture else { return index }
    let (pixel, channel) = (index / picture[2], index % picture[2])
    return channel * picture[0] * picture[1] + pixel
  }
}
