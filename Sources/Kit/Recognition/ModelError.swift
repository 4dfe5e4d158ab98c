public import Text

/// Why a recognizer cannot be trained, taught, queried or read.
public enum ModelError: DescribedError, Equatable {
  /// There are no drawings to learn from.
  case noSamples
  /// There is only one label, so nothing to tell apart.
  case oneLabel(String)
  /// A drawing to teach has no label.
  case missingLabel(id: String)
  /// A drawing has no ink that could be recognized.
  case drawing(id: String, reason: String)
  /// More labels are to be taught than a model can have.
  case tooManyLabels(Int, limit: Int)
  /// There is no such label in the model.
  case unknownLabel(String, known: [String])
  /// There is no such sample in the model.
  case unknownSample(String)
  /// Several samples have the id that was to name one.
  case severalSamples(id: String, [TaughtSample])
  /// A model file's contents violate its format.
  case malformed(String)
  /// The statistics of labels in general cannot be learned from the drawings given.
  case noStatistics(String)

  /// One sentence for users: what happened, and what to do.
  public var description: String {
    switch self {
    case .noSamples: "there are no drawings to learn from"
    case .oneLabel(let label):
      "all drawings are labeled \(label): training needs two labels or more"
    case .missingLabel(let id): "drawing \(id) has no label, so it cannot teach one"
    case .drawing(let id, let reason): "drawing \(id): \(reason)"
    case .tooManyLabels(let count, let limit):
      "\(grouped(count)) labels are too many; a model of this kind can have \(grouped(limit)): "
        + "teach fewer, or make several models"
    case .unknownLabel(let label, let known):
      "the model knows no label \(label); it knows " + listed(known)
    case .unknownSample(let id): "the model was taught no sample \(id)"
    case .severalSamples(let id, let samples):
      "\(samples.count) samples have the id \"\(id)\"; name one by its ink: "
        + listed(samples.map { "\($0.digest) (\($0.label))" })
    case .malformed(let what): "the model file is damaged: \(what)"
    case .noStatistics(let why): "the labels' statistics cannot be learned: \(why)"
    }
  }
}
