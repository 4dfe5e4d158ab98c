public import Files
public import Foundation
internal import HDF5
internal import Ink
internal import JSON
internal import NeuralNetwork

/// A recognizer as one file: see `docs/model-format.md`.
public enum ModelFile {
  /// The header and the supported versions.
  static let format = SealedFile(
    kind: "DrawML model", version: 3, limit: ModelLimits.fileBytes)

  /// The JSON description that is stored with the arrays.
  private struct About: Codable {
    var head: HeadConfiguration
    var members: [Member]
    var policy: DecisionPolicy
    var provenance: Provenance

    /// A network without its weights.
    struct Member: Codable {
      var architecture: Network.Architecture
      var view: DrawingView
      /// The weight of its vector.
      var weight: Float
    }

    /// The keys of the only network in a file of version 1.
    private enum Version1Keys: CodingKey { case architecture, rasterizer }

    init(head: HeadConfiguration, members: [Member], policy: DecisionPolicy, provenance: Provenance)
    {
      self.head = head
      self.members = members
      self.policy = policy
      self.provenance = provenance
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      head = try container.decode(HeadConfiguration.self, forKey: .head)
      policy = try container.decode(DecisionPolicy.self, forKey: .policy)
      provenance = try container.decode(Provenance.self, forKey: .provenance)
      let old = try decoder.container(keyedBy: Version1Keys.self)
      if old.contains(.architecture) {
        members = [
          Member(
            architecture: try old.decode(Network.Architecture.self, forKey: .architecture),
            view: .picture(try old.decode(Rasterizer.self, forKey: .rasterizer)), weight: 1)
        ]
      } else {
        members = try container.decode([Member].self, forKey: .members)
      }
    }
  }

  /// A model that was written.
  public struct Written: Hashable, Sendable {
    /// The SHA-256 of its payload, as `fingerprint(of:)` gives it.
    public let fingerprint: String
    /// The length of the file in bytes.
    public let byteCount: Int
    /// The file as it was when it had been written; nil for a device.
    public let version: FileVersion?
  }

  /// Writes `recognizer` to `path`, whole or not at all.
  ///
  /// The same recognizer gives the same bytes.
  ///
  /// - Parameters:
  ///   - recognizer: The model.
  ///   - path: Where the file goes.
  ///   - replacesLinks: See `PendingFile`.
  ///   - replacement: What the caller knows of the file that it replaces.
  /// - Returns: The model's fingerprint and size.
  /// - Throws: `FileError` when the file cannot be written; what was there before stays.
  @discardableResult
  public static func write(
    _ recognizer: Recognizer, to path: String, replacesLinks: Bool = false,
    replacing replacement: Replacement = .any
  ) throws -> Written {
    let payload: [UInt8]
    do {
      payload = try Self.payload(of: recognizer)
    } catch let error as HDF5Failure {
      throw FileError("write", path: path, reason: .malformed(error.description))
    } catch ModelError.malformed(let what) {
      throw FileError("write", path: path, reason: .malformed(what))
    }
    let version = try format.write(
      payload, to: path, replacesLinks: replacesLinks, replacing: replacement)
    return Written(
      fingerprint: Fingerprint.sha256(payload),
      byteCount: SealedFile.headerLength + payload.count, version: version)
  }

  /// A model that was read, and what its file's header says.
  public struct Opened: Sendable {
    /// The model.
    public let recognizer: Recognizer
    /// The version of the file's format, at least 1.
    public let version: Int
    /// The SHA-256 of the file's payload, checked: 64 hexadecimal digits. That of an older version
    /// is not `fingerprint(of:)`, which is what this program would write.
    public let fingerprint: String
    /// The length of the file in bytes.
    public let byteCount: Int
  }

  /// The recognizer in the file at `path`, and what the file's header says.
  ///
  /// - Throws: `FileError`, as `read`.
  public static func open(_ path: String) throws -> Opened {
    let file = try format.open(path)
    let header = try format.header(of: file, named: path)
    return Opened(
      recognizer: try read(file, named: path), version: header.version, fingerprint: header.digest,
      byteCount: SealedFile.headerLength + header.length)
  }

  /// The kind of file in a `FileError.Reason.foreign`.
  public static var kind: String { format.kind }

  /// The recognizer in the file at `path`.
  ///
  /// - Throws: `FileError` for a missing, foreign, truncated, changed or newer file, and for one
  ///   whose parts do not fit.
  public static func read(_ path: String) throws -> Recognizer {
    try read(format.open(path), named: path)
  }

