internal import CLibrary
internal import NeuralNetwork

/// The log-likelihood ratio of every taught label against an untaught label, for a drawing under a
/// `TwoCovarianceModel`.
///
/// After n drawings with the mean m̄ (in the model's coordinates, where drawings spread with
/// variance 1 and centers with variance ψ) the next one is expected at m = nψ / (nψ + 1) · m̄ with
/// variance v = 1 + ψ / (nψ + 1); one of an unknown label at 0 with variance 1 + ψ. The score is
/// log N(x; m, v) − log N(x; 0, 1 + ψ), which is gain · x − x² · curvature + offset with numbers
/// that depend on the label's drawings alone.
///
/// The numbers of a label depend on its own drawings alone, to the bit, so labels are replaced one
/// at a time.
struct LabelScores: Sendable, Equatable {
  /// The sufficient statistics of a label.
  struct Label: Sendable, Equatable {
    /// The number of its drawings.
    var count: Int
    /// Their mean in the model's coordinates, shape [directions].
    var mean: [Float]
  }

  let model: TwoCovarianceModel
  /// In the order of the memory's labels.
  private(set) var labels: [Label] = []
  /// The factors of x, row-major, shape [labels, directions].
  private var gains: [Float] = []
  /// Shape [labels].
  private var offsets: [Float] = []
  /// The curvatures for each distinct number of drawings of a label, row-major, shape [_,
  /// directions].
  private var curvatures: [Float] = []
  /// Each label's row in `curvatures`.
  private var curvatureRows: [Int] = []

  /// The scores of no labels.
  init(model: TwoCovarianceModel) {
    self.model = model
  }

  /// Replaces all labels; the numbers of unchanged labels are copied.
  ///
  /// - Parameters:
  ///   - order: For each label its old index, or nil if its drawings have changed.
  ///   - changed: The statistics of the changed labels, in their order.
  mutating func replaceLabels(_ order: [Int?], changed: [Label]) {
    let directions = model.directions
    var next = changed.makeIterator()
    var (newLabels, newGains, newOffsets) = ([Label](), [Float](), [Float]())
    newGains.reserveCapacity(order.count * directions)
    for old in order {
      if let old {
        newLabels.append(labels[old])
        newGains += gains[(old * directions)..<((old + 1) * directions)]
        newOffsets.append(offsets[old])
      } else if let label = next.next() {
        let (gain, offset) = Self.terms(of: label, model)
        newLabels.append(label)
        newGains += gain
        newOffsets.append(offset)
      }
    }
    let counts = Set(newLabels.map(\.count)).sorted()
    let oldRows = Dictionary(
      zip(labels.map(\.count), curvatureRows), uniquingKeysWith: { first, _ in first })
    curvatures = counts.flatMap { count in
      oldRows[count].map { Array(curvatures[($0 * directions)..<(($0 + 1) * directions)]) }
        ?? Self.curvature(afterDrawings: count, model)
    }
    let rows = Dictionary(uniqueKeysWithValues: zip(counts, counts.indices))
    (labels, gains, offsets) = (newLabels, newGains, newOffsets)
    curvatureRows = labels.map { rows[$0.count] ?? 0 }
  }

  /// The scores of all labels.
  ///
  /// - Parameter x: A projected vector, shape [directions].
  /// - Returns: Shape [labels].
  /// - Complexity: O((labels + distinct counts) × directions).
  func scores(of x: [Float]) -> [Float] {
    let squares = x.map { $0 * $0 }
    let products = RowProducts()
    let bends = products(curvatures.span, squares.span)
    let straight = products(gains.span, x.span)
    return labels.indices.map { straight[$0] + offsets[$0] - bends[curvatureRows[$0]] }
  }

  /// The gains and, for each label, the curvatures, both row-major, shape [labels, directions]; and
  /// the offsets, shape [labels].
  var terms: (gains: [Float], curvatures: [Float], offsets: [Float]) {
    let directions = model.directions
    let bends = curvatureRows.flatMap { curvatures[($0 * directions)..<(($0 + 1) * directions)] }
    return (gains, bends, offsets)
  }

  /// The score of one label, equal to the bit to its number in `scores(of:)`.
  func score(of x: [Float], squares: [Float], label: Int) -> Float {
    let products = RowProducts()
    return products(gains.span, row: label, x.span) + offsets[label]
      - products(curvatures.span, row: curvatureRows[label], squares.span)
  }

  /// The score of `x` without its `copies` copies among the drawings of `label`.
  ///
  /// - Returns: Nil if the label has no other drawings.
  func scoreLeftOut(of x: [Float], copies: Int, label: Int) -> Float? {
    let all = labels[label]
    let left = all.count - copies
    guard left > 0 else { return nil }
    let (n, k) = (Float(all.count) / Float(left), Float(copies) / Float(left))
    let rest = Label(
      count: left, mean: x.indices.map { n * all.mean[$0] - k * x[$0] })
    let (gain, offset) = Self.terms(of: rest, model)
    let curvature = Self.curvature(afterDrawings: left, model)
    let squares = x.map { $0 * $0 }
    let products = RowProducts()
    return products(gain.span, row: 0, x.span) + offset
      - products(curvature.span, row: 0, squares.span)
  }

  /// By how much the last `copies` of a label's drawings raise the score of a new drawing of it, on
  /// average under the model: half the sum of log v(n − copies) / v(n).
  func meanGain(ofLast copies: Int, label: Int) -> Float {
    let n = Float(labels[label].count)
    let left = n - Float(copies)
    return model.betweenVariances.reduce(0) { sum, between in
      let before = ((left + 1) * between + 1) / (left * between + 1)
      let after = ((n + 1) * between + 1) / (n * between + 1)
      return sum + log(before / after) / 2
    }
  }

  private static func terms(
    of label: Label, _ model: TwoCovarianceModel
  ) -> (gain: [Float], offset: Float) {
    let n = Float(label.count)
    var (gain, offset) = ([Float](repeating: 0, count: model.directions), 0.0)
    for (k, between) in model.betweenVariances.enumerated() {
      // v (nψ + 1) = (n + 1) ψ + 1.
      let (known, next) = (n * between, (n + 1) * between + 1)
      gain[k] = known / next * label.mean[k]
      let mean = known / (known + 1) * label.mean[k]
      let logRatio = log(Double((1 + between) * (known + 1) / next))
      offset += (logRatio - Double(mean * gain[k])) / 2
    }
    return (gain, Float(offset))
  }

  /// (1 / v − 1 / (1 + ψ)) / 2, shape [directions].
  private static func curvature(
    afterDrawings count: Int, _ model: TwoCovarianceModel
  ) -> [Float] {
    let n = Float(count)
    return model.betweenVariances.map { between in
      n * between * between / (2 * ((n + 1) * between + 1) * (1 + between))
    }
  }
}
