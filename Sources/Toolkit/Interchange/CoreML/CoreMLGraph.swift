internal import Foundation
internal import InterchangeMessages
internal import NeuralNetwork
internal import SwiftProtobuf

/// The numbers of Core ML's enumerations.
enum CoreMLConstant {
  static let grayscale: Int32 = 10
  static let float32: Int32 = 65568
  static let maximum: Int32 = 0
  static let average: Int32 = 1
  static let channelsFirst: Int32 = 0
  static let channelsLast: Int32 = 1
}

/// Writes layers of Core ML's neural networks.
struct CoreMLGraph: GraphWriter {
  private(set) var layers: [CoreMLLayer] = []

  /// Gives the last layer's output another name.
  mutating func renameOutput(_ name: String) {
    layers[layers.count - 1].output = [name]
  }

  private mutating func add(
    _ inputs: [String], _ kind: CoreMLLayer.OneOf_Layer, _ name: String
  ) -> String {
    let name = "\(name)\(layers.count + 1)"
    layers.append(
      .with {
        $0.name = name
        $0.input = inputs
        $0.output = [name]
        $0.layer = kind
      })
    return name
  }

  private static func weights(
    _ values: some Sequence<Float>
  ) -> CoreML_Specification_WeightParams {
    .with { $0.floatValue = Data(packing: values) }
  }

  mutating func convolution(_ x: String, _ weights: Tensor, bias: [Float]) -> String {
    let (rows, columns) = (weights.shape[0], weights.shape[1])
    let (inputs, outputs) = (weights.shape[2], weights.shape[3])
    let transposed = weights.outputsFirst
    return add(
      [x],
      .convolution(
        .with {
          $0.outputChannels = UInt64(outputs)
          $0.kernelChannels = UInt64(inputs)
          $0.nGroups = 1
          $0.kernelSize = Data(varints: [rows, columns])
          $0.stride = Data(varints: [1, 1])
          $0.dilationFactor = Data(varints: [1, 1])
          $0.same = Data()
          $0.hasBias_p = !bias.isEmpty
          $0.weights = Self.weights(transposed)
          if !bias.isEmpty { $0.bias = Self.weights(bias) }
        }), "convolution")
  }

  mutating func normalization(_ x: String, _ terms: NormalizationTerms) -> String {
    add(
      [x],
      .batchnorm(
        .with {
          $0.channels = UInt64(terms.scale.count)
          $0.epsilon = terms.epsilon
          $0.gamma = Self.weights(terms.scale)
          $0.beta = Self.weights(terms.shift)
          $0.mean = Self.weights(terms.mean)
          $0.variance = Self.weights(terms.variance)
        }), "normalization")
  }

  mutating func rectifier(_ x: String) -> String {
    add([x], .activation(.with { $0.reLu = Data() }), "rectifier")
  }

  mutating func maxPool(_ x: String, rows: Int) -> String {
    add(
      [x],
      .pooling(
        .with {
          $0.type = CoreMLConstant.maximum
          $0.kernelSize = Data(varints: [rows, 2])
          $0.stride = Data(varints: [rows, 2])
          $0.valid = Self.noPadding
        }), "maximum")
  }

  mutating func means(_ x: String) -> String {
    add(
      [x],
      .pooling(
        .with {
          $0.type = CoreMLConstant.average
          $0.globalPooling = true
          $0.valid = Self.noPadding
        }), "means")
  }

  /// Padding by 0 rows and 0 columns.
  private static var noPadding: CoreML_Specification_ValidPadding {
    .with { $0.paddingAmounts.borderAmounts = [.init(), .init()] }
  }

  mutating func flattening(_ x: String) -> String {
    add([x], .flatten(.with { $0.mode = CoreMLConstant.channelsFirst }), "flattening")
  }

  mutating func linearMap(_ x: String, _ weights: Tensor, bias: [Float]) -> String {
    let (inputs, outputs) = (weights.shape[0], weights.shape[1])
    let transposed = weights.outputsFirst
    return add(
      [x],
      .innerProduct(
        .with {
          $0.inputChannels = UInt64(inputs)
          $0.outputChannels = UInt64(outputs)
          $0.hasBias_p = !bias.isEmpty
          $0.weights = Self.weights(transposed)
          if !bias.isEmpty { $0.bias = Self.weights(bias) }
        }), "linear")
  }

  mutating func sum(_ x: String, _ y: String) -> String { add([x, y], .add(Data()), "sum") }

  mutating func unitVector(_ x: String, epsilon: Float, axes: Int) -> String {
    // Core ML adds it to the square of the length.
    add([x], .l2Normalize(.with { $0.epsilon = epsilon * epsilon }), "unit")
  }

  mutating func product(_ x: String, factor: Float) -> String {
    add(
      [x], .activation(.with { $0.linear = .with { $0.alpha = factor } }), "product")
  }

  mutating func concatenation(_ parts: [String]) -> String {
    add(parts, .concat(Data()), "joined")
  }
}

extension Tensor {
  /// The weights of a layer with the outputs as the first axis: [rows, columns, inputs, outputs] →
  /// [outputs, inputs, rows, columns], or [inputs, outputs] → [outputs, inputs].
  var outputsFirst: [Float] {
    let (inputs, outputs) = (shape[shape.count - 2], shape[shape.count - 1])
    let places = values.count / (inputs * outputs)
    return values.transposed(rows: places, width: outputs).transposed(rows: places * inputs)
  }

  /// Weights of the given shape from values in the order of `outputsFirst`, as many as the shape
  /// has.
  init(outputsFirst values: [Float], shape: [Int]) {
    let (inputs, outputs) = (shape[shape.count - 2], shape[shape.count - 1])
    self.init(
      shape: shape,
      values: values.transposed(rows: outputs).transposed(rows: inputs, width: outputs))
  }
}
