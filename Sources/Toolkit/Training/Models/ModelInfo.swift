internal import JSON
internal import NeuralNetwork
internal import Recognition
internal import Report
internal import Text

/// What a model file is and holds. Its JSON keys are the properties' names and stay as they are;
/// rates are fractions in 0...1.
package struct ModelInfo: Encodable, Sendable {
  /// A label and the number of its taught samples.
  struct Label: Encodable, Equatable, Sendable {
    var label: String
    var samples: Int
  }

  /// The head and its hyper-parameters.
  struct Head: Encodable, Equatable, Sendable {
    var configuration: HeadConfiguration

    private enum CodingKeys: CodingKey { case name, neighbors, weights, penalty }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      var (neighbors, weights, strength): (Int?, String?, Double?)
      switch configuration {
      case .nearestNeighbors(let count, let votes): (neighbors, weights) = (count, votes.rawValue)
      case .linear(let penalty, _): strength = penalty
      case .classMeans, .twoCovariance: break
      }
      try container.encode(configuration.kind, forKey: .name)
      try container.encode(neighbors, forKey: .neighbors)
      try container.encode(weights, forKey: .weights)
      try container.encode(strength, forKey: .penalty)
    }
  }

  /// The PLDA priors.
  struct Priors: Encodable, Equatable, Sendable {
    /// The kinds of drawings they were fitted to.
    var names: [String]
    /// The one that the taught samples select; null without priors.
    @OrNull var selected: String?
    /// Whether the selected one is calibrated.
    var isCalibrated: Bool
  }

  /// The adaptation of the prior to the taught samples.
  struct Adapted: Encodable, Equatable, Sendable {
    /// To how many samples.
    var samples: Int
    /// How many drawings the prior counts as.
    var priorWeight: Double
  }

  /// A network of the embedding.
  struct Member: Encodable, Equatable, Sendable {
    /// `picture` or `sequence`.
    var view: String
    /// The shape of its input: [height, width, channels] or [1, steps, 6].
    var input: [Int]
    /// The number of layers; those that only hold others are not counted.
    var layers: Int
    /// The number of trained weights.
    var weights: Int
    /// The length of its vector.
    var dimension: Int
    /// The weight of its vector.
    var weight: Float
  }

  /// What turns drawings into vectors.
  struct Networks: Encodable, Equatable, Sendable {
    /// The length of a vector.
    var dimension: Int
    /// The number of trained weights of all members.
    var weights: Int
    /// Identifies weights and inputs: SHA-256, 64 hexadecimal digits.
    var fingerprint: String
    /// The networks.
    var members: [Member]
  }

  /// When drawings are refused.
  struct Refusing: Encodable, Equatable, Sendable {
    /// The share of the drawings of taught labels that may be refused.
    var rate: Double
    /// See `Recognizer.leastScore`.
    @OrNull var leastScore: Double?
  }

  /// What the file is: "a DrawML model".
  var kind = "a " + ModelFile.kind
  /// The file's path as it was given.
  package var file: String
  /// The version of its format.
  var version: Int
  /// The SHA-256 in its header, which its bytes match.
  var fingerprint: String
  /// The size of the file.
  var bytes: Int
  /// The labels in the model's order.
  var labels: [Label]
  /// The number of taught samples.
  var samples: Int
  var head: Head
  var priors: Priors
  /// Null if the prior is not adapted.
  @OrNull var adaptation: Adapted?
  var refusing: Refusing
  var embedding: Networks
  /// How the embedding was trained.
  var origin: Provenance
  /// The number of labels that the embedding was trained on.
  var trainedLabels: Int

  /// The facts of the file at `path`.
  ///
  /// - Throws: `FileError`, as `ModelFile.read`.
  package init(path: String) throws { self.init(try ModelFile.open(path), path: path) }

  init(_ opened: ModelFile.Opened, path: String) {
    let recognizer = opened.recognizer
    let memory = recognizer.memory
    file = path
    (version, fingerprint, bytes) = (opened.version, opened.fingerprint, opened.byteCount)
    labels = memory.labels.indices.map {
      Label(label: memory.labels[$0], samples: memory.rows(ofLabel: $0).count)
    }
    samples = memory.samples.count
    head = Head(configuration: recognizer.head.configuration)
    priors = Priors(
      names: memory.priors.map(\.name), selected: memory.prior?.name,
      isCalibrated: memory.prior?.calibration != nil)
    adaptation = memory.adaptation.map {
      Adapted(samples: $0.samples.count, priorWeight: $0.priorWeight)
    }
    refusing = Refusing(
      rate: recognizer.policy.refusalRate, leastScore: recognizer.leastScore)
    embedding = Networks(recognizer.embedding)
    origin = recognizer.provenance
    trainedLabels = origin.labels?.training.count ?? memory.trained.labels.count
  }
}

