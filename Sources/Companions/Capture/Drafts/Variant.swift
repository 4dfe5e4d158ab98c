public import Foundation

/// A draft of a post about an excerpt.
public struct Variant: Sendable, Codable, Equatable, Identifiable {
  /// How a post speaks.
  public enum Tone: String, Sendable, Codable, CaseIterable {
    /// Short and strong.
    case punchy
    /// Against what most people think.
    case contrarian
    /// From one's own life.
    case personal
    /// Reasons and consequences.
    case analytical
    /// A question to all.
    case openQuestion

    /// The tone by the name that is sent: "open-question" for `openQuestion`, or else its own.
    init?(sent name: String) {
      let name = name.trimmingCharacters(in: .whitespaces)
      self.init(rawValue: name == "open-question" ? "openQuestion" : name)
    }

    /// The name that is sent.
    var sentName: String { self == .openQuestion ? "open-question" : rawValue }

    /// The name for people.
    public var name: String { self == .openQuestion ? "open question" : rawValue }
  }

  /// The most characters of a post.
  public static let mostCharacters = 900
  /// The note of a draft that was cut.
  public static let trimmedNote = "Variant trimmed to meet LinkedIn length."

  /// Its identifier.
  public var id: UUID
  /// How it speaks.
  public var tone: Tone
  /// The post.
  public var text: String
  /// What was done to it; nil if nothing.
  public var note: String?

  /// A draft; a longer text than `mostCharacters` is cut after a word, with a note.
  public init(id: UUID = UUID(), tone: Tone, text: String) {
    self.id = id
    self.tone = tone
    let whole = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard whole.count > Self.mostCharacters else {
      self.text = whole
      return
    }
    let start = whole.prefix(Self.mostCharacters)
    let isWordsEnd = whole[start.endIndex].isWhitespace
    let end = isWordsEnd ? nil : start.lastIndex(where: \.isWhitespace)
    self.text = String(end.map { start[..<$0] } ?? start)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    note = Self.trimmedNote
  }
}
