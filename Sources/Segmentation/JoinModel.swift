internal import Glibc

/// A network with two hidden layers: how much the place and time of a stroke speak for joining a group.
struct JoinModel: Codable, Sendable, Equatable {
  /// What each feature's mean and deviation were, shape [features].
  var means: [Float]
  var deviations: [Float]
  /// Row-major, shape [units, features + 1]: weights and a bias.
  var first: [Float]
  /// Row-major, shape [units, units + 1].
  var second: [Float]
  /// Shape [units + 1].
  var output: [Float]

  var unitCount: Int { output.count - 1 }

  /// Whether the numbers fit together and are finite.
  var isSound: Bool {
    let (features, units) = (JoinFeatures.count, unitCount)
    return units >= 1 && means.count == features && deviations.count == features
      && first.count == units * (features + 1) && second.count == units * (units + 1)
      && (means + first + second + output).allSatisfy(\.isFinite)
      && deviations.allSatisfy { $0 > 0 && $0.isFinite }
  }

  /// The features with mean 0 and deviation 1.
  func standardized(_ features: [Float]) -> [Float] {
    features.indices.map {
      (features[$0] - means[$0 % means.count]) / deviations[$0 % means.count]
    }
  }

  /// The logarithm of how much likelier joining is than beginning a new shape, other groups aside.
  func score(_ features: [Float]) -> Float {
    let units = unitCount
    let below = Self.activations(standardized(features), first, units)
    let above = Self.activations(below, second, units)
    return (0..<units).reduce(output[units]) { $0 + output[$1] * above[$1] }
  }

  private static func activations(_ x: [Float], _ weights: [Float], _ units: Int) -> [Float] {
    let width = x.count + 1
    return (0..<units).map { unit in
      var sum = weights[unit * width + x.count]
      for k in x.indices { sum += weights[unit * width + k] * x[k] }
      return tanhf(sum)
    }
  }
}
