import Foundation
import Ink
import TestTools
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

  @Test("Each character is white space, and in normal form C, as Unicode's tables say")
  func unicodeTables() {
    for scalar in (0..<0x20000).compactMap(Unicode.Scalar.init) {
      #expect(String(scalar).trimmed.isEmpty == scalar.properties.isWhitespace, "\(scalar.value)")
      let text = "e\(scalar)\(scalar)\u{1f1e6}\(scalar)"
      let form = Array(text.precomposedStringWithCanonicalMapping.utf8)
      guard Array(text.inNormalFormC.utf8) != form else { continue }
      Issue.record("U+\(String(scalar.value, radix: 16)) is not in normal form C")
    }
  }

  @Test("An emoji is one label with and without its variation selectors (UTS #51)")
  func oneEmojiOneLabel() throws {
    let forms = [
      ("\u{2764}", "\u{2764}\u{fe0f}"),  // a heart
      ("1\u{20e3}", "1\u{fe0f}\u{20e3}"),  // a key
      ("\u{1f3f3}\u{200d}\u{1f308}", "\u{1f3f3}\u{fe0f}\u{200d}\u{1f308}"),  // a flag
      ("\u{261d}\u{fe0f}\u{1f3fd}", "\u{261d}\u{1f3fd}"),  // a hand with its skin tone
      ("\u{2b50}\u{fe0f}", "\u{2b50}"),  // a star, which needs none
    ]
    for (text, form) in forms {
      #expect(Array(try LabelRule.label(text).utf8) == Array(form.utf8))
      #expect(Array(try LabelRule.label(form).utf8) == Array(form.utf8))
    }
    // Words and digits are as they were; text presentation is asked for.
    for text in ["12", "#1", "I \u{2764} tea", "\u{2764}\u{fe0e}", "\u{e9}"] {
      #expect(Array(try LabelRule.label(text).utf8) == Array(text.utf8))
    }
  }

  @Test("Every emoji of the page's list is a label as it stands there")
  func listedEmojis() throws {
    let unpacking = Process()
    unpacking.executableURL = URL(filePath: "/bin/gzip")
    unpacking.arguments = [
      "-dc",
      Repository.path + "/Sources/Studio/Studio/Page/emoji-en.txt.gz",
    ]
    let output = Pipe()
    unpacking.standardOutput = output
    try unpacking.run()
    let list = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    unpacking.waitUntilExit()
    let emojis = list.split(separator: "\n").compactMap { line in
      line.contains("\t") ? line.split(separator: "\t").first.map(String.init) : nil
    }
    #expect(emojis.count > 1000)
    for emoji in emojis {
      #expect(Array(try LabelRule.label(emoji).utf8) == Array(emoji.utf8), "\(emoji)")
    }
  }

  @Test("A list of labels keeps its spelling of an emoji")
  func spelling() {
    let (bare, full) = ("\u{2764}", "\u{2764}\u{fe0f}")
    #expect(LabelRule.spelling(of: full, among: ["cat", bare]).unicodeScalars.count == 1)
    #expect(LabelRule.spelling(of: bare, among: [full]).unicodeScalars.count == 2)
    #expect(LabelRule.spelling(of: bare, among: ["cat"]).unicodeScalars.count == 2)
    #expect(LabelRule.spelling(of: bare, among: [bare, full]).unicodeScalars.count == 1)
    #expect(LabelRule.spelling(of: full, among: [bare, full]).unicodeScalars.count == 2)
    #expect(LabelRule.spelling(of: "cat", among: []) == "cat")
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

  @Test("An id with U+0000 is refused when it is read, not when a model is written")
  func zeroCharacter() {
    for key in ["id", "key_id", "file"] {
      let json = #"{"\#(key)":"a\u0000b","label":"x","strokes":[[[1,5],[2,6]]]}"#
      #expect(throws: InkError.zeroCharacterInID) { try StrokeJSON.parse(Array(json.utf8)) }
      var lines = DrawingReader(lines: Array(json.utf8), named: "a.ndjson")
      let error = #expect(throws: DrawingFileError.self) { try lines.next() }
      #expect(error?.reason == .drawing(.zeroCharacterInID))
    }
  }
}
