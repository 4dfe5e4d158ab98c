internal import Evaluation

/// The mean of several curves over 0...1, by vertical averaging at the same abscissas ( Fawcett
/// 2006, "An introduction to ROC analysis", doi:10.1016/j.patrec.2005.10.010).
struct MeanCurve {
  /// The abscissas, from 0 to 1, and the mean ordinates.
  let points: [(Double, Double)]

  /// The mean of `curves`, each piecewise linear with ascending abscissas.
  ///
  /// - Parameters:
  ///   - curves: Points (x, y) with x in ascending order, at least one per curve.
  ///   - start: The y at x = 0 of a curve that begins at a larger x; nil for the y of its first
  ///     point.
  ///   - count: The number of abscissas, at least 2.
  init(_ curves: [[(Double, Double)]], start: Double?, count: Int = 101) {
    let places = (0..<count).map { Double($0) / Double(count - 1) }
    var sums = [Double](repeating: 0, count: count)
    for curve in curves {
      let line = start.map { [(0, $0)] + curve } ?? curve
      var index = 0
      for (slot, place) in places.enumerated() {
        // Of several points with one x, the last counts.
        while index + 1 < line.count, line[index + 1].0 <= place { index += 1 }
        sums[slot] += Self.height(of: line, at: place, after: index)
      }
    }
    points = zip(places, sums).map { ($0, $1 / Double(max(1, curves.count))) }
  }

  private static func height(of line: [(Double, Double)], at place: Double, after index: Int)
    -> Double
  {
    let from = line[index]
    guard index + 1 < line.count, place > from.0 else { return from.1 }
    let to = line[index + 1]
    return from.1 + (to.1 - from.1) * (place - from.0) / (to.0 - from.0)
  }
}

extension MeanCurve {
  /// The share of queries accepted at each share of unknowns accepted.
  static func receiverOperating(_ outcomes: [TaskRunner.Outcome]) throws -> MeanCurve {
    MeanCurve(
      try outcomes.map { outcome in
        let curve = try outcome.detection
        return curve.points.map {
          (
            Double($0.falsePositives) / Double(curve.negativeCount),
            Double($0.truePositives) / Double(curve.positiveCount)
          )
        }
      }, start: 0)
  }

  /// The share of queries accepted and correct at each share of unknowns accepted.
  static func openSet(_ outcomes: [TaskRunner.Outcome]) throws -> MeanCurve {
    MeanCurve(
      try outcomes.map {
        try $0.openSet.points.map { ($0.falsePositiveRate, $0.correctClassificationRate) }
      }, start: 0)
  }

  /// The share of wrong answers at each share answered.
  static func riskCoverage(_ outcomes: [TaskRunner.Outcome]) throws -> MeanCurve {
    MeanCurve(
      try outcomes.map { outcome in
        try RiskCoverageCurve(
          confidences: outcome.queries.map(\.confidence), correct: outcome.queries.map(\.isRight)
        ).points.map { ($0.coverage, $0.risk) }
      }, start: nil)
  }
}
