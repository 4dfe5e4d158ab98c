internal import Datasets
internal import Foundation
internal import Ink
internal import NeuralNetwork
internal import Recognition
internal import Support

/// How a base model is trained, as a file says it: all but the drawings and the seed.
struct TrainingRecipe: Codable, Hashable, Sendable {
  /// The form of the file; 1.
  var version: Int
  /// The networks whose vectors, one after the other, are the embedding; each is trained by itself.
  var members: [Member]
  /// Where labelled drawings come from; files are named when the recipe is used.
  var sources: [Source]
  /// How far labels with many drawings are held back: see `ExampleSampler.Settings.balance`.
  var balance: Double
  var mixing: Mixing?
  var distillation: Distillation?
  /// Labels that are not trained on; null keeps none out.
  var heldOut: HeldOut?
  /// What the network is judged by after every epoch.
  var tasks: Tasks

  struct Member: Codable, Hashable, Sendable {
    /// Letters, digits and hyphens; names the file that a finished member waits in.
    var name: String
    /// What its vector counts beside the other members'.
    var weight: Float
    /// What the network sees.
    var view: DrawingView
    var network: Body
    var training: Schedule
    var augmentation: Augmentation
    /// What the distance to the teacher's vectors counts beside the labels; 0 for no teacher.
    var teacherWeight: Float
  }

  struct Body: Codable, Hashable, Sendable {
    var channels: [Int]
    var blocks: [Int]
    /// The width of each stage's kernels, null for 3 in each.
    var kernels: [Int]?
    var pooling: FinalPooling
    var dimension: Int
  }

  struct Schedule: Codable, Hashable, Sendable {
    var epochs: Int
    var examplesPerEpoch: Int
    var batchSize: Int
    var shardSize: Int
    var learningRate: Float
    var weightDecay: Float
    var warmUpEpochs: Double
    var labelSmoothing: Float
    var averagingDecay: Float
    var gradientNormLimit: Float?
    var checkpointInterval: Int
  }

  struct Source: Codable, Hashable, Sendable {
    var name: String
    var weight: Double
    var turning: Double
    /// Whether how labels differ in general is learned from its drawings.
    var inStatistics: Bool
  }

  struct Mixing: Codable, Hashable, Sendable {
    /// The share of all examples.
    var share: Double
    /// The most unlabelled drawings of one label that are used.
    var drawingsPerLabel: Int
    var mixer: DrawingMixer
  }

  struct Distillation: Codable, Hashable, Sendable {
    /// The pen and the margin that the teacher is shown drawings with, in its own pixels.
    var strokeWidth: Double
    var margin: Double
    /// The SHA-256 of the teacher's file; null takes any.
    var teacher: String?
  }

  struct HeldOut: Codable, Hashable, Sendable {
    /// The source whose labels are cut by `Splitter.byClass`.
    var source: String
    var seed: UInt64
    /// The share of labels to make choices and calibrate with.
    var validation: Double
    /// The share of labels that is left for a last look.
    var test: Double
  }

  struct Tasks: Codable, Hashable, Sendable {
    var count: Int
    var ways: Int
    var shots: Int
    var queries: Int
  }
}

/// What is wrong with a recipe.
struct RecipeError: Error, Equatable, CustomStringConvertible {
  var path: String
  var key: String
  var problem: String

  var description: String { "\(path): \(key.isEmpty ? "" : "\"\(key)\" ")\(problem)" }
}

extension TrainingRecipe {
  /// The recipe in the JSON file at `path`.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecipeError` naming the key that is missing, unknown or wrong.
  init(path: String) throws {
    try self.init(Data(AtomicFile.read(path)), path: path)
  }

  init(_ data: Data, path: String) throws {
    func fault(_ key: String, _ problem: String) -> RecipeError {
      RecipeError(path: path, key: key, problem: problem)
    }
    do {
      self = try JSONDecoder().decode(TrainingRecipe.self, from: data)
    } catch let error as DecodingError {
      throw fault(error.key, error.problem)
    }
    guard version == 1 else {
      throw fault("version", "is \(version); this drawml reads version 1")
    }
    if let (key, problem) = problem { throw fault(key, problem) }
    // What was read but means nothing is a slip of the pen.
    let known = try JSONSerialization.jsonObject(with: JSONEncoder().encode(self))
    let given = try JSONSerialization.jsonObject(with: data)
    if let key = Self.unknownKey(in: given, besides: known, "") {
      throw fault(key, "is not a key of a recipe")
    }
  }

  private static func unknownKey(in given: Any, besides known: Any, _ path: String) -> String? {
    if let given = given as? [String: Any], let known = known as? [String: Any] {
      for (key, value) in given.sorted(by: { $0.key < $1.key }) where !(value is NSNull) {
        guard let other = known[key] else { return path + key }
        if let found = unknownKey(in: value, besides: other, path + key + ".") { return found }
      }
    }
    if let given = given as? [Any], let known = known as? [Any] {
      for (index, (value, other)) in zip(given, known).enumerated() {
        let place = "\(path)\(index)."
        if let found = unknownKey(in: value, besides: other, place) { return found }
      }
    }
    return nil
  }

