import Foundation
import Numbers
import Testing

@testable import NeuralNetwork

extension SeededGenerator {
  /// Normally distributed values.
  mutating func normals(_ count: Int, deviation: Double = 1) -> [Float] {
    (0..<count).map { _ in Float(normal(mean: 0, deviation: deviation)) }
  }

  /// Different values, 0.1 apart and 0.05 from 0: a small push changes no order and no sign.
  mutating func spaced(_ count: Int) -> [Float] {
    permutation(count).map { (Float($0) - Float(count / 2) + 0.5) * 0.1 }
  }
}

extension Network {
  /// Moves each value at random, at most that far: values that layers begin with would hide
  /// mistakes.
  mutating func move(
    parameters: Double, statistics: Double, using generator: inout SeededGenerator
  ) {
    for index in self.parameters.indices {
      self.parameters[index] += Float(generator.uniform(-parameters...parameters))
    }
    for index in self.statistics.indices {
      self.statistics[index] += Float(generator.uniform(-statistics...statistics))
    }
  }
}

extension Backend {
  /// What this processor can run: BLAS, and the vector kernels at each of its levels.
  static let all = [.blas] + vectors
  /// The vector kernels at each of the processor's levels.
  static let vectors = VectorLevel.allCases.filter { $0 <= .here }.map { Backend.vector($0) }
}

/// ‖a - b‖ / (‖a‖ + ‖b‖), 0 when both are zero.
func relativeError(_ a: some Collection<Float>, _ b: some Collection<Float>) -> Double {
  guard a.count == b.count else { return .infinity }
  var (difference, size) = (0.0, 0.0)
  for (x, y) in zip(a, b) {
    difference += (Double(x) - Double(y)) * (Double(x) - Double(y))
    size += Double(x) * Double(x) + Double(y) * Double(y)
  }
  return size == 0 ? 0 : (difference / size).squareRoot()
}

/// Runs layers forward and backward in training, as a shard does, with everything in reach.
struct Probe {
  let network: Network
  let count: Int
  var states: [LayerState]
  var pass: Pass

  init(
    _ network: Network, count: Int, isTraining: Bool = true, backend: Backend = .forTraining,
    needsInputGradient: Bool = true
  ) throws {
    self.network = network
    self.count = count
    var plan = LayerPlan(capacity: count, isTraining: true, backend: backend)
    states = try network.architecture.layers.states(
      for: network.inputShape, needsInputGradient: needsInputGradient, plan: &plan)
    pass = Pass()
    pass.isTraining = isTraining
    pass.count = count
    pass.parameters = network.parameters
    pass.statistics = network.statistics
    pass.gradient = [Float](repeating: 0, count: network.parameters.count)
    pass.spare = [Float](repeating: 0, count: count * plan.widest)
    pass.scratch = [Float](repeating: 0, count: plan.scratch)
    pass.secondScratch = [Float](repeating: 0, count: plan.secondScratch)
    pass.seed = 11
    pass.examples = Array(0..<count)
  }

  mutating func forward(_ input: [Float]) -> [Float] {
    network.architecture.layers.forward(input, &states, &pass)
    return states.last?.output ?? input
  }

  /// The gradients of Σ weights · output by the input and by the parameters.
  mutating func backward(_ input: [Float], _ weights: [Float]) -> (
    input: [Float], parameters: [Float]
  ) {
    var gradient = weights + [Float](repeating: 0, count: pass.spare.count - weights.count)
    Kernels.zero(&pass.gradient)
    network.architecture.layers.backward(input, &gradient, &states, &pass)
    return (Array(gradient[..<(count * network.inputSize)]), pass.gradient)
  }
}
