/// How well taught drawings fit the labels when each is left out of its own: what new drawings will
/// score.
///
/// A sample that the prior was adapted to is judged by a model that was learned without it.
/// Some hundred of them tell enough, a few of each label. Every number depends on two labels'
/// samples at most, so only those of labels that change are recomputed.
struct LeftOutScores: Sendable, Equatable {
  /// A taught drawing.
  struct Row: Sendable, Equatable {
    /// Its vector in the prior's coordinates, shape [directions].
    let x: [Float]
    /// The squares of `x`.
    let squares: [Float]
    /// The part of the adaptation's samples that it belongs to; nil for none.
    let part: Int?
    /// Its score under its own label, had it not been taught.
    let own: Float
    /// Its scores under all labels, shape [labels]; under its own that without it.
    var scores: [Float]
  }

  /// The most rows of a label, and whether those that trained the embedding are left out.
  private struct Choice: Sendable, Equatable {
    var rowsPerLabel = LeftOutScores.usualCount
    var freshOnly = false
  }

  private var choice = Choice()
  /// The rows of each label, in the order of labels.
  private(set) var byLabel: [[Row]] = []

  /// About how many rows are kept; more with more labels.
  private static let usualCount = 256

  /// Follows a change of the memory.
  ///
  /// - Parameters:
  ///   - memory: Its samples, labels and label scores are up to date.
  ///   - order: For each label its old index, or nil where its samples have changed.
  mutating func update(for memory: borrowing SampleMemory, _ order: [Int?]) {
    let oldChoice = choice
    choice = Self.choice(for: memory)
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

  /// What every row comes to; in the order of labels.
  func answers() -> [BestScore] { byLabel.joined().compactMap { BestScore($0.scores) } }

  /// A power of two, so that another label seldom changes it.
  private static func choice(for memory: borrowing SampleMemory) -> Choice {
    var choice = Choice()
    while choice.rowsPerLabel > 1, choice.rowsPerLabel * memory.labels.count > usualCount {
      choice.rowsPerLabel /= 2
    }
    let fitted = memory.wasFitted.count { $0 }
    choice.freshOnly =
      fitted > 0 && memory.wasFitted.count - fitted >= SampleMemory.fewestFresh
    return choice
  }

  /// The first rows of a label that may be used.
  private func newRows(of label: Int, in memory: borrowing SampleMemory) -> [Row] {
    let (freshOnly, fitted) = (choice.freshOnly, memory.wasFitted)
    return Self.rows(of: label, in: memory, atMost: choice.rowsPerLabel) {
      !(freshOnly && fitted[$0])
    }
  }

  /// The rows of a label that `isChosen`, each left out of its label and with its part of the
  /// adaptation's samples. The same ink under several ids is one drawing, and is left out all at
  /// once.
  static func rows(
    of label: Int, in memory: borrowing SampleMemory, atMost limit: Int = .max,
    where isChosen: (_ row: Int) -> Bool
  ) -> [Row] {
    let all = memory.rows(ofLabel: label)
    guard all.count > 1 else { return [] }
    var copies: [String: Int] = [:]
    for row in all { copies[memory.samples[row].digest, default: 0] += 1 }
    var found: [Row] = []
    for row in all where found.count < limit && isChosen(row) {
      let digest = memory.samples[row].digest
      // Taken away, so that the next of the same ink finds none.
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
          x: x, squares: x.map { $0 * $0 }, part: part, own: own, scores: scores))
    }
    return found
  }
}
