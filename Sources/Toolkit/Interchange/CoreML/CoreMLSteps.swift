internal import Foundation
internal import InterchangeMessages
internal import NeuralNetwork

/// Reads the layers of Core ML's neural networks: what `CoreMLGraph` writes, and others that
/// compute the same.
enum CoreMLSteps {
  /// The steps of a network.
  ///
  /// - Throws: `ImportError` with the layer and the field.
  static func steps(of layers: [CoreMLLayer]) throws(ImportError) -> [GraphStep] {
    var steps: [GraphStep] = []
    for (index, layer) in layers.enumerated() {
      let place = "layer \(index + 1)" + (layer.name.isEmpty ? "" : ", \(layer.name)")
      do throws(ImportError) {
        guard layer.output.count == 1 else {
          throw .unsupported("it has \(layer.output.count) outputs")
        }
        steps.append(
          GraphStep(
            place: place, kind: try kind(of: layer), inputs: layer.input,
            output: layer.output[0]))
      } catch { throw error.inside(place) }
    }
    return steps
  }

  private static func kind(of layer: CoreMLLayer) throws(ImportError) -> GraphStep.Kind {
    switch layer.layer {
    case .convolution(let layer): return try convolution(layer)
    case .pooling(let layer): return try pooling(layer)
    case .activation(let layer): return try activation(layer)
    case .innerProduct(let layer): return try linearMap(layer)
    case .batchnorm(let layer): return try normalization(layer)
    case .l2Normalize(let layer):
      // Core ML adds it to the square of the length: 1e-5, what coremltools writes by default,
      // takes 0.05 % off a vector of the length 0.1, and less off longer ones.
      guard (0...1e-5).contains(layer.epsilon) else {
        throw .unsupported("epsilon is \(layer.epsilon); it must be from 0 to 1e-5")
      }
      return .unitVector(epsilon: layer.epsilon > 0 ? layer.epsilon.squareRoot() : 1e-12)
    case .add: return .sum
    case .flatten(let layer):
      switch layer.mode {
      case CoreMLConstant.channelsFirst: return .flattening(.channelsFirst)
      case CoreMLConstant.channelsLast: return .flattening(.channelsLast)
      default: throw .unsupported("mode has the order \(layer.mode)")
      }
    case .concat: return .concatenation
    case nil: throw .unsupported("it is of an unknown kind")
    }
  }

  private static func convolution(
    _ layer: CoreML_Specification_ConvolutionLayerParams
  ) throws(ImportError) -> GraphStep.Kind {
    let kernels = try list(layer.kernelSize, of: "kernelSize")
    let steps =
      try list(layer.stride, of: "stride") + list(layer.dilationFactor, of: "dilationFactor")
    guard layer.hasSame, !layer.isDeconvolution, layer.nGroups <= 1, kernels.count == 2,
      kernels.allSatisfy({ (1...31).contains($0) && $0 % 2 == 1 }),
      steps.allSatisfy({ $0 == 1 })
    else {
      throw .unsupported(
        "it is not a convolution of stride 1 with a kernel of odd sides that keeps the size")
    }
    let shape = [
      Int(kernels[0]), Int(kernels[1]),
      try size(layer.kernelChannels, of: "kernelChannels"),
      try size(layer.outputChannels, of: "outputChannels"),
    ]
    let weights = try floats(layer.weights, of: "weights", count: shape.reduce(1, *))
    let bias = try floats(layer.bias, of: "bias", count: layer.hasBias_p ? shape.last : nil)
    return .convolution(Tensor(outputsFirst: weights, shape: shape), bias: bias)
  }

  private static func linearMap(
    _ layer: CoreML_Specification_InnerProductLayerParams
  ) throws(ImportError) -> GraphStep.Kind {
    let shape = [
      try size(layer.inputChannels, of: "inputChannels"),
      try size(layer.outputChannels, of: "outputChannels"),
    ]
    let weights = try floats(layer.weights, of: "weights", count: shape.reduce(1, *))
    let bias = try floats(layer.bias, of: "bias", count: layer.hasBias_p ? shape.last : nil)
    return .linearMap(Tensor(outputsFirst: weights, shape: shape), bias: bias)
  }

