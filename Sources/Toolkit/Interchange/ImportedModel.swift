internal import Files
internal import Foundation
internal import Ink
internal import NeuralNetwork
internal import Recognition
internal import SwiftProtobuf

/// The parts of another program's model, from which a recognizer is made.
struct ImportedModel {
  /// What the first layer takes for a pixel: `factor` times the ink, from 0 to 1, plus `shift`.
  struct Scale: Equatable {
    var factor: Float = 1
    var shift: Float = 0
  }

  /// An input of the networks.
  struct Input {
    var name: String
    /// [height, width, channels].
    var shape: [Int]
    /// Whether it is a gray image of the drawing.
    var isImage: Bool
    /// The range of the first layer's input; nil if the file does not declare it.
    var scale: Scale? = Scale()
  }

  /// The taught samples of nearest neighbors.
  struct Samples {
    /// Row-major, shape [samples, dimension].
    var vectors: [Float] = []
    /// The label of each.
    var labels: [String] = []
    var neighbors: Int
    var weights: HeadConfiguration.NeighborWeights
  }

  var facts: ImportFacts
  var inputs: [Input]
  var parts: [GraphReader.Part]
  /// Nil for networks alone.
  var samples: Samples?
  /// The kind of file, such as "Core ML".
  var format: String
  /// The SHA-256 of the file.
  var digest: String

  /// What `read` gives; its errors name the file.
  static func locating<Value>(_ path: String, _ read: () throws -> Value) throws -> Value {
    do { return try read() } catch {
      throw FileError("read", path: path, reason: .malformed("\(error)"))
    }
  }

  /// A message of a file's bytes.
  ///
  /// - Parameters:
  ///   - bytes: The file's bytes.
  ///   - lists: Long lists: see `WireLimits.check`.
  ///   - leaves: Fields without any within: see `WireLimits.check`.
  /// - Returns: The message.
  /// - Throws: `ImportError` for bytes that are no such message, or have too many fields.
  static func decoded<Model: Message>(
    _ bytes: [UInt8], lists: [[UInt64]] = [], leaves: [[UInt64]] = []
  ) throws(ImportError) -> Model {
    guard !bytes.isEmpty else { throw .malformed("it is empty") }
    try WireLimits.check(bytes, lists: lists, leaves: leaves)
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = WireLimits.depth
    options.discardUnknownFields = true
    do {
      return try Model(serializedBytes: bytes, options: options)
    } catch {
      throw .malformed("it is truncated, or not a protocol buffer of this format")
    }
  }

  /// Makes the recognizer.
  ///
  /// - Parameters:
  ///   - white: What the first layer takes for white ink where the file does not say.
  ///   - software: The version of this program.
  /// - Returns: The recognizer; without samples it has no labels.
  /// - Throws: `ImportError`, `NetworkError` or `ModelError` for parts that do not fit.
  func recognizer(white: Int?, software: String) throws -> Recognizer {
    try ModelLimits.require(parts.count, atMost: ModelLimits.members, "networks")
    let embedding = try embedding(white)
    try ModelLimits.require(
      embedding.dimension, atMost: ModelLimits.dimension, "numbers in a vector")
    let head: HeadConfiguration =
      samples.map { .nearestNeighbors(count: $0.neighbors, weights: $0.weights) } ?? .classMeans
    var recognizer = Recognizer(
      embedding: embedding, head: head, policy: facts.policy,
      provenance: .imported(from: format, by: software, digest: digest))
    if let samples, !samples.labels.isEmpty { try teach(samples, to: &recognizer) }
    return recognizer
  }

  // MARK: Networks

  private func embedding(_ white: Int?) throws -> Embedding {
    let networks = try parts.map { part in
      guard let input = inputs.first(where: { $0.name == part.input }) else {
        throw ImportError.malformed("there is no input \(part.input)")
      }
      return (view: try view(of: input), network: try network(of: part, input, white), part.factor)
    }
    func embedding(_ weights: [Float]) throws -> Embedding {
      try Embedding(
        zip(networks, weights).map {
          try EmbeddingMember(view: $0.view, network: $0.network, weight: $1)
        })
    }
    let factors = networks.map(\.2)
    // The factors are the weights divided by their length: rounded, so that the weights say more.
    if let weights = facts.weights, weights.count == parts.count {
      let whole = try embedding(weights)
      if whole.shares == factors { return whole }
    }
    return try embedding(factors)
  }

