public import Foundation

/// Text that was read from paper.
public struct ExcerptCapture: Sendable, Equatable, Identifiable {
  /// Its identifier.
  public var id: UUID
  /// The text: one paragraph, cleaned.
  public var text: String
  /// When it was read.
  public var createdAt: Date
  /// Where it is from, such as the photo's file.
  public var sourceHint: String
  /// The mean confidence of its words, in 0...1; nil without words.
  public var confidence: Double?

  /// A text that was read now.
  public init(
    id: UUID = UUID(), text: String, createdAt: Date = Date(), sourceHint: String = "",
    confidence: Double? = nil
  ) {
    self.id = id
    self.text = text
    self.createdAt = createdAt
    self.sourceHint = sourceHint
    self.confidence = confidence
  }
}

extension ExcerptCapture: Codable {
  private enum Key: String, CodingKey {
    case id, text, createdAt, sourceHint, confidence
  }

  /// Decodes it; the time is one of ISO 8601, such as "2026-11-29T20:00:00Z".
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    id = try values.decode(UUID.self, forKey: .id)
    text = try values.decode(String.self, forKey: .text)
    let time = try values.decode(String.self, forKey: .createdAt)
    createdAt = try Date(time, strategy: .iso8601)
    sourceHint = try values.decode(String.self, forKey: .sourceHint)
    confidence = try values.decodeIfPresent(Double.self, forKey: .confidence)
    guard confidence.map((0...1).contains) ?? true else {
      throw DecodingError.dataCorruptedError(
        forKey: .confidence, in: values, debugDescription: "is not in 0...1")
    }
  }

  /// Encodes it, with a time of ISO 8601 in whole seconds.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(id, forKey: .id)
    try values.encode(text, forKey: .text)
    try values.encode(createdAt.formatted(.iso8601), forKey: .createdAt)
    try values.encode(sourceHint, forKey: .sourceHint)
    try values.encodeIfPresent(confidence, forKey: .confidence)
  }
}
