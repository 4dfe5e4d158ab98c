/// A drawing that a recogniser was taught; its vector is in the same row of `SampleMemory.vectors`.
public struct TaughtSample: Hashable, Sendable {
  /// What names the drawing in its data set.
  public var id: String
  /// What was drawn.
  public var label: String
  /// The fingerprint of the drawing's strokes: the same ink under another name is found by it.
  public var digest: String
  /// Whether the embedding's own weights were fitted to this drawing, so that its vector flatters it.
  public var wasFitted: Bool

  /// Names a taught drawing.
  public init(id: String, label: String, digest: String, wasFitted: Bool) {
    self.id = id
    self.label = label
    self.digest = digest
    self.wasFitted = wasFitted
  }
}

extension TaughtSample: Comparable {
  /// The order in which a model keeps its samples, whatever the order in which they were taught.
  public static func < (a: TaughtSample, b: TaughtSample) -> Bool {
    (a.label, a.id, a.digest) < (b.label, b.id, b.digest)
  }
}

/// The taught samples and their vectors, in one order that does not depend on how they came in.
///
/// Everything here is a pure function of the set of samples: inserting and then removing a sample gives
/// the same bytes as never inserting it.
public struct SampleMemory: Sendable, Equatable {
  /// The length of a vector.
  public let dimension: Int
  /// What the embedding's own training learned of its labels.
  public let trained: ClassVectors
  /// The samples in ascending order.
  public private(set) var samples: [TaughtSample] = []
  /// Unit vectors, row-major, shape [samples, dimension].
  public private(set) var vectors: [Float] = []
  /// The cosine with the most similar other sample of the same label; -1 where there is none. The same
  /// ink under another id does not count: it tells nothing of how alike two drawings of the label are.
  public private(set) var nearestSame: [Float] = []
  /// The cosine with the most similar sample of another label; -1 where there is none.
  public private(set) var nearestOther: [Float] = []

  /// A memory of nothing yet.
  public init(dimension: Int, trained: ClassVectors = ClassVectors()) {
    precondition(
      trained.vectors.count == trained.labels.count * dimension,
      "\(trained.labels.count) trained labels need \(trained.labels.count * dimension) numbers, "
        + "got \(trained.vectors.count)")
    self.dimension = dimension
    self.trained = trained
  }

  /// A memory read back from a file: rows in order, with their neighbours' cosines.
  init(
    dimension: Int, trained: ClassVectors, samples: [TaughtSample], vectors: [Float],
    nearestSame: [Float], nearestOther: [Float]
  ) {
    self.dimension = dimension
    self.trained = trained
    self.samples = samples
    self.vectors = vectors
    self.nearestSame = nearestSame
    self.nearestOther = nearestOther
  }

  /// The labels in ascending order; each has at least one sample.
  public var labels: [String] {
    samples.reduce(into: []) { labels, sample in
      if labels.last != sample.label { labels.append(sample.label) }
    }
  }

  /// For every sample, the index of its label in `labels`.
  public var labelIndices: [Int] {
    var index = -1
    var last: String?
    return samples.map { sample in
      if sample.label != last { (last, index) = (sample.label, index + 1) }
      return index
    }
  }

  /// The unit vector of the sample in `row`.
  public func vector(_ row: Int) -> ArraySlice<Float> {
    vectors[(row * dimension)..<((row + 1) * dimension)]
  }

