internal import CLibrary
internal import Recognition

/// The true grouping of a canvas and those that a search found.
struct Ranking: Sendable {
  /// The terms of each grouping's score, a weighted sum; the true one first, row-major, shape
  /// [groupings, terms].
  private(set) var terms: [Float]

  init(terms: [Float]) {
    self.terms = terms
  }

  /// Adds a false grouping.
  mutating func add(grouping more: [Float]) {
    terms += more
  }

  /// Adds the groupings of another search on the same canvas, each once.
  mutating func add(_ other: Ranking) {
    let count = 1 + GroupFeatures.count
    func rows(_ terms: [Float]) -> [[Float]] {
      stride(from: 0, to: terms.count, by: count).map { Array(terms[$0..<($0 + count)]) }
    }
    var known = Set(rows(terms))
    for row in rows(other.terms).dropFirst() where known.insert(row).inserted { terms += row }
  }

  /// The weights that maximize the likelihood of the true groupings, a softmax over each canvas's
  /// groupings, less an L2 penalty.
  ///
  /// - Parameters:
  ///   - rankings: The canvases.
  ///   - start: The initial weights, shape [terms]; the penalty is on the distance from them.
  ///   - fitted: Which weights may change.
  ///   - penalty: The factor of half the squared distance.
  /// - Returns: Shape [terms].
  static func weights(
    _ rankings: [Ranking], from start: [Float], fitted: [Bool], penalty: Float
  ) -> [Float] {
    let count = start.count
    // Terms have different scales; the penalty applies to the weights of terms scaled to a spread
    // of 1.
    var (squares, rows) = ([Double](repeating: 0, count: count), 0.0)
    for ranking in rankings {
      for first in stride(from: count, to: ranking.terms.count, by: count) {
        for k in 0..<count {
          let difference = Double(ranking.terms[first + k] - ranking.terms[k])
          squares[k] += difference * difference
        }
        rows += 1
      }
    }
    let scales = squares.map { Float(max(1e-3, ($0 / max(1, rows)).squareRoot())) }
    let found = LBFGS(iterations: 200).minimum(
      from: start.indices.map { start[$0] * scales[$0] }
    ) { point in
      var gradient = [Float](repeating: 0, count: count)
      var value = 0.0
      let share = 1 / Float(max(1, rankings.count))
      for ranking in rankings {
        let groupings = ranking.terms.count / count
        let scores = (0..<groupings).map { row in
          (0..<count).reduce(Float(0)) {
            $0 + point[$1] / scales[$1] * ranking.terms[row * count + $1]
          }
        }
        let top = scores.max() ?? 0
        let total = scores.reduce(0) { $0 + expf($1 - top) }
        value += Double(top + logf(total) - scores[0])
        for row in 0..<groupings {
          let slope = (expf(scores[row] - top) / total - (row == 0 ? 1 : 0)) * share
          for k in 0..<count { gradient[k] += slope * ranking.terms[row * count + k] / scales[k] }
        }
      }
      value *= Double(share)
      for k in 0..<count {
        let away = point[k] - start[k] * scales[k]
        value += Double(penalty * away * away) / 2
        gradient[k] += penalty * away
        if !fitted[k] { gradient[k] = 0 }
      }
      return (value, gradient)
    }
    return found.indices.map { found[$0] / scales[$0] }
  }
}
