/// The leave-one-out scores of taught drawings, an estimate of the scores of new drawings.
///
/// A sample that the prior was adapted to is scored by a model fitted without it. A few samples of
/// each label are used, some hundred in all. Every number depends on two labels' samples at most,
/// so only those of labels that change are recomputed.
struct LeaveOneOutScores: Sendable, Equatable {
  /// A taught drawing.
  struct Row: Sendable, Equatable {
    /// Its vector in the prior's coordinates, shape [directions].
    let x: [Float]
    /// The squares of `x`.
    let squares: [Float]
    /// The part of the adaptation's samples that it belongs to; nil for none.
    let part: Int?
    /// Its leave-one-out score under its own label.
    let own: Float
    /// What the samples that were left out add to a new drawing's score on average, ≥ 0.
    let gain: Float
    /// Its scores under all labels, shape [labels]; the leave-one-out score under its own.
    var scores: [Float]
  }

  /// The maximum number of rows per label, and whether drawings that trained the embedding are
  /// excluded.
  private struct Choice: Sendable, Equatable {
    var rowsPerLabel = LeaveOneOutScores.usualCount
    var freshOnly = false
    /// Whether drawings that trained the embedding are among the rows.
    var hasFitted = false
  }

  private var choice = Choice()
  /// The rows of each label, in the order of labels.
  private(set) var byLabel: [[Row]] = []
  /// The memory's penalties, shape [labels].
  private var penalties: [Float] = []

  /// Whether no row is of a drawing that trained the embedding.
  var isFresh: Bool { !choice.hasFitted }

  /// The approximate number of rows; more with more labels.
  private static let usualCount = 256

  /// Updates the scores after a change of the memory.
  ///
  /// - Parameters:
  ///   - memory: The memory, with up-to-date samples, labels, label scores and penalties.
  ///   - order: For each label its old index, or nil if its samples have changed.
  mutating func update(for memory: borrowing SampleMemory, _ order: [Int?]) {
    let oldChoice = choice
    choice = Self.choice(for: memory)
    penalties = memory.penalties
    let isSame = choice == oldChoice
    let oldRows = byLabel
    byLabel = order.indices.map { label in
      guard isSame, let old = order[label] else { return newRows(of: label, in: memory) }
      return oldRows[old].map { oldRow in
        var row = oldRow
        let scores = memory.scores(leavingOutPart: row.part)
        row.scores = order.indices.map { other in
          if other == label { return row.own }
          if let old = order[other] { return oldRow.scores[old] }
          return scores.score(of: row.x, squares: row.squares, label: other)
        }
        return row
      }
    }
  }

  /// The scores that a new drawing of the row's label is expected to get: the sample's, with what
  /// leaving it out cost its label, less the penalties. Shape [labels].
  func estimate(_ row: Row, label: Int) -> [Float] {
    var scores = zip(row.scores, penalties).map { $0 - $1 }
    scores[label] += row.gain
    return scores
  }

  /// The estimates of all rows, each with its label, in the order of labels.
  func estimates() -> [(scores: [Float], label: Int)] {
    byLabel.enumerated().flatMap { label, rows in
      rows.map { (estimate($0, label: label), label) }
    }
  }

  /// The best label of every row's estimate, in the order of labels.
  func answers() -> [BestScore] { estimates().compactMap { BestScore($0.scores) } }

  /// The number of rows per label is a power of two, so that a new label seldom changes it.
  private static func choice(for memory: borrowing SampleMemory) -> Choice {
    var choice = Choice()
    while choice.rowsPerLabel > 1, choice.rowsPerLabel * memory.labels.count > usualCount {
      choice.rowsPerLabel /= 2
    }
    let fitted = memory.wasFitted.count { $0 }
    choice.freshOnly =
      fitted > 0 && memory.wasFitted.count - fitted >= SampleMemory.fewestFresh
    choice.hasFitted = fitted > 0 && !choice.freshOnly
    return choice
  }

  /// Some eligible rows of a label.
  private func newRows(of label: Int, in memory: borrowing SampleMemory) -> [Row] {
    let (freshOnly, fitted) = (choice.freshOnly, memory.wasFitted)
    return Self.rows(of: label, in: memory, atMost: choice.rowsPerLabel) {
      !(freshOnly && fitted[$0])
    }
  }

  /// The rows of a label that satisfy `isChosen`, each left out of its label together with its part
  /// of the adaptation's samples. The same ink under several ids is one drawing; all its copies are
  /// left out together.
  static func rows(
    of label: Int, in memory: borrowing SampleMemory, atMost limit: Int = .max,
    where isChosen: (_ row: Int) -> Bool
  ) -> [Row] {
    let all = memory.rows(ofLabel: label)
    guard all.count > 1 else { return [] }
    let digests = memory.samples[all].map(\.digest)
    var copies: [String: Int] = [:]
    for digest in digests { copies[digest, default: 0] += 1 }
    var found: [Row] = []
    // In digest order, which is as good as random; ids may correlate with difficulty.
    let order =
      all.count > limit
      ? all.sorted { digests[$0 - all.lowerBound] < digests[$1 - all.lowerBound] } : Array(all)
    for row in order where found.count < limit && isChosen(row) {
      let digest = memory.samples[row].digest
      // Removed, so that each ink gives one row.
      guard let count = copies.removeValue(forKey: digest) else { continue }
      let part = memory.adaptedModels?.partOf[digest]
      let labelScores = memory.scores(leavingOutPart: part)
      let x = labelScores.model.project(Array(memory.vector(row)))
      guard let own = labelScores.scoreLeftOut(of: x, copies: count, label: label)
      else { continue }
      var scores = labelScores.scores(of: x)
      scores[label] = own
      found.append(
        Row(
          x: x, squares: x.map { $0 * $0 }, part: part, own: own,
          gain: labelScores.meanGain(ofLast: count, label: label), scores: scores))
    }
    return found
  }
}
