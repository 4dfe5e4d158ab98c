internal import Foundation
internal import Ink
internal import NeuralNetwork
internal import Support

/// A recogniser as one file: see `docs/model-format.md`.
public enum ModelFile {
  /// What the header says and which versions are read.
  static let format = SealedFile(kind: "DrawML model", version: 1)

  /// What is stored as JSON beside the numbers.
  private struct About: Codable {
    var architecture: Network.Architecture
    var head: HeadConfiguration
    var policy: DecisionPolicy
    var provenance: Provenance
    var rasterizer: Rasterizer
  }

  /// Writes `recognizer` to `path`, whole or not at all.
  ///
  /// The same recogniser gives the same bytes.
  ///
  /// - Throws: `FileError` when the file cannot be written; what was there before stays.
  public static func write(_ recognizer: Recognizer, to path: String) throws {
    let payload: [UInt8]
    do {
      payload = try Self.payload(of: recognizer)
    } catch let error as HDF5Image.Failure {
      throw FileError("write", path: path, reason: .malformed(error.description))
    }
    try format.write(payload, to: path)
  }

  /// The recogniser in the file at `path`.
  ///
  /// - Throws: `FileError` for a missing, foreign, truncated, changed or newer file, and for one whose
  ///   parts do not fit.
  public static func read(_ path: String) throws -> Recognizer {
    let payload = try format.read(path)
    func malformed(_ what: String) -> FileError {
      FileError("read", path: path, reason: .malformed(what))
    }
    do {
      return try recognizer(in: payload)
    } catch let error as HDF5Image.Failure {
      throw malformed(error.description)
    } catch let error as NetworkError {
      throw malformed(error.description)
    } catch ModelError.malformed(let what) {
      throw malformed(what)
    } catch ModelError.noStatistics(let why) {
      throw malformed("its adaptation cannot be learned: \(why)")
    } catch let error as DecodingError {
      throw malformed("its description has \(error.place) in a form that this drawml does not read")
    }
  }

  /// The SHA-256 of the model's payload, which stands in its header: names the model.
  public static func fingerprint(of recognizer: Recognizer) throws -> String {
    Fingerprint.sha256(try payload(of: recognizer))
  }

  // MARK: Writing

  private static func payload(of recognizer: Recognizer) throws -> [UInt8] {
    let image = try HDF5Image()
    let (network, memory) = (recognizer.embedding.network, recognizer.memory)
    let about = About(
      architecture: network.architecture, head: recognizer.head.configuration,
      policy: recognizer.policy, provenance: recognizer.provenance,
      rasterizer: recognizer.embedding.rasterizer)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try image.write([String(decoding: encoder.encode(about), as: UTF8.self)], at: "/about")
    try write(network.parameters, network.parameterSlots.map { ($0.name, $0.shape) }, to: image)
    try write(network.statistics, network.statisticSlots.map { ($0.name, $0.shape) }, to: image)
    try image.write(memory.trained.labels, at: "/trained/labels")
    try image.write(
      memory.trained.vectors, shape: [memory.trained.labels.count, memory.dimension],
      at: "/trained/vectors")
    let fitted = memory.trained.fittedDigests.map { $0.sorted() }
    try image.write(fitted.flatMap { $0 }, at: "/trained/digest")
    try image.write(
      fitted.indices.flatMap { repeatElement($0, count: fitted[$0].count) },
      shape: [fitted.reduce(0) { $0 + $1.count }], at: "/trained/label")
    try write(memory.background, to: image)
    for (name, tensor) in recognizer.head.learned.sorted(by: { $0.key < $1.key }) {
      try image.write(tensor.values, shape: tensor.shape, at: "/head/\(name)")
    }
    let samples = memory.samples
    try image.write(memory.labels, at: "/labels")
    try image.write(samples.map(\.id), at: "/samples/id")
    try image.write(samples.map(\.digest), at: "/samples/digest")
    try image.write(memory.labelIndices, shape: [samples.count], at: "/samples/label")
    try image.write(
      memory.vectors, shape: [samples.count, memory.dimension], at: "/samples/vector")
    try write(memory.adaptation, samples, to: image)
    return try image.bytes()
  }

