internal import CLibrary
internal import Numbers

/// Simulated few-shot tasks on base labels: a few drawings of each are taught, others are queries.
struct CalibrationTasks {
  private let model: TwoCovarianceModel
  /// The projected vectors of each label, shape [labels][drawings][directions].
  private let vectors: [[[Float]]]

  init(
    of model: TwoCovarianceModel, vectors: [Float], classes: [Int]
  ) throws(ModelError) {
    precondition(
      vectors.count == classes.count * model.dimension,
      "\(classes.count) vectors of \(model.dimension) numbers expected, got \(vectors.count)")
    self.model = model
    let projected = model.project(vectors)
    var groups: [Int: [[Float]]] = [:]
    for (row, number) in classes.enumerated() {
      groups[number, default: []].append(
        Array(projected[(row * model.directions)..<((row + 1) * model.directions)]))
    }
    self.vectors = groups.sorted { $0.key < $1.key }.map(\.value).filter { $0.count >= 2 }
    guard self.vectors.count >= 2 else { throw Self.tooFew }
  }

  /// There are not enough drawings for any task.
  static let tooFew = ModelError.noStatistics(
    "there are fewer than two labels with two drawings or more")

  /// The scores of all labels of a task for drawings that were not taught.
  struct Answers {
    /// Row-major, shape [truths.count, labels].
    var scores: [Float] = []
    /// The index of each drawing's own label.
    var truths: [Int] = []
    let labels: Int

    /// No answers yet.
    init(labels: Int) { self.labels = labels }

    /// The answers of all parts, interleaved; their tasks have the same number of labels. Nil if
    /// `parts` is empty.
    init?(inTurns parts: [Answers]) {
      guard let first = parts.first else { return nil }
      labels = first.labels
      for row in 0..<(parts.map(\.truths.count).max() ?? 0) {
        for part in parts where row < part.truths.count {
          scores += part.scores[(row * labels)..<((row + 1) * labels)]
          truths.append(part.truths[row])
        }
      }
    }
  }

  /// The minimum number of eligible base labels per label of a task, so that tasks differ.
  private static let choice = 1.5
  /// The number of queries per label in one task: few, because those of one task are correlated.
  private static let questionsOfLabel = 2

  /// The answers to at least `questions` queries, in tasks of `labels` labels with `shots` taught
  /// drawings each; nil if there are too few base drawings.
  func answers(
    labels: Int, shots: Int, questions: Int, using generator: inout SeededGenerator
  ) -> Answers? {
    let able = vectors.indices.filter { vectors[$0].count > shots }
    let fewest = labels <= 2 ? 2 : Int((Double(labels) * Self.choice).rounded(.up))
    guard able.count >= fewest else { return nil }
    var answers = Answers(labels: labels)
    var order = Array(able.indices)
    var rows = able.map { Array(vectors[$0].indices) }
    while answers.truths.count < questions {
      var asked: [(truth: Int, x: [Float])] = []
      var taught: [LabelScores.Label] = []
      for truth in 0..<labels {
        Self.pick(truth, of: &order, using: &generator)
        let place = order[truth]
        let all = vectors[able[place]]
        let wanted = min(all.count, shots + Self.questionsOfLabel)
        for row in 0..<wanted { Self.pick(row, of: &rows[place], using: &generator) }
        let chosen = rows[place].prefix(wanted).map { all[$0] }
        taught.append(.init(count: shots, mean: Self.mean(chosen[..<shots])))
        asked += chosen[shots...].map { (truth, $0) }
      }
      var scores = LabelScores(model: model)
      scores.replaceLabels([Int?](repeating: nil, count: labels), changed: taught)
      for (truth, x) in asked {
        answers.scores += scores.scores(of: x)
        answers.truths.append(truth)
      }
    }
    return answers
  }

  /// Swaps a random element from `place` on into `place`: one step of a shuffle.
  private static func pick(
    _ place: Int, of order: inout [Int], using generator: inout SeededGenerator
  ) {
    order.swapAt(place, place + generator.integer(below: order.count - place))
  }

  private static func mean(_ rows: ArraySlice<[Float]>) -> [Float] {
    var mean = [Float](repeating: 0, count: rows.first?.count ?? 0)
    for row in rows { for k in mean.indices { mean[k] += row[k] } }
    for k in mean.indices { mean[k] /= Float(rows.count) }
    return mean
  }
}

/// The quantiles and the temperature from the answers of one kind of task.
struct CalibrationCell {
  let evidence: [Float]
  let temperature: Float

  init(_ answers: CalibrationTasks.Answers, marginWeight: Float) {
    let labels = answers.labels
    let best = answers.truths.indices.compactMap {
      BestScore(answers.scores[($0 * labels)..<(($0 + 1) * labels)])
    }
    evidence = Self.quantiles(best.map { $0.evidence(marginWeight) })
    temperature = labels > 1 ? Self.temperature(answers) : 1
  }

  /// Quantiles by linear interpolation.
  private static func quantiles(_ values: [Float]) -> [Float] {
    let sorted = values.sorted()
    return (0..<Calibration.quantileCount).map { index in
      let place = Float(index) / Float(Calibration.quantileCount - 1) * Float(sorted.count - 1)
      let low = min(Int(place), sorted.count - 1)
      let high = min(low + 1, sorted.count - 1)
      return sorted[low] + (place - Float(low)) * (sorted[high] - sorted[low])
    }
  }

  /// The temperature that maximizes the likelihood of the true labels.
  private static func temperature(_ answers: CalibrationTasks.Answers) -> Float {
    // A thousand answers suffice to fit one number.
    let rows = answers.truths.indices.prefix(1000)
    let logarithmic = goldenSection(from: -1.5, to: 4) { logTemperature in
      negativeLogLikelihood(
        Array(answers.scores.prefix(rows.count * answers.labels)),
        truths: Array(answers.truths.prefix(rows.count)), labels: answers.labels,
        scale: Float(exp(-logTemperature)))
    }
    return Float(exp(logarithmic))
  }
}
