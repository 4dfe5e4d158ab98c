public import Foundation

/// Text that was read from paper.
public struct ExcerptCapture: Sendable, Codable, Equatable, Identifiable {
  /// Its identifier.
  public var id: UUID
  /// The text: one paragraph, cleaned.
  public var text: String
  /// When it was read.
  public var createdAt: Date
  /// Where it is from, such as the photo's file.
  public var sourceHint: String
  /// The mean certainty of its words, in 0...1; nil if there are none.
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