  private static func write(
    _ adaptation: Adaptation?, _ samples: [TaughtSample], to image: borrowing HDF5Image
  ) throws {
    guard let adaptation else { return }
    let rows = samples.indices.filter { adaptation.samples.contains(samples[$0]) }
    try image.write([adaptation.priorWeight], shape: [1], at: "/adaptation/weight")
    try image.write([adaptation.temperatureFactor], shape: [1], at: "/adaptation/temperature")
    try image.write(rows, shape: [rows.count], at: "/adaptation/samples")
  }

  private static func write(_ background: Background?, to image: borrowing HDF5Image) throws {
    guard let background else { return }
    let model = background.model
    try image.write(model.mean, shape: [model.dimension], at: "/background/mean")
    try image.write(
      model.projection, shape: [model.directions, model.dimension], at: "/background/projection")
    try image.write(model.betweenVariances, shape: [model.directions], at: "/background/between")
    guard let calibration = background.calibration else { return }
    let cells = [Calibration.labelCounts.count, Calibration.shotCounts.count]
    for (name, values) in [
      ("scores", calibration.scores), ("margins", calibration.margins),
      ("ranks", calibration.ranks),
    ] {
      try image.write(
        values, shape: cells + [Calibration.quantileCount], at: "/calibration/\(name)")
    }
    try image.write(calibration.temperatures, shape: cells, at: "/calibration/temperatures")
  }

  private static func write(
    _ values: [Float], _ slots: [(name: String, shape: [Int])], to image: borrowing HDF5Image
  ) throws {
    var start = 0
    for slot in slots {
      let end = start + slot.shape.reduce(1, *)
      try image.write(
        Array(values[start..<end]), shape: slot.shape, at: "/embedding/\(slot.name)")
      start = end
    }
  }

  // MARK: Reading

  private static func recognizer(in payload: [UInt8]) throws -> Recognizer {
    let image = try HDF5Image(payload)
    guard let text = try image.strings(at: "/about").first else {
      throw ModelError.malformed("it has no description")
    }
    let about = try JSONDecoder().decode(About.self, from: Data(text.utf8))
    let network = try network(about.architecture, in: image)
    let embedding = try Embedding(rasterizer: about.rasterizer, network: network)
    let memory = try memory(in: image, dimension: embedding.dimension)
    try check(about.head)
    var head = about.head.makeHead()
    var learned: [String: Tensor] = [:]
    for name in head.learned.keys where image.contains("/head/\(name)") {
      let (values, shape) = try image.floats(at: "/head/\(name)")
      learned[name] = Tensor(shape: shape, values: values)
    }
    if !memory.samples.isEmpty { try head.restore(learned, for: memory) }
    return Recognizer(
      embedding: embedding, memory: memory, head: head, policy: about.policy,
      provenance: about.provenance)
  }

  /// Refuses hyper-parameters that a head traps on.
  private static func check(_ head: HeadConfiguration) throws(ModelError) {
    switch head {
    case .nearestNeighbours(let count, _) where count < 1:
      throw .malformed("its head asks for \(count) neighbours")
    case .linear(let penalty) where !(penalty >= 0 && penalty.isFinite):
      throw .malformed("its head has the penalty \(penalty)")
    default: break
    }
  }

  private static func network(
    _ architecture: Network.Architecture, in image: borrowing HDF5Image
  ) throws -> Network {
    func values(_ slots: [(name: String, shape: [Int])]) throws -> [Float] {
      var all: [Float] = []
      for slot in slots {
        let (values, shape) = try image.floats(at: "/embedding/\(slot.name)")
        guard shape == slot.shape else {
          throw ModelError.malformed(
            "its \(slot.name) has the shape \(shape), not \(slot.shape)")
        }
        all += values
      }
      return all
    }
    // The names and shapes of the values follow from the architecture alone.
    var generator = SeededGenerator(seed: 0)
    let blank = try Network(architecture, using: &generator)
    return try Network(
      architecture, parameters: values(blank.parameterSlots.map { ($0.name, $0.shape) }),
      statistics: values(blank.statisticSlots.map { ($0.name, $0.shape) }))
  }

