internal import NeuralNetwork

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
    let order = isSame ? order : order.map { _ in nil }
    let changed = order.indices.filter { order[$0] == nil }
    var new = newRows(of: changed, in: memory).makeIterator()
    byLabel = order.indices.map { label in
      guard let old = order[label] else { return new.next() ?? [] }
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

  /// Some eligible rows of each of the labels.
  private func newRows(of labels: [Int], in memory: SampleMemory) -> [[Row]] {
    let (freshOnly, fitted) = (choice.freshOnly, memory.wasFitted)
    return Self.rows(of: labels, in: memory, atMost: choice.rowsPerLabel) {
      !(freshOnly && fitted[$0])
    }
  }

  /// A sample to be left out.
  private struct Candidate {
    let row: Int
    let label: Int
    /// How many samples of the label have the same ink.
    let copies: Int
    /// The part of the adaptation's samples that it belongs to; nil for none.
    let part: Int?
  }

  /// The rows of each of the labels that satisfy `isChosen`, each left out of its label together
  /// with its part of the adaptation's samples. The same ink under several ids is one drawing; all
  /// its copies are left out together.
  static func rows(
    of labels: [Int], in memory: SampleMemory, atMost limit: Int = .max,
    where isChosen: (_ row: Int) -> Bool
  ) -> [[Row]] {
    let chosen = labels.map { candidates(of: $0, in: memory, atMost: limit, where: isChosen) }
    let all = chosen.flatMap(\.self)
    // Together, the samples that are scored by one model; the order of the models does not matter.
    let places = Dictionary(grouping: all.indices) { all[$0].part }
    let groups = places.map { (part: $0.key, places: $0.value) }
    let found = concurrentMap(groups.count) { number in
      let candidates = groups[number].places.map { all[$0] }
      return rows(
        of: candidates, by: memory.scores(leavingOutPart: groups[number].part), in: memory)
    }
    var byPlace = [Row?](repeating: nil, count: all.count)
    for (group, rows) in zip(groups, found) {
      for (place, row) in zip(group.places, rows) { byPlace[place] = row }
    }
    var last = 0
    return chosen.map { candidates in
      defer { last += candidates.count }
      return byPlace[last..<(last + candidates.count)].compactMap(\.self)
    }
  }

  /// The samples of a label to be left out, one of each ink.
  private static func candidates(
    of label: Int, in memory: SampleMemory, atMost limit: Int,
    where isChosen: (_ row: Int) -> Bool
  ) -> [Candidate] {
    let all = memory.rows(ofLabel: label)
    guard all.count > 1 else { return [] }
    let digests = memory.samples[all].map(\.digest)
    var copies: [String: Int] = [:]
    for digest in digests { copies[digest, default: 0] += 1 }
    // A label of one ink has no samples without it.
    guard copies.count > 1 else { return [] }
    var found: [Candidate] = []
    // In digest order, which is as good as random; ids may correlate with difficulty.
    let order =
      all.count > limit
      ? all.sorted { digests[$0 - all.lowerBound] < digests[$1 - all.lowerBound] } : Array(all)
    for row in order where found.count < limit && isChosen(row) {
      let digest = memory.samples[row].digest
      // Removed, so that each ink gives one row.
      guard let count = copies.removeValue(forKey: digest) else { continue }
      found.append(
        Candidate(
          row: row, label: label, copies: count, part: memory.adaptedModels?.partOf[digest]))
    }
    return found
  }

  /// The rows of samples, whose part the model of `labelScores` was fitted without.
  private static func rows(
    of candidates: [Candidate], by labelScores: LabelScores, in memory: SampleMemory
  ) -> [Row] {
    let (model, directions) = (labelScores.model, labelScores.model.directions)
    let projected = model.project(memory.vectors(candidates.map(\.row)))
    return candidates.enumerated().compactMap { place, sample in
      let x = Array(projected[(place * directions)..<((place + 1) * directions)])
      guard
        let own = labelScores.scoreLeftOut(of: x, copies: sample.copies, label: sample.label)
      else { return nil }
      var scores = labelScores.scores(of: x)
      scores[sample.label] = own
      return Row(
        x: x, squares: x.map { $0 * $0 }, part: sample.part, own: own,
        gain: labelScores.meanGain(ofLast: sample.copies, label: sample.label), scores: scores)
    }
  }
}
