internal import Support

/// The one rule by which answers are accepted or refused: how usual the evidence for an answer is
/// among answers to drawings of taught labels. For new drawings of taught labels that share is
/// spread evenly over 0...1, so that refusing below a share refuses that share of them.
///
/// That is conformal prediction (Vovk, Gammerman and Shafer 2005, doi:10.1007/b106715). The
/// distribution comes from two sources: the background's calibration, which is there before
/// anything is taught, counts as `priorWeight` drawings; the taught drawings themselves, each left
/// out of its label, count as one each. `docs/research/acceptance.md` measures what else was tried
/// as evidence, on canvases too.
struct Acceptance: Sendable, Equatable {
  /// What to expect of new drawings, of a model with so many labels and drawings of each.
  private let expected: Calibration.Distribution?
  /// What to expect of taught drawings that are left out of their labels.
  private let expectedLeftOut: Calibration.Distribution?
  /// How usual the left-out samples' evidence is by the calibration, or the evidence itself where
  /// there is none; ascending.
  private let own: [Float]

  /// How many taught drawings the calibration counts as: measured on base labels, between 30 and
  /// 100 the share refused strays least from the one asked for, task by task, also where drawings
  /// spread more than the calibration expects.
  static let priorWeight: Float = 50
  /// Without a calibration, fewer left-out samples than this tell nothing: what is likelier a
  /// taught label's than a stranger's is then as usual as can be.
  static let fewestAlone = 10

  /// The rule for answers from a memory.
  ///
  /// - Parameters:
  ///   - memory: What was taught.
  ///   - labels: How many labels it is taken to have; nil for as many as it has.
  init(of memory: SampleMemory, labels: Int? = nil) {
    let calibration = memory.background?.calibration
    let counts = memory.scores.labels.map(\.count)
    let leftOut = calibration?.distribution(
      ofLabelsWith: counts.map { max(1, $0 - 1) }, labels: labels)
    own = memory.leftOut.answers().map { Self.statistic($0, leftOut) }.sorted()
    expected = calibration?.distribution(ofLabelsWith: counts, labels: labels)
    expectedLeftOut = leftOut
  }

  /// The share of new drawings of taught labels for whose answers less speaks, in 0...1.
  ///
  /// - Returns: The share; without a calibration and with few samples 1 for what is likelier known
  ///   than strange, else 0.
  func typicality(of answer: BestScore) -> Float {
    let statistic = Self.statistic(answer, expected)
    return typicality(
      statistic, score: answer.score, above: own.partitioningIndex { $0 > statistic },
      of: own.count)
  }

  /// The same for a taught sample that was left out: it is not compared with itself.
  ///
  /// - Parameter answer: The best label and its score, as the sample is judged in `LeftOutScores`.
  /// - Returns: The share, of drawings other than itself.
  func typicality(ofLeftOut answer: BestScore) -> Float {
    let statistic = Self.statistic(answer, expectedLeftOut)
    let low = own.partitioningIndex { $0 > statistic }
    // Where it is one of those that it is compared with, the last that is not greater is itself.
    let itself = low > 0 && own[low - 1] == statistic ? 1 : 0
    return typicality(
      statistic, score: answer.score, above: low - itself, of: own.count - itself)
  }

  /// The share by the calibration and `low` of `count` left-out samples together.
  private func typicality(
    _ statistic: Float, score: Float, above low: Int, of count: Int
  ) -> Float {
    if expected != nil {
      return (Self.priorWeight * statistic + Float(low)) / (Self.priorWeight + Float(count))
    }
    guard count >= Self.fewestAlone else { return score > 0 ? 1 : 0 }
    // So few may not tell apart the share that is asked for; what is likelier a stranger, and worse
    // than all of them, is.
    if low == 0, score <= 0 { return 0 }
    return Float(low + 1) / Float(count + 1)
  }

  /// The least score with which an answer with the given lead over the second label is as usual as
  /// `share`.
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

  /// What answers are compared by: the higher, the less like a stranger.
  private static func statistic(
    _ answer: BestScore, _ expected: Calibration.Distribution?
  ) -> Float {
    expected?.share(below: answer) ?? answer.score
  }
}
