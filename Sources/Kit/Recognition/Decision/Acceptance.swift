internal import Numbers

/// The one rule by which answers are accepted or refused: the rank of an answer's evidence among
/// answers to drawings of taught labels, called its typicality. For new drawings of taught labels
/// it is uniform in 0...1, so a threshold of 0.1 refuses 10 % of them.
///
/// This is conformal prediction (Vovk, Gammerman and Shafer 2005, doi:10.1007/b106715). The
/// reference distribution mixes the prior's calibration, which counts as `priorWeight`
/// drawings, with the taught drawings, each left out of its label, which count as one each.
/// `docs/research/acceptance.md` measures this rule and the alternatives.
struct Acceptance: Sendable, Equatable {
  /// The calibrated distribution for new drawings, given the numbers of labels and samples.
  let expected: Calibration.Distribution?
  /// The left-out samples' typicality by the calibration alone, or their scores without a
  /// calibration; ascending.
  let own: [Float]

  /// How many drawings the calibration counts as. On base labels, 30 to 100 keep the refused share
  /// of each task closest to the target, also where drawings vary more than the calibration.
  static let priorWeight: Float = 50
  /// Without a calibration and with fewer left-out samples than this, typicality is 1 if the
  /// log-likelihood ratio is positive, else 0.
  static let fewestAlone = 10

  /// The rule for answers from a memory.
  ///
  /// - Parameters:
  ///   - memory: The taught samples.
  ///   - labels: The number of labels to calibrate for; nil for that of `memory`.
  init(of memory: SampleMemory, labels: Int? = nil) {
    let calibration = memory.prior?.calibration
    let counts = memory.scores.labels.map(\.count)
    let expected = calibration?.distribution(ofLabelsWith: counts, labels: labels)
    own = memory.leftOut.answers().map { Self.statistic($0, expected) }.sorted()
    self.expected = expected
  }

  /// The typicality of an answer.
  ///
  /// - Parameters:
  ///   - answer: The best label with its score.
  ///   - sample: For a taught sample its estimate (see `LeaveOneOutScores`), so that it is not
  ///     compared with itself; nil for a new drawing.
  /// - Returns: The share of drawings of taught labels whose answers have less evidence, in 0...1.
  func typicality(of answer: BestScore, leavingOut sample: BestScore? = nil) -> Float {
    let statistic = Self.statistic(answer, expected)
    var (low, count) = (own.partitioningIndex { $0 > statistic }, own.count)
    if let sample {
      let itself = Self.statistic(sample, expected)
      let end = own.partitioningIndex { $0 > itself }
      if end > 0, own[end - 1] == itself {
        count -= 1
        if itself <= statistic { low -= 1 }
      }
    }
    if expected != nil {
      return (Self.priorWeight * statistic + Float(low)) / (Self.priorWeight + Float(count))
    }
    guard count >= Self.fewestAlone else { return answer.score > 0 ? 1 : 0 }
    // The rank of so few samples may be too coarse for a small refusal rate.
    if low == 0, answer.score <= 0 { return 0 }
    return Float(low + 1) / Float(count + 1)
  }

  /// The lowest score with a typicality of `share`, given the lead over the second label.
  func leastScore(share: Float, margin: Float?) -> Float {
    var answer = BestScore(clear: 0)
    answer.margin = margin
    var (low, high): (Float, Float) = (-10_000, 10_000)
    for _ in 0..<40 {
      answer.score = (low + high) / 2
      if typicality(of: answer) >= share { high = answer.score } else { low = answer.score }
    }
    return high
  }

  /// The number that ranks answers; higher means more evidence for a taught label.
  private static func statistic(
    _ answer: BestScore, _ expected: Calibration.Distribution?
  ) -> Float {
    expected?.share(below: answer) ?? answer.score
  }
}
