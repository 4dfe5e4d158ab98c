internal import JSON
internal import NeuralNetwork

/// A job's event as a JSON object, for programs that follow the job:
///
///     {"event":"progress","part":"Teaching","done":3,"total":10}
///     {"event":"note","text":"…"}
///     {"event":"step","step":1,"steps":60,"epoch":1,"loss":2.1,"accuracy":0.2,…}
///     {"event":"epoch","epoch":1,"trainingLoss":1.9,"trainingAccuracy":0.4,…}
///
/// The other keys of "epoch" are those of a training log.
package struct JobMessage: Encodable, Sendable {
  private struct Entry: Encodable {
    var event: String
    var part: String?
    var done: Int?
    var total: Int?
    var text: String?
    var step: Int?
    var steps: Int?
    /// Counted from 1.
    var epoch: Int?
    var loss: Double?
    var accuracy: Double?
    var learningRate: Float?
  }

  private var entry: Entry
  private var summary: LearningCurve.Epoch?

  /// The message of an event; nil for one that only the job's own files need.
  package init?(_ event: JobEvent) {
    switch event {
    case .progress(let part, let done, let total):
      entry = Entry(event: "progress", part: part, done: done, total: total)
    case .note(let text): entry = Entry(event: "note", text: text)
    case .training(.step(let step), _):
      entry = Entry(
        event: "step", step: step.number, steps: step.totalSteps, epoch: step.epoch + 1,
        loss: step.loss, accuracy: step.accuracy, learningRate: step.learningRate)
    case .training(.epoch(let summary), _):
      (entry, self.summary) = (Entry(event: "epoch"), LearningCurve.Epoch(summary))
    case .training: return nil
    }
  }

  /// Writes the keys that the event has.
  package func encode(to encoder: any Encoder) throws {
    try Joined(entry, summary).encode(to: encoder)
  }
}
