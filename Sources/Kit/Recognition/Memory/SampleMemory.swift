internal import NeuralNetwork
internal import Numbers

/// A drawing that a recognizer was taught; its vector is in the same row of `SampleMemory.vectors`.
public struct TaughtSample: Hashable, Sendable {
  /// The drawing's id in its data set.
  public var id: String
  /// What was drawn.
  public var label: String
  /// The digest of the drawing's strokes, which identifies the same ink under another id.
  public var digest: String

  /// A taught drawing.
  public init(id: String, label: String, digest: String) {
    self.id = id
    self.label = label
    self.digest = digest
  }
}

extension TaughtSample: Comparable {
  /// The order in which a model keeps its samples, independent of the order of teaching.
  public static func < (a: TaughtSample, b: TaughtSample) -> Bool {
    (a.label, a.id, a.digest) < (b.label, b.id, b.digest)
  }
}

/// The taught samples and their vectors, in an order independent of insertion, and the statistics
/// of each label.
///
/// Everything here but the adaptation's weight and list is a pure function of the set of samples:
/// inserting and then removing a sample gives the same bytes as never inserting it. The statistics
/// of a label depend on its own samples alone, so only those of labels that change are recomputed.
public struct SampleMemory: Sendable, Equatable {
  /// The length of a vector.
  public let dimension: Int
  /// The class vectors of the embedding's training.
  public let trained: ClassVectors
  /// The PLDA priors, one for each kind of drawings; may be empty.
  public let priors: [PLDAPrior]
  /// The adaptation of the prior to the samples; nil if it is not adapted.
  public private(set) var adaptation: Adaptation?
  /// The samples in ascending order.
  public private(set) var samples: [TaughtSample] = []
  /// Unit vectors, row-major, shape [samples, dimension].
  public private(set) var vectors: [Float] = []
  /// Whether the embedding's weights were fitted to each sample, which makes its scores optimistic.
  public private(set) var wasFitted: [Bool] = []
  /// The labels in ascending order; each has at least one sample.
  public private(set) var labels: [String] = []
  /// The first row of every label and, at the end, the number of rows: shape [labels + 1].
  private(set) var firstRows: [Int] = [0]
  /// Which prior the samples select.
  private var choice = PriorChoice()
  /// The scores of drawings for each label, without penalties.
  private(set) var scores: LabelScores
  /// What is subtracted from the scores of labels with few samples, ≥ 0, shape [labels].
  private(set) var penalties: [Float] = []
  /// The models that the adaptation gives.
  private(set) var adaptedModels: AdaptedModels?
  /// The scores by each of the adaptation's models that leave out a part of the samples.
  private var partScores: [LabelScores] = []
  /// The leave-one-out scores of the samples.
  private(set) var leftOut = LeaveOneOutScores()
  /// The label under which each sample is kept.
  private(set) var labelOfKey: [Key: String] = [:]

  /// The digests of the drawings that were taught, or trained the embedding where that is known.
  package var knownDigests: Set<String> {
    trained.fittedDigests.reduce(into: Set(samples.map(\.digest))) { $0.formUnion($1) }
  }

  /// The identity of a sample: samples with the same key are one.
  struct Key: Hashable {
    let id: String
    let digest: String

    init(_ sample: TaughtSample) {
      id = sample.id
      digest = sample.digest
    }
  }

  /// An empty memory.
  ///
  /// - Parameters:
  ///   - dimension: The length of a vector.
  ///   - trained: The class vectors of the embedding's training.
  ///   - prior: The PLDA prior, for vectors of the same dimension.
  public init(
    dimension: Int, trained: ClassVectors = ClassVectors(), prior: PLDAPrior? = nil
  ) {
    self.init(
      dimension: dimension, trained: trained, priors: prior.map { [$0] } ?? [])
  }

