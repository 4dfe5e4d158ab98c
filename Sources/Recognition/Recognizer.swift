public import Ink

/// Says what a drawing is, and can be taught more.
///
/// The embedding stays as it was trained; what is taught lives in the memory, and the head and the
/// thresholds follow from it. So `forget` gives a recognizer equal, byte for byte, to one that was
/// never taught the sample, and the order of teaching does not matter; only what `adapt` chose with
/// the sample's help stays until it is called again. A value: a copy is a snapshot.
public struct Recognizer: Sendable {
  /// Turns drawings into vectors.
  public let embedding: Embedding
  /// The taught samples, and what was known before them.
  public private(set) var memory: SampleMemory
  /// What turns vectors into confidences.
  public private(set) var head: Head
  /// When a prediction is good enough.
  public var policy: DecisionPolicy
  /// Where the embedding comes from.
  public let provenance: Provenance
  private(set) var acceptance: Acceptance

  /// A recognizer that was taught nothing yet.
  ///
  /// - Parameters:
  ///   - embedding: Turns drawings into vectors.
  ///   - trained: What the embedding's training learned of its labels, and the drawings it was
  ///     fitted to.
  ///   - prior: What is known of labels in general. Without it the first drawings taught tell
  ///     little about the next.
  ///   - head: What turns vectors into confidences.
  ///   - policy: When a prediction is good enough.
  ///   - provenance: Where the embedding comes from.
  public init(
    embedding: Embedding, trained: ClassVectors = ClassVectors(), prior: PLDAPrior? = nil,
    head: HeadConfiguration, policy: DecisionPolicy = .standard, provenance: Provenance
  ) {
    self.init(
      embedding: embedding, trained: trained, priors: prior.map { [$0] } ?? [],
      head: head, policy: policy, provenance: provenance)
  }

  /// A recognizer that was taught nothing yet.
  ///
  /// - Parameters:
  ///   - embedding: Turns drawings into vectors.
  ///   - trained: What the embedding's training learned of its labels, and the drawings it was
  ///     fitted to.
  ///   - priors: What is known of labels in general, for several kinds of drawings: what is
  ///     taught decides which is used. The first is favored.
  ///   - head: What turns vectors into confidences.
  ///   - policy: When a prediction is good enough.
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

  /// One that was taught nothing, with the same embedding, priors and policy.
  ///
  /// - Parameter configuration: Another head; leave it out for the same one.
  /// - Returns: A recognizer without labels.
  public func untaught(head configuration: HeadConfiguration? = nil) -> Recognizer {
    Recognizer(
      embedding: embedding, memory: memory.emptied(),
      head: (configuration ?? head.configuration).makeHead(), policy: policy,
      provenance: provenance)
  }

  // MARK: Teaching

  /// What an update changed.
  public struct Update: Hashable, Sendable {
    /// Samples that were not there before.
    public var added: Int
    /// Samples that were there already, under the same label or another one.
    public var repeated: Int
    /// Labels that were not there before, in ascending order.
    public var newLabels: [String]
  }

