/// Which of several priors the taught drawings speak for: that under which they are likeliest,
/// label by label (`TwoCovarianceModel.logLikelihood`), where the first is favored.
///
/// The choice follows from the set of samples alone. What a label's drawings come to is kept, so
/// that only labels that change are recomputed.
struct PriorChoice: Sendable, Equatable {
  /// The index of the prior.
  private(set) var index = 0
  /// The logarithms of the likelihood of each label's drawings, shape [labels][priors].
  private var likelihoods: [[Double]] = []

  /// By how much the drawings must be likelier under another prior than under the first one,
  /// as a logarithm.
  ///
  /// Normal densities of hundreds of numbers are too sure of themselves. With this lead, of single
  /// everyday drawings of labels held out from `models/base-slim.drawml` one in fifty is taken for
  /// a character, of five labels none; and 97 in a hundred tasks of five characters or more are
  /// known for such, of alphabets that the prior has not seen.
  static let lead = 30.0
  /// The most drawings per label that are compared; more tell little.
  static let drawingsPerLabel = 5

  /// Follows a change of the memory.
  ///
  /// - Parameters:
  ///   - memory: Its samples and labels are up to date.
  ///   - order: For each label its old index, or nil where its samples have changed.
  mutating func update(for memory: borrowing SampleMemory, _ order: [Int?]) {
    guard memory.priors.count > 1 else { return }
    let old = likelihoods
    likelihoods = []
    for (label, place) in order.enumerated() {
      if let place {
        likelihoods.append(old[place])
      } else {
        let vectors = Self.vectors(of: label, in: memory)
        likelihoods.append(
          memory.priors.map { $0.model.logLikelihood(ofOneLabel: vectors) })
      }
    }
    var totals = memory.priors.indices.map { $0 == 0 ? Self.lead : 0 }
    for label in likelihoods {
      for (prior, value) in label.enumerated() { totals[prior] += value }
    }
    index = totals.indices.reduce(0) { totals[$1] > totals[$0] ? $1 : $0 }
  }

  /// The vectors of a label's first drawings in digest order, so the choice does not depend on
  /// insertion order.
  private static func vectors(of label: Int, in memory: borrowing SampleMemory) -> [Float] {
    let samples = memory.samples
    var chosen: [Int] = []
    for row in memory.rows(ofLabel: label) {
      let digest = samples[row].digest
      let place = chosen.lastIndex { samples[$0].digest <= digest }.map { $0 + 1 } ?? 0
      guard place < drawingsPerLabel else { continue }
      // The same ink under another name says nothing more.
      if place > 0, samples[chosen[place - 1]].digest == digest { continue }
      chosen.insert(row, at: place)
      if chosen.count > drawingsPerLabel { chosen.removeLast() }
    }
    return chosen.flatMap { Array(memory.vector($0)) }
  }
}