  /// The first key whose value is out of its range, and what is wrong with it.
  private var problem: (key: String, problem: String)? {
    if members.isEmpty { return ("members", "must not be empty") }
    if Set(members.map(\.name)).count < members.count {
      return ("members", "must not have one name twice")
    }
    if sources.isEmpty { return ("sources", "must not be empty") }
    if Set(sources.map(\.name)).count < sources.count {
      return ("sources", "must not have one name twice")
    }
    if !sources.contains(where: \.inStatistics) {
      return ("sources", "must have one with inStatistics or more")
    }
    if let heldOut, !sources.contains(where: { $0.name == heldOut.source }) {
      return ("heldOut.source", "names no source")
    }
    if let heldOut, !(heldOut.validation + heldOut.test < 1) {
      return ("heldOut.test", "and heldOut.validation leave nothing to train on")
    }
    if let problem = mixing?.mixer.problem {
      return ("mixing.mixer", "is out of range: \(problem)")
    }
    for (index, member) in members.enumerated() {
      if let (key, problem) = member.problem { return ("members.\(index).\(key)", problem) }
    }
    var checks = [
      within("balance", balance, 0...1),
      within("mixing.share", mixing?.share ?? 0, 0...0.99),
      count("mixing.drawingsPerLabel", mixing?.drawingsPerLabel ?? 0, from: 0),
      within("distillation.strokeWidth", distillation?.strokeWidth ?? 1, 0.1...8),
      within("distillation.margin", distillation?.margin ?? 1, 0...8),
      within("heldOut.validation", heldOut?.validation ?? 0, 0...0.9),
      within("heldOut.test", heldOut?.test ?? 0, 0...0.9),
      count("tasks.count", tasks.count), count("tasks.ways", tasks.ways, from: 2),
      count("tasks.shots", tasks.shots), count("tasks.queries", tasks.queries),
    ]
    for (index, source) in sources.enumerated() {
      checks.append(within("sources.\(index).weight", source.weight, 1e-6...1e6))
      checks.append(within("sources.\(index).turning", source.turning, 0...1))
    }
    return checks.lazy.compactMap { $0 }.first
  }
}

private func within(
  _ key: String, _ value: Double, _ range: ClosedRange<Double>
) -> (key: String, problem: String)? {
  range.contains(value)
    ? nil : (key, "must be from \(range.lowerBound) to \(range.upperBound), not \(value)")
}

private func count(_ key: String, _ value: Int, from least: Int = 1) -> (
  key: String, problem: String
)? {
  within(key, Double(value), Double(least)...1e9)
}

extension TrainingRecipe.Member {
  /// The first key whose value is out of its range, and what is wrong with it.
  fileprivate var problem: (key: String, problem: String)? {
    if name.isEmpty || !name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
    {
      return ("name", "must be of letters, digits and hyphens")
    }
    if network.channels.isEmpty || network.blocks.count != network.channels.count {
      return ("network.blocks", "must have one number for each of network.channels, at least one")
    }
    if let kernels = network.kernels, kernels.count != network.channels.count {
      return ("network.kernels", "must have one number for each of network.channels")
    }
    var checks = [
      count("training.epochs", training.epochs),
      count("training.examplesPerEpoch", training.examplesPerEpoch),
      count("training.batchSize", training.batchSize),
      count("training.shardSize", training.shardSize),
      count("training.checkpointInterval", training.checkpointInterval),
      within("training.learningRate", Double(training.learningRate), 0...10),
      within("training.weightDecay", Double(training.weightDecay), 0...10),
      within("training.warmUpEpochs", training.warmUpEpochs, 0...1e6),
      within("training.labelSmoothing", Double(training.labelSmoothing), 0...0.99),
      within("training.averagingDecay", Double(training.averagingDecay), 0...0.999999),
      within("training.gradientNormLimit", Double(training.gradientNormLimit ?? 1), 1e-6...1e6),
      count("network.dimension", network.dimension),
      within("weight", Double(weight), 1e-6...1e5),
      within("teacherWeight", Double(teacherWeight), 0...1e4),
    ]
    for (index, blocks) in network.blocks.enumerated() {
      checks.append(within("network.blocks.\(index)", Double(blocks), 0...20))
      checks.append(count("network.channels.\(index)", network.channels[index]))
    }
    return checks.lazy.compactMap { $0 }.first
  }

  /// The hyper-parameters of the network.
  ///
  /// - Parameters:
  ///   - description: How drawings are chosen and changed; recorded.
  ///   - teacher: The SHA-256 of the teacher's file, nil without one.
  /// - Returns: What `EmbeddingTrainer` takes.
  func embeddingRecipe(describedAs description: String, teacher: String?) -> EmbeddingRecipe {
    EmbeddingRecipe(
      view: view, channels: network.channels, blocks: network.blocks, kernels: network.kernels,
      pooling: network.pooling, dimension: network.dimension, epochs: training.epochs,
      batchSize: training.batchSize, shardSize: training.shardSize,
      learningRate: training.learningRate, weightDecay: training.weightDecay,
      warmUpEpochs: training.warmUpEpochs, labelSmoothing: training.labelSmoothing,
      distillationWeight: teacher == nil ? 0 : teacherWeight,
      gradientNormLimit: training.gradientNormLimit, averagingDecay: training.averagingDecay,
      checkpointInterval: training.checkpointInterval, augmentation: description,
      teacher: teacher)
  }
}

extension DecodingError {
  private var context: (path: [any CodingKey], text: String) {
    switch self {
    case .keyNotFound(let key, let context): (context.codingPath + [key], "is missing")
    case .typeMismatch(let type, let context): (context.codingPath, "must be a \(type)")
    case .valueNotFound(let type, let context): (context.codingPath, "must be a \(type), not null")
    case .dataCorrupted(let context): (context.codingPath, context.debugDescription)
    @unknown default: ([], "\(self)")
    }
  }

  /// Where in the text the fault is, such as "training.epochs".
  fileprivate var key: String {
    context.path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }

  /// What the fault is.
  fileprivate var problem: String { context.text }
}