  /// Adds samples. One with the same ink and id as a sample that is there replaces it, so that teaching
  /// a drawing twice changes nothing and teaching it under another label corrects the first.
  ///
  /// - Parameters:
  ///   - additions: The samples, in any order.
  ///   - added: Their unit vectors in the same order, shape [additions, dimension].
  /// - Complexity: O(additions × all × dimension).
  public mutating func insert(_ additions: [TaughtSample], vectors added: [Float]) {
    precondition(
      added.count == additions.count * dimension,
      "\(additions.count) samples need \(additions.count * dimension) numbers, got \(added.count)")
    struct Key: Hashable {
      let id: String
      let digest: String
    }
    var rowOfKey: [Key: Int] = [:]
    for (row, sample) in additions.enumerated() {
      rowOfKey[Key(id: sample.id, digest: sample.digest)] = row
    }
    _ = remove { rowOfKey[Key(id: $0.id, digest: $0.digest)] != nil }
    let rows = rowOfKey.values.sorted { additions[$0] < additions[$1] }
    let firstNew = samples.count
    for row in rows {
      samples.append(additions[row])
      vectors.append(contentsOf: added[(row * dimension)..<((row + 1) * dimension)])
      nearestSame.append(-1)
      nearestOther.append(-1)
    }
    for row in firstNew..<samples.count { meet(row, with: 0..<row) }
    restoreOrder()
  }

  /// Removes every sample that `isForgotten`, and gives them back.
  ///
  /// - Complexity: O(removed × all × dimension), more where a sample loses its nearest neighbour.
  @discardableResult
  public mutating func remove(where isForgotten: (TaughtSample) -> Bool) -> [TaughtSample] {
    let gone = samples.indices.filter { isForgotten(samples[$0]) }
    guard !gone.isEmpty else { return [] }
    let kept = samples.indices.filter { !isForgotten(samples[$0]) }
    let bereft = kept.filter { row in
      gone.contains { other in
        let cosine = cosine(row, other)
        return cosine
          == (samples[other].label == samples[row].label ? nearestSame : nearestOther)[row]
      }
    }
    let removed = gone.map { samples[$0] }
    let newRow = Dictionary(uniqueKeysWithValues: zip(kept, kept.indices))
    keep(kept)
    for old in bereft {
      guard let row = newRow[old] else { continue }
      (nearestSame[row], nearestOther[row]) = (-1, -1)
      for other in samples.indices where other != row { note(other, asNeighbourOf: row) }
    }
    return removed
  }

  /// The cosine of two samples; the same number whichever comes first.
  private func cosine(_ a: Int, _ b: Int) -> Float {
    VectorProducts.dot(vectors.span, row: a, vectors.span, row: b, dimension: dimension)
  }

  /// The cosine is looked at first: comparing two digests costs as much as a product of vectors.
  private func isSameInk(_ a: Int, _ b: Int, _ cosine: Float) -> Bool {
    (cosine > 0.99 || cosine == 0) && samples[a].digest == samples[b].digest
  }

  private mutating func meet(_ row: Int, with others: Range<Int>) {
    for other in others {
      let cosine = cosine(row, other)
      if samples[row].label == samples[other].label {
        guard !isSameInk(row, other, cosine) else { continue }
        nearestSame[row] = max(nearestSame[row], cosine)
        nearestSame[other] = max(nearestSame[other], cosine)
      } else {
        nearestOther[row] = max(nearestOther[row], cosine)
        nearestOther[other] = max(nearestOther[other], cosine)
      }
    }
  }

  private mutating func note(_ other: Int, asNeighbourOf row: Int) {
    let cosine = cosine(row, other)
    if samples[row].label == samples[other].label {
      guard !isSameInk(row, other, cosine) else { return }
      nearestSame[row] = max(nearestSame[row], cosine)
    } else {
      nearestOther[row] = max(nearestOther[row], cosine)
    }
  }

  private mutating func restoreOrder() {
    let order = samples.indices.sorted { samples[$0] < samples[$1] }
    if order != Array(samples.indices) { keep(order) }
  }

  /// Keeps the given rows in the given order.
  private mutating func keep(_ rows: [Int]) {
    vectors = rows.flatMap { vector($0) }
    samples = rows.map { samples[$0] }
    nearestSame = rows.map { nearestSame[$0] }
    nearestOther = rows.map { nearestOther[$0] }
  }
}