  private static func trained(
    in image: borrowing HDF5Image, dimension: Int
  ) throws -> ClassVectors {
    let labels = try image.strings(at: "/trained/labels")
    let (vectors, shape) = try image.floats(at: "/trained/vectors")
    guard shape == [labels.count, dimension], vectors.allSatisfy(\.isFinite),
      labels == labels.sorted(), Set(labels).count == labels.count
    else { throw ModelError.malformed("its trained labels and vectors do not fit") }
    let digests = try image.strings(at: "/trained/digest")
    let labelIndices = try image.integers(at: "/trained/label").values
    guard digests.count == labelIndices.count, labelIndices.allSatisfy(labels.indices.contains)
    else { throw ModelError.malformed("its trained drawings and labels do not fit") }
    var fitted: [Set<String>] = labels.map { _ in [] }
    for (digest, label) in zip(digests, labelIndices) { fitted[label].insert(digest) }
    return ClassVectors(labels: labels, vectors: vectors, fittedDigests: fitted)
  }

  private static func background(
    in image: borrowing HDF5Image, dimension: Int
  ) throws -> Background? {
    guard image.contains("/background") else { return nil }
    let model = try TwoCovarianceModel(
      mean: image.floats(at: "/background/mean").values,
      projection: image.floats(at: "/background/projection").values,
      betweenVariances: image.floats(at: "/background/between").values)
    guard model.dimension == dimension else {
      throw ModelError.malformed("its background is one of other vectors")
    }
    guard image.contains("/calibration") else { return Background(model: model) }
    return Background(
      model: model,
      calibration: try Calibration(
        scores: image.floats(at: "/calibration/scores").values,
        margins: image.floats(at: "/calibration/margins").values,
        ranks: image.floats(at: "/calibration/ranks").values,
        temperatures: image.floats(at: "/calibration/temperatures").values))
  }

  private static func memory(in image: borrowing HDF5Image, dimension: Int) throws -> SampleMemory {
    let labels = try image.strings(at: "/labels")
    let ids = try image.strings(at: "/samples/id")
    let digests = try image.strings(at: "/samples/digest")
    let labelIndices = try image.integers(at: "/samples/label").values
    let (vectors, shape) = try image.floats(at: "/samples/vector")
    guard shape == [ids.count, dimension], digests.count == ids.count,
      labelIndices.count == ids.count
    else { throw ModelError.malformed("its samples' lists differ in length") }
    guard labelIndices.allSatisfy(labels.indices.contains) else {
      throw ModelError.malformed("a sample has a label that is not there")
    }
    // A unit vector's numbers, with room for rounding.
    guard vectors.allSatisfy({ abs($0) < 1.01 }) else {
      throw ModelError.malformed("a sample's vector is none of length 1")
    }
    let samples = ids.indices.map { row in
      TaughtSample(id: ids[row], label: labels[labelIndices[row]], digest: digests[row])
    }
    var memory = SampleMemory(
      dimension: dimension, trained: try trained(in: image, dimension: dimension),
      background: try background(in: image, dimension: dimension))
    memory.insert(samples, vectors: vectors)
    guard memory.samples == samples, memory.labels == labels else {
      throw ModelError.malformed("its samples are not in order")
    }
    if let adaptation = try adaptation(in: image, to: samples) { try memory.adapt(adaptation) }
    return memory
  }

  private static func adaptation(
    in image: borrowing HDF5Image, to samples: [TaughtSample]
  ) throws -> Adaptation? {
    guard image.contains("/adaptation") else { return nil }
    let weight = try image.doubles(at: "/adaptation/weight").values
    let factor = try image.floats(at: "/adaptation/temperature").values
    let rows = try image.integers(at: "/adaptation/samples").values
    guard weight.count == 1, factor.count == 1, rows.allSatisfy(samples.indices.contains),
      rows == Array(Set(rows)).sorted()
    else { throw ModelError.malformed("its adaptation and samples do not fit") }
    return try Adaptation(reading: weight[0], factor[0], Set(rows.map { samples[$0] }))
  }
}

extension [String: Tensor] {
  /// The tensor of the given name and shape.
  func tensor(_ name: String, shape: [Int]) throws(ModelError) -> Tensor {
    guard let tensor = self[name], tensor.shape == shape else {
      throw .malformed("its head has no \(name) of shape \(shape)")
    }
    guard tensor.values.allSatisfy(\.isFinite) else {
      throw .malformed("a number of its head's \(name) is not finite")
    }
    return tensor
  }
}

extension DecodingError {
  /// Where in the text the fault is, such as "architecture.layers.3.kind".
  fileprivate var place: String {
    let path: [any CodingKey] =
      switch self {
      case .keyNotFound(let key, let context): context.codingPath + [key]
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        context.codingPath
      @unknown default: []
      }
    return path.isEmpty
      ? "something"
      : path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }
}
