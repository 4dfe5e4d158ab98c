internal import Foundation
internal import Support

/// What a `Segmenter` was fitted to: how much place, time and the recogniser's answers speak for groupings.
public struct SegmenterModel: Codable, Sendable, Equatable {
  /// Place and time.
  var join: JoinModel
  /// What each of `GroupFeatures` weighs with a recogniser, behind the weight of place and time: shape [1 + features].
  var weights: [Float]
  /// The same for a recogniser with another embedding, of whose vectors nothing is known.
  var otherWeights: [Float]
  /// The same without a recogniser.
  var blindWeights: [Float]
  /// How much a vector looks like that of a whole shape; nil where no embedding was looked at.
  var wholeness: WholenessModel?
  /// How far answers can be trusted, of that embedding; elsewhere, and where nil, the recogniser decides by itself.
  var trust: TrustModel?

  /// Reads a model from a JSON file.
  ///
  /// - Throws: `FileError` where there is none or its numbers do not fit.
  public init(path: String) throws {
    let bytes = try AtomicFile.read(path)
    do {
      self = try Self(json: bytes)
    } catch {
      throw FileError("read", path: path, reason: .malformed("it is no segmenter of this drawml"))
    }
  }

  /// The model that comes with DrawML, fitted to the shipped base model by `drawml train-segmenter`.
  ///
  /// - Returns: The model.
  /// - Throws: `DecodingError`, which would be a fault in the package.
  public static func standard() throws -> SegmenterModel {
    try SegmenterModel(json: PackageResources.segmenter_json)
  }

  init(join: JoinModel, weights: [Float], wholeness: WholenessModel?) {
    (self.join, self.wholeness) = (join, wholeness)
    (self.weights, otherWeights, blindWeights) = (weights, weights, weights)
  }

  init(json: [UInt8]) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(json))
    guard join.isSound, weights.count == 1 + GroupFeatures.count,
      blindWeights.count == weights.count, otherWeights.count == weights.count,
      (weights + otherWeights + blindWeights).allSatisfy(\.isFinite), wholeness?.isSound ?? true,
      trust?.isSound ?? true
    else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "numbers"))
    }
  }

  /// The model with its numbers rounded to four decimals, so that its file is half as long.
  func rounded() -> SegmenterModel {
    func short(_ values: [Float]) -> [Float] { values.map { ($0 * 1e4).rounded() / 1e4 } }
    var copy = self
    copy.weights = short(weights)
    copy.otherWeights = short(otherWeights)
    copy.blindWeights = short(blindWeights)
    copy.join.first = short(join.first)
    copy.join.second = short(join.second)
    copy.join.output = short(join.output)
    copy.wholeness?.hidden = short(wholeness?.hidden ?? [])
    copy.wholeness?.output = short(wholeness?.output ?? [])
    copy.trust?.weights = short(trust?.weights ?? [])
    return copy
  }

  /// The model as JSON text; the same model gives the same bytes.
  public func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return Array(try encoder.encode(self))
  }
}

/// How much a vector looks like that of a whole shape rather than of a part or of two together: a network with one
/// hidden layer on an embedding's vectors.
struct WholenessModel: Codable, Sendable, Equatable {
  /// Names the embedding whose vectors it was fitted to.
  var embedding: String
  var dimension: Int
  /// Row-major, shape [hidden, dimension + 1].
  var hidden: [Float]
  /// Shape [hidden + 1].
  var output: [Float]

  var hiddenCount: Int { output.count - 1 }

  var isSound: Bool {
    output.count >= 2 && dimension >= 1 && hidden.count == hiddenCount * (dimension + 1)
      && (hidden + output).allSatisfy(\.isFinite)
  }

  /// The logarithm of the odds for a whole shape.
  func score(_ vector: [Float]) -> Float {
    var sum = output[hiddenCount]
    for unit in 0..<hiddenCount {
      let row = unit * (dimension + 1)
      var value = hidden[row + dimension]
      for k in 0..<dimension { value += hidden[row + k] * vector[k] }
      sum += output[unit] * max(0, value)
    }
    return sum
  }
}
