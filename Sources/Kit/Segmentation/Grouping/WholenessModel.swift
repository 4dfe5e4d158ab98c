internal import Foundation
internal import Ink
internal import NeuralNetwork

/// Scores whether a group of strokes is one whole shape rather than a part of one or several
/// together: a small convolutional network on its `GroupPicture`.
///
/// The cues generalize to unseen shapes: loose ends, gaps, and continuation by the ink around
/// (compare objectness: Alexe, Deselaers and Ferrari 2012, doi:10.1109/TPAMI.2012.28).
struct WholenessModel: Sendable, Equatable {
  /// From `GroupPicture.shape` to [2]: the scores of "not whole" and "whole". Without batch
  /// normalization.
  let network: Network
  /// Idle working memory, shared by all canvases: there may be many, but few evaluate groups at the
  /// same time.
  private let scratchPool = Pool<Scratch>()

  init(_ network: Network) throws {
    guard network.inputShape == GroupPicture.shape, network.outputShape == [2] else {
      throw NetworkError.unsuitableData("a wholeness network maps pictures of groups to 2 scores")
    }
    guard OperationCount(network.architecture).inference <= Self.mostOperations else {
      throw NetworkError.tooLarge("operations for one group", limit: Int(Self.mostOperations))
    }
    self.network = network
  }

  /// The limit per group, of which a canvas evaluates many; the standard model takes 5.4 million
  /// operations.
  private static let mostOperations = 0x1p25

  /// Whether both give the same score for every picture.
  static func == (a: WholenessModel, b: WholenessModel) -> Bool { a.network == b.network }

  /// Working memory to evaluate groups.
  private struct Scratch: Sendable {
    /// How many groups are evaluated at once.
    static let places = 8

    var picture = GroupPicture()
    var pixels = [Float](repeating: 0, count: places * GroupPicture.size)
    var scores = [Float](repeating: 0, count: places * 2)
    let network: PreparedNetwork
    var workspace: InferenceWorkspace

    init(_ network: PreparedNetwork) {
      self.network = network
      workspace = InferenceWorkspace(for: network)
    }
  }

  /// The log-odds that each group is one complete shape, in ±`mostCertain`; excludes position,
  /// timing and the recognizer's answers.
  ///
  /// - Parameter groups: Groups on their canvases.
  /// - Returns: For each group the log-odds; 0 if the network overflows.
  /// - Throws: `InkError.invalidNumber` for a coordinate that is not finite.
  func scores(of groups: [GroupReader.Subject]) throws(InkError) -> [Float] {
    var scratch = scratchPool.take() ?? Scratch(PreparedNetwork(network))
    defer { scratchPool.putBack(scratch) }
    var found: [Float] = []
    for first in stride(from: 0, to: groups.count, by: Scratch.places) {
      let members = groups[first...].prefix(Scratch.places)
      for (place, group) in members.enumerated() {
        try Self.draw(group, at: place, &scratch.picture, into: &scratch.pixels)
      }
      Self.run(
        scratch.network, scratch.pixels, members.count, into: &scratch.scores, &scratch.workspace)
      for place in members.indices.map({ $0 - first }) {
        let odds = scratch.scores[2 * place + 1] - scratch.scores[2 * place]
        found.append(odds.isNaN ? 0 : min(max(odds, -Self.mostCertain), Self.mostCertain))
      }
    }
    return found
  }

  /// A limit far above the scores of any fitted network, so that sums stay finite.
  private static let mostCertain: Float = 1e6

  private static func draw(
    _ group: GroupReader.Subject, at place: Int, _ picture: inout GroupPicture,
    into pixels: inout [Float]
  ) throws(InkError) {
    var span = pixels.mutableSpan
    try picture.draw(
      group.strokes, among: group.others, frame: group.frame, into: &span, at: place)
  }

  private static func run(
    _ network: PreparedNetwork, _ pixels: [Float], _ count: Int, into scores: inout [Float],
    _ workspace: inout InferenceWorkspace
  ) {
    var span = scores.mutableSpan
    network.predict(pixels.span, count: count, into: &span, workspace: &workspace)
  }
}

extension WholenessModel: Codable {
  private enum CodingKeys: CodingKey { case architecture, parameters }

  /// Reads the layers, and the parameters as half-precision numbers (IEEE 754 binary16, little
  /// endian) in base 64.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func fault(_ key: CodingKeys, _ problem: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: container, debugDescription: problem)
    }
    let bytes = [UInt8](try container.decode(Data.self, forKey: .parameters))
    guard bytes.count % 2 == 0 else {
      throw fault(.parameters, "has \(bytes.count) bytes; numbers have two each")
    }
    let parameters = stride(from: 0, to: bytes.count, by: 2).map {
      Float(Float16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))
    }
    guard parameters.allSatisfy(\.isFinite) else {
      throw fault(.parameters, "has a number that is not finite")
    }
    do {
      let architecture = try container.decode(Network.Architecture.self, forKey: .architecture)
      try self.init(Network(architecture, parameters: parameters, statistics: []))
    } catch NetworkError.wrongCount(_, let expected, let actual) {
      throw fault(.parameters, "has \(actual) numbers; the architecture needs \(expected)")
    } catch let error as NetworkError {
      throw fault(.architecture, "is wrong: \(error)")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(network.architecture, forKey: .architecture)
    let bytes = network.parameters.flatMap { value in
      let bits = Float16(value).bitPattern
      return [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
    }
    try container.encode(Data(bytes), forKey: .parameters)
  }

  /// The model as it is read back from its file.
  func rounded() throws -> WholenessModel {
    try WholenessModel(
      Network(
        network.architecture, parameters: network.parameters.map { Float(Float16($0)) },
        statistics: network.statistics))
  }
}
