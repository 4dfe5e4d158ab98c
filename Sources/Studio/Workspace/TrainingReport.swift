public import Recognition

/// The progress of a training.
public struct TrainingProgress: Hashable, Sendable, Codable {
  /// The current stage.
  public enum Stage: String, Hashable, Sendable, Codable {
    /// Waiting for another training, or an import, in the same workspace.
    case waiting
    /// Computing the embeddings of the new drawings.
    case teaching
    /// Adapting the model to the user's drawings.
    case adapting
    /// Leave-one-out evaluation of the samples.
    case judging
    /// Writing the model.
    case saving
  }

  /// The current stage.
  public var stage: Stage
  /// How many steps of the stage are done.
  public var done: Int
  /// How many steps the stage has; 0 if not known.
  public var total: Int
}

/// The report of a training.
///
/// Shares are leave-one-out estimates of how often new drawings are recognized. The previous model
/// is compared only on the samples that it knew under the same label, also left out of it, so that
/// samples added since do not bias the comparison.
@dynamicMemberLookup
public struct TrainingReport: Hashable, Sendable {
  /// How often a label's samples known to the previous training are recognized, compared with the
  /// previous model.
  public enum Change: String, Hashable, Sendable, Codable {
    /// There is nothing to compare: the previous model did not know the label, or had only one
    /// drawing of it, or all of its drawings from then are gone.
    case new
    /// More often.
    case better
    /// As often.
    case same
    /// Less often.
    case worse
    /// The label has only one drawing, so none can be left out.
    case unknown
  }

  /// The shares of samples that are recognized correctly.
  public struct Shares: Hashable, Sendable {
    /// Samples that the previous training knew under the same label.
    public struct Known: Hashable, Sendable, Codable {
      /// How many of them were left out in turn; at least 1.
      public var judged: Int
      /// The share that the previous model recognized correctly, in 0...1.
      public var before: Double
      /// The share that the model recognizes correctly now, in 0...1.
      public var after: Double

      // In JSON, "share" in a key distinguishes a share from a number of samples.
      private enum CodingKeys: String, CodingKey {
        case judged
        case before = "shareBefore"
        case after = "shareAfter"
      }
    }

    /// Samples that are new under their label since the previous training.
    public struct Added: Hashable, Sendable, Codable {
      /// How many of them were left out in turn; at least 1.
      public var judged: Int
      /// The share that the model recognizes correctly, in 0...1.
      public var recognized: Double

      private enum CodingKeys: String, CodingKey {
        case judged
        case recognized = "recognizedShare"
      }
    }

    /// How many samples were left out in turn; a subset if there are very many.
    public var judged: Int
    /// The share of those that the model recognizes correctly now, in 0...1; nil if `judged` is 0.
    public var recognized: Double?
    /// The shares of the samples that the previous training knew under the same label; nil if there
    /// are no such samples.
    public var known: Known?
    /// The share of the samples that are new under their label since then; nil if there are no such
    /// samples.
    public var added: Added?
  }

  /// The results of one label.
  public struct Label: Hashable, Sendable {
    /// The label.
    public var label: String
    /// The user's name for it.
    public var name: String?
    /// How many samples it has.
    public var samples: Int
    /// The shares of its samples that are recognized.
    public var shares: Shares
    /// The comparison of `known.before` with `known.after`.
    public var change: Change
  }

  /// A sample that would be recognized as another label.
  public struct Mistake: Hashable, Sendable, Codable {
    /// The sample's id.
    public var sample: String
    /// Its label.
    public var label: String
    /// The label that it would be recognized as.
    public var takenFor: String
  }

  /// A sample that would not be recognized.
  public struct Refusal: Hashable, Sendable, Codable {
    /// The sample's id.
    public var sample: String
    /// Its label.
    public var label: String
  }

  /// The report without the model, stored with it.
  public struct Findings: Hashable, Sendable, Codable {
    /// How long the training took, in seconds.
    public var seconds: Double
    /// How many samples the model knows now.
    public var samples: Int
    /// How many of them are new since the previous training.
    public var added: Int
    /// How many of them had another label then.
    public var relabeled: Int
    /// How many were removed.
    public var removed: Int
    /// The results of each label, in ascending order.
    public var labels: [Label]
    /// Samples that would be recognized as another label, in the order of labels and ids.
    public var mistakes: [Mistake]
    /// Samples that would be rejected, in the order of labels and ids.
    public var refusals: [Refusal]
    /// The estimated rejection and acceptance rates at the model's refusal rate; nil in reports of
    /// older versions, and for a model that knows no samples.
    public var rates: AcceptanceRates?

    private enum CodingKeys: String, CodingKey {
      case seconds, samples, added, removed, labels, mistakes, refusals, rates
      case relabeled = "relabelled"
    }

    /// The shares of all labels combined.
    public var shares: Shares { Shares(of: labels.map(\.shares)) }
  }

  /// The model as the training left it; for a stored report, as it is now.
  public var model: WorkspaceModel
  /// The findings of the training.
  public var findings: Findings

  /// Members of `findings`.
  public subscript<Value>(dynamicMember path: KeyPath<Findings, Value>) -> Value {
    findings[keyPath: path]
  }
}

extension TrainingReport.Shares {
  /// The combined shares of several labels.
  init(of labels: [Self]) {
    /// The mean of shares, weighted by their numbers of samples.
    func share(_ parts: [(share: Double, of: Int)]) -> Double? {
      let count = parts.reduce(0) { $0 + $1.of }
      guard count > 0 else { return nil }
      // Whole numbers of samples, so that the order of adding does not matter.
      let right = parts.reduce(0.0) { $0 + ($1.share * Double($1.of)).rounded() }
      return right / Double(count)
    }
    judged = labels.reduce(0) { $0 + $1.judged }
    recognized = share(labels.compactMap { part in part.recognized.map { ($0, part.judged) } })
    let (old, new) = (labels.compactMap(\.known), labels.compactMap(\.added))
    if let before = share(old.map { ($0.before, $0.judged) }),
      let after = share(old.map { ($0.after, $0.judged) })
    {
      known = Known(judged: old.reduce(0) { $0 + $1.judged }, before: before, after: after)
    }
    if let recognized = share(new.map { ($0.recognized, $0.judged) }) {
      added = Added(judged: new.reduce(0) { $0 + $1.judged }, recognized: recognized)
    }
  }
}

extension TrainingReport.Label: Codable {
  private enum CodingKeys: String, CodingKey {
    case label, name, samples, judged, known, added, change
    case recognized = "recognizedShare"
  }

  /// Decodes what `encode` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    label = try container.decode(String.self, forKey: .label)
    name = try container.decodeIfPresent(String.self, forKey: .name)
    samples = try container.decode(Int.self, forKey: .samples)
    shares = TrainingReport.Shares(
      judged: try container.decode(Int.self, forKey: .judged),
      recognized: try container.decodeIfPresent(Double.self, forKey: .recognized),
      known: try container.decodeIfPresent(TrainingReport.Shares.Known.self, forKey: .known),
      added: try container.decodeIfPresent(TrainingReport.Shares.Added.self, forKey: .added))
    change = try container.decode(TrainingReport.Change.self, forKey: .change)
  }

  /// Writes all keys, including those without a value; the shares inline.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(label, forKey: .label)
    try container.encode(name, forKey: .name)
    try container.encode(samples, forKey: .samples)
    try container.encode(shares.judged, forKey: .judged)
    try container.encode(shares.recognized, forKey: .recognized)
    try container.encode(shares.known, forKey: .known)
    try container.encode(shares.added, forKey: .added)
    try container.encode(change, forKey: .change)
  }
}