  /// An empty memory.
  ///
  /// - Parameters:
  ///   - dimension: The length of a vector.
  ///   - trained: The class vectors of the embedding's training.
  ///   - priors: The PLDA priors for several kinds of drawings: the samples decide which is used,
  ///     and the first is favored. All are for vectors of the same dimension; if there are several,
  ///     each has a likelihood.
  public init(
    dimension: Int, trained: ClassVectors = ClassVectors(), priors: [PLDAPrior]
  ) {
    precondition(
      trained.vectors.count == trained.labels.count * dimension,
      "\(trained.labels.count) trained labels need \(trained.labels.count * dimension) numbers, "
        + "got \(trained.vectors.count)")
    precondition(
      priors.allSatisfy { $0.model.dimension == dimension },
      "a prior for vectors of another dimension than \(dimension)")
    precondition(
      priors.count < 2 || priors.allSatisfy(\.model.hasLikelihood),
      "one of several priors has no likelihood")
    self.dimension = dimension
    self.trained = trained
    self.priors = priors
    scores = LabelScores(
      model: priors.first?.model ?? TwoCovarianceModel(isotropic: dimension))
  }

  /// A memory without samples and with the same training and prior.
  public func emptied() -> SampleMemory {
    SampleMemory(dimension: dimension, trained: trained, priors: priors)
  }

  /// The prior that the samples select, the first one before any are taught; nil without priors.
  public var prior: PLDAPrior? {
    priors.isEmpty ? nil : priors[choice.index]
  }

  /// For every sample, the index of its label in `labels`.
  public var labelIndices: [Int] {
    labels.indices.flatMap { repeatElement($0, count: firstRows[$0 + 1] - firstRows[$0]) }
  }

  /// The rows of the label with the given index.
  public func rows(ofLabel index: Int) -> Range<Int> {
    firstRows[index]..<firstRows[index + 1]
  }

  /// The unit vector of the sample in `row`.
  public func vector(_ row: Int) -> ArraySlice<Float> {
    vectors[(row * dimension)..<((row + 1) * dimension)]
  }

  /// The unit vectors of the samples in the given rows, row-major, shape [rows, dimension].
  func vectors(_ rows: [Int]) -> [Float] {
    var found: [Float] = []
    found.reserveCapacity(rows.count * dimension)
    for row in rows { found += vector(row) }
    return found
  }

  /// Adds samples. A sample replaces an existing one with the same ink and id, so that teaching a
  /// drawing twice changes nothing and teaching it under another label corrects the first.
  ///
  /// - Parameters:
  ///   - additions: The samples, in any order; of duplicates the last counts.
  ///   - added: Their unit vectors in the same order, shape [additions, dimension].
  /// - Returns: How many were there under another label.
  /// - Complexity: One pass that moves the samples, and the work of the labels that change.
  @discardableResult
  public mutating func insert(_ additions: [TaughtSample], vectors added: [Float]) -> Int {
    precondition(
      added.count == additions.count * dimension,
      "\(additions.count) samples need \(additions.count * dimension) numbers, got \(added.count)")
    guard !additions.isEmpty else { return 0 }
    if fill(with: additions, added) {
      refresh([])
      return 0
    }
    var rowOfKey: [Key: Int] = [:]
    for (row, sample) in additions.enumerated() { rowOfKey[Key(sample)] = row }
    var changed = Set<String>()
    var (replaces, relabeled) = (false, 0)
    for (key, row) in rowOfKey {
      let label = additions[row].label
      changed.insert(label)
      if let old = labelOfKey.updateValue(label, forKey: key) {
        changed.insert(old)
        replaces = true
        if old != label { relabeled += 1 }
      }
    }
    let new = rowOfKey.values.sorted { additions[$0] < additions[$1] }
    merge(new, of: additions, added, replacing: replaces ? { rowOfKey[Key($0)] != nil } : nil)
    refresh(changed, hasLost: replaces)
    return relabeled
  }

  /// Fills an empty memory with the samples of a file, and adapts it to them: faster than one after
  /// the other.
  ///
  /// - Parameters:
  ///   - samples: The samples in ascending order, no two with the same key.
  ///   - vectors: Their unit vectors, row-major, shape [samples, dimension].
  ///   - adaptation: An adaptation to samples of these.
  /// - Throws: `ModelError.malformed` when the samples are not in order, and
  ///   `.noStatistics` as `adapt`; nothing has changed then.
  mutating func restore(
    _ samples: [TaughtSample], vectors: [Float], adaptation: Adaptation?
  ) throws(ModelError) {
    var restored = self
    guard restored.fill(with: samples, vectors) else {
      throw .malformed("its samples are not in order")
    }
    restored.updateChoice(restored.updateLabels([]))
    try restored.adapt(adaptation)
    self = restored
  }

