internal import CLibrary
internal import JSON

/// A network with two hidden layers that scores a stroke's joining a group by position and timing.
struct JoinModel: Codable, Sendable, Equatable {
  /// The mean and the standard deviation of each feature in training, shape [features].
  var means: [Float]
  var deviations: [Float]
  /// Row-major, shape [units, features + 1]: weights and a bias.
  var first: [Float]
  /// Row-major, shape [units, units + 1].
  var second: [Float]
  /// Shape [units + 1].
  var output: [Float]

  var unitCount: Int { output.count - 1 }

  /// Refuses numbers of the wrong count or outside the range.
  ///
  /// - Parameter place: The model's path in its file.
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

  /// The features with mean 0 and standard deviation 1.
  func standardized(_ features: [Float]) -> [Float] {
    features.indices.map {
      (features[$0] - means[$0 % means.count]) / deviations[$0 % means.count]
    }
  }

  /// The log-odds of joining the group against starting a new shape, ignoring other groups.
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
