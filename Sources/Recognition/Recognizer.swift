public import Ink

/// Says what a drawing is, and can be taught more.
///
/// The embedding stays as it was trained; what is taught lives in the memory, and the head and the
/// thresholds follow from it. So `forget` gives a recogniser equal, byte for byte, to one that was never
/// taught the sample, and the order of teaching does not matter. A value: a copy is a snapshot.
public struct Recognizer: Sendable {
  /// Turns drawings into vectors.
  public let embedding: Embedding
  /// The taught samples.
  public private(set) var memory: SampleMemory
  /// What turns vectors into confidences.
  public private(set) var head: any Head
  /// When a prediction is good enough.
  public private(set) var policy: DecisionPolicy
  /// What is known of labels in general; nil where nobody looked.
  public let background: Background?
  /// Where the embedding comes from.
  public let provenance: Provenance

  /// A recogniser that was taught nothing yet.
  ///
  /// - Parameters:
  ///   - embedding: Turns drawings into vectors.
  ///   - trained: What the embedding's training learned of its labels.
  ///   - background: What is known of labels in general.
  ///   - head: What turns vectors into confidences.
  ///   - provenance: Where the embedding comes from.
  public init(
    embedding: Embedding, trained: ClassVectors = ClassVectors(), background: Background? = nil,
    head: HeadConfiguration, provenance: Provenance
  ) {
    self.embedding = embedding
    self.background = background
    self.provenance = provenance
    memory = SampleMemory(dimension: embedding.dimension, trained: trained)
    self.head = head.makeHead()
    policy = .untaught
  }

  /// A recogniser read back from a file.
  init(
    embedding: Embedding, memory: SampleMemory, head: any Head, policy: DecisionPolicy,
    provenance: Provenance
  ) {
    self.embedding = embedding
    background = nil
    self.memory = memory
    self.head = head
    self.policy = policy
    self.provenance = provenance
  }

  /// The labels that it can give, in ascending order.
  public var labels: [String] { memory.labels }

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

