internal import CSegmenter
internal import Files
internal import Foundation
internal import JSON

/// The fitted networks and weights of a `Segmenter`, by which position, timing and the recognizer's
/// answers score groupings.
public struct SegmenterModel: Codable, Sendable, Equatable {
  /// Scores joins by position and timing.
  var join: JoinModel
  /// The weights with a recognizer: that of the joins, then those of `GroupFeatures`; shape [1 +
  /// features].
  var weights: [Float]
  /// The weights without a recognizer.
  var blindWeights: [Float]
  /// Scores whether a group is a whole shape; nil before it is fitted.
  var wholeness: WholenessModel?

  /// Whether it has a network that scores whether a group is a whole shape.
  package var hasWholeness: Bool { wholeness != nil }

  /// Reads a model from a JSON file.
  ///
  /// - Throws: `FileError` if the file is missing or its contents are invalid.
  public init(path: String) throws {
    let bytes = try AtomicFile.read(path)
    do throws(JSONFault) {
      self = try Self(json: bytes)
    } catch {
      throw FileError(
        "read", path: path,
        reason: .malformed("\(error); 'drawml train-segmenter' writes segmenters of this drawml"))
    }
  }

  /// The model that comes with DrawML, fitted to `models/base.drawml` by `drawml train-segmenter`:
  /// see `docs/research/segmentation.md`.
  ///
  /// - Returns: The model.
  /// - Throws: `JSONFault` if the package's resource is damaged.
  public static func standard() throws -> SegmenterModel {
    let bytes = unsafe UnsafeBufferPointer(
      start: drawml_segmenter(), count: drawml_segmenter_length())
    return try SegmenterModel(json: unsafe [UInt8](bytes))
  }

  init(join: JoinModel, weights: [Float], wholeness: WholenessModel?) {
    (self.join, self.wholeness) = (join, wholeness)
    (self.weights, blindWeights) = (weights, weights)
  }

  /// - Throws: `JSONFault` that names the field.
  init(json: [UInt8]) throws(JSONFault) {
    self = try JSONDocument.decode(Self.self, from: json)
    try join.check("join")
    try Self.check(weights, count: 1 + GroupFeatures.count, "weights")
    try Self.check(blindWeights, count: weights.count, "blindWeights")
  }

  /// The greatest magnitude of a number: fits give at most 3, and products of much larger numbers
  /// overflow.
  static let range: ClosedRange<Float> = -1000...1000

  /// Refuses a list of another length, or with numbers outside of `range`.
  static func check(_ values: [Float], count: Int, _ place: String) throws(JSONFault) {
    guard values.count == count else {
      throw JSONFault(place: place, "has \(values.count) numbers; it must have \(count)")
    }
    if let index = values.firstIndex(where: { !range.contains($0) }) {
      throw JSONFault(
        place: "\(place)[\(index)]", "is \(values[index]); it must be from -1000 to 1000")
    }
  }

  /// The model with its numbers rounded as in its file, which keeps it short.
  func rounded() throws -> SegmenterModel {
    var copy = self
    copy.weights = Self.rounded(weights)
    copy.blindWeights = Self.rounded(blindWeights)
    copy.join.first = Self.rounded(join.first)
    copy.join.second = Self.rounded(join.second)
    copy.join.output = Self.rounded(join.output)
    copy.wholeness = try wholeness?.rounded()
    return copy
  }

  private static func rounded(_ values: [Float]) -> [Float] {
    values.map { ($0 * 1e4).rounded() / 1e4 }
  }

  /// The model as JSON text; the same model gives the same bytes.
  public func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return Array(try encoder.encode(self))
  }
}