  /// Fills an empty memory with samples that are sorted and distinct, as those of a file are;
  /// otherwise returns false and changes nothing.
  private mutating func fill(with additions: [TaughtSample], _ added: [Float]) -> Bool {
    guard samples.isEmpty, zip(additions, additions.dropFirst()).allSatisfy({ $0 < $1 }) else {
      return false
    }
    var labelOfKey: [Key: String] = [:]
    labelOfKey.reserveCapacity(additions.count)
    for sample in additions {
      guard labelOfKey.updateValue(sample.label, forKey: Key(sample)) == nil else { return false }
    }
    (samples, vectors, self.labelOfKey) = (additions, added, labelOfKey)
    wasFitted = additions.map { trained.wasFitted(to: $0) }
    return true
  }

  /// Removes and returns every sample that satisfies `isForgotten`.
  ///
  /// - Complexity: One pass over the samples, and the work of the labels that change.
  @discardableResult
  public mutating func remove(where isForgotten: (TaughtSample) -> Bool) -> [TaughtSample] {
    let gone = samples.filter(isForgotten)
    guard !gone.isEmpty else { return [] }
    let keys = Set(gone.map(Key.init))
    for key in keys { labelOfKey[key] = nil }
    merge([], of: [], [], replacing: { keys.contains(Key($0)) })
    refresh(Set(gone.map(\.label)), hasLost: true)
    return gone
  }

  /// Merges the given rows of `additions`, in ascending order, into the samples and drops those
  /// replaced.
  private mutating func merge(
    _ rows: [Int], of additions: [TaughtSample], _ added: [Float],
    replacing isReplaced: ((TaughtSample) -> Bool)?
  ) {
    let (oldSamples, oldVectors, oldFitted) = (samples, vectors, wasFitted)
    samples.removeAll()
    vectors.removeAll()
    wasFitted.removeAll()
    samples.reserveCapacity(oldSamples.count + rows.count)
    vectors.reserveCapacity((oldSamples.count + rows.count) * dimension)
    wasFitted.reserveCapacity(oldSamples.count + rows.count)
    func copy(_ range: Range<Int>) {
      samples += oldSamples[range]
      vectors += oldVectors[(range.lowerBound * dimension)..<(range.upperBound * dimension)]
      wasFitted += oldFitted[range]
    }
    /// Copies the old samples of a range that are not replaced, in maximal runs.
    func copyKept(_ range: Range<Int>) {
      guard let isReplaced else { return copy(range) }
      var start = range.lowerBound
      for row in range where isReplaced(oldSamples[row]) {
        copy(start..<row)
        start = row + 1
      }
      copy(start..<range.upperBound)
    }
    var next = 0
    for row in rows {
      let place = Self.place(of: additions[row], in: oldSamples, from: next)
      copyKept(next..<place)
      next = place
      samples.append(additions[row])
      vectors += added[(row * dimension)..<((row + 1) * dimension)]
      wasFitted.append(trained.wasFitted(to: additions[row]))
    }
    copyKept(next..<oldSamples.count)
  }

  /// The first row, not before `start`, whose sample is not less than `sample`.
  private static func place(
    of sample: TaughtSample, in samples: [TaughtSample], from start: Int
  ) -> Int {
    samples[start...].partitioningIndex { $0 >= sample }
  }

  /// Recomputes the statistics of the labels that have changed.
  ///
  /// `hasLost` means that samples were removed: the adaptation is then refitted without them, or
  /// dropped if too few are left.
  private mutating func refresh(_ changed: Set<String>, hasLost: Bool = false) {
    var order = updateLabels(changed)
    let oldIndex = choice.index
    updateChoice(order)
    let left = hasLost ? adaptation?.keeping(samples) : adaptation
    if choice.index != oldIndex || left != adaptation {
      // All statistics are in other coordinates now.
      order = labels.map { _ in nil }
      use(left.flatMap { try? models(of: $0) }, of: left)
    }
    updateStatistics(order)
  }

  /// Finds the labels of the samples, and returns the old index of each; nil for new ones and those
  /// in `changed`.
  private mutating func updateLabels(_ changed: Set<String>) -> [Int?] {
    let oldIndices = Dictionary(uniqueKeysWithValues: zip(labels, labels.indices))
    labels = []
    firstRows = []
    for (row, sample) in samples.enumerated() where labels.last != sample.label {
      labels.append(sample.label)
      firstRows.append(row)
    }
    firstRows.append(samples.count)
    return labels.map { changed.contains($0) ? nil : oldIndices[$0] }
  }

