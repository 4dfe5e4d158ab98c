import Ink
import Testing

@Suite("What a label must be like")
struct LabelRuleTests {
  @Test(
    "Words, names with white space, paths and emojis of several scalars are labels",
    arguments: [
      "star", "The Eiffel Tower", "Alphabet_of_the_Magi/character01", "⭐", "👩‍🚀", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "ناقة",
      String(repeating: "x", count: 64), String(repeating: "星", count: 64),
    ])
  func labels(text: String) throws {
    try LabelRule.check(text)
    #expect(try LabelRule.label(text) == text)
  }

  @Test("White space around a label is left out, and it gets normal form C")
  func canonical() throws {
    let label = try LabelRule.label(" \tcafe\u{301}\r\n")
    #expect(Array(label.utf8) == Array("caf\u{e9}".utf8))
  }

  @Test("A label of nothing but white space is empty", arguments: ["", " ", "\n\t\u{2028}"])
  func empty(text: String) {
    #expect(throws: LabelError.empty) { try LabelRule.label(text) }
  }

  @Test("A label has 64 characters at most, and characters of 8 bytes on average")
  func tooLong() {
    let accents = "a" + String(repeating: "\u{301}", count: 300)
    for text in [String(repeating: "x", count: 65), accents] {
      #expect(throws: LabelError.tooLong(limit: 64)) { try LabelRule.check(text) }
    }
  }

  @Test(
    "A label has no character that ends a line, that terminals obey, or that turns the text about",
    arguments: ["\0", "\u{1b}", "\u{7f}", "\u{9b}", "\n", "\u{2028}", "\u{202e}", "\u{2066}"])
  func controlCharacter(text: String) throws {
    let scalar = try #require(text.unicodeScalars.first)
    #expect(throws: LabelError.controlCharacter(scalar)) { try LabelRule.check("st\(text)ar") }
  }
}
