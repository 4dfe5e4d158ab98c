/// How far a training is.
public struct TrainingProgress: Hashable, Sendable, Codable {
  /// What is being done.
  public enum Stage: String, Hashable, Sendable, Codable {
    /// Another training in the same workspace, or an import, has to end first.
    case waiting
    /// The new drawings are turned into vectors.
    case teaching
    /// The model adapts to the user's hand.
    case adapting
    /// Each sample is left out, to see whether it would be recognised.
    case judging
    /// The model is written.
    case saving
  }

  /// What is being done.
  public var stage: Stage
  /// How much of it is done.
  public var done: Int
  /// How much there is of it; 0 where that is not known.
  public var total: Int
}

/// What a training brought.
///
/// Shares are of samples that were each left out of what is taught: what new drawings can hope for. Before and after are
/// asked of the same samples, those of now; what the model before had been taught was left out of it too.
public struct TrainingReport: Hashable, Sendable, Codable {
  /// Whether a label is recognised more often than before.
  public enum Change: String, Hashable, Sendable, Codable {
    /// The model before did not know the label.
    case new
    /// More often.
    case better
    /// As often.
    case same
    /// Less often.
    case worse
    /// It has one drawing only, so that none can be left out.
    case unknown
  }

  /// How one label fared.
  public struct Label: Hashable, Sendable {
    /// The label.
    public var label: String
    /// What the user calls it.
    public var name: String?
    /// How many samples it has.
    public var samples: Int
    /// How many of them were left out in turn; fewer than there are where there are very many.
    public var judged: Int
    /// The share of those that the model before recognised rightly, in 0...1; nil where it did not know the label.
    public var recognizedBefore: Double?
    /// The share of those that the model recognises rightly, in 0...1; nil for a label with one sample.
    public var recognizedAfter: Double?
    /// Both compared.
    public var change: Change
  }

  /// A sample that would be taken for something else.
  public struct Mistake: Hashable, Sendable, Codable {
    /// The sample's id.
    public var sample: String
    /// What it is.
    public var label: String
    /// What it would be taken for.
    public var takenFor: String
  }

  /// A sample that would not be recognised.
  public struct Refusal: Hashable, Sendable, Codable {
    /// The sample's id.
    public var sample: String
    /// What it is.
    public var label: String
  }

  /// The model as it is now.
  public var model: WorkspaceModel
  /// How many samples it knows now.
  public var samples: Int
  /// How many of them are new since the training before.
  public var added: Int
  /// How many of them had another label then.
  public var relabelled: Int
  /// How many were forgotten.
  public var removed: Int
  /// Each label, in ascending order.
  public var labels: [Label]
  /// What would be taken for something else, in the order of labels and ids.
  public var mistakes: [Mistake]
  /// What would shake, in the order of labels and ids.
  public var refusals: [Refusal]
}

extension TrainingReport.Label: Codable {
  private enum CodingKeys: String, CodingKey {
    case label, name, samples, judged, recognizedBefore, recognizedAfter, change
  }

  /// Writes all keys, also those without a value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(label, forKey: .label)
    try container.encode(name, forKey: .name)
    try container.encode(samples, forKey: .samples)
    try container.encode(judged, forKey: .judged)
    try container.encode(recognizedBefore, forKey: .recognizedBefore)
    try container.encode(recognizedAfter, forKey: .recognizedAfter)
    try container.encode(change, forKey: .change)
  }
}
