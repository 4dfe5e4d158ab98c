internal import CLibrary

/// A learning rate with linear warm-up and cosine decay (Loshchilov and Hutter 2017, arXiv
/// 1608.03983).
struct LearningRateSchedule: Sendable {
  /// The highest rate.
  var peak: Float
  /// The final rate as a share of the peak, in 0...1.
  var finalShare: Float
  /// The number of warm-up steps; the last of them has the peak rate.
  var warmUpSteps: Int
  /// The total number of steps.
  var totalSteps: Int

  /// The rate of `step`, counted from 0.
  func rate(at step: Int) -> Float {
    guard step >= warmUpSteps else { return peak * Float(step + 1) / Float(warmUpSteps) }
    let progress = Double(step - warmUpSteps) / Double(max(1, totalSteps - warmUpSteps))
    let share = Double(finalShare)
    return Float(Double(peak) * (share + (1 - share) * 0.5 * (1 + cos(.pi * min(1, progress)))))
  }
}
