/// The update rule of the parameters and its weight decay.
public struct Optimizer: Codable, Sendable, Equatable {
  /// The update rule.
  public enum Method: Codable, Sendable, Equatable {
    /// Stochastic gradient descent with momentum in 0..<1 (Sutskever et al. 2013, ICML); `nesterov`
    /// selects Nesterov momentum. Weight decay is added to the gradient.
    case sgd(momentum: Float, nesterov: Bool)
    /// Adam with decoupled weight decay (Loshchilov and Hutter 2019, arXiv 1711.05101).
    case adamW(beta1: Float, beta2: Float, epsilon: Float)
  }

  /// The update rule.
  public var method: Method
  /// The strength of weight decay, 0 for none; not applied to biases, scales and shifts.
  public var weightDecay: Float

  /// Stochastic gradient descent.
  public static func sgd(
    momentum: Float = 0.9, nesterov: Bool = false, weightDecay: Float = 0
  ) -> Optimizer {
    Optimizer(method: .sgd(momentum: momentum, nesterov: nesterov), weightDecay: weightDecay)
  }

  /// Adam with decoupled weight decay.
  public static func adamW(
    beta1: Float = 0.9, beta2: Float = 0.999, epsilon: Float = 1e-8, weightDecay: Float = 0.01
  ) -> Optimizer {
    Optimizer(
      method: .adamW(beta1: beta1, beta2: beta2, epsilon: epsilon), weightDecay: weightDecay)
  }
}

/// The state of an optimizer between steps.
struct OptimizerState: Sendable, Equatable {
  /// Momentum, or the first moment of Adam.
  var first: [Float]
  /// The second moment of Adam.
  var second: [Float]
  /// The number of completed steps.
  var steps = 0

  init(_ optimizer: Optimizer, parameterCount: Int) {
    first = [Float](repeating: 0, count: parameterCount)
    switch optimizer.method {
    case .sgd: second = []
    case .adamW: second = first
    }
  }
}

extension Optimizer {
  /// One step along `gradient`.
  func step(
    _ parameters: inout [Float], gradient: [Float], slots: [ParameterSlot], learningRate: Float,
    _ state: inout OptimizerState, level: VectorLevel = Backend.forTraining.level
  ) {
    state.steps += 1
    var start = 0
    for slot in slots {
      let range = start..<(start + slot.count)
      let decay = slot.decays ? weightDecay : 0
      switch method {
      case .sgd(let momentum, let nesterov):
        Kernels.stepSGD(
          level, &parameters, gradient, &state.first, in: range, rate: learningRate,
          momentum: momentum, nesterov: nesterov, decay: decay)
      case .adamW(let beta1, let beta2, let epsilon):
        let correction1 = 1 - Self.power(Double(beta1), state.steps)
        let correction2 = 1 - Self.power(Double(beta2), state.steps)
        Kernels.stepAdam(
          level, &parameters, gradient, &state.first, &state.second, in: range,
          rate: Float(Double(learningRate) / correction1), beta1: beta1, beta2: beta2,
          root: Float(1 / correction2.squareRoot()), epsilon: epsilon,
          keep: 1 - learningRate * decay)
      }
      start = range.upperBound
    }
  }

  /// base^exponent by squaring, the same on every machine.
  private static func power(_ base: Double, _ exponent: Int) -> Double {
    var (result, square, rest) = (1.0, base, exponent)
    while rest > 0 {
      if rest % 2 == 1 { result *= square }
      square *= square
      rest /= 2
    }
    return result
  }
}
