internal import Ink
public import NeuralNetwork
public import Recognition
internal import Support

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
    let model = try CoreMLNetwork(bytes)
    guard let picture = model.picture else { throw CoreMLError.unsupported("it takes no picture") }
    try checkChain(model.layers)
    guard case .convolution(let first)? = model.layers.first?.kind else {
      throw CoreMLError.unsupported("its first layer is no convolution")
    }
    var builder = Builder(shape: [picture.height, picture.width, first.inputs])
    for layer in model.layers { try builder.add(layer) }
    return try Network(
      Network.Architecture(
        inputShape: [picture.height, picture.width, first.inputs], layers: builder.layers),
      parameters: builder.parameters, statistics: [])
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
  private static func checkChain(_ layers: [CoreMLNetwork.Layer]) throws(CoreMLError) {
    var previous: String?
    for layer in layers {
      guard layer.inputs.count == 1, layer.outputs.count == 1,
        previous == nil || layer.inputs[0] == previous
      else { throw .unsupported("layer \(layer.name) does not follow the one before it") }
      previous = layer.outputs[0]
    }
  }
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

  mutating func add(_ layer: CoreMLNetwork.Layer) throws(CoreMLError) {
    switch layer.kind {
    case .convolution(let convolution): try add(convolution, named: layer.name)
    case .maxPool:
      guard shape.count == 3 else { throw Self.misplaced(layer) }
      layers.append(.maxPool())
      shape = [shape[0] / 2, shape[1] / 2, shape[2]]
    case .rectifier: layers.append(.relu)
    case .flatten(let channelsLast):
      // No layer is needed: a dense layer takes all values, with the channel changing fastest.
      guard shape.count == 3 else { throw Self.misplaced(layer) }
      channelsFirst = channelsLast ? nil : shape
      shape = [shape.reduce(1, *)]
    case .innerProduct(let product): try add(product, named: layer.name)
    case .unknown(let number):
      throw .unsupported("layer \(layer.name) is of a kind (\(number)) that it does not know")
    }
  }

  private static func misplaced(_ layer: CoreMLNetwork.Layer) -> CoreMLError {
    .unsupported("layer \(layer.name) needs a picture, which has become a vector before it")
  }

  private mutating func add(
    _ convolution: CoreMLNetwork.Convolution, named name: String
  ) throws(CoreMLError) {
    let kernel = Int(clamping: convolution.kernel.first ?? 0)
    guard shape.count == 3, convolution.isSame, !convolution.isDeconvolution,
      convolution.groups <= 1, convolution.kernel.count == 2, (1...31).contains(kernel),
      kernel % 2 == 1, convolution.kernel[0] == convolution.kernel[1],
      convolution.stride.allSatisfy({ $0 == 1 }), convolution.dilation.allSatisfy({ $0 == 1 })
    else {
      throw .unsupported(
        "layer \(name) is no convolution of stride 1 with an odd square kernel that keeps the size")
    }
    let (inputs, outputs) = (convolution.inputs, convolution.outputs)
    let area = kernel * kernel
    guard inputs == shape[2], outputs > 0, convolution.weights.count == outputs * inputs * area,
      convolution.bias.count == (convolution.hasBias ? outputs : 0)
    else { throw .malformed("layer \(name) has not as many weights as its sizes say") }
    // Core ML has [output, input, row, column], `Network` [row, column, input, output].
    for place in 0..<area {
      for input in 0..<inputs {
        for output in 0..<outputs {
          parameters.append(convolution.weights[(output * inputs + input) * area + place])
        }
      }
    }
    parameters += convolution.bias
    layers.append(.convolution(channels: outputs, kernel: kernel, bias: convolution.hasBias))
    shape[2] = outputs
  }

  private mutating func add(
    _ product: CoreMLNetwork.InnerProduct, named name: String
  ) throws(CoreMLError) {
    guard shape.count == 1 else {
      throw .unsupported("layer \(name) takes a picture that was not flattened")
    }
    let (inputs, outputs) = (product.inputs, product.outputs)
    guard inputs == shape[0], outputs > 0, product.weights.count == inputs * outputs,
      product.bias.count == (product.hasBias ? outputs : 0)
    else { throw .malformed("layer \(name) has not as many weights as its sizes say") }
    // Core ML has [output, input], `Network` [input, output].
    for input in 0..<inputs {
      let place = Self.place(input, in: channelsFirst)
      for output in 0..<outputs {
        parameters.append(product.weights[output * inputs + place])
      }
    }
    parameters += product.bias
    layers.append(.dense(features: outputs, bias: product.hasBias))
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
