package import Datasets
package import NeuralNetwork
internal import Report

// The jobs behind `drawml train`, `evaluate` and `benchmark`. A job is a value that is told what to
// do; it returns what it found, with its text for people, its JSON and its page, and tells on the
// way what it does. It prints nothing.

/// What a job tells on its way.
package enum JobEvent: Sendable {
  /// Of what the title names, such as "Tasks", so many of so many are done.
  case progress(String, done: Int, of: Int)
  /// A line that is to stay.
  case note(String)
  /// What a training did.
  case training(TrainingLoop.Event)
}

/// Hears what a job tells, from any thread.
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
  /// Tasks without strangers tell nothing of refusing them.
  case noStrangers(tasks: String)

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
    case .noStrangers(let tasks):
      "\(tasks): no task has strangers, so there is nothing to refuse; give drawings under \"unknown\" "
        + "or --strangers"
    }
  }
}
