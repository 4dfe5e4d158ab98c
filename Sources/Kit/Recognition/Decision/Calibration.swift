internal import CLibrary
internal import Numbers

/// The distribution of evidence for drawings of taught labels, by the number of labels and of
/// samples per label, simulated with base labels.
///
/// It is the prior of the refusal threshold, and holds the temperatures that calibrate confidences
/// (temperature scaling, Guo et al. 2017, arXiv 1706.04599).
public struct Calibration: Sendable, Equatable {
  /// The numbers of labels for which there is a distribution.
  public static let labelCounts = [1, 2, 5, 10, 20, 40]
  /// The numbers of drawings per label for which there is a distribution.
  public static let shotCounts = [1, 2, 3, 5, 10, 20]
  /// The `marginWeight` of new calibrations.
  static let usualMarginWeight: Float = 0.1
  /// The number of quantiles per distribution: every hundredth, from minimum to maximum.
  static let quantileCount = 101

  /// The weight of the margin between the best and the second-best score. The evidence for an
  /// answer is the best score plus the weighted margin.
  ///
  /// Unknown drawings have small leads slightly more often than drawings of taught labels. Measured
  /// on labels held out from `models/base-slim.drawml`, see `docs/research/acceptance.md`.
  public let marginWeight: Float
  /// Quantiles of the evidence for the best label, ascending, shape [labelCounts, shotCounts,
  /// quantileCount].
  public let evidence: [Float]
  /// The softmax temperatures that turn scores into confidences, shape [labelCounts, shotCounts].
  public let temperatures: [Float]

  /// A calibration read back from a file.
  ///
  /// - Throws: `ModelError.malformed` for wrong shapes, or quantiles that are not ascending.
  init(
    marginWeight: Float, evidence: [Float], temperatures: [Float]
  ) throws(ModelError) {
    let cells = Self.labelCounts.count * Self.shotCounts.count
    guard marginWeight >= 0, marginWeight.isFinite,
      evidence.count == cells * Self.quantileCount,
      // The differences of quantiles must be finite, too.
      evidence.allSatisfy({ abs($0) < 1e30 }),
      evidence.indices.dropFirst().allSatisfy({
        $0 % Self.quantileCount == 0 || evidence[$0 - 1] <= evidence[$0]
      })
    else { throw .malformed("its calibration's quantiles are invalid") }
    guard temperatures.count == cells, temperatures.allSatisfy({ $0 > 1e-3 && $0 < 1e6 })
    else {
      throw .malformed("its calibration's temperatures are invalid")
    }
    self.marginWeight = marginWeight
    self.evidence = evidence
    self.temperatures = temperatures
  }

  /// Estimates the evidence for drawings that are neither in the statistics nor taught.
  ///
  /// Cells with too few base drawings copy the nearest smaller cell. Scores only rise with both
  /// numbers, so this errs toward refusing too few drawings.
  ///
  /// - Parameters:
  ///   - model: The statistics.
  ///   - vectors: Unit vectors of drawings to which the embedding was not fitted, row-major,
  ///     shape [classes.count, model.dimension].
  ///   - classes: The label of each vector, as an arbitrary integer.
  ///   - questions: The number of queries for each distribution.
  ///   - seed: The same seed and vectors give the same calibration, to the bit.
  /// - Throws: `ModelError.noStatistics` for fewer than two labels with two drawings or more.
  public init(
    of model: TwoCovarianceModel, vectors: [Float], classes: [Int], questions: Int = 4000,
    seed: UInt64
  ) throws(ModelError) {
    let all = LabeledVectors(vectors, classes: classes, dimension: model.dimension)
    try self.init(of: [(model, all)], questions: questions, seed: seed)
  }

  /// Estimates the evidence by cross-fitting: each model scores drawings that it was not fitted to,
  /// and the pooled answers calibrate a model fitted to all drawings.
  ///
  /// - Parameters:
  ///   - parts: The models, each with the drawings to score; parts without two labels of two
  ///     drawings are ignored.
  ///   - questions: The number of queries for each distribution, over all parts.
  ///   - seed: The same seed and vectors give the same calibration, to the bit.
  /// - Throws: `ModelError.noStatistics` if no part has two labels of two drawings or more.
  init(
    of parts: [(model: TwoCovarianceModel, drawings: LabeledVectors)], questions: Int = 4000,
    seed: UInt64
  ) throws(ModelError) {
    let simulations = parts.compactMap {
      try? CalibrationTasks(
        of: $0.model, vectors: $0.drawings.vectors, classes: $0.drawings.classes)
    }
    guard !simulations.isEmpty else { throw CalibrationTasks.tooFew }
    let share = (questions + simulations.count - 1) / simulations.count
    var evidence: [Float] = []
    var temperatures: [Float] = []
    var hasRow = true
    for labels in Self.labelCounts {
      for (j, shots) in Self.shotCounts.enumerated() {
        var generator = SeededGenerator(seed: seed, stream: labels, shots)
        let answers = simulations.compactMap {
          $0.answers(labels: labels, shots: shots, questions: share, using: &generator)
        }
        let cell = CalibrationTasks.Answers(inTurns: answers).map {
          CalibrationCell($0, marginWeight: Self.usualMarginWeight)
        }
        if j == 0 { hasRow = cell != nil }
        // Too few base drawings: copy the cell of fewer samples or, if the row has none, of fewer
        // labels. The first cell always exists.
        func copied(_ values: [Float], _ length: Int) -> [Float] {
          let cellsBack = hasRow ? 1 : Self.shotCounts.count
          return Array(values[(values.count - cellsBack * length)...].prefix(length))
        }
        evidence += cell?.evidence ?? copied(evidence, Self.quantileCount)
        temperatures += cell.map { [$0.temperature] } ?? copied(temperatures, 1)
      }
    }
    try self.init(
      marginWeight: Self.usualMarginWeight, evidence: evidence, temperatures: temperatures)
  }

