internal import Foundation
internal import Support

/// What a `Segmenter` was fitted to: how much place, time and the recogniser's answers speak for groupings.
public struct SegmenterModel: Codable, Sendable, Equatable {
  /// Place and time.
  var join: JoinModel
  /// What each of `GroupFeatures` weighs with a recogniser, behind the weight of place and time: shape [1 + features].
  var weights: [Float]
  /// The same without a recogniser.
  var blindWeights: [Float]
  /// How much a group looks like a whole shape; nil where it was not fitted.
  var wholeness: WholenessModel?
  /// Names the embedding of the recognisers that it was fitted with; nil where there were none.
  var embedding: String?
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
      throw FileError(
        "read", path: path,
        reason: .malformed(
          "it is no segmenter of this drawml; 'drawml train-segmenter' writes one"))
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
    (self.weights, blindWeights) = (weights, weights)
  }

  init(json: [UInt8]) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(json))
    guard join.isSound, weights.count == 1 + GroupFeatures.count,
      blindWeights.count == weights.count, (weights + blindWeights).allSatisfy(\.isFinite),
      trust?.isSound ?? true
    else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "numbers"))
    }
  }

  /// The model with its numbers rounded as its file holds them, so that it is short.
  func rounded() throws -> SegmenterModel {
    func short(_ values: [Float]) -> [Float] { values.map { ($0 * 1e4).rounded() / 1e4 } }
    var copy = self
    copy.weights = short(weights)
    copy.blindWeights = short(blindWeights)
    copy.join.first = short(join.first)
    copy.join.second = short(join.second)
    copy.join.output = short(join.output)
    copy.wholeness = try wholeness?.rounded()
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