  /// The recognizer in a file whose bytes are known.
  ///
  /// - Parameters:
  ///   - bytes: All bytes of the file.
  ///   - name: The file's name in errors.
  /// - Returns: The recognizer.
  /// - Throws: `FileError`, as for a file that is read from a path.
  public static func read(_ bytes: [UInt8], named name: String) throws -> Recognizer {
    try read(format.open(bytes, named: name), named: name)
  }

  private static func read(
    _ file: consuming PinnedBytes, named path: String
  ) throws -> Recognizer {
    func malformed(_ what: String) -> FileError {
      FileError("read", path: path, reason: .malformed(what))
    }
    do {
      return try recognizer(in: file)
    } catch let error as HDF5Failure {
      throw malformed(error.description)
    } catch let error as NetworkError {
      throw malformed(error.description)
    } catch ModelError.malformed(let what) {
      throw malformed(what)
    } catch ModelError.noStatistics(let why) {
      throw malformed("its adaptation cannot be learned: \(why)")
    } catch let fault as JSONFault {
      throw malformed("in its description \(fault)")
    }
  }

  /// The SHA-256 of the model's payload, as in its header: identifies the model.
  public static func fingerprint(of recognizer: Recognizer) throws -> String {
    Fingerprint.sha256(try payload(of: recognizer))
  }

  // MARK: Writing

  private static func payload(of recognizer: Recognizer) throws -> [UInt8] {
    try ModelLimits.check(recognizer)
    let image = try HDF5Writer()
    let (members, memory) = (recognizer.embedding.members, recognizer.memory)
    let about = About(
      head: recognizer.head.configuration,
      members: members.map {
        .init(architecture: $0.network.architecture, view: $0.view, weight: $0.weight)
      },
      policy: recognizer.policy, provenance: recognizer.provenance)
    let text = try jsonText(about)
    try ModelLimits.require(
      text.utf8.count, atMost: ModelLimits.descriptionBytes, "bytes in its description")
    try image.write([text], at: "/about")
    for (number, network) in members.map(\.network).enumerated() {
      for (name, array) in network.arrays {
        try image.write(array.values, shape: array.shape, at: "/embedding/\(number)/\(name)")
      }
    }
    try image.write(memory.trained.labels, at: "/trained/labels")
    try image.write(
      memory.trained.vectors, shape: [memory.trained.labels.count, memory.dimension],
      at: "/trained/vectors")
    let fitted = memory.trained.fittedDigests.map { $0.sorted() }
    try image.write(fitted.flatMap { $0 }, at: "/trained/digest")
    try image.write(
      fitted.indices.flatMap { repeatElement($0, count: fitted[$0].count) },
      shape: [fitted.reduce(0) { $0 + $1.count }], at: "/trained/label")
    try write(memory.priors, to: image)
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
    _ adaptation: Adaptation?, _ samples: [TaughtSample], to image: borrowing HDF5Writer
  ) throws {
    guard let adaptation else { return }
    let rows = samples.indices.filter { adaptation.samples.contains(samples[$0]) }
    try image.write([adaptation.priorWeight], shape: [1], at: "/adaptation/weight")
    try image.write(rows, shape: [rows.count], at: "/adaptation/samples")
  }

  private static func write(_ priors: [PLDAPrior], to image: borrowing HDF5Writer) throws {
    guard !priors.isEmpty else { return }
    try image.write(priors.map(\.name), at: "/backgrounds/name")
    for (index, prior) in priors.enumerated() {
      try write(prior, to: image, at: "/backgrounds/\(index)")
    }
  }

  private static func write(
    _ prior: PLDAPrior, to image: borrowing HDF5Writer, at place: String
  ) throws {
    let model = prior.model
    try image.write(model.mean, shape: [model.dimension], at: "\(place)/mean")
    try image.write(
      model.projection, shape: [model.directions, model.dimension], at: "\(place)/projection")
    try image.write(model.betweenVariances, shape: [model.directions], at: "\(place)/between")
    if !model.rest.isEmpty {
      try image.write(
        model.rest, shape: [model.dimension - model.directions, model.dimension],
        at: "\(place)/rest")
    }
    guard let calibration = prior.calibration else { return }
    let cells = [Calibration.labelCounts.count, Calibration.shotCounts.count]
    try image.write(
      [calibration.marginWeight], shape: [1], at: "\(place)/calibration/marginWeight")
    try image.write(
      calibration.evidence, shape: cells + [Calibration.quantileCount],
      at: "\(place)/calibration/evidence")
    try image.write(
      calibration.temperatures, shape: cells, at: "\(place)/calibration/temperatures")
  }

  // MARK: Reading

