internal import Support

/// A learning rate that rises along a line and falls along half a cosine (Loshchilov and Hutter
/// 2017, arXiv 1608.03983).
public struct LearningRateSchedule: Sendable, Equatable {
  /// The highest rate.
  public var peak: Float
  /// The rate that the cosine ends at, as a share of the peak, in 0...1.
  public var finalShare: Float
  /// Steps of the rise; the last of them has the peak's rate.
  public var warmUpSteps: Int
  /// All steps.
  public var totalSteps: Int

  /// A schedule.
  public init(peak: Float, finalShare: Float, warmUpSteps: Int, totalSteps: Int) {
    self.peak = peak
    self.finalShare = finalShare
    self.warmUpSteps = warmUpSteps
    self.totalSteps = totalSteps
  }

  /// The rate of `step`, counted from 0.
  public func rate(at step: Int) -> Float {
    guard step >= warmUpSteps else { return peak * Float(step + 1) / Float(warmUpSteps) }
    let progress = Double(step - warmUpSteps) / Double(max(1, totalSteps - warmUpSteps))
    let share = Double(finalShare)
    return Float(Double(peak) * (share + (1 - share) * 0.5 * (1 + cos(.pi * min(1, progress)))))
  }
}