  private static func pooling(
    _ layer: CoreML_Specification_PoolingLayerParams
  ) throws(ImportError) -> GraphStep.Kind {
    let (kernel, stride) = (
      try list(layer.kernelSize, of: "kernelSize"), try list(layer.stride, of: "stride")
    )
    if layer.hasValid,
      layer.valid.paddingAmounts.borderAmounts.allSatisfy({
        $0.startEdgeSize == 0 && $0.endEdgeSize == 0
      })
    {
      if layer.globalPooling, layer.type == CoreMLConstant.average { return .means() }
      if !layer.globalPooling, layer.type == CoreMLConstant.maximum, kernel == stride,
        kernel == [2, 2] || kernel == [1, 2]
      {
        return .maxPool(rows: Int(kernel[0]))
      }
    }
    throw .unsupported(
      """
      it is neither the mean of each channel nor the maximum of 2 × 2 or 1 × 2 pixels with equal \
      stride and no padding
      """)
  }

  private static func activation(
    _ layer: CoreML_Specification_ActivationParams
  ) throws(ImportError) -> GraphStep.Kind {
    switch layer.nonlinearityType {
    case .reLu: return .rectifier
    case .linear(let line):
      guard line.alpha.isFinite, line.beta == 0 else {
        throw .unsupported("alpha is \(line.alpha), beta \(line.beta); only factors are read")
      }
      return .product(factor: line.alpha)
    case nil: throw .unsupported("it is an activation other than ReLU")
    }
  }

  private static func normalization(
    _ layer: CoreML_Specification_BatchnormLayerParams
  ) throws(ImportError) -> GraphStep.Kind {
    guard !layer.computeMeanVar, !layer.instanceNormalization else {
      throw .unsupported("it computes means and variances, which must be stored")
    }
    let channels = try size(layer.channels, of: "channels")
    return .normalization(
      NormalizationTerms(
        scale: try floats(layer.gamma, of: "gamma", count: channels),
        shift: try floats(layer.beta, of: "beta", count: channels),
        mean: try floats(layer.mean, of: "mean", count: channels),
        variance: try floats(layer.variance, of: "variance", count: channels),
        epsilon: layer.epsilon))
  }

  // MARK: Numbers

  /// A length, at most 2^20: pictures and weights are smaller.
  static func size(_ value: UInt64, of field: String) throws(ImportError) -> Int {
    guard value <= 1 << 20 else {
      throw .malformed("\(field) is \(value); it must be at most \(1 << 20)")
    }
    return Int(value)
  }

  /// The numbers of a packed list, which has at most 8.
  static func list(_ bytes: Data, of field: String) throws(ImportError) -> [UInt64] {
    guard let values = bytes.varints(atMost: 8) else {
      throw .malformed("\(field) is not a list of up to 8 whole numbers")
    }
    return values
  }

  /// Finite 32-bit floats.
  static func floats(_ bytes: Data, of field: String) throws(ImportError) -> [Float] {
    guard let values = bytes.floats else {
      throw .malformed("\(field) has \(bytes.count) bytes")
    }
    guard values.allSatisfy(\.isFinite) else {
      throw .malformed("\(field) has a number that is not finite")
    }
    return values
  }

  /// As many weights as a layer's sizes say, and at least one; with nil, none.
  private static func floats(
    _ weights: CoreML_Specification_WeightParams, of field: String, count: Int?
  ) throws(ImportError) -> [Float] {
    guard count == nil || !weights.floatValue.isEmpty else {
      throw .unsupported("\(field) are missing, or not stored as 32-bit floats")
    }
    let values = try floats(weights.floatValue, of: field)
    guard values.count == count ?? 0 else {
      throw .malformed("\(field) has \(values.count) numbers; its sizes need \(count ?? 0)")
    }
    return values
  }
}
