/// Normalizes each channel to mean 0 and variance 1, then applies a learned scale and shift (Ioffe
/// and Szegedy 2015, arXiv 1502.03167).
///
/// Any input shape whose last axis is the channels. Training uses the mean and variance of the
/// examples in the pass; inference the running ones. Scale and shift [channels].
public struct BatchNormalization: RunnableLayer {
  /// The weight of a new shard's statistics in the running ones, in 0...1.
  public var momentum: Float
  /// Added to the variance for numerical stability.
  public var epsilon: Float

  func layout(for input: [Int]) throws(NetworkError) -> LayerLayout {
    guard !input.isEmpty else {
      throw .unsuitableInput(layer: "a batch normalization", shape: input, needs: "[…, channels]")
    }
    guard momentum >= 0, momentum <= 1 else {
      throw .badHyperparameter(
        layer: "a batch normalization", name: "momentum", value: "\(momentum)")
    }
    guard epsilon > 0, epsilon.isFinite else {
      throw .badHyperparameter(
        layer: "a batch normalization", name: "epsilon", value: "\(epsilon)")
    }
    let shape = Array(input.suffix(1))
    return LayerLayout(
      outputShape: input,
      parameters: [
        ParameterSlot(name: "scale", shape: shape, initial: .constant(1), decays: false),
        ParameterSlot(name: "shift", shape: shape, initial: .constant(0), decays: false),
      ],
      statistics: [
        StatisticSlot(name: "mean", shape: shape, initial: 0, momentum: momentum),
        StatisticSlot(name: "variance", shape: shape, initial: 1, momentum: momentum),
      ])
  }

  func prepare(_ state: inout LayerState, plan: inout LayerPlan) throws(NetworkError) {
    // Mean, 1 / deviation, then three coefficients, per channel.
    state.saved = [Float](repeating: 0, count: 5 * (state.inputShape.last ?? 0))
    state.sums = [Double](repeating: 0, count: 2 * (state.inputShape.last ?? 0))
  }

  func forward(_ input: [Float], _ state: inout LayerState, _ pass: inout Pass) {
    var output: [Float] = []
    swap(&output, &state.output)
    forward(input, &state, &pass, rectifies: false, into: &output)
    swap(&output, &state.output)
  }

  /// As `forward`, followed by a rectifier if `rectifies`.
  func forward(
    _ input: [Float], _ state: inout LayerState, _ pass: inout Pass, rectifies: Bool,
    into output: inout [Float]
  ) {
    let channels = state.inputShape.last ?? 0
    let rows = pass.count * state.inputSize / channels
    let (scale, shift) = (state.parameterBase, state.parameterBase + channels)
    let (mean, variance) = (state.statisticBase, state.statisticBase + channels)
    if pass.isTraining {
      Kernels.columnSums(
        state.backend.level, input, input, above: nil, rows: rows, columns: channels,
        into: &state.sums)
      for channel in 0..<channels {
        let center = state.sums[channel] / Double(rows)
        let square = state.sums[channels + channel] / Double(rows)
        pass.statistics[mean + channel] = Float(center)
        pass.statistics[variance + channel] = Float(max(0, square - center * center))
      }
    }
    for channel in 0..<channels {
      let spread = 1 / (pass.statistics[variance + channel] + epsilon).squareRoot()
      let center = pass.statistics[mean + channel]
      state.saved[channel] = center
      state.saved[channels + channel] = spread
      let factor = spread * pass.parameters[scale + channel]
      state.saved[2 * channels + channel] = factor
      state.saved[3 * channels + channel] = pass.parameters[shift + channel] - center * factor
      if pass.isTraining, rows > 1 {
        // The running variance estimates the population variance (Bessel's correction).
        pass.statistics[variance + channel] *= Float(rows) / Float(rows - 1)
      }
    }
    Kernels.scaleAndShift(
      state.backend.level, input, rows: rows, columns: channels, coefficients: state.saved,
      scaleAt: 2 * channels, shiftAt: 3 * channels, rectifies: rectifies, into: &output)
  }

  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass
  ) {
    backward(input, &gradient, &state, &pass, rectified: nil)
  }

  /// As `backward`; `rectified` is the output of a fused rectifier, else nil.
  func backward(
    _ input: [Float], _ gradient: inout [Float], _ state: inout LayerState, _ pass: inout Pass,
    rectified: [Float]?
  ) {
    let channels = state.inputShape.last ?? 0
    let rows = pass.count * state.inputSize / channels
    let (scale, shift) = (state.parameterBase, state.parameterBase + channels)
    // The sums of g and of g·x per channel, kept in rows 2 and 3 of `saved`.
    Kernels.columnSums(
      state.backend.level, gradient, input, above: rectified, rows: rows, columns: channels,
      into: &state.sums)
    for index in 0..<(2 * channels) {
      state.saved[2 * channels + index] = Float(state.sums[index])
    }
    for channel in 0..<channels {
      let center = state.saved[channel]
      let spread = state.saved[channels + channel]
      let sum = state.saved[2 * channels + channel]
      let product = spread * (state.saved[3 * channels + channel] - center * sum)
      pass.gradient[scale + channel] += product
      pass.gradient[shift + channel] += sum
      // With n = rows and x̂ = (x - mean) · spread the gradient is
      // scale · spread · (g - sum / n - x̂ · product / n), which is linear in g and x.
      let factor = pass.parameters[scale + channel] * spread
      guard pass.isTraining else {
        (state.saved[2 * channels + channel], state.saved[3 * channels + channel]) = (factor, 0)
        state.saved[4 * channels + channel] = 0
        continue
      }
      let slope = -factor * spread * product / Float(rows)
      state.saved[2 * channels + channel] = factor
      state.saved[3 * channels + channel] = slope
      state.saved[4 * channels + channel] = -factor * sum / Float(rows) - slope * center
    }
    guard state.needsInputGradient else { return }
    Kernels.combine(
      state.backend.level, &gradient, input, above: rectified, rows: rows, columns: channels,
      coefficients: state.saved, at: 2 * channels)
  }
}
