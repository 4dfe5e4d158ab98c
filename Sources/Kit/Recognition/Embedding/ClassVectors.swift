public import Ink
internal import Numbers

/// The class weights of the cosine classifier that trained an embedding, as unit vectors, and the
/// drawings that the weights were fitted to.
///
/// For labels that trained the embedding, they are often better prototypes than the mean vectors of
/// the training drawings. Teaching and forgetting do not change them.
public struct ClassVectors: Sendable, Equatable {
  /// The labels in ascending order.
  public let labels: [String]
  /// Row-major, shape [labels, dimension].
  public let vectors: [Float]
  /// The digests of the drawings of each label that the weights were fitted to, shape [labels].
  public let fittedDigests: [Set<String>]

  /// The vectors of `labels`; empty for an embedding of unknown origin.
  ///
  /// - Parameters:
  ///   - labels: In ascending order.
  ///   - vectors: Row-major, shape [labels, dimension].
  ///   - fittedDigests: Shape [labels]; nil if the drawings are unknown.
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

  /// The class vectors of an embedding of several networks, joined from those of each network.
  ///
  /// - Parameters:
  ///   - parts: The class vectors of each network, for the same labels, in the networks' order.
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
  /// other labels are ignored.
  ///
  /// - Parameters:
  ///   - drawings: The drawings of this training.
  ///   - before: The class vectors of an earlier training of the same weights.
  /// - Returns: The vectors with the record.
  public func fitted(
    to drawings: [Drawing], after before: ClassVectors = ClassVectors()
  ) -> ClassVectors {
    var digests = labels.map { label in
      before.index(of: label).map { before.fittedDigests[$0] } ?? []
    }
    for drawing in drawings {
      if let label = drawing.label, let index = index(of: label.inNormalFormC) {
        digests[index].insert(drawing.digest)
      }
    }
    return ClassVectors(labels: labels, vectors: vectors, fittedDigests: digests)
  }

  /// Whether the weights were fitted to a drawing under its current label; under another label it
  /// counts as new.
  package func wasFitted(to sample: TaughtSample) -> Bool {
    index(of: sample.label).map { fittedDigests[$0].contains(sample.digest) } ?? false
  }

  /// The vector of a label; nil if the training did not include it.
  public func vector(of label: String) -> ArraySlice<Float>? {
    guard let index = index(of: label) else { return nil }
    let dimension = vectors.count / labels.count
    return vectors[(index * dimension)..<((index + 1) * dimension)]
  }

  /// The index of a label, by binary search.
  private func index(of label: String) -> Int? {
    let place = labels.partitioningIndex { $0 >= label }
    return place < labels.count && labels[place] == label ? place : nil
  }
}
