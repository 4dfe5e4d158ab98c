public import Ink
package import NeuralNetwork

/// Classifies drawings, and learns from labeled ones.
///
/// The embedding is fixed; taught samples are kept in the memory, and the head and the thresholds
/// are functions of it. So `forget` gives a recognizer equal, byte for byte, to one that was never
/// taught the sample, and the order of teaching does not matter; only the weight that `adapt` chose
/// stays until it is called again. A value type: a copy is a snapshot.
public struct Recognizer: Sendable {
  /// Turns drawings into vectors.
  public let embedding: Embedding
  /// The taught samples and the priors.
  public private(set) var memory: SampleMemory
  /// The classifier that turns vectors into confidences.
  public private(set) var head: Head
  /// Decides whether a prediction is reported.
  public var policy: DecisionPolicy
  /// Where the embedding comes from.
  public let provenance: Provenance
  private(set) var acceptance: Acceptance

  /// A recognizer without taught samples.
  ///
  /// - Parameters:
  ///   - embedding: Turns drawings into vectors.
  ///   - trained: The class vectors of the embedding's training, and the drawings it was fitted to.
  ///   - prior: The PLDA prior. Without it, the first taught drawings generalize poorly.
  ///   - head: The classifier that turns vectors into confidences.
  ///   - policy: Decides whether a prediction is reported.
  ///   - provenance: Where the embedding comes from.
  public init(
    embedding: Embedding, trained: ClassVectors = ClassVectors(), prior: PLDAPrior? = nil,
    head: HeadConfiguration, policy: DecisionPolicy = .standard, provenance: Provenance
  ) {
    self.init(
      embedding: embedding, trained: trained, priors: prior.map { [$0] } ?? [],
      head: head, policy: policy, provenance: provenance)
  }

  /// A recognizer without taught samples.
  ///
  /// - Parameters:
  ///   - embedding: Turns drawings into vectors.
  ///   - trained: The class vectors of the embedding's training, and the drawings it was fitted to.
  ///   - priors: The PLDA priors for several kinds of drawings: the taught samples decide which is
  ///     used. The first is favored.
  ///   - head: The classifier that turns vectors into confidences.
  ///   - policy: Decides whether a prediction is reported.
  ///   - provenance: Where the embedding comes from.
  public init(
    embedding: Embedding, trained: ClassVectors = ClassVectors(), priors: [PLDAPrior],
    head: HeadConfiguration, policy: DecisionPolicy = .standard, provenance: Provenance
  ) {
    self.init(
      embedding: embedding,
      memory: SampleMemory(
        dimension: embedding.dimension, trained: trained, priors: priors),
      head: head.makeHead(), policy: policy, provenance: provenance)
  }

  /// A recognizer whose head was fitted to the memory.
  init(
    embedding: Embedding, memory: SampleMemory, head: Head, policy: DecisionPolicy,
    provenance: Provenance
  ) {
    self.embedding = embedding
    self.memory = memory
    self.head = head
    self.policy = policy
    self.provenance = provenance
    acceptance = Acceptance(of: memory)
  }

  /// The labels that it can give, in ascending order.
  public var labels: [String] { memory.labels }

  /// The labels that trained the embedding, as far as they are known.
  package var embeddingLabels: Set<String> {
    Set(memory.trained.labels).union(provenance.labels?.training ?? [])
  }

  /// A recognizer without taught samples, with the same embedding, priors and policy.
  ///
  /// - Parameter configuration: Another head; nil for the same one.
  /// - Returns: A recognizer without labels.
  public func untaught(head configuration: HeadConfiguration? = nil) -> Recognizer {
    Recognizer(
      embedding: embedding, memory: memory.emptied(),
      head: (configuration ?? head.configuration).makeHead(), policy: policy,
      provenance: provenance)
  }

  // MARK: Teaching

  /// What an update changed.
  public struct Update: Hashable, Sendable, Encodable {
    /// Samples that were not there before.
    public var added: Int
    /// Samples that were there already, under the same label.
    public var repeated: Int
    /// Samples that were there under another label.
    public var relabeled: Int
    /// Labels that were not there before, in ascending order.
    public var newLabels: [String]
  }