  private static func recognizer(in file: consuming PinnedBytes) throws -> Recognizer {
    let image = try HDF5Reader(file, from: SealedFile.headerLength)
    guard
      let text = try image.strings(at: "/about", longest: ModelLimits.descriptionBytes).first
    else { throw ModelError.malformed("it has no description") }
    let about = try JSONDocument.decode(About.self, from: Array(text.utf8))
    try ModelLimits.require(about.members.count, atMost: ModelLimits.members, "networks")
    var networks: [Network] = []
    for (number, member) in about.members.enumerated() {
      networks.append(try network(member.architecture, of: number, in: image))
    }
    let embedding = try Embedding(
      concurrentMap(networks.count) { [networks] number throws(ModelError) in
        let member = about.members[number]
        return try EmbeddingMember(
          view: member.view, network: networks[number], weight: member.weight)
      })
    try ModelLimits.require(
      embedding.dimension, atMost: ModelLimits.dimension, "numbers in a vector")
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

  /// Refuses hyper-parameters that would make a head trap.
  private static func check(_ head: HeadConfiguration) throws(ModelError) {
    switch head {
    case .nearestNeighbors(let count, _) where count < 1:
      throw .malformed("its head asks for \(count) neighbors")
    case .linear(let penalty, _) where !(penalty >= 0 && penalty.isFinite):
      throw .malformed("its head has the penalty \(penalty)")
    case .linear(_, let balance?) where !(0...1).contains(balance):
      throw .malformed("its head has the balance \(balance)")
    default: break
    }
  }

  private static func network(
    _ architecture: Network.Architecture, of member: Int, in image: borrowing HDF5Reader
  ) throws -> Network {
    // A file of version 1 has one network, whose path has no index.
    let place = image.contains("/embedding/\(member)") ? "/embedding/\(member)" : "/embedding"
    return try Network(architecture) { name, shape in
      let (values, found) = try image.floats(at: "\(place)/\(name)")
      guard found == shape else {
        throw ModelError.malformed("its \(name) has the shape \(found), not \(shape)")
      }
      return values
    }
  }

  private static func trained(
    in image: borrowing HDF5Reader, dimension: Int
  ) throws -> ClassVectors {
    let labels = try image.strings(at: "/trained/labels", longest: LabelRule.maxBytes)
    let (vectors, shape) = try image.floats(at: "/trained/vectors")
    guard shape == [labels.count, dimension], labels == labels.sorted(),
      Set(labels).count == labels.count
    else { throw ModelError.malformed("its trained labels and vectors do not fit") }
    guard vectors.allSatisfy({ abs($0) < 1.01 }) else {
      throw ModelError.malformed("a number of a trained label's vector is beyond 1")
    }
    try ModelLimits.check(labels: labels)
    let digests = try image.strings(at: "/trained/digest", longest: ModelLimits.digestBytes)
    let labelIndices = try image.integers(at: "/trained/label").values
    guard digests.count == labelIndices.count, labelIndices.allSatisfy(labels.indices.contains)
    else { throw ModelError.malformed("its trained drawings and labels do not fit") }
    var fitted: [Set<String>] = labels.map { _ in [] }
    for (digest, label) in zip(digests, labelIndices) { fitted[label].insert(digest) }
    return ClassVectors(labels: labels, vectors: vectors, fittedDigests: fitted)
  }

  private static func priors(
    in image: borrowing HDF5Reader, dimension: Int
  ) throws -> [PLDAPrior] {
    // Files of version 1 have one prior, without a name and without `rest`.
    if image.contains("/background") {
      return [
        try prior(
          named: PLDAPrior.unnamed, in: image, at: "/background", calibrationAt: "/calibration",
          dimension: dimension)
      ]
    }
    guard image.contains("/backgrounds") else { return [] }
    let names = try image.strings(at: "/backgrounds/name", longest: ModelLimits.nameBytes)
    try ModelLimits.require(names.count, atMost: ModelLimits.priors, "priors")
    guard !names.isEmpty, Set(names).count == names.count else {
      throw ModelError.malformed("its priors' names are invalid")
    }
    var found: [PLDAPrior] = []
    for (index, name) in names.enumerated() {
      let place = "/backgrounds/\(index)"
      found.append(
        try prior(
          named: name, in: image, at: place, calibrationAt: "\(place)/calibration",
          dimension: dimension))
    }
    guard found.count < 2 || found.allSatisfy(\.model.hasLikelihood) else {
      throw ModelError.malformed("its priors cannot be told apart: one has no remainder")
    }
    return found
  }

  private static func prior(
    named name: String, in image: borrowing HDF5Reader, at place: String,
    calibrationAt calibration: String, dimension: Int
  ) throws -> PLDAPrior {
    let model = try TwoCovarianceModel(
      mean: image.floats(at: "\(place)/mean").values,
      projection: image.floats(at: "\(place)/projection").values,
      betweenVariances: image.floats(at: "\(place)/between").values,
      rest: image.contains("\(place)/rest") ? image.floats(at: "\(place)/rest").values : [])
    guard model.dimension == dimension else {
      throw ModelError.malformed("its prior is for vectors of another size")
    }
    guard image.contains(calibration) else { return PLDAPrior(named: name, model: model) }
    // Before version 3, only quantiles of the score were stored, without a margin weight.
    let isOld = !image.contains("\(calibration)/evidence")
    let weight = isOld ? [0] : try image.floats(at: "\(calibration)/marginWeight").values
    guard weight.count == 1 else {
      throw ModelError.malformed("its calibration has \(weight.count) weights of margins, not one")
    }
    return PLDAPrior(
      named: name, model: model,
      calibration: try Calibration(
        marginWeight: weight[0],
        evidence: image.floats(at: "\(calibration)/\(isOld ? "scores" : "evidence")").values,
        temperatures: image.floats(at: "\(calibration)/temperatures").values))
  }

  private static func memory(in image: borrowing HDF5Reader, dimension: Int) throws -> SampleMemory
  {
    let labels = try image.strings(at: "/labels", longest: LabelRule.maxBytes)
    let ids = try image.strings(at: "/samples/id", longest: ModelLimits.idBytes)
    let digests = try image.strings(at: "/samples/digest", longest: ModelLimits.digestBytes)
    let labelIndices = try image.integers(at: "/samples/label").values
    let (vectors, shape) = try image.floats(at: "/samples/vector")
    guard shape == [ids.count, dimension], digests.count == ids.count,
      labelIndices.count == ids.count
    else { throw ModelError.malformed("its samples' lists differ in length") }
    guard labelIndices.allSatisfy(labels.indices.contains) else {
      throw ModelError.malformed("a sample has a label that is not there")
    }
    // Networks output vectors of length 1, imported networks also shorter ones; 1.01 allows for
    // rounding.
    guard vectors.allSatisfy({ abs($0) < 1.01 }) else {
      throw ModelError.malformed("a number of a sample's vector is beyond 1")
    }
    let samples = ids.indices.map { row in
      TaughtSample(id: ids[row], label: labels[labelIndices[row]], digest: digests[row])
    }
    let priors = try priors(in: image, dimension: dimension)
    try ModelLimits.check(labels: labels)
    try ModelLimits.check(labels: labels.count, dimension: dimension, priors: priors)
    var memory = SampleMemory(
      dimension: dimension, trained: try trained(in: image, dimension: dimension),
      priors: priors)
    try memory.restore(
      samples, vectors: vectors, adaptation: try adaptation(in: image, to: samples))
    guard memory.labels == labels else {
      throw ModelError.malformed("its samples are not in order")
    }
    return memory
  }

  private static func adaptation(
    in image: borrowing HDF5Reader, to samples: [TaughtSample]
  ) throws -> Adaptation? {
    guard image.contains("/adaptation") else { return nil }
    let weight = try image.doubles(at: "/adaptation/weight").values
    let rows = try image.integers(at: "/adaptation/samples").values
    guard weight.count == 1, rows.allSatisfy(samples.indices.contains),
      rows == Array(Set(rows)).sorted()
    else { throw ModelError.malformed("its adaptation and samples do not fit") }
    guard (1..<1e9).contains(weight[0]) else {
      throw ModelError.malformed("the weight of its adaptation is invalid")
    }
    return Adaptation(priorWeight: weight[0], samples: Set(rows.map { samples[$0] }))
  }
}

extension Recognizer {
  /// The recognizer in the model file at `url`.
  ///
  /// - Throws: `FileError`, as `ModelFile.read`.
  public init(contentsOf url: URL) throws {
    self = try ModelFile.read(url.path(percentEncoded: false))
  }

  /// Writes a model file to `url`, whole or not at all.
  ///
  /// - Throws: `FileError`, as `ModelFile.write`; what was there before stays.
  public func write(to url: URL) throws {
    try ModelFile.write(self, to: url.path(percentEncoded: false))
  }
}

extension [String: Tensor] {
  /// The tensor of the given name and shape, whose numbers are at most `limit` from 0: finite ones
  /// may still give scores that are not.
  func tensor(_ name: String, shape: [Int], within limit: Float) throws(ModelError) -> Tensor {
    guard let tensor = self[name], tensor.shape == shape else {
      throw .malformed("its head has no \(name) of shape \(shape)")
    }
    guard tensor.values.allSatisfy({ abs($0) <= limit }) else {
      throw .malformed("a number of its head's \(name) is invalid")
    }
    return tensor
  }
}
