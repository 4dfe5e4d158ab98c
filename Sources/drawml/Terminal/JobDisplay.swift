internal import NeuralNetwork
internal import Report
internal import Synchronization
internal import Text
internal import Training

/// Shows the events of jobs: a bar for each part of the work, notes, and a line for each epoch of a
/// training.
final class JobDisplay: Sendable {
  private struct State {
    /// The part that is counted, and the number done at its start.
    var part: (title: String, bar: ProgressBar, first: Int)?
    /// The training's start time, its first step, and the examples since.
    var training: (start: ContinuousClock.Instant, step: Int, examples: Int) = (.now, 0, 0)
  }

  private let state = Mutex(State())

  /// Shows an event.
  func show(_ event: JobEvent) {
    switch event {
    case .progress(let title, let done, let total):
      let (bar, first) = part(title, done)
      bar.update(done, of: total, since: first)
    case .note(let text):
      finish()
      printToStandardError(text)
    case .training(let event, _): show(event)
    }
  }

  /// Ends the open bar's line.
  func finish() {
    state.withLock { state in
      state.part?.bar.finish()
      state.part = nil
    }
  }

  /// The bar with the given title; finishes the bar of another title.
  private func part(_ title: String, _ done: Int) -> (ProgressBar, first: Int) {
    state.withLock { state in
      if let part = state.part, part.title == title { return (part.bar, part.first) }
      state.part?.bar.finish()
      let bar = ProgressBar(title)
      state.part = (title, bar, done)
      return (bar, done)
    }
  }

  private func show(_ event: TrainingLoop.Event) {
    let bar = part("Training", 0).0
    switch event {
    case .started(let step, let total):
      state.withLock { $0.training = (.now, step, 0) }
      if step > 0 { bar.note("Continuing from step \(grouped(step)) of \(grouped(total))") }
    case .step(let step):
      let (rate, first) = state.withLock { state in
        state.training.examples += step.examples
        let seconds = (.now - state.training.start) / .seconds(1)
        return (Double(state.training.examples) / seconds, state.training.step)
      }
      bar.update(
        step.number, of: step.totalSteps, since: first,
        "loss \(decimal(Float(step.loss))), \(grouped(Int(rate))) examples/s")
    case .epoch(let summary): bar.note(Self.line(summary))
    case .checkpoint, .finished: break
    }
  }

  private static func line(_ summary: TrainingLoop.EpochSummary) -> String {
    var text =
      "epoch \(summary.epoch + 1): loss \(decimal(Float(summary.trainingLoss))), "
      + "right \(percent(summary.trainingAccuracy))"
    if let cosine = summary.targetCosine { text += ", teacher's cosine \(decimal(Float(cosine)))" }
    if let accuracy = summary.validationAccuracy { text += ", validation \(percent(accuracy))" }
    if let recall = summary.validationMacroRecall { text += ", macro recall \(percent(recall))" }
    if let accuracy = summary.measured { text += ", few-shot \(percent(accuracy))" }
    return text
  }
}

/// Runs a job so that Ctrl-C (or SIGTERM) cancels it, and shows its events; see `interruptible`.
///
/// - Parameters:
///   - hint: What the user can do next after a cancellation.
///   - log: Where the events go, too. A log that can no longer be written does not end the job.
///   - job: The job.
/// - Returns: The result of `job`.
/// - Throws: As `interruptible`.
func showing<Result: Sendable>(
  hint: () -> String, log: TrainingLog? = nil,
  _ job: @escaping @Sendable (_ progress: @escaping JobProgress) async throws -> Result
) async throws -> Result {
  try await interruptible(hint: hint) {
    let display = JobDisplay()
    defer { display.finish() }
    return try await job { event in
      display.show(event)
      do { try log?.record(event) } catch {
        display.show(.note("\(error); the training continues without its log"))
      }
    }
  }
}
