internal import Glibc

/// A network with one hidden layer: how much the place and time of a stroke speak for joining a group.
struct JoinModel: Codable, Sendable, Equatable {
  /// What each feature's mean and deviation were, shape [features].
  var means: [Float]
  var deviations: [Float]
  /// Row-major, shape [hidden, features + 1]: weights and a bias.
  var hidden: [Float]
  /// Shape [hidden + 1]: weights and a bias.
  var output: [Float]

  var featureCount: Int { means.count }
  var hiddenCount: Int { output.count - 1 }

  /// Whether the numbers fit together and are finite.
  var isSound: Bool {
    output.count >= 2 && deviations.count == featureCount && featureCount == JoinFeatures.count
      && hidden.count == hiddenCount * (featureCount + 1)
      && (means + hidden + output).allSatisfy(\.isFinite)
      && deviations.allSatisfy { $0 > 0 && $0.isFinite }
  }

  /// The features with mean 0 and deviation 1.
  func standardized(_ features: [Float]) -> [Float] {
    features.indices.map { (features[$0] - means[$0]) / deviations[$0] }
  }

  /// The logarithm of how much likelier joining is than beginning a new shape, other groups aside.
  func score(_ features: [Float]) -> Float {
    let x = standardized(features)
    var sum = output[hiddenCount]
    for unit in 0..<hiddenCount {
      let row = unit * (featureCount + 1)
      var value = hidden[row + featureCount]
      for k in x.indices { value += hidden[row + k] * x[k] }
      sum += output[unit] * tanhf(value)
    }
    return sum
  }
}