  /// Teaches labeled drawings: more examples of known labels, or new labels.
  ///
  /// - Parameters:
  ///   - drawings: Each with a label.
  ///   - threads: How many drawings are embedded at the same time; the result does not depend on
  ///     it.
  ///   - progress: Told how many drawings of how many are embedded.
  /// - Returns: What changed.
  /// - Throws: `ModelError` when a drawing has no label or no ink, or there are more labels than a
  ///   model can have, and `CancellationError`; nothing has changed then.
  @discardableResult
  public mutating func update(
    with drawings: [Drawing], threads: Int = 1,
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws -> Update {
    let samples = try drawings.map { drawing throws(ModelError) in
      guard let label = drawing.label else { throw .missingLabel(id: drawing.id) }
      return TaughtSample(
        id: drawing.id, label: LabelRule.spelling(of: label, among: labels), digest: drawing.digest)
    }
    let taughtLabels = Set(labels).union(samples.map(\.label))
    try ModelLimits.checkRoom(forLabels: taughtLabels.count, in: self)
    let vectors = try await embedding.vectors(of: drawings, threads: threads, progress: progress)
    return update(with: samples, vectors: vectors)
  }

  /// Teaches samples whose vectors are known already.
  ///
  /// - Parameters:
  ///   - samples: What is taught.
  ///   - vectors: What the embedding gives for them, row-major, shape [samples, dimension].
  /// - Returns: What changed.
  @discardableResult
  public mutating func update(with samples: [TaughtSample], vectors: [Float]) -> Update {
    let (before, known) = (memory.samples.count, memory.labels)
    memory.insert(samples, vectors: vectors)
    relearn()
    let added = memory.samples.count - before
    let old = Set(known)
    return Update(
      added: added, repeated: samples.count - added,
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

  /// Forgets the samples with the given id; a label without samples goes with its last one.
  ///
  /// - Returns: The forgotten samples.
  /// - Throws: `ModelError.unknownSample`; nothing has changed then.
  @discardableResult
  public mutating func forget(sample id: String) throws(ModelError) -> [TaughtSample] {
    let gone = memory.remove { $0.id == id }
    guard !gone.isEmpty else { throw .unknownSample(id) }
    relearn()
    return gone
  }

  /// Forgets every sample that `isForgotten`; labels without samples go with their last one.
  ///
  /// - Returns: The forgotten samples, in ascending order.
  @discardableResult
  public mutating func forget(where isForgotten: (TaughtSample) -> Bool) -> [TaughtSample] {
    let gone = memory.remove(where: isForgotten)
    if !gone.isEmpty { relearn() }
    return gone
  }

  /// Puts another head in the old one's place, fitted to the same samples.
  public mutating func replaceHead(with configuration: HeadConfiguration) {
    head = configuration.makeHead()
    relearn()
  }

  /// Puts another adaptation, or none, in the place of the one there is.
  ///
  /// - Throws: `ModelError.noStatistics` when its samples are too few; nothing has changed then.
  mutating func adapt(to adaptation: Adaptation?) throws(ModelError) {
    try memory.adapt(adaptation)
    relearn()
  }

  private mutating func relearn() {
    // From the beginning: a head that is left without samples must not remember the last ones.
    head = head.configuration.makeHead()
    if !memory.samples.isEmpty { head.fit(to: memory) }
    acceptance = Acceptance(of: memory)
  }

  // MARK: Asking

  /// Says what a drawing is.
  ///
  /// - Parameters:
  ///   - drawing: Any drawing, also one without ink; its label, if it has one, is not looked at.
  ///   - count: The most candidates to give.
  ///   - neighbors: The most taught samples to give that are nearest to it: why it was recognized,
  ///     or not.
  /// - Returns: The decision and the labels that come next.
  /// - Throws: `ModelError.drawing` when the embedding can make nothing of it.
  public func classify(
    _ drawing: Drawing, candidates count: Int = 5, neighbors: Int = 0
  ) throws -> Classification {
    guard drawing.hasEnoughInk else {
      return refusal(of: drawing, candidates: count, neighbors: neighbors)
    }
    let vector = try embedding.vector(of: drawing)
    return Classification(
      drawing, answer(to: vector, candidates: count, hasInk: true),
      neighbors: self.neighbors(of: vector, count: neighbors))
  }

  /// Says what each of many drawings is.
  ///
  /// - Parameters:
  ///   - drawings: Any drawings, also without ink.
  ///   - count: The most candidates to give for each.
  ///   - threads: How many drawings are embedded at the same time.
  ///   - progress: Told how many drawings of how many are embedded.
  /// - Returns: One classification a drawing, in their order.
  /// - Throws: `ModelError.drawing` when the embedding can make nothing of one, and
  ///   `CancellationError`.
  public func classify(
    _ drawings: [Drawing], candidates count: Int = 5, threads: Int = 1,
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws -> [Classification] {
    let inked = drawings.filter(\.hasEnoughInk)
    let vectors = try await embedding.vectors(of: inked, threads: threads, progress: progress)
    var answers = answers(to: vectors, candidates: count)[...]
    return drawings.map { drawing in
      guard drawing.hasEnoughInk, let answer = answers.popFirst() else {
        return refusal(of: drawing, candidates: count)
      }
      return Classification(drawing, answer)
    }
  }

  /// Says what drawings are whose vectors are known already; that they have enough ink is taken for
  /// granted.
  ///
  /// - Parameters:
  ///   - vectors: Row-major, shape [_, dimension].
  ///   - count: The most candidates to give for each.
  /// - Returns: One answer a vector.
  public func answers(to vectors: [Float], candidates count: Int = 5) -> [Answer] {
    stride(from: 0, to: vectors.count, by: embedding.dimension).map {
      answer(
        to: Array(vectors[$0..<($0 + embedding.dimension)]), candidates: count, hasInk: true)
    }
  }

  /// What there is to say about a drawing with too little ink.
  private func refusal(
    of drawing: Drawing, candidates count: Int, neighbors: Int = 0
  ) -> Classification {
    guard let vector = try? embedding.vector(of: drawing) else {
      return Classification(
        drawing, Answer(decision: .unrecognized(best: nil, because: .tooLittleInk), candidates: []))
    }
    return Classification(
      drawing, answer(to: vector, candidates: count, hasInk: false),
      neighbors: self.neighbors(of: vector, count: neighbors))
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

  /// The answer that a left-out sample's scores come to.
  ///
  /// - Parameters:
  ///   - scores: Shape [labels]; under its own label that without it.
  ///   - best: What they come to.
  ///   - temperature: What the scores are divided by.
  ///   - candidates: The most candidates to give.
  /// - Returns: The candidates and the decision on the first.
  func answer(
    _ scores: [Float], _ best: BestScore, temperature: Float, candidates: Int
  ) -> Answer {
    var confidences = scores.map { $0 / temperature }
    softmaxRows(&confidences, columns: labels.count)
    let all = self.candidates(confidences, count: candidates)
    let evidence = evidence(best, typicality: acceptance.typicality(of: best, isLeftOut: true))
    return Answer(
      decision: policy.decide(all, evidence: evidence, hasInk: true), candidates: all,
      evidence: evidence)
  }

  /// The most believed labels; of equally believed ones the first.
  private func candidates(_ confidences: [Float], count: Int) -> [Candidate] {
    confidences.indices.sorted {
      (confidences[$1], $0) < (confidences[$0], $1)
    }.prefix(count).map { Candidate(label: labels[$0], confidence: Double(confidences[$0])) }
  }

  /// The least score with which a drawing is recognized whose best label leads the second by as
  /// much as in `evidence`.
  public func leastScore(for evidence: Evidence) -> Double {
    Double(
      acceptance.leastScore(
        share: Float(policy.refusalRate), margin: evidence.margin.map { Float($0) }))
  }
}

/// What a recognizer says about one vector.
public struct Answer: Hashable, Sendable {
  /// Recognized or not, and why not.
  public var decision: Decision
  /// The likeliest labels, most believed first.
  public var candidates: [Candidate]
  /// How well it fits what was taught: what the decision looked at. Nil where there was nothing to
  /// compare.
  public var evidence: Evidence?
}

/// A taught sample near a drawing.
public struct NearSample: Hashable, Sendable {
  /// The sample.
  public var sample: TaughtSample
  /// The Euclidean distance of the unit vectors, in 0...2.
  public var distance: Float
}

/// What a recognizer says about one drawing.
public struct Classification: Hashable, Sendable {
  /// The drawing's id.
  public var id: String
  /// Recognized or not, and why not.
  public var decision: Decision
  /// The likeliest labels, most believed first.
  public var candidates: [Candidate]
  /// How well it fits what was taught: what the decision looked at. Nil where there was nothing to
  /// compare.
  public var evidence: Evidence?
  /// Where the drawing is, in its own units.
  public var boundingBox: BoundingBox
  /// The taught samples nearest to it, the nearest first, where they were asked for.
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