  /// The network with unit vectors: where it lacks that step, and no samples were taught without
  /// it, the step is added.
  private func network(
    of part: GraphReader.Part, _ input: Input, _ white: Int?
  ) throws -> Network {
    guard let scale = input.scale ?? white.map({ Scale(factor: Float($0)) }) else {
      throw ImportError.unsupported(
        """
        it does not declare the scale of its picture: give the first layer's value for white ink \
        with --white, 1 or 255
        """)
    }
    let network = part.network
    var layers = network.architecture.layers
    var (parameters, statistics) = (network.parameters, network.statistics)
    if scale != Scale() {
      // A normalization that multiplies and adds: the sum of variance and epsilon is 1.
      let epsilon: Float = 1e-5
      layers.insert(.batchNormalization(epsilon: epsilon), at: 0)
      parameters.insert(contentsOf: [scale.factor, scale.shift], at: 0)
      statistics.insert(contentsOf: [0, 1 - epsilon], at: 0)
    }
    let givesUnitVectors = if case .l2Normalize? = layers.last { true } else { false }
    if !givesUnitVectors {
      guard parts.count == 1, samples?.labels.isEmpty != false else { throw Self.otherVectors }
      layers.append(.l2Normalize())
    }
    return try Network(
      Network.Architecture(inputShape: network.inputShape, layers: layers),
      parameters: parameters, statistics: statistics)
  }

  /// Unit vectors are what is compared here.
  static let otherVectors = ImportError.unsupported(
    """
    its classifier compares other vectors than the unit vectors of the networks: export a model \
    whose head is knn, or take the networks alone with --networks-only
    """)

  private func view(of input: Input) throws -> DrawingView {
    if let view = facts.views[input.name] {
      guard view.shape == input.shape else {
        throw ImportError.malformed(
          "drawml.views makes \(input.name) of the shape \(view.shape), it is \(input.shape)")
      }
      return view
    }
    guard input.isImage else {
      throw ImportError.unsupported(
        "it does not say how input \(input.name) is made from a drawing: it has no drawml.views")
    }
    return .picture(try Self.rasterizer(height: input.shape[0], width: input.shape[1]))
  }

  /// A rasterizer for a network if only its pictures' size is known.
  static func rasterizer(
    height: Int, width: Int, strokeWidth: Double = 1.5, margin: Double = 1.5
  ) throws(ImportError) -> Rasterizer {
    guard (8...1024).contains(height), (8...1024).contains(width) else {
      throw .unsupported(
        "it takes pictures of \(width) × \(height) pixels; sides must be from 8 to 1024")
    }
    guard strokeWidth + 2 * margin < Double(min(width, height)) else {
      throw .unsupported(
        "its pictures of \(width) × \(height) pixels have no room for a pen of \(strokeWidth) "
          + "pixels and a margin of \(margin)")
    }
    return Rasterizer(width: width, height: height, strokeWidth: strokeWidth, margin: margin)
  }

  // MARK: Samples

  /// Teaches the samples, in the order of the file, under ids that keep it: of equally near ones,
  /// the first counts.
  private func teach(_ samples: Samples, to recognizer: inout Recognizer) throws {
    let (count, dimension) = (samples.labels.count, recognizer.embedding.dimension)
    guard samples.vectors.count == count * dimension else {
      throw ImportError.malformed(
        "its \(count) samples have \(samples.vectors.count) numbers; its vectors have \(dimension)")
    }
    var known: [String: String] = [:]
    let taught = try (0..<count).map { row in
      let vector = Array(samples.vectors[(row * dimension)..<((row + 1) * dimension)])
      let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
      guard abs(length - 1) < 1e-3 else {
        throw ImportError.unsupported("sample \(row + 1) has the length \(length), not 1")
      }
      let name = samples.labels[row]
      if known[name] == nil {
        do throws(LabelError) { known[name] = try LabelRule.label(name) } catch {
          throw ImportError.malformed("the label of sample \(row + 1) \(error)")
        }
      }
      // There are no strokes to digest.
      let digest = Fingerprint.sha256([UInt8](Data(packing: vector))).prefix(16)
      let number = String(row + 1)
      return TaughtSample(
        id: "sample-" + String(repeating: "0", count: max(0, 6 - number.count)) + number,
        label: known[name] ?? name, digest: String(digest))
    }
    try ModelLimits.requireCapacity(forLabels: Set(known.values).count, in: recognizer)
    recognizer.update(with: taught, vectors: samples.vectors)
  }
}