  /// The distribution for a model with `labels` labels of `shots` drawings: interpolated in the
  /// logarithms, clamped at the ends of the table.
  func distribution(labels: Int, shots: Double) -> Distribution {
    let (i, p) = Self.place(Double(labels), in: Self.labelCounts)
    let (j, q) = Self.place(shots, in: Self.shotCounts)
    func blend(_ values: [Float], _ length: Int) -> [Float] {
      func cell(_ i: Int, _ j: Int) -> Int { (i * Self.shotCounts.count + j) * length }
      let nextI = min(i + 1, Self.labelCounts.count - 1)
      let nextJ = min(j + 1, Self.shotCounts.count - 1)
      let (a, b, c, d) = (cell(i, j), cell(i, nextJ), cell(nextI, j), cell(nextI, nextJ))
      return (0..<length).map { k in
        (1 - p) * ((1 - q) * values[a + k] + q * values[b + k])
          + p * ((1 - q) * values[c + k] + q * values[d + k])
      }
    }
    return Distribution(
      marginWeight: marginWeight, evidence: blend(evidence, Self.quantileCount),
      temperature: blend(temperatures, 1)[0])
  }

  /// The distribution for a model whose labels have the given numbers of drawings: that for their
  /// geometric mean. All labels share one distribution, so that equal evidence counts the same for
  /// each; `FewSamples` lowers the evidence for labels with fewer samples than others.
  func distribution(ofLabelsWith shots: [Int], labels: Int? = nil) -> Distribution {
    let sum = shots.reduce(0.0) { $0 + log(Double($1)) }
    return distribution(
      labels: labels ?? shots.count, shots: exp(sum / Double(max(1, shots.count))))
  }

  /// The index of the last of `counts` that is not greater than `value`, and the interpolation
  /// weight of the next.
  private static func place(_ value: Double, in counts: [Int]) -> (index: Int, share: Float) {
    let value = min(max(value, Double(counts[0])), Double(counts[counts.count - 1]))
    let index = counts.lastIndex { Double($0) <= value } ?? 0
    guard index + 1 < counts.count else { return (index, 0) }
    let (low, high) = (log(Double(counts[index])), log(Double(counts[index + 1])))
    return (index, Float((log(value) - low) / (high - low)))
  }

  /// The evidence and the temperature to expect for drawings of taught labels.
  struct Distribution: Sendable, Equatable {
    let marginWeight: Float
    let evidence: [Float]
    let temperature: Float

    /// The share of drawings of taught labels with less evidence, in 0...1; uniform over such
    /// drawings.
    func share(below answer: BestScore) -> Float {
      Self.share(of: evidence, below: answer.evidence(marginWeight))
    }

    /// The share of a distribution that lies below `value`, by its quantiles.
    static func share(of quantiles: [Float], below value: Float) -> Float {
      let next = quantiles.partitioningIndex { $0 > value }
      guard next > 0 else { return 0 }
      guard next < quantiles.count else { return 1 }
      let (below, above) = (quantiles[next - 1], quantiles[next])
      return (Float(next - 1) + (value - below) / (above - below)) / Float(quantiles.count - 1)
    }
  }
}

/// The best label's score and its lead.
struct BestScore: Sendable, Equatable {
  /// The index of the best label.
  var label: Int
  /// The log-likelihood ratio of the best label against an untaught label.
  var score: Float
  /// The index of the second-best label; nil with one label.
  var second: Int?
  /// The best score less the second best, ≥ 0; nil with one label.
  var margin: Float?

  /// The score plus the weighted margin.
  func evidence(_ marginWeight: Float) -> Float { score + marginWeight * (margin ?? 0) }

  /// The score of the only label.
  init(clear score: Float) {
    label = 0
    self.score = score
  }

  /// The best of `scores`, the first of equal ones; nil if `scores` is empty.
  init?(_ scores: some Collection<Float>) {
    var (best, second) = (-1, -1)
    var (bestScore, secondScore) = (-Float.infinity, -Float.infinity)
    for (index, score) in scores.enumerated() {
      if best < 0 || score > bestScore {
        (second, secondScore) = (best, bestScore)
        (best, bestScore) = (index, score)
      } else if second < 0 || score > secondScore {
        (second, secondScore) = (index, score)
      }
    }
    guard best >= 0 else { return nil }
    label = best
    score = bestScore
    self.second = second < 0 ? nil : second
    margin = second < 0 ? nil : bestScore - secondScore
  }
}
