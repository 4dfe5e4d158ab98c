/// The choice among several priors: that under which the taught drawings are likeliest, summed over
/// labels (`TwoCovarianceModel.logLikelihoods`), with a lead for the first.
///
/// The choice follows from the set of samples alone. The likelihoods of each label are cached, so
/// that only labels that change are recomputed.
struct PriorChoice: Sendable, Equatable {
  /// The index of the prior.
  private(set) var index = 0
  /// The logarithms of the likelihood of each label's drawings, shape [labels][priors].
  private var likelihoods: [[Double]] = []

  /// The log-likelihood ratio that another prior needs against the first one.
  ///
  /// Normal densities in hundreds of dimensions are overconfident. With this lead, one in fifty
  /// single everyday drawings of labels held out from `models/base-slim.drawml` selects the prior
  /// of characters, and no task of five labels does; 97 % of tasks of five or more characters of
  /// unseen alphabets select it.
  static let lead = 30.0
  /// The maximum number of drawings per label that are compared; more add little.
  static let drawingsPerLabel = 5
  /// The number of labels whose vectors are in memory at once.
  private static let labelsAtOnce = 16

  /// Updates the choice after a change of the memory.
  ///
  /// - Parameters:
  ///   - memory: The memory, with up-to-date samples and labels.
  ///   - order: For each label its old index, or nil if its samples have changed.
  mutating func update(for memory: borrowing SampleMemory, _ order: [Int?]) {
    guard memory.priors.count > 1 else { return }
    let old = likelihoods
    likelihoods = order.map { $0.map { old[$0] } ?? [] }
    let changed = order.indices.filter { order[$0] == nil }
    for first in stride(from: 0, to: changed.count, by: Self.labelsAtOnce) {
      let labels = changed[first..<min(first + Self.labelsAtOnce, changed.count)]
      let vectors = labels.map { Self.vectors(of: $0, in: memory) }
      for prior in memory.priors {
        let values = prior.model.logLikelihoods(ofLabels: vectors)
        for (label, value) in zip(labels, values) { likelihoods[label].append(value) }
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
      // The same ink under another id adds no information.
      if place > 0, samples[chosen[place - 1]].digest == digest { continue }
      chosen.insert(row, at: place)
      if chosen.count > drawingsPerLabel { chosen.removeLast() }
    }
    return chosen.flatMap { Array(memory.vector($0)) }
  }
}
