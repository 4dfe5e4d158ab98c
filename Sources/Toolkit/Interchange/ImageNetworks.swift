public import Recognition

extension Recognizer {
  /// The recognizer by its networks that see ink alone, for which a gray image is enough. If others
  /// are left out, so are the priors, which are of the whole embedding, and nearest neighbors
  /// vote.
  ///
  /// - Throws: `ExportError.noImage` if it has no such network.
  public func restrictedToImages() throws -> Recognizer {
    let members = embedding.members
    let inputs = NetworkInput.all(of: members)
    guard !inputs.allSatisfy(\.isImage) else { return self }
    let left = zip(members, inputs).filter(\.1.isImage).map(\.0)
    guard !left.isEmpty else { throw ExportError.noImage(networks: inputs.map(\.summary)) }
    // The samples' vectors are at hand: those networks' parts, at length 1 again.
    let isKept = zip(members, inputs).flatMap { member, input in
      [Bool](repeating: input.isImage, count: member.dimension)
    }
    let length = zip(embedding.shares, inputs).reduce(Float(0)) { sum, part in
      sum + (part.1.isImage ? part.0 * part.0 : 0)
    }.squareRoot()
    let vectors = memory.vectors.enumerated().filter { isKept[$0.offset % isKept.count] }.map {
      $0.element / length
    }
    let head =
      if case .nearestNeighbors = head.configuration { head.configuration } else {
        HeadConfiguration.nearestNeighbors(count: 5, weights: .inverseDistance)
      }
    var result = Recognizer(
      embedding: try Embedding(left), head: head, policy: policy, provenance: provenance)
    result.update(with: memory.samples, vectors: vectors)
    return result
  }
}
