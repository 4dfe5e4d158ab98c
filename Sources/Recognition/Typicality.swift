internal import Support

/// How usual the answer to a drawing is among answers to drawings of taught labels: the share of
/// those that look more like a stranger. For new drawings of taught labels it is spread evenly over
/// 0...1, so that refusing below a share refuses that share of them.
///
/// That is conformal prediction (Vovk, Gammerman and Shafer 2005, doi:10.1007/b106715). The
/// distribution comes from two sources: the background's calibration, which is there before
/// anything is taught, counts as `priorWeight` drawings; the taught drawings themselves, each left
/// out of its label, count as one each. Each is first looked up among the drawings to expect for
/// its number of labels and samples, so that labels with few samples and with many can be compared.
struct Typicality: Sendable, Equatable {
  private let calibration: Calibration?
  private let labelCount: Int
  /// What to expect for every number of samples that a label has.
  private let distributions: [Int: Calibration.Distribution]
  /// The statistics of the left-out samples, ascending.
  private let own: [Float]

  /// How many taught drawings the calibration counts as: measured on base labels, between 30 and
  /// 100 the share refused strays least from the one asked for, task by task, also where drawings
  /// spread more than the calibration expects.
  static let priorWeight: Float = 50
  /// Without a calibration, fewer left-out samples than this tell nothing: what is likelier a
  /// taught label's than a stranger's is then as usual as can be.
  static let fewestAlone = 10

  /// The typicality of answers from a memory.
  init(of memory: SampleMemory) {
    let calibration = memory.background?.calibration
    let labelCount = memory.labels.count
    let answers = memory.leftOut.answers(memory.scores)
    let counts = Set(memory.scores.labels.map(\.count) + answers.map(\.count))
    var distributions: [Int: Calibration.Distribution] = [:]
    if let calibration {
      for count in counts {
        distributions[count] = calibration.distribution(labels: labelCount, shots: Double(count))
      }
    }
    own = answers.map { Self.statistic($0.best, distributions[$0.count]) }.sorted()
    self.calibration = calibration
    self.labelCount = labelCount
    self.distributions = distributions
  }

  /// The share of new drawings of taught labels that look more like a stranger, in 0...1.
  ///
  /// - Parameters:
  ///   - answer: The best label and its score.
  ///   - count: How many samples the best label has.
  /// - Returns: The share; without a calibration and with few samples 1 for what is likelier known
  ///   than strange, else 0.
  func callAsFunction(_ answer: BestScore, count: Int) -> Float {
    let statistic = Self.statistic(answer, distributions[count])
    // The number of left-out samples that do not fit better.
    let low = own.partitioningIndex { $0 > statistic }
    if calibration != nil {
      return (Self.priorWeight * statistic + Float(low)) / (Self.priorWeight + Float(own.count))
    }
    guard own.count >= Self.fewestAlone else { return answer.score > 0 ? 1 : 0 }
    // So few may not tell apart the share that is asked for; what is likelier a stranger, and worse
    // than all of them, is.
    if low == 0, answer.score <= 0 { return 0 }
    return Float(low + 1) / Float(own.count + 1)
  }

  /// The same for a taught sample that was left out: it is not compared with itself.
  ///
  /// - Parameters:
  ///   - answer: The best label and its score, as the sample is judged in `LeftOutScores`.
  ///   - count: How many samples the best label has without it.
  /// - Returns: The share, of drawings other than itself.
  func leftOut(_ answer: BestScore, count: Int) -> Float {
    let statistic = Self.statistic(answer, distribution(count))
    let low = own.partitioningIndex { $0 > statistic }
    // Where it is one of those that it is compared with, the last that is not greater is itself.
    let isAmong = low > 0 && own[low - 1] == statistic
    let (worse, others) = (isAmong ? low - 1 : low, isAmong ? own.count - 1 : own.count)
    if calibration != nil {
      return (Self.priorWeight * statistic + Float(worse)) / (Self.priorWeight + Float(others))
    }
    guard others >= Self.fewestAlone else { return answer.score > 0 ? 1 : 0 }
    if worse == 0, answer.score <= 0 { return 0 }
    return Float(worse + 1) / Float(others + 1)
  }

  /// What to expect for a number of samples, also one that no label has.
  private func distribution(_ count: Int) -> Calibration.Distribution? {
    distributions[count]
      ?? calibration?.distribution(labels: labelCount, shots: Double(count))
  }

  /// Whether it is the lead over the second label that makes the answer unusual, more than the
  /// score.
  func isBetweenLabels(_ answer: BestScore, count: Int) -> Bool {
    var alone = answer
    alone.margin = nil
    let distribution = distribution(count)
    return Self.statistic(alone, distribution) > Self.statistic(answer, distribution)
  }

  /// The least score with which an answer with a clear lead is as usual as `share`.
  func leastScore(share: Float, count: Int) -> Float {
    var (low, high): (Float, Float) = (-10_000, 10_000)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if self(BestScore(clear: middle), count: count) >= share {
        high = middle
      } else {
        low = middle
      }
    }
    return high
  }

  /// What answers are compared by: the higher, the less like a stranger.
  private static func statistic(
    _ answer: BestScore, _ distribution: Calibration.Distribution?
  ) -> Float {
    distribution?.share(below: answer) ?? answer.score
  }
}
