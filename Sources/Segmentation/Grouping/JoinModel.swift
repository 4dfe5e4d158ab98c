internal import Support

/// A network with two hidden layers: how much the place and time of a stroke speak for joining a
/// group.
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

  /// Refuses numbers that do not fit together or are not finite.
  ///
  /// - Parameter place: Where the model is in its file.
  /// - Throws: `JSONFault` that names the list.
  func check(_ place: String) throws(JSONFault) {
    let (features, units) = (JoinFeatures.count, unitCount)
    guard units >= 1 else {
      throw JSONFault(
        place: "\(place).output", "has \(output.count) numbers; it must have 2 or more")
    }
    for (key, values, count) in [
      ("output", output, units + 1), ("means", means, features),
      ("deviations", deviations, features),
      ("first", first, units * (features + 1)), ("second", second, units * (units + 1)),
    ] {
      try SegmenterModel.check(values, count: count, "\(place).\(key)")
    }
    if let index = deviations.firstIndex(where: { $0 < 1e-6 }) {
      throw JSONFault(
        place: "\(place).deviations[\(index)]",
        "is \(deviations[index]); it must be 0.000001 or more")
    }
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
