internal import Datasets
internal import Report

/// Why a benchmark cannot run.
enum BenchmarkError: Error, CustomStringConvertible {
  /// A task names a drawing that is not there; `tasks` is where the task comes from.
  case unknownDrawing(id: String, episode: Int, tasks: String, samples: String)
  /// Tasks cannot be drawn from the samples.
  case tasks(EpisodeError, samples: String)
  /// A benchmark was asked for more labels than there are with enough drawings.
  case tooFewLabels(needed: Int, perLabel: Int, found: Int, samples: String)
  /// Tasks without strangers tell nothing of refusing them.
  case noStrangers(tasks: String)

  var description: String {
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