extension ModelInfo.Networks {
  fileprivate init(_ embedding: Embedding) {
    dimension = embedding.dimension
    weights = embedding.parameterCount
    fingerprint = embedding.fingerprint
    members = embedding.members.map { member in
      let view =
        switch member.view {
        case .picture: "picture"
        case .sequence: "sequence"
        }
      return .init(
        view: view, input: member.view.shape, layers: member.network.architecture.layerCount,
        weights: member.network.parameters.count, dimension: member.dimension,
        weight: member.weight)
    }
  }
}

extension ModelInfo.Member {
  fileprivate var text: String {
    let size = input.map { "\($0)" }.joined(separator: " × ")
    return "\(view) \(size), \(counted(layers, "layer")), \(grouped(weights)) weights, "
      + "\(grouped(dimension)) numbers" + (weight == 1 ? "" : ", counts \(weight)")
  }
}

// MARK: For people

extension ModelInfo {
  /// A fact in words.
  struct Fact: Encodable, Equatable, Sendable {
    var name: String
    var value: String
  }

  /// What the model is, apart from its file, labels and samples.
  var facts: [Fact] {
    var facts = [
      Fact(name: "format", value: "version \(version)"),
      Fact(name: "head", value: head.configuration.name),
      Fact(name: "prior", value: priorText),
      Fact(name: "adapted", value: adaptationText),
      Fact(name: "refusing", value: refusalText),
      Fact(
        name: "embedding",
        value: "\(grouped(embedding.weights)) weights, vectors of \(grouped(embedding.dimension)) "
          + "numbers, \(embedding.fingerprint.prefix(12))"),
    ]
    for (number, member) in embedding.members.enumerated() {
      facts.append(Fact(name: "network \(number + 1)", value: member.text))
    }
    return facts + originFacts
  }

  private var priorText: String {
    guard let selected = priors.selected else { return "no prior" }
    let others = priors.names.filter { $0 != selected }
    return selected + (priors.isCalibrated ? "" : ", not calibrated")
      + (others.isEmpty ? "" : "; not " + listed(others))
  }

  private var adaptationText: String {
    guard let adaptation else { return "no" }
    return "to \(counted(adaptation.samples, "sample")); the prior counts as "
      + "\(grouped(Int(adaptation.priorWeight))) drawings"
  }

  private var refusalText: String {
    let least =
      refusing.leastScore.map {
        "; least score \(decimal(Float($0))), less with a lead over a second label"
      } ?? ""
    return "\(percent(refusing.rate)) of drawings of taught labels\(least)"
  }

  private var originFacts: [Fact] {
    var training =
      "\(counted(origin.trainingDrawings, "drawing")) of \(counted(trainedLabels, "label")), "
      + "\(grouped(origin.validationDrawings)) to validate"
    if let accuracy = origin.validationAccuracy { training += " (\(percent(accuracy)) right)" }
    let teachers = origin.recipes.compactMap(\.teacher).map { String($0.prefix(12)) }
    return [
      Fact(
        name: "origin",
        value: "drawml \(origin.software), seed \(origin.seed), "
          + counted(origin.threads, "thread")),
      Fact(name: "trained on", value: training),
      Fact(name: "data", value: String(origin.dataFingerprint.prefix(12))),
    ] + (teachers.isEmpty ? [] : [Fact(name: "teacher", value: listed(teachers))])
  }

  /// A heading, the facts, and the labels with their samples.
  package var lines: [String] {
    // The first row replaces the headings.
    var table = TextTable([("file", .left), (fileText, .left)])
    for fact in facts { table.add([fact.name, fact.value]) }
    var lines =
      [
        "\(file): \(kind) that knows \(counted(labels.count, "label")) from "
          + "\(counted(samples, "sample"))", "",
      ] + table.lines
    guard !labels.isEmpty else { return lines }
    var counts = TextTable([("label", .left), ("samples", .right)])
    for label in labels { counts.add([TextTable.shortened(label.label), grouped(label.samples)]) }
    lines += [""] + counts.lines
    return lines
  }

  private var fileText: String {
    "\(megabytes(bytes)), intact, sha256 \(fingerprint.prefix(12))"
  }
}
