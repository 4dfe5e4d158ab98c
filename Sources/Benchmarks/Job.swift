package import Datasets
package import NeuralNetwork
internal import Report

// The jobs behind `drawml train`, `evaluate` and `benchmark`. A job is a value that is told what to
// do; it returns its results, with their text, JSON and page, and reports progress while it runs.
// It prints nothing.

/// What a job reports while it runs.
package enum JobEvent: Sendable {
  /// Steps done of all, under a title such as "Tasks".
  case progress(String, done: Int, of: Int)
  /// A line for the log.
  case note(String)
  /// A training event.
  case training(TrainingLoop.Event)
}

/// Receives a job's events, on any thread.
package typealias JobProgress = @Sendable (JobEvent) -> Void

/// Something that the user can put right.
package struct JobProblem: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// Why a benchmark cannot run.
package enum BenchmarkError: Error, CustomStringConvertible {
  /// A task names a drawing that is not there; `tasks` is where the task comes from.
  case unknownDrawing(id: String, episode: Int, tasks: String, samples: String)
  /// Tasks cannot be drawn from the samples.
  case tasks(EpisodeError, samples: String)
  /// A benchmark was asked for more labels than there are with enough drawings.
  case tooFewLabels(needed: Int, perLabel: Int, found: Int, samples: String)
  /// Without unknown drawings, refusing them cannot be measured.
  case noUnknowns(tasks: String)

  package var description: String {
    switch self {
    case .unknownDrawing(let id, let episode, let tasks, let samples):
      "\(tasks): episodes[\(episode)] names the drawing \(id), which is not among the samples in "
        + "\(samples); give the samples that the tasks were made from"
    case .tasks(let error, let samples):
      "\(samples): \(error); ask for fewer ways, shots or queries, or give more drawings"
    case .tooFewLabels(let needed, let perLabel, let found, let samples):
      "\(samples): \(counted(needed, "label")) with at least \(counted(perLabel, "drawing")) each "
        + "are needed, and there are \(found); ask for fewer labels, shots or queries"
    case .noUnknowns(let tasks):
      "\(tasks): no task has unknown drawings, so there is nothing to refuse; give drawings under "
        + "\"unknown\" or --unknown"
    }
  }
}
