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

  @Test(
    "A label of nothing but white space and characters that are never shown is empty",
    arguments: ["", " ", "\n\t\u{2028}", "\u{200b}", "\u{e0041}"])
  func empty(text: String) {
    #expect(throws: LabelError.empty) { try LabelRule.label(text) }
  }

  @Test("One or two dots are no label: an address would take them for a folder")
  func dots() throws {
    for text in [".", "..", " .. "] {
      #expect(throws: LabelError.dots) { try LabelRule.label(text) }
    }
    #expect(try LabelRule.label("...") == "..." && LabelRule.label("。") == "。")
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

  @Test("A label or id of more than 4,096 bytes is refused before it is brought into normal form")
  func longText() {
    // Sorting accents of two kinds takes time that grows with the square of their number.
    let label = "a" + String(repeating: "\u{301}\u{323}", count: 200_000)
    for key in ["label", "id"] {
      let json = #"{"\#(key)":"\#(label)","strokes":[[[1,5],[2,6]]]}"#
      let failure = InkError.textTooLong(key: key, bytes: 800_001, limit: 4096)
      #expect(throws: failure) { try StrokeJSON.parse(Array(json.utf8)) }
      var lines = DrawingReader(lines: Array(json.utf8), named: "a.ndjson")
      let error = #expect(throws: DrawingFileError.self) { try lines.next() }
      #expect(error?.reason == .drawing(failure))
    }
  }
}
