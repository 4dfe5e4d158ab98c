package import Datasets
package import NeuralNetwork
internal import Report

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

/// Why a benchmark cannot run.
package enum BenchmarkError: Error, CustomStringConvertible {
  /// A task names a missing drawing; `tasks` is the source of the task.
  case unknownDrawing(id: String, episode: Int, tasks: String, samples: String)
  /// Tasks cannot be drawn from the samples.
  case tasks(EpisodeError, samples: String)
  /// Too few labels have enough drawings for the benchmark.
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
