internal import CLibrary

/// The training objective: the cross-entropy of classes, and the distance to a teacher's output
/// (Hinton, Vinyals and Dean 2015, arXiv 1503.02531; with directions in place of class scores as in
/// Romero et al. 2015, arXiv 1412.6550).
///
/// The network's output is [class scores, student vector]. An example's loss is its softmax
/// cross-entropy if it has a class, plus `targetWeight` × (1 - cosine of student vector and target)
/// if it has a target.
package struct TrainingLoss: Sendable {
  /// The label smoothing s in 0..<1: of C classes, the right one has target 1 - s + s / C and each
  /// other s / C (Szegedy et al. 2016, doi:10.1109/CVPR.2016.308).
  var labelSmoothing: Float = 0
  /// The weight of the distance to the target.
  var targetWeight: Float = 0

  /// The summed results of some examples.
  package struct Result: Sendable, Equatable, BitwiseCopyable {
    /// The sum of the examples' losses.
    package var loss = 0.0
    /// The number of examples whose class has the highest score.
    package var correct = 0
    /// The number of examples with a class.
    package var labeled = 0
    /// The sum of the cosines of student vectors and targets.
    package var cosines = 0.0

    /// Adds the sums of other examples.
    mutating func add(_ other: Result) {
      loss += other.loss
      correct += other.correct
      labeled += other.labeled
      cosines += other.cosines
    }
  }

  /// The loss of examples whose outputs are rows.
  ///
  /// - Parameters:
  ///   - output: Row-major [labels.count, width].
  ///   - width: The number of classes plus `targetSize`.
  ///   - targets: Row-major [labels.count, targetSize]; a row of zeros is no target.
  ///   - targetSize: The length of a target.
  ///   - labels: The class of each row, or nil if it has no class.
  ///   - gradient: Receives the gradient of the *sum* of losses with respect to the output, times
  ///     `factor`.
  ///   - factor: The scale of the gradient, such as 1 / batch size.
  /// - Returns: The sums over the examples.
  func callAsFunction(
    _ output: [Float], width: Int, targets: [Float] = [], targetSize: Int = 0, labels: [Int?],
    gradient: inout [Float], factor: Float = 1
  ) -> Result {
    precondition(
      width > targetSize && output.count >= labels.count * width
        && gradient.count >= labels.count * width && targets.count >= labels.count * targetSize,
      "\(labels.count) rows of \(width) outputs and \(targetSize) target values")
    var result = Result()
    for (row, label) in labels.enumerated() {
      let start = row * width
      let scores = start..<(start + width - targetSize)
      if let label {
        let (loss, isCorrect) = classify(
          output, scores, label: label, gradient: &gradient, factor: factor)
        result.loss += loss
        result.labeled += 1
        if isCorrect { result.correct += 1 }
      } else {
        for index in scores { gradient[index] = 0 }
      }
      if targetSize > 0 {
        let cosine = follow(
          output, at: scores.upperBound, targets, at: row * targetSize, count: targetSize,
          gradient: &gradient, factor: factor * targetWeight)
        if let cosine {
          result.loss += Double(targetWeight) * (1 - cosine)
          result.cosines += cosine
        }
      }
    }
    return result
  }

  /// The loss of one example, and whether it is classified correctly.
  private func classify(
    _ output: [Float], _ scores: Range<Int>, label: Int, gradient: inout [Float], factor: Float
  ) -> (loss: Double, isCorrect: Bool) {
    let start = scores.lowerBound
    let base = labelSmoothing / Float(scores.count)
    var top = start
    for index in scores where output[index] > output[top] { top = index }
    let highest = output[top]
    var sum: Float = 0
    var total: Double = 0
    for index in scores {
      let power = expf(output[index] - highest)
      gradient[index] = power
      sum += power
      total += Double(output[index] - highest)
    }
    let logSum = Double(logf(sum))
    let right = Double(output[start + label] - highest)
    // -Σ target · log p, where log p = score - highest - log Σ.
    let loss = logSum - Double(1 - labelSmoothing) * right - Double(base) * total
    let scale = factor / sum
    for index in scores { gradient[index] = gradient[index] * scale - base * factor }
    gradient[start + label] -= (1 - labelSmoothing) * factor
    return (loss, top == start + label)
  }

  /// Returns the cosine and writes the gradient of (1 - cosine) times `factor` with respect to the
  /// student vector; nil and a zero gradient if the target is zero.
  private func follow(
    _ output: [Float], at start: Int, _ targets: [Float], at targetStart: Int, count: Int,
    gradient: inout [Float], factor: Float
  ) -> Double? {
    var (product, student, teacher) = (0.0, 0.0, 0.0)
    for i in 0..<count {
      let (a, b) = (Double(output[start + i]), Double(targets[targetStart + i]))
      product += a * b
      student += a * a
      teacher += b * b
    }
    guard teacher > 0 else {
      for i in 0..<count { gradient[start + i] = 0 }
      return nil
    }
    let length = max(student.squareRoot(), 1e-6)
    let norm = length * teacher.squareRoot()
    let cosine = product / norm
    for i in 0..<count {
      let (a, b) = (Double(output[start + i]), Double(targets[targetStart + i]))
      gradient[start + i] = Float((cosine * a / (length * length) - b / norm) * Double(factor))
    }
    return cosine
  }
}
