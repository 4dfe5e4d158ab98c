/// Where an embedding comes from: enough to train it again.
///
/// It excludes the samples taught later, which the model holds itself, and the time: the same seed,
/// data and thread count give the same bytes.
public struct Provenance: Hashable, Sendable, Codable {
  /// The version of DrawML that trained it.
  public var software: String
  /// The seed of the training.
  public var seed: UInt64
  /// How many threads trained it.
  public var threads: Int
  /// The SHA-256 of the drawings that it was trained and validated on.
  public var dataFingerprint: String
  /// How many drawings its weights were fitted to.
  public var trainingDrawings: Int
  /// How many drawings were used for validation and thresholds.
  public var validationDrawings: Int
  /// The accuracy of its own classifier on the validation drawings, in 0...1.
  public var validationAccuracy: Double?
  /// The hyper-parameters of the training, a recipe for each network of the embedding.
  public var recipes: [EmbeddingRecipe]
  /// The labels by their role in training; nil if only the labels of the taught samples are known.
  public var labels: Labels?

  /// The labels by their role; results on them are optimistic.
  public struct Labels: Hashable, Sendable, Codable {
    /// Labels whose drawings the weights and statistics were fitted to; ascending.
    public var training: [String]
    /// Labels whose drawings were used for choices and thresholds; ascending.
    public var validation: [String]

    /// The labels by their role.
    public init(training: [String], validation: [String]) {
      self.training = training
      self.validation = validation
    }

    /// The labels of both records, by their role.
    package func union(with other: Labels?) -> Labels {
      Labels(
        training: Set(training + (other?.training ?? [])).sorted(),
        validation: Set(validation + (other?.validation ?? [])).sorted())
    }
  }

  /// The record of a model that was read from another program's file, which says nothing of a
  /// training, and of its samples only their vectors.
  ///
  /// - Parameters:
  ///   - format: The kind of file, such as "Core ML".
  ///   - software: The version of this program.
  ///   - digest: The SHA-256 of the file.
  /// - Returns: The record.
  package static func imported(
    from format: String, by software: String, digest: String
  ) -> Provenance {
    Provenance(
      software: software + importMark + format, seed: 0, threads: 1, dataFingerprint: digest,
      trainingDrawings: 0, validationDrawings: 0, validationAccuracy: nil, recipes: [])
  }

  /// Whether it is the record of such a model.
  package var isImported: Bool { software.contains(Self.importMark) }

  private static let importMark = ", import of "

  /// The record of a training.
  public init(
    software: String, seed: UInt64, threads: Int, dataFingerprint: String, trainingDrawings: Int,
    validationDrawings: Int, validationAccuracy: Double?,
    recipes: [EmbeddingRecipe], labels: Labels? = nil
  ) {
    self.software = software
    self.seed = seed
    self.threads = threads
    self.dataFingerprint = dataFingerprint
    self.trainingDrawings = trainingDrawings
    self.validationDrawings = validationDrawings
    self.validationAccuracy = validationAccuracy
    self.recipes = recipes
    self.labels = labels
  }

  /// The key of the only recipe in a file of version 1.
  private enum Version1Keys: CodingKey { case recipe }

  /// Reads a record.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let old = try decoder.container(keyedBy: Version1Keys.self)
    self.init(
      software: try container.decode(String.self, forKey: .software),
      seed: try container.decode(UInt64.self, forKey: .seed),
      threads: try container.decode(Int.self, forKey: .threads),
      dataFingerprint: try container.decode(String.self, forKey: .dataFingerprint),
      trainingDrawings: try container.decode(Int.self, forKey: .trainingDrawings),
      validationDrawings: try container.decode(Int.self, forKey: .validationDrawings),
      validationAccuracy: try container.decodeIfPresent(Double.self, forKey: .validationAccuracy),
      recipes: old.contains(.recipe)
        ? [try old.decode(EmbeddingRecipe.self, forKey: .recipe)]
        : try container.decode([EmbeddingRecipe].self, forKey: .recipes),
      labels: try container.decodeIfPresent(Labels.self, forKey: .labels))
  }
}