  /// Teaches labeled drawings: more examples of known labels, or new labels.
  ///
  /// - Parameters:
  ///   - drawings: Each with a label.
  ///   - threads: How many drawings are embedded at the same time; the result does not depend on
  ///     it.
  ///   - progress: Called with the numbers of drawings embedded and in total.
  /// - Returns: What changed.
  /// - Throws: `ModelError` when a drawing has no label or no ink, or there are more labels than a
  ///   model can have, and `CancellationError`; nothing has changed then.
  @discardableResult
  public mutating func update(
    with drawings: [Drawing], threads: Int = 1,
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws -> Update {
    let samples = try samples(of: drawings)
    let vectors = try await embedding.vectors(of: drawings, threads: threads, progress: progress)
    return update(with: samples, vectors: vectors)
  }

  /// Teaches labeled drawings, which all ranks embed, on rank 0.
  ///
  /// - Throws: What the other method throws, and when a rank is lost.
  package mutating func update(
    with drawings: [Drawing], threads: Int, sharedBy ranks: any Ranks,
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws {
    let samples = try samples(of: drawings)
    let vectors = try await embedding.vectors(
      of: drawings, threads: threads, sharedBy: ranks, progress: progress)
    if ranks.isFirst { update(with: samples, vectors: vectors) }
  }

  /// Teaches labeled drawings on the calling thread: more examples of known labels, or new labels.
  ///
  /// - Parameter drawings: Each with a label.
  /// - Returns: What changed.
  /// - Throws: `ModelError` when a drawing has no label or no ink, or there are more labels than a
  ///   model can have; nothing has changed then.
  @discardableResult
  public mutating func update(with drawings: [Drawing]) throws(ModelError) -> Update {
    let samples = try samples(of: drawings)
    return update(with: samples, vectors: try embedding.vectors(of: drawings))
  }

  /// What is kept of drawings to teach, after every check.
  private func samples(of drawings: [Drawing]) throws(ModelError) -> [TaughtSample] {
    let samples = try drawings.map { drawing throws(ModelError) in
      guard let label = drawing.label else { throw .missingLabel(id: drawing.id) }
      return TaughtSample(
        id: drawing.id, label: LabelRule.spelling(of: label, among: labels), digest: drawing.digest)
    }
    try ModelLimits.check(ids: drawings.lazy.map(\.id))
    let taughtLabels = Set(labels).union(samples.map(\.label))
    try ModelLimits.requireCapacity(forLabels: taughtLabels.count, in: self)
    return samples
  }

  /// Teaches samples whose vectors are known already.
  ///
  /// - Parameters:
  ///   - samples: What is taught.
  ///   - vectors: Their vectors by the embedding, row-major, shape [samples, dimension].
  /// - Returns: What changed.
  @discardableResult
  public mutating func update(with samples: [TaughtSample], vectors: [Float]) -> Update {
    let (before, known) = (memory.samples.count, memory.labels)
    let relabeled = memory.insert(samples, vectors: vectors)
    relearn()
    let added = memory.samples.count - before
    let old = Set(known)
    return Update(
      added: added, repeated: samples.count - added - relabeled, relabeled: relabeled,
      newLabels: known == labels ? [] : labels.filter { !old.contains($0) })
  }

  /// Forgets every sample of a label, and with them the label.
  ///
  /// - Returns: The forgotten samples.
  /// - Throws: `ModelError.unknownLabel`; nothing has changed then.
  @discardableResult
  public mutating func forget(label: String) throws(ModelError) -> [TaughtSample] {
    let kept = LabelRule.spelling(of: label, among: labels)
    let gone = memory.remove { $0.label == kept }
    guard !gone.isEmpty else { throw .unknownLabel(label, known: labels) }
    relearn()
    return gone
  }

  /// Forgets the sample with an id, or of an ink; a label is removed with its last sample.
  ///
  /// - Parameter name: The id, or the digest of the ink.
  /// - Returns: The forgotten samples.
  /// - Throws: `ModelError.unknownSample`, and `.severalSamples` if several drawings have the id,
  ///   as numbered ones of files without ids may; nothing has changed then.
  @discardableResult
  public mutating func forget(sample name: String) throws(ModelError) -> [TaughtSample] {
    let named = memory.samples.filter { $0.id == name }
    guard named.count < 2 else { throw .severalSamples(id: name, named) }
    let gone = forget { named.isEmpty ? $0.digest == name : $0.id == name }
    guard !gone.isEmpty else { throw .unknownSample(name) }
    return gone
  }

  /// Forgets every sample that satisfies `isForgotten`; a label is removed with its last sample.
  ///
  /// - Returns: The forgotten samples, in ascending order.
  @discardableResult
  public mutating func forget(where isForgotten: (TaughtSample) -> Bool) -> [TaughtSample] {
    let gone = memory.remove(where: isForgotten)
    if !gone.isEmpty { relearn() }
    return gone
  }

  /// Replaces the head with one fitted to the same samples.
  public mutating func replaceHead(with configuration: HeadConfiguration) {
    head = configuration.makeHead()
    relearn()
  }

  /// Replaces the adaptation; nil removes it.
  ///
  /// - Throws: `ModelError.noStatistics` when its samples are too few; nothing has changed then.
  mutating func adapt(to adaptation: Adaptation?) throws(ModelError) {
    try memory.adapt(adaptation)
    relearn()
  }

  private mutating func relearn() {
    // Start with an unfitted head: without samples it must not keep what it learned from the last
    // ones.
    head = head.configuration.makeHead()
    if !memory.samples.isEmpty { head.fit(to: memory) }
    acceptance = Acceptance(of: memory)
  }

  // MARK: Asking

  /// Classifies a drawing.
  ///
  /// - Parameters:
  ///   - drawing: Any drawing, also one without ink; its label, if any, is ignored.
  ///   - count: The maximum number of candidates.
  ///   - neighbors: The maximum number of nearest taught samples, which explain the decision.
  /// - Returns: The decision and the best candidates.
  /// - Throws: `ModelError.drawing` if it cannot be embedded.
  public func classify(
    _ drawing: Drawing, candidates count: Int = 5, neighbors: Int = 0
  ) throws(ModelError) -> Classification {
    guard drawing.hasEnoughInk else {
      return refusal(of: drawing, candidates: count, neighbors: neighbors)
    }
    return classification(
      of: drawing, try embedding.vector(of: drawing), candidates: count, neighbors: neighbors)
  }

  /// Classifies many drawings.
  ///
  /// - Parameters:
  ///   - drawings: Any drawings, also without ink.
  ///   - count: The maximum number of candidates for each.
  ///   - neighbors: The maximum number of nearest taught samples for each.
  ///   - threads: How many drawings are embedded at the same time.
  ///   - progress: Called with the numbers of drawings embedded and in total.
  /// - Returns: One classification per drawing, in their order.
  /// - Throws: `ModelError.drawing` if one cannot be embedded, and `CancellationError`.
  public func classify(
    _ drawings: [Drawing], candidates count: Int = 5, neighbors: Int = 0, threads: Int = 1,
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws -> [Classification] {
    let inked = drawings.filter(\.hasEnoughInk)
    let vectors = try await embedding.vectors(of: inked, threads: threads, progress: progress)
    return classifications(
      of: drawings, inkedVectors: vectors, candidates: count, neighbors: neighbors)
  }

  /// Classifies many drawings on the calling thread.
  ///
  /// - Parameters:
  ///   - drawings: Any drawings, also without ink.
  ///   - count: The maximum number of candidates for each.
  /// - Returns: One classification per drawing, in their order.
  /// - Throws: `ModelError.drawing` if one cannot be embedded.
  public func classify(
    _ drawings: [Drawing], candidates count: Int = 5
  ) throws(ModelError) -> [Classification] {
    let vectors = try embedding.vectors(of: drawings.filter(\.hasEnoughInk))
    return classifications(of: drawings, inkedVectors: vectors, candidates: count)
  }

  /// The classifications of drawings, given the vectors of those with enough ink.
  private func classifications(
    of drawings: [Drawing], inkedVectors vectors: [Float], candidates count: Int,
    neighbors: Int = 0
  ) -> [Classification] {
    var vectors = vectors[...]
    return drawings.map { drawing in
      guard drawing.hasEnoughInk else {
        return refusal(of: drawing, candidates: count, neighbors: neighbors)
      }
      defer { vectors.removeFirst(embedding.dimension) }
      return classification(
        of: drawing, Array(vectors.prefix(embedding.dimension)), candidates: count,
        neighbors: neighbors)
    }
  }

  /// The classification of a drawing, given its vector.
  private func classification(
    of drawing: Drawing, _ vector: [Float], candidates count: Int, neighbors: Int
  ) -> Classification {
    Classification(
      drawing, answer(to: vector, candidates: count, hasInk: drawing.hasEnoughInk),
      neighbors: self.neighbors(of: vector, count: neighbors))
  }

  /// Classifies vectors of drawings that are assumed to have enough ink.
  ///
  /// - Parameters:
  ///   - vectors: Row-major, shape [_, dimension].
  ///   - count: The maximum number of candidates for each.
  /// - Returns: One answer per vector.
  public func answers(to vectors: [Float], candidates count: Int = 5) -> [Answer] {
    stride(from: 0, to: vectors.count, by: embedding.dimension).map {
      answer(
        to: Array(vectors[$0..<($0 + embedding.dimension)]), candidates: count, hasInk: true)
    }
  }

  /// The classification of a drawing with too little ink.
  private func refusal(
    of drawing: Drawing, candidates count: Int, neighbors: Int
  ) -> Classification {
    guard let vector = try? embedding.vector(of: drawing) else {
      return Classification(
        drawing, Answer(decision: .unrecognized(best: nil, because: .tooLittleInk), candidates: []))
    }
    return classification(of: drawing, vector, candidates: count, neighbors: neighbors)
  }

  private func neighbors(of vector: [Float], count: Int) -> [NearSample] {
    guard count > 0, !memory.samples.isEmpty else { return [] }
    return memory.neighbors(of: vector, count: count)[0].map {
      NearSample(sample: memory.samples[$0.row], distance: $0.distance)
    }
  }

  private func answer(to vector: [Float], candidates count: Int, hasInk: Bool) -> Answer {
    let scores = memory.samples.isEmpty ? [] : memory.scores(of: vector)
    let confidences =
      scores.isEmpty ? [] : head.confidences(for: vector, scores: scores, in: memory)
    let candidates = candidates(confidences, count: max(2, count))
    let evidence = evidence(from: scores)
    return Answer(
      decision: policy.decide(candidates, evidence: evidence, hasInk: hasInk),
      candidates: Array(candidates.prefix(count)), evidence: evidence)
  }

  private func evidence(from scores: [Float]) -> Evidence? {
    BestScore(scores).map { evidence($0, typicality: acceptance.typicality(of: $0)) }
  }

  private func evidence(_ best: BestScore, typicality: Float) -> Evidence {
    Evidence(
      label: labels[best.label], score: Double(best.score),
      rival: best.second.map { labels[$0] }, margin: best.margin.map { Double($0) },
      typicality: Double(typicality))
  }

  /// The answer from the scores of a left-out sample, by a head `twoCovariance`.
  ///
  /// - Parameters:
  ///   - scores: Shape [labels]; the leave-one-out score for its own label.
  ///   - best: The best of the scores.
  ///   - itself: The estimate of the sample (see `LeaveOneOutScores`).
  ///   - candidates: The maximum number of candidates.
  /// - Returns: The candidates and the decision on the first.
  func answer(
    _ scores: [Float], _ best: BestScore, leavingOut itself: BestScore, candidates: Int
  ) -> Answer {
    let confidences = head.confidences(for: [], scores: scores, in: memory)
    let all = self.candidates(confidences, count: candidates)
    let evidence = evidence(
      best, typicality: acceptance.typicality(of: best, leavingOut: itself))
    return Answer(
      decision: policy.decide(all, evidence: evidence, hasInk: true), candidates: all,
      evidence: evidence)
  }

  /// The labels of highest confidence; ties in label order.
  private func candidates(_ confidences: [Float], count: Int) -> [Candidate] {
    confidences.indices.sorted {
      (confidences[$1], $0) < (confidences[$0], $1)
    }.prefix(count).map { Candidate(label: labels[$0], confidence: Double(confidences[$0])) }
  }

  /// The lowest score with which a drawing with the margin of `evidence` is recognized.
  public func leastScore(for evidence: Evidence) -> Double {
    Double(
      acceptance.leastScore(
        share: Float(policy.refusalRate), margin: evidence.margin.map { Float($0) }))
  }
}

extension Recognizer {
  /// The lowest score with which a drawing that has no lead over a second label is recognized; a
  /// lead lowers it. Nil if nothing is refused for its score, or nothing was taught.
  public var leastScore: Double? {
    guard !labels.isEmpty, policy.refusalRate > 0 else { return nil }
    return Double(
      acceptance.leastScore(
        share: Float(policy.refusalRate), margin: labels.count > 1 ? 0 : nil))
  }
}

/// A recognizer's answer to one vector.
public struct Answer: Hashable, Sendable {
  /// Recognized or not, and why not.
  public var decision: Decision
  /// The labels with the highest confidences, in descending order.
  public var candidates: [Candidate]
  /// How well it fits the taught labels: the basis of the decision. Nil if there was nothing to
  /// compare with.
  public var evidence: Evidence?
}

/// A taught sample near a drawing.
public struct NearSample: Hashable, Sendable {
  /// The sample.
  public var sample: TaughtSample
  /// The Euclidean distance of the unit vectors, in 0...2.
  public var distance: Float
}

/// The classification of one drawing.
public struct Classification: Hashable, Sendable {
  /// The drawing's id.
  public var id: String
  /// Recognized or not, and why not.
  public var decision: Decision
  /// The labels with the highest confidences, in descending order.
  public var candidates: [Candidate]
  /// How well it fits the taught labels: the basis of the decision. Nil if there was nothing to
  /// compare with.
  public var evidence: Evidence?
  /// The bounding box of the drawing, in its own units.
  public var boundingBox: BoundingBox
  /// The taught samples nearest to it, nearest first; empty unless requested.
  public var neighbors: [NearSample]

  init(_ drawing: Drawing, _ answer: Answer, neighbors: [NearSample] = []) {
    self.neighbors = neighbors
    id = drawing.id
    decision = answer.decision
    candidates = answer.candidates
    evidence = answer.evidence
    boundingBox = drawing.boundingBox ?? BoundingBox(x: 0, y: 0, width: 0, height: 0)
  }
}
