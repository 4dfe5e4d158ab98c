public import Ink
internal import Support

/// What an embedding's training leaves of its labels: the unit vectors that stood for them, which
/// are the weights of its cosine classifier, and which drawings the weights were fitted to.
///
/// For drawings that trained the embedding the vectors say more than the mean of those drawings'
/// vectors. All this is the training's: teaching and forgetting leave it as it is.
public struct ClassVectors: Sendable, Equatable {
  /// The labels in ascending order.
  public let labels: [String]
  /// Row-major, shape [labels, dimension].
  public let vectors: [Float]
  /// The digests of the drawings of each label that the weights were fitted to, shape [labels].
  public let fittedDigests: [Set<String>]

  /// The vectors of `labels`, which are in ascending order; none for an embedding of unknown
  /// origin.
  ///
  /// - Parameters:
  ///   - labels: In ascending order.
  ///   - vectors: Row-major, shape [labels, dimension].
  ///   - fittedDigests: Shape [labels]; leave it out where nothing is known of the drawings.
  public init(
    labels: [String] = [], vectors: [Float] = [], fittedDigests: [Set<String>]? = nil
  ) {
    precondition(
      labels.isEmpty ? vectors.isEmpty : vectors.count % labels.count == 0,
      "\(labels.count) labels cannot share \(vectors.count) numbers")
    let fittedDigests = fittedDigests ?? labels.map { _ in [] }
    precondition(
      fittedDigests.count == labels.count,
      "\(labels.count) labels need as many sets of digests, got \(fittedDigests.count)")
    self.labels = labels
    self.vectors = vectors
    self.fittedDigests = fittedDigests
  }

  /// The vectors of an embedding of several networks, from those that each network's training left.
  ///
  /// - Parameters:
  ///   - parts: What each training left, of the same labels, in the networks' order.
  ///   - embedding: The embedding of these networks.
  public init(joining parts: [ClassVectors], for embedding: Embedding) {
    let labels = parts.first?.labels ?? []
    precondition(
      parts.allSatisfy { $0.labels == labels }, "networks of one embedding know the same labels")
    let shares = embedding.shares
    precondition(
      shares.count == parts.count, "\(parts.count) trainings for \(shares.count) networks")
    self.init(
      labels: labels,
      vectors: labels.flatMap { label in
        zip(parts, shares).flatMap { part, share in
          (part.vector(of: label) ?? []).map { $0 * share }
        }
      })
  }

  /// The same vectors with a record of the drawings that the weights were fitted to. Drawings of
  /// labels that are not here are left out.
  public func fitted(to drawings: [Drawing]) -> ClassVectors {
    var digests: [Set<String>] = labels.map { _ in [] }
    for drawing in drawings {
      if let label = drawing.label, let index = index(of: label.inNormalFormC) {
        digests[index].insert(drawing.digest)
      }
    }
    return ClassVectors(labels: labels, vectors: vectors, fittedDigests: digests)
  }

  /// Whether the weights were fitted to a drawing under the label that it has. Under another one it
  /// is new to them.
  func wasFitted(to sample: TaughtSample) -> Bool {
    index(of: sample.label).map { fittedDigests[$0].contains(sample.digest) } ?? false
  }

  /// The vector of a label, or nil where the training did not know it.
  public func vector(of label: String) -> ArraySlice<Float>? {
    guard let index = index(of: label) else { return nil }
    let dimension = vectors.count / labels.count
    return vectors[(index * dimension)..<((index + 1) * dimension)]
  }

  /// The place of a label by binary search.
  private func index(of label: String) -> Int? {
    let place = labels.partitioningIndex { $0 >= label }
    return place < labels.count && labels[place] == label ? place : nil
  }
}
