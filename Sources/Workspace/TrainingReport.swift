public import Recognition

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
    /// Each sample is left out, to see whether it would be recognized.
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
/// Shares are of samples that were each left out of what is taught: what new drawings can hope for.
/// What the model before said is compared only on those of them that it knew under the same label,
/// left out of it too: samples that were added since neither help nor hide a comparison.
@dynamicMemberLookup
public struct TrainingReport: Hashable, Sendable {
  /// Whether a label's samples that the training before knew are recognized more often than by the
  /// model before.
  public enum Change: String, Hashable, Sendable, Codable {
    /// There is nothing to compare: the model before did not know the label, or from one drawing
    /// only, or none of its drawings from then is left.
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

  /// Which shares of samples are recognized rightly.
  public struct Shares: Hashable, Sendable {
    /// Samples that the training before knew under the same label.
    public struct Known: Hashable, Sendable, Codable {
      /// How many of them were left out in turn; at least 1.
      public var judged: Int
      /// The share that the model before recognized rightly, in 0...1.
      public var before: Double
      /// The share that the model recognizes rightly now, in 0...1.
      public var after: Double

      // A share stands beside a number of samples: its name says which of them it is.
      private enum CodingKeys: String, CodingKey {
        case judged
        case before = "shareBefore"
        case after = "shareAfter"
      }
    }

    /// Samples that are new under their label since the training before.
    public struct Added: Hashable, Sendable, Codable {
      /// How many of them were left out in turn; at least 1.
      public var judged: Int
      /// The share that the model recognizes rightly, in 0...1.
      public var recognized: Double

      private enum CodingKeys: String, CodingKey {
        case judged
        case recognized = "recognizedShare"
      }
    }

    /// How many samples were left out in turn; fewer than there are where there are very many.
    public var judged: Int
    /// The share of those that the model recognizes rightly now, in 0...1; nil where none was
    /// judged.
    public var recognized: Double?
    /// Those of them that the training before knew under the same label; nil where there are none.
    public var known: Known?
    /// Those of them that are new under their label since then; nil where there are none.
    public var added: Added?
  }

  /// How one label fared.
  public struct Label: Hashable, Sendable {
    /// The label.
    public var label: String
    /// What the user called it.
    public var name: String?
    /// How many samples it has.
    public var samples: Int
    /// How many of its samples are recognized.
    public var shares: Shares
    /// What was before and what is now, of the samples known then, compared.
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

  /// A sample that would not be recognized.
  public struct Refusal: Hashable, Sendable, Codable {
    /// The sample's id.
    public var sample: String
    /// What it is.
    public var label: String
  }

  /// All that is known of a training but for the model: it is kept with that.
  public struct Findings: Hashable, Sendable, Codable {
    /// How long the training took, in seconds.
    public var seconds: Double
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
    /// How many new drawings the model refuses and accepts at its refusal rate; nil in reports of a
    /// DrawML that did not tell, and of a model that knows nothing.
    public var rates: AcceptanceRates?

    /// The shares of all labels put together.
    public var shares: Shares { Shares(of: labels.map(\.shares)) }
  }

  /// The model: as it was left by the training, or for a report that was kept as it is now.
  public var model: WorkspaceModel
  /// What the training brought.
  public var findings: Findings

  /// What the training brought, by the findings' names.
  public subscript<Value>(dynamicMember path: KeyPath<Findings, Value>) -> Value {
    findings[keyPath: path]
  }
}

extension TrainingReport.Shares {
  /// Several labels' put together.
  init(of labels: [Self]) {
    /// A share of many, from the shares of their parts.
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

  /// Reads what `encode` wrote.
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

  /// Writes all keys, also those without a value; the shares beside the others.
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
