package import Datasets
package import NeuralNetwork

// The jobs behind `drawml train`, `evaluate` and `benchmark`. A job is a value with its parameters;
// it returns its results, with their text, JSON and page, and reports progress while it runs. It
// prints nothing.

/// What a job reports while it runs.
package enum JobEvent: Sendable {
  /// The numbers of steps done and in total, with a title such as "Tasks".
  case progress(String, done: Int, of: Int)
  /// A line for the log.
  case note(String)
  /// An event of the training of a network, which has a name where an embedding has several.
  case training(TrainingLoop.Event, network: String?)
}

/// Receives a job's events, on any thread.
package typealias JobProgress = @Sendable (JobEvent) -> Void

/// An error that the user can fix.
package struct JobProblem: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

extension JobProblem {
  /// Tasks cannot be drawn from the samples.
  package static func tasks(_ error: EpisodeError, samples: String) -> JobProblem {
    JobProblem(
      "\(samples): \(error); ask for fewer ways, shots or queries, or give more drawings")
  }
}
