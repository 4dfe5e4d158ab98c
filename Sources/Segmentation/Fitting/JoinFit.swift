internal import Glibc
internal import Recognition
internal import Support

extension JoinModel {
  /// Fits a network to decisions: the choice among all open groups and a new one is a softmax of the groups' scores
  /// and 0.
  init(fittedTo decisions: [Decision], hidden units: Int, iterations: Int, seed: UInt64) {
    let count = JoinFeatures.count
    var (sums, squares, rows) = (
      [Double](repeating: 0, count: count), [Double](repeating: 0, count: count), 0.0
    )
    for decision in decisions {
      for (k, value) in decision.features.enumerated() {
        sums[k % count] += Double(value)
        squares[k % count] += Double(value) * Double(value)
      }
      rows += Double(decision.features.count / count)
    }
    means = sums.map { Float($0 / max(1, rows)) }
    deviations = (0..<count).map { k in
      let mean = sums[k] / max(1, rows)
      return Float(max(1e-3, max(0, squares[k] / max(1, rows) - mean * mean).squareRoot()))
    }
    var generator = SeededGenerator(seed: seed)
    let deviation = 1 / Double(count).squareRoot()
    hidden = (0..<(units * (count + 1))).map { _ in Float(generator.normal(deviation: deviation)) }
    output = (0..<units).map { _ in Float(generator.normal(deviation: 0.3)) } + [0]
    let standard = decisions.map { decision in
      var row = decision
      for k in row.features.indices {
        row.features[k] = (row.features[k] - means[k % count]) / deviations[k % count]
      }
      return row
    }
    let found = LBFGS(iterations: iterations).minimum(from: hidden + output) {
      Self.loss($0, standard, units: units, penalty: 2e-5)
    }
    hidden = Array(found[..<hidden.count])
    output = Array(found[hidden.count...])
  }

  /// The mean negative logarithm of the choices' probabilities, with its gradient.
  static func loss(
    _ point: [Float], _ decisions: [Decision], units: Int, penalty: Float
  ) -> (value: Double, gradient: [Float]) {
    let count = JoinFeatures.count
    let width = count + 1
    let bias = units * width
    var gradient = [Float](repeating: 0, count: point.count)
    var value = 0.0
    let share = 1 / Float(max(1, decisions.count))
    var activations: [Float] = []
    var scores: [Float] = []
    for decision in decisions {
      let groups = decision.features.count / count
      guard groups > 0 else { continue }
      activations.removeAll(keepingCapacity: true)
      scores.removeAll(keepingCapacity: true)
      for group in 0..<groups {
        var score = point[bias + units]
        for unit in 0..<units {
          var sum = point[unit * width + count]
          for k in 0..<count {
            sum += point[unit * width + k] * decision.features[group * count + k]
          }
          let active = tanhf(sum)
          activations.append(active)
          score += point[bias + unit] * active
        }
        scores.append(score)
      }
      let top = max(0, scores.max() ?? 0)
      let total = scores.reduce(expf(-top)) { $0 + expf($1 - top) }
      let norm = top + logf(total)
      value += Double(norm - (decision.choice.map { scores[$0] } ?? 0))
      for group in 0..<groups {
        let slope = (expf(scores[group] - norm) - (decision.choice == group ? 1 : 0)) * share
        guard abs(slope) > 1e-9 * share else { continue }
        gradient[bias + units] += slope
        for unit in 0..<units {
          let active = activations[group * units + unit]
          gradient[bias + unit] += slope * active
          let back = slope * point[bias + unit] * (1 - active * active)
          for k in 0..<count {
            gradient[unit * width + k] += back * decision.features[group * count + k]
          }
          gradient[unit * width + count] += back
        }
      }
    }
    value *= Double(share)
    for k in point.indices {
      value += Double(penalty * point[k] * point[k]) / 2
      gradient[k] += penalty * point[k]
    }
    return (value, gradient)
  }
}