  private mutating func updateChoice(_ order: [Int?]) {
    var choice = choice
    choice.update(for: self, order)
    self.choice = choice
  }

  /// Recomputes the scores of the labels without an old index in `order`.
  private mutating func updateStatistics(_ order: [Int?]) {
    let changed = order.indices.filter { order[$0] == nil }
    let (means, counts) = (
      changed.flatMap { mean(ofLabel: $0) }, changed.map { rows(ofLabel: $0).count }
    )
    let updated = concurrentMap(1 + partScores.count) { [scores, partScores] number in
      var scores = number == 0 ? scores : partScores[number - 1]
      let (projected, directions) = (scores.model.project(means), scores.model.directions)
      scores.replaceLabels(
        order,
        changed: counts.enumerated().map { place, count in
          .init(
            count: count,
            mean: Array(projected[(place * directions)..<((place + 1) * directions)]))
        })
      return scores
    }
    scores = updated[0]
    partScores = Array(updated.dropFirst())
    penalties = FewSamples.penalties(
      ofLabelsWith: scores.labels.map(\.count), prior?.calibration)
    var leftOut = leftOut
    leftOut.update(for: self, order)
    self.leftOut = leftOut
  }

  /// The mean vector of a label.
  private func mean(ofLabel index: Int) -> [Float] {
    var mean = [Float](repeating: 0, count: dimension)
    let rows = rows(ofLabel: index)
    for row in rows {
      let start = row * dimension
      for k in 0..<dimension { mean[k] += vectors[start + k] }
    }
    for k in 0..<dimension { mean[k] /= Float(rows.count) }
    return mean
  }

  // MARK: Adapting

  /// Replaces the adaptation; nil removes it.
  ///
  /// - Parameter adaptation: An adaptation to samples of this memory.
  /// - Throws: `ModelError.noStatistics` when the samples are too few or there is no prior;
  ///   nothing has changed then.
  mutating func adapt(_ adaptation: Adaptation?) throws(ModelError) {
    use(
      try adaptation.map { adaptation throws(ModelError) in try models(of: adaptation) },
      of: adaptation)
    updateStatistics(labels.map { _ in nil })
  }

  /// The models that `adaptation` makes of the selected prior.
  private func models(of adaptation: Adaptation) throws(ModelError) -> AdaptedModels {
    guard let prior else {
      throw .noStatistics("it is not known how labels differ in general")
    }
    return try AdaptedModels(adaptation, in: self, model: prior.model)
  }

  private mutating func use(_ models: AdaptedModels?, of adaptation: Adaptation?) {
    self.adaptation = models == nil ? nil : adaptation
    adaptedModels = models
    let plain = prior?.model ?? TwoCovarianceModel(isotropic: dimension)
    scores = LabelScores(model: models?.whole ?? plain)
    partScores = models?.parts.map { LabelScores(model: $0) } ?? []
    leftOut = LeaveOneOutScores()
  }

  /// The scores by the model adapted without a part of the samples; nil for the model of all.
  func scores(leavingOutPart part: Int?) -> LabelScores {
    part.map { partScores[$0] } ?? scores
  }

  /// The samples that training may adapt to: those that did not train the embedding, and only one
  /// of each ink under a label.
  var samplesToAdaptTo: Set<TaughtSample> {
    var chosen = Set<TaughtSample>()
    for label in labels.indices {
      var inks = Set<String>()
      for row in rows(ofLabel: label) where !wasFitted[row] {
        if inks.insert(samples[row].digest).inserted { chosen.insert(samples[row]) }
      }
    }
    return chosen
  }
}

extension SampleMemory {
  /// The rows whose scores estimate those of new drawings: those the embedding was not fitted to,
  /// if there are enough of them, because fitted ones lie closer together than new ones.
  var rowsForCalibration: [Int] {
    let fresh = samples.indices.filter { !wasFitted[$0] }
    return fresh.count >= Self.fewestFresh ? fresh : Array(samples.indices)
  }

  /// The minimum number of fresh samples to be used alone.
  static let fewestFresh = 30
}
