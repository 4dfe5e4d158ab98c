/// The number of samples for each true and predicted class, and the scores derived from it.
public struct ConfusionMatrix: Sendable, Equatable {
  /// The scores of one class; a ratio with denominator 0 is 0.
  public struct ClassScore: Sendable, Equatable {
    /// The number of samples of this class.
    public let support: Int
    /// The number of samples predicted as this class.
    public let predicted: Int
    /// The number of samples of this class that were predicted as it.
    public let correct: Int

    /// The share of correct ones among the predictions of this class, in 0...1.
    public var precision: Double { predicted == 0 ? 0 : Double(correct) / Double(predicted) }
    /// The share of this class's samples that were predicted as it, in 0...1.
    public var recall: Double { support == 0 ? 0 : Double(correct) / Double(support) }
    /// The harmonic mean of precision and recall, in 0...1.
    public var f1: Double {
      support + predicted == 0 ? 0 : 2 * Double(correct) / Double(support + predicted)
    }
  }

  /// Samples of one class that were predicted as another.
  public struct Confusion: Sendable, Equatable {
    /// The true class.
    public let truth: Int
    /// The predicted class.
    public let prediction: Int
    /// The number of such samples.
    public let count: Int
  }

  /// One cell of the matrix.
  private struct Cell: Hashable {
    /// The true class.
    let truth: Int
    /// The predicted class.
    let prediction: Int
  }

  /// C, the number of classes.
  public let classCount: Int
  /// The nonzero cells: with thousands of classes these are few, and a full table would take 8 C²
  /// bytes.
  private let counts: [Cell: Int]

  /// Counts predictions by their truth.
  ///
  /// - Parameters:
  ///   - predictions: The predicted classes, shape [N], each in 0..<`classCount`.
  ///   - truths: The true classes, shape [N], each in 0..<`classCount`.
  ///   - classCount: C; N may be 0.
  public init(predictions: [Int], truths: [Int], classCount: Int) {
    requireSameCount(predictions.count, truths.count)
    self.classCount = classCount
    var counts: [Cell: Int] = [:]
    for (prediction, truth) in zip(predictions, truths) {
      requireClass(prediction, classCount)
      requireClass(truth, classCount)
      counts[Cell(truth: truth, prediction: prediction), default: 0] += 1
    }
    self.counts = counts
  }

  /// The number of samples of class `truth` predicted as class `prediction`.
  public subscript(truth truth: Int, prediction prediction: Int) -> Int {
    requireClass(truth, classCount)
    requireClass(prediction, classCount)
    return counts[Cell(truth: truth, prediction: prediction)] ?? 0
  }

  /// The scores of every class, shape [C].
  ///
  /// - Complexity: O(C + N), and likewise for the averages below.
  public var classScores: [ClassScore] {
    var support = [Int](repeating: 0, count: classCount)
    var predicted = support
    var correct = support
    for (cell, count) in counts {
      support[cell.truth] += count
      predicted[cell.prediction] += count
      if cell.truth == cell.prediction { correct[cell.truth] = count }
    }
    return (0..<classCount).map {
      ClassScore(support: support[$0], predicted: predicted[$0], correct: correct[$0])
    }
  }

  /// The mean precision of the classes that occur in truths or predictions, or nil without any.
  public var macroPrecision: Double? { macro(\.precision) }
  /// The mean recall of the classes that occur in truths or predictions, or nil without any.
  public var macroRecall: Double? { macro(\.recall) }
  /// The mean F1 of the classes that occur in truths or predictions, or nil without any.
  public var macroF1: Double? { macro(\.f1) }

  private func macro(_ score: (ClassScore) -> Double) -> Double? {
    let seen = classScores.filter { $0.support + $0.predicted > 0 }
    return seen.isEmpty ? nil : seen.reduce(0) { $0 + score($1) } / Double(seen.count)
  }

  /// The wrong predictions by pair of classes, most frequent first, then by true and predicted
  /// class.
  public var confusions: [Confusion] {
    counts.compactMap { cell, count in
      cell.truth == cell.prediction
        ? nil : Confusion(truth: cell.truth, prediction: cell.prediction, count: count)
    }
    .sorted {
      ($1.count, $0.truth, $0.prediction) < ($0.count, $1.truth, $1.prediction)
    }
  }
}
