internal import NeuralNetwork
internal import Report
internal import Support
internal import Synchronization

/// Shows a training on its way: loss, speed and the time that is left; one line an epoch.
final class TrainingProgressDisplay: Sendable {
  private let bar = ProgressBar("Training")
  private let meter = Mutex<(start: ContinuousClock.Instant, step: Int, examples: Int)>(
    (.now, 0, 0))

  init() {}

  /// Shows what happened.
  func show(_ event: TrainingLoop.Event) {
    switch event {
    case .started(let step, let total):
      meter.withLock { $0 = (.now, step, 0) }
      if step > 0 { bar.note("Going on from step \(grouped(step)) of \(grouped(total))") }
    case .step(let done, let total, let examples, let loss):
      let (rate, first) = meter.withLock { meter in
        meter.examples += examples
        return (Double(meter.examples) / ((.now - meter.start) / .seconds(1)), meter.step)
      }
      bar.update(
        done, of: total, since: first,
        "loss \(decimal(Float(loss))), \(grouped(Int(rate))) examples/s")
    case .epoch(let summary):
      bar.note(Self.line(summary))
    case .checkpoint, .finished: break
    }
  }

  /// Ends the bar's line.
  func finish() {
    bar.finish()
  }

  static func line(_ summary: TrainingLoop.EpochSummary) -> String {
    var text =
      "epoch \(summary.epoch + 1): loss \(decimal(Float(summary.trainingLoss))), "
      + "right \(percent(summary.trainingAccuracy))"
    if let cosine = summary.targetCosine { text += ", teacher's cosine \(decimal(Float(cosine)))" }
    if let accuracy = summary.validationAccuracy { text += ", validation \(percent(accuracy))" }
    if let accuracy = summary.measured { text += ", few-shot \(percent(accuracy))" }
    return text
  }
}
