extension Network {
  /// The same function with batch normalizations folded into the convolutions before them.
  ///
  /// In inference, a batch normalization is a scale and a shift per channel, which can be folded
  /// into a convolution's weights and bias. One that follows any other layer stays. Invalid weights
  /// or statistics, such as a negative variance, may fold to non-finite values.
  public func folded() -> Network {
    var folder = Folder(network: self)
    let layers = folder.fold(architecture.layers, shape: inputShape)
    do throws(NetworkError) {
      return try Network(
        Architecture(inputShape: inputShape, layers: layers), unchecked: folder.parameters,
        folder.statistics)
    } catch {
      preconditionFailure("folding a sound network gave an unsound one: \(error)")
    }
  }
}

/// Walks through layers in storage order and writes the folded ones.
private struct Folder {
  let network: Network
  var parameterBase = 0
  var statisticBase = 0
  var parameters: [Float] = []
  var statistics: [Float] = []

  init(network: Network) {
    self.network = network
    parameters.reserveCapacity(network.parameters.count)
  }

  mutating func fold(_ layers: [Layer], shape: [Int]) -> [Layer] {
    var folded: [Layer] = []
    var shape = shape
    var index = 0
    while index < layers.count {
      let layer = layers[index]
      let layout = layout(layer, shape)
      if case .residual(let residual) = layer {
        let body = fold(residual.body, shape: shape)
        folded.append(.residual(body: body, shortcut: fold(residual.shortcut, shape: shape)))
      } else if case .branches(let branches) = layer {
        folded.append(.branches(branches.chains.map { fold($0, shape: shape) }))
      } else if case .convolution(var convolution) = layer, index + 1 < layers.count,
        case .batchNormalization(let normalization) = layers[index + 1]
      {
        absorb(normalization, into: convolution, layout.parameterCount)
        convolution.bias = true
        folded.append(.convolution(convolution))
        index += 1
      } else {
        parameters += network.parameters[parameterBase...].prefix(layout.parameterCount)
        statistics += network.statistics[statisticBase...].prefix(layout.statisticCount)
        parameterBase += layout.parameterCount
        statisticBase += layout.statisticCount
        folded.append(layer)
      }
      shape = layout.outputShape
      index += 1
    }
    return folded
  }

  private mutating func absorb(
    _ normalization: BatchNormalization, into convolution: Convolution, _ parameterCount: Int
  ) {
    let channels = convolution.channels
    let weightCount = parameterCount - (convolution.bias ? channels : 0)
    let (scale, mean) = (parameterBase + parameterCount, statisticBase)
    var bias: [Float] = []
    var factors: [Float] = []
    for channel in 0..<channels {
      let variance = network.statistics[mean + channels + channel]
      let factor =
        network.parameters[scale + channel] / (variance + normalization.epsilon).squareRoot()
      let before =
        convolution.bias ? network.parameters[parameterBase + weightCount + channel] : 0
      factors.append(factor)
      bias.append(
        network.parameters[scale + channels + channel]
          + (before - network.statistics[mean + channel]) * factor)
    }
    let start = parameters.count
    parameters += network.parameters[parameterBase..<(parameterBase + weightCount)]
    Kernels.scaleColumns(&parameters, from: start, by: factors)
    parameters += bias
    parameterBase += parameterCount + 2 * channels
    statisticBase += 2 * channels
  }

  private func layout(_ layer: Layer, _ shape: [Int]) -> LayerLayout {
    do throws(NetworkError) {
      return try layer.runnable.layout(for: shape)
    } catch {
      preconditionFailure("a layer of a sound network does not fit: \(error)")
    }
  }
}
