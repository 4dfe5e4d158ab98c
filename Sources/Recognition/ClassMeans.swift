public import NeuralNetwork

/// The nearest class mean: a label is as likely as its mean direction is close (Mensink et al. 2013,
/// doi:10.1109/TPAMI.2013.83; prototypical networks, Snell et al. 2017, arXiv 1703.05175).
///
/// Drawings that the embedding was fitted to lie closer to their mean than new ones ever will; they are
/// represented by the vector that the training gave their label (imprinting new labels beside trained
/// ones: Qi, Brown and Lowe 2018, arXiv 1712.07136).
///
/// Confidences are a softmax of `scale` × cosine; the scale is fitted to the samples' own
/// leave-one-out cosines, so that it is neither too sure nor too shy.
public struct ClassMeans: Head, Equatable {
  /// The scale before anything is fitted, and where there are too few samples to fit it.
  public static let defaultScale: Float = 16
  /// Fewer samples with a neighbour of their own label than this tell nothing about the scale.
  private static let fewestForScale = 20

  /// Unit vectors, shape [labels, dimension].
  private var means: Tensor
  /// What the cosines are multiplied with, > 0.
  public private(set) var scale: Float

  /// An unfitted head.
  public init() {
    means = Tensor(shape: [0, 0], values: [])
    scale = Self.defaultScale
  }

  /// The hyper-parameters: there are none.
  public var configuration: HeadConfiguration { .classMeans }

  /// Unit vectors that stand for the labels, shape [labels, dimension].
  var directions: [Float] { means.values }

  /// Computes each label's mean direction, in the order of the memory's rows, and then the scale.
  public mutating func fit(to memory: SampleMemory) {
    let (labels, dimension) = (memory.labels, memory.dimension)
    let trained = labels.map { memory.trained.vector(of: $0) }
    var sums = [Float](repeating: 0, count: labels.count * dimension)
    for (row, label) in memory.labelIndices.enumerated() {
      let vector =
        memory.samples[row].wasFitted ? trained[label] ?? memory.vector(row) : memory.vector(row)
      for (k, value) in vector.enumerated() { sums[label * dimension + k] += value }
    }
    scale = Self.fittedScale(sums: sums, memory)
    var values = sums
    for label in labels.indices {
      normalise(&values, label * dimension..<(label + 1) * dimension)
    }
    means = Tensor(shape: [labels.count, dimension], values: values)
  }

  /// A softmax over the scaled cosines with the labels' means.
  public func confidences(for queries: [Float], in memory: SampleMemory) -> [Float] {
    var logits = productWithTransposed(queries, means.values, columns: memory.dimension)
    for index in logits.indices { logits[index] *= scale }
    softmaxRows(&logits, columns: means.shape[0])
    return logits
  }

  /// The cosine with the nearest mean.
  public func nearness(of queries: [Float], in memory: SampleMemory) -> [Float] {
    let cosines = productWithTransposed(queries, means.values, columns: memory.dimension)
    let labels = means.shape[0]
    return stride(from: 0, to: cosines.count, by: max(1, labels)).map {
      cosines[$0..<($0 + labels)].max() ?? -1
    }
  }

  /// The means and the scale.
  public var learned: [String: Tensor] {
    ["means": means, "scale": Tensor(shape: [1], values: [scale])]
  }

  /// Takes back means and scale.
  public mutating func restore(_ learned: [String: Tensor], for memory: SampleMemory) throws {
    means = try learned.tensor("means", shape: [memory.labels.count, memory.dimension])
    scale = try learned.tensor("scale", shape: [1]).values[0]
  }

  /// The scale that makes the samples' own labels likeliest when each is left out of its mean.
  private static func fittedScale(sums: [Float], _ memory: SampleMemory) -> Float {
    let (dimension, labelOf) = (memory.dimension, memory.labelIndices)
    var counts = [Int](repeating: 0, count: sums.count / max(1, dimension))
    for label in labelOf { counts[label] += 1 }
    let rows = memory.rowsForCalibration.filter { counts[labelOf[$0]] > 1 }
    guard counts.count > 1, rows.count >= fewestForScale else { return defaultScale }
    var means = sums
    for label in counts.indices { normalise(&means, label * dimension..<(label + 1) * dimension) }
    // A few thousand samples pin one number down; the rest would only cost time.
    let step = max(1, rows.count / 4096)
    let chosen = stride(from: 0, to: rows.count, by: step).map { rows[$0] }
    var cosines = productWithTransposed(
      chosen.flatMap { memory.vector($0) }, means, columns: dimension)
    for (index, row) in chosen.enumerated() {
      let label = labelOf[row]
      var own = Array(sums[(label * dimension)..<((label + 1) * dimension)])
      if !memory.samples[row].wasFitted
        || memory.trained.vector(of: memory.samples[row].label) == nil
      {
        for (k, value) in memory.vector(row).enumerated() { own[k] -= value }
      }
      normalise(&own, 0..<dimension)
      cosines[index * counts.count + label] = zip(own, memory.vector(row)).reduce(0) {
        $0 + $1.0 * $1.1
      }
    }
    let truths = chosen.map { labelOf[$0] }
    return Float(
      goldenSection(from: 2, to: 64) { scale in
        negativeLogLikelihood(cosines, truths: truths, labels: counts.count, scale: Float(scale))
      })
  }
}

private func negativeLogLikelihood(
  _ cosines: [Float], truths: [Int], labels: Int, scale: Float
) -> Double {
  var total = 0.0
  for (row, truth) in truths.enumerated() {
    let logits = cosines[(row * labels)..<((row + 1) * labels)]
    let top = (logits.max() ?? 0) * scale
    var sum: Float = 0
    for cosine in logits { sum += exponential(cosine * scale - top) }
    total += logarithm(Double(sum)) + Double(top - logits[row * labels + truth] * scale)
  }
  return total
}

/// Where `cost`, which has one valley, is least (Kiefer 1953, doi:10.1090/S0002-9939-1953-0055639-3).
private func goldenSection(
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
func normalise(_ values: inout [Float], _ range: Range<Int>) {
  var squares: Float = 0
  for index in range { squares += values[index] * values[index] }
  guard squares > 0 else { return }
  let factor = 1 / squares.squareRoot()
  for index in range { values[index] *= factor }
}