  /// Teaches labelled drawings: more examples of known labels, or new labels.
  ///
  /// - Parameters:
  ///   - drawings: Each with a label.
  ///   - fitted: The digests of drawings that the embedding's weights were fitted to.
  ///   - threads: How many drawings are embedded at the same time; the result does not depend on it.
  ///   - progress: Told how many drawings of how many are embedded.
  /// - Returns: What changed.
  /// - Throws: `ModelError` when a drawing has no label or no ink, and `CancellationError`; nothing
  ///   has changed then.
  @discardableResult
  public mutating func update(
    with drawings: [Drawing], fitted: Set<String> = [], threads: Int = 1,
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws -> Update {
    // A sample that is taught again as it is stays one that the weights were fitted to. Under another
    // label it does not: the weights were fitted to the first.
    let fittedBefore = Set(memory.samples.filter(\.wasFitted))
    let samples = try drawings.map { drawing throws(ModelError) in
      guard let label = drawing.label else { throw .missingLabel(id: drawing.id) }
      var sample = TaughtSample(
        id: drawing.id, label: label.inNormalFormC, digest: drawing.digest, wasFitted: true)
      sample.wasFitted = fitted.contains(sample.digest) || fittedBefore.contains(sample)
      return sample
    }
    let vectors = try await embedding.vectors(of: drawings, threads: threads, progress: progress)
    let (before, known) = (memory.samples.count, Set(memory.labels))
    memory.insert(samples, vectors: vectors)
    relearn()
    let added = memory.samples.count - before
    return Update(
      added: added, repeated: drawings.count - added,
      newLabels: memory.labels.filter { !known.contains($0) })
  }

  /// Forgets every sample of a label, and with them the label.
  ///
  /// - Returns: The forgotten samples.
  /// - Throws: `ModelError.unknownLabel`; nothing has changed then.
  @discardableResult
  public mutating func forget(label: String) throws(ModelError) -> [TaughtSample] {
    let gone = memory.remove { $0.label == label }
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

  /// Puts another head in the old one's place, fitted to the same samples.
  public mutating func replaceHead(with configuration: HeadConfiguration) {
    head = configuration.makeHead()
    relearn()
  }

  private mutating func relearn() {
    // From the beginning: a head that is left without samples must not remember the last ones.
    head = head.configuration.makeHead()
    if !memory.samples.isEmpty { head.fit(to: memory) }
    policy = DecisionPolicy(for: memory)
  }

  // MARK: Asking

  /// Says what a drawing is.
  ///
  /// - Parameters:
  ///   - drawing: Any drawing; its label, if it has one, is not looked at.
  ///   - count: The most candidates to give.
  /// - Returns: The decision and the labels that come next.
  /// - Throws: `ModelError.drawing` when the drawing has no ink.
  public func classify(_ drawing: Drawing, candidates count: Int = 5) throws -> Classification {
    let vector = try embedding.vector(of: drawing)
    return classify([drawing], vectors: vector, candidates: count)[0]
  }

  /// Says what each of many drawings is.
  ///
  /// - Parameters:
  ///   - drawings: Any drawings.
  ///   - count: The most candidates to give for each.
  ///   - threads: How many drawings are embedded at the same time.
  ///   - progress: Told how many drawings of how many are embedded.
  /// - Returns: One classification a drawing, in their order.
  /// - Throws: `ModelError.drawing` for the first drawing without ink, and `CancellationError`.
  public func classify(
    _ drawings: [Drawing], candidates count: Int = 5, threads: Int = 1,
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws -> [Classification] {
    let vectors = try await embedding.vectors(of: drawings, threads: threads, progress: progress)
    return classify(drawings, vectors: vectors, candidates: count)
  }

  /// What the distance of equal vectors may come to by rounding.
  private static let sameDistance: Float = 1e-3

  /// A drawing without extent says nothing about a shape, so it is recognised only where dots were taught.
  private func classify(
    _ drawings: [Drawing], vectors: [Float], candidates count: Int
  ) -> [Classification] {
    let labels = labels
    let confidences =
      memory.samples.isEmpty ? [] : head.confidences(for: vectors, in: memory)
    let distances = memory.distancesByLabel(of: vectors)
    return drawings.enumerated().map { row, drawing in
      let range = (row * labels.count)..<((row + 1) * labels.count)
      let ranked = zip(labels.indices, confidences[range])
        .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
        .prefix(count)
      let candidates = ranked.map { Candidate(label: labels[$0.0], confidence: Double($0.1)) }
      let evidence = Self.evidence(for: ranked.first?.0, in: distances[range])
      var decision = policy.decide(candidates.first, evidence: evidence)
      if !drawing.hasExtent, evidence.distance > Self.sameDistance {
        decision = .unrecognized(best: candidates.first)
      }
      return Classification(
        id: drawing.id, decision: decision, candidates: candidates, evidence: evidence,
        boundingBox: drawing.boundingBox ?? BoundingBox(x: 0, y: 0, width: 0, height: 0))
    }
  }

  private static func evidence(for label: Int?, in distances: ArraySlice<Float>) -> Evidence {
    var evidence = Evidence(distance: 2, otherDistance: 2)
    for (index, distance) in distances.enumerated() {
      if index == label {
        evidence.distance = distance
      } else {
        evidence.otherDistance = min(evidence.otherDistance, distance)
      }
    }
    return evidence
  }

  /// The taught samples nearest to a drawing: why it was recognised, or not.
  ///
  /// - Throws: `ModelError.drawing` when the drawing has no ink.
  public func nearestSamples(
    to drawing: Drawing, count: Int = 5
  ) throws -> [(sample: TaughtSample, distance: Float)] {
    guard !memory.samples.isEmpty else { return [] }
    let found = memory.neighbours(of: try embedding.vector(of: drawing), count: count)
    return found[0].map { (memory.samples[$0.row], $0.distance) }
  }
}

/// What a recogniser says about one drawing.
public struct Classification: Hashable, Sendable {
  /// The drawing's id.
  public var id: String
  /// Recognised or not.
  public var decision: Decision
  /// The likeliest labels, most believed first.
  public var candidates: [Candidate]
  /// How near the taught samples are: what the decision looked at.
  public var evidence: Evidence
  /// Where the drawing is, in its own units.
  public var boundingBox: BoundingBox
}

extension Drawing {
  /// Whether not all points are in one place.
  fileprivate var hasExtent: Bool {
    guard let box = boundingBox else { return false }
    return box.width > 0 || box.height > 0
  }
}
