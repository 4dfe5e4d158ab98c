internal import CLibrary

/// A prototype direction for each label, with the fitted softmax scale.
///
/// Drawings that the embedding was fitted to lie closer together than new ones. The trained class
/// vector of their label can replace them, alongside the means of labels taught later (imprinting:
/// Qi, Brown and Lowe 2018, arXiv 1712.07136). The two kinds are not comparable: only a head that
/// is trained further from them may mix them.
struct LabelDirections {
  /// Unit vectors, shape [labels, dimension].
  let vectors: [Float]
  /// The scale that maximizes the likelihood of the samples' labels, each left out of its mean.
  let scale: Float
  /// The mean negative log-likelihood at that scale; infinite if there are too few samples to fit
  /// it.
  let cost: Double

  /// The minimum number of samples, each with another one of its label, to fit the scale.
  private static let fewestForScale = 20

  /// The means or the trained class vectors, whichever fit the calibration samples better.
  static func best(for memory: SampleMemory) -> LabelDirections {
    let means = LabelDirections(memory, byTraining: false)
    guard memory.rowsForCalibration.count < memory.samples.count, !memory.trained.labels.isEmpty
    else { return means }
    let trained = LabelDirections(memory, byTraining: true)
    return trained.cost < means.cost ? trained : means
  }

  /// The means of the samples of `memory`; with `byTraining`, trained class vectors replace the
  /// samples that the embedding was fitted to.
  init(_ memory: SampleMemory, byTraining: Bool) {
    let (labels, dimension, labelOf) = (memory.labels, memory.dimension, memory.labelIndices)
    let trained = labels.map { byTraining ? memory.trained.vector(of: $0) : nil }
    func representative(_ row: Int) -> ArraySlice<Float> {
      memory.wasFitted[row]
        ? trained[labelOf[row]] ?? memory.vector(row) : memory.vector(row)
    }
    var sums = [Float](repeating: 0, count: labels.count * dimension)
    var counts = [Int](repeating: 0, count: labels.count)
    for (row, label) in labelOf.enumerated() {
      counts[label] += 1
      for (k, value) in representative(row).enumerated() { sums[label * dimension + k] += value }
    }
    var means = sums
    for label in labels.indices {
      normalize(&means, label * dimension..<(label + 1) * dimension)
    }
    vectors = means
    let rows = memory.rowsForCalibration.filter { counts[labelOf[$0]] > 1 }
    guard labels.count > 1, rows.count >= Self.fewestForScale else {
      scale = ClassMeans.defaultScale
      cost = .infinity
      return
    }
    // A few thousand samples suffice to fit one number; more would only cost time.
    let chosen = stride(from: 0, to: rows.count, by: max(1, rows.count / 4096)).map { rows[$0] }
    var cosines = productWithTransposed(
      chosen.flatMap { memory.vector($0) }, means, columns: dimension)
    for (index, row) in chosen.enumerated() {
      let start = labelOf[row] * dimension
      var own = Array(sums[start..<(start + dimension)])
      for (k, value) in representative(row).enumerated() { own[k] -= value }
      normalize(&own, 0..<dimension)
      cosines[index * labels.count + labelOf[row]] = zip(own, memory.vector(row)).reduce(0) {
        $0 + $1.0 * $1.1
      }
    }
    let truths = chosen.map { labelOf[$0] }
    func loss(_ scale: Double) -> Double {
      negativeLogLikelihood(cosines, truths: truths, labels: labels.count, scale: Float(scale))
        / Double(truths.count)
    }
    let best = goldenSection(from: 2, to: 64, cost: loss)
    scale = Float(best)
    cost = loss(best)
  }
}

func negativeLogLikelihood(
  _ cosines: [Float], truths: [Int], labels: Int, scale: Float
) -> Double {
  var total = 0.0
  for (row, truth) in truths.enumerated() {
    let logits = cosines[(row * labels)..<((row + 1) * labels)]
    let top = (logits.max() ?? 0) * scale
    var sum: Float = 0
    for cosine in logits { sum += exp(cosine * scale - top) }
    total += log(Double(sum)) + Double(top - logits[row * labels + truth] * scale)
  }
  return total
}

/// The minimum point of the unimodal function `cost` (Kiefer 1953,
/// doi:10.1090/S0002-9939-1953-0055639-3).
func goldenSection(
  from lower: Double, to upper: Double, cost: (Double) -> Double
) -> Double {
  let ratio = (5.0.squareRoot() - 1) / 2
  var (a, b) = (lower, upper)
  var (c, d) = (b - ratio * (b - a), a + ratio * (b - a))
  var (costC, costD) = (cost(c), cost(d))
  while b - a > 0.01 {
    if costC < costD {
      (b, d, costD) = (d, c, costC)
      c = b - ratio * (b - a)
      costC = cost(c)
    } else {
      (a, c, costC) = (c, d, costD)
      d = a + ratio * (b - a)
      costD = cost(d)
    }
  }
  return (a + b) / 2
}

/// Scales the numbers in `range` to length 1; a zero vector stays as it is.
func normalize(_ values: inout [Float], _ range: Range<Int>) {
  var squares: Float = 0
  for index in range { squares += values[index] * values[index] }
  guard squares > 0 else { return }
  let factor = 1 / squares.squareRoot()
  for index in range { values[index] *= factor }
}
