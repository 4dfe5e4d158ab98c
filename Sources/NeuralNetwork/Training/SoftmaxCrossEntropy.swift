internal import Support

/// The mean negative log-likelihood of the right class under softmax, with label smoothing
/// (Szegedy et al. 2016, doi:10.1109/CVPR.2016.308).
///
/// With smoothing s and C classes, the right class has target 1 - s + s / C and each other s / C.
public struct SoftmaxCrossEntropy: Sendable, Equatable {
  /// The label smoothing: the share of the target spread over all classes, in 0..<1.
  public var labelSmoothing: Float

  /// A loss.
  public init(labelSmoothing: Float = 0) {
    self.labelSmoothing = labelSmoothing
  }

  /// The summed results of some examples.
  public struct Result: Sendable, Equatable {
    /// The sum of the examples' losses.
    public var loss = 0.0
    /// The number of examples whose label has the highest score.
    public var correct = 0
  }

  /// The loss of examples whose scores are the rows of `logits`.
  ///
  /// - Parameters:
  ///   - logits: Scores, row-major [labels.count, classes].
  ///   - classes: The number of classes.
  ///   - labels: The correct class of each row, in 0..<classes.
  ///   - gradient: Receives the gradient of the *sum* of losses with respect to the scores, times
  ///     `factor`.
  ///   - factor: The scale of the gradient, such as 1 / batch size.
  /// - Returns: The summed loss and the number of correct examples.
  public func callAsFunction(
    _ logits: [Float], classes: Int, labels: [Int], gradient: inout [Float], factor: Float = 1
  ) -> Result {
    precondition(
      logits.count >= labels.count * classes && gradient.count >= labels.count * classes,
      "\(labels.count) rows of \(classes) scores")
    var result = Result()
    for (row, label) in labels.enumerated() {
      let (loss, isCorrect) = self.row(
        logits, (row * classes)..<((row + 1) * classes), label: label, gradient: &gradient,
        factor: factor)
      result.loss += loss
      if isCorrect { result.correct += 1 }
    }
    return result
  }

  /// The loss of one example, and whether it is classified correctly.
  func row(
    _ logits: [Float], _ scores: Range<Int>, label: Int, gradient: inout [Float], factor: Float
  ) -> (loss: Double, isCorrect: Bool) {
    let start = scores.lowerBound
    let base = labelSmoothing / Float(scores.count)
    var top = start
    for index in scores where logits[index] > logits[top] { top = index }
    let highest = logits[top]
    var sum: Float = 0
    var total: Double = 0
    for index in scores {
      let power = expf(logits[index] - highest)
      gradient[index] = power
      sum += power
      total += Double(logits[index] - highest)
    }
    let logSum = Double(logf(sum))
    let right = Double(logits[start + label] - highest)
    // -Σ target · log p, where log p = score - highest - log Σ.
    let loss = logSum - Double(1 - labelSmoothing) * right - Double(base) * total
    let scale = factor / sum
    for index in scores { gradient[index] = gradient[index] * scale - base * factor }
    gradient[start + label] -= (1 - labelSmoothing) * factor
    return (loss, top == start + label)
  }
}
