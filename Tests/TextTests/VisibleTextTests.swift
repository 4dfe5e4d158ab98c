import Files
import Foundation
import TestTools
import Testing
import Text

@Suite("Text that others wrote")
struct VisibleTextTests {
  /// Everything that terminals obey, and its neighbors that they do not.
  static let obeyed =
    (Array(0...0x1f) + Array(0x7f...0x9f) + [0x2028, 0x2029] + Array(0x202a...0x202e)
    + Array(0x2066...0x2069)).compactMap(Unicode.Scalar.init)
  static let harmless = [0x20, 0x7e, 0xa0, 0x2027, 0x202f, 0x2065, 0x206a].compactMap(
    Unicode.Scalar.init)

  @Test("What a terminal obeys is spelled out")
  func spelledOut() {
    #expect("a\u{1b}[2Jb".visible == "a\\u{1b}[2Jb")
    #expect("one\ntwo\r\nthree".visible == "one\\ntwo\\u{d}\\nthree")
    #expect("\u{7f}\u{9b}2J\u{202e}\u{2028}".visible == "\\u{7f}\\u{9b}2J\\u{202e}\\u{2028}")
    for scalar in Self.obeyed where scalar != "\t" {
      let shown = "x\(scalar)y".visible
      #expect(!shown.unicodeScalars.contains(scalar), "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test(
    "What people write stays as it is",
    arguments: [
      "", "plain", "👩‍👩‍👧‍👦 family", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏳️‍🌈", "e\u{301} é", "שלום", "مرحبا", "name\tnumber",
      "C:\\u{1b}", String(String.UnicodeScalarView(harmless)),
    ])
  func stays(_ text: String) {
    #expect(text.visible == text)
    #expect(text.visibleJSON == text)
  }

  @Test("JSON keeps its value, whatever is in its strings, and a terminal only shows it")
  func json() throws {
    let text = String(String.UnicodeScalarView(Self.obeyed + Self.harmless)) + "👩‍👩‍👧‍👦\"\\"
    let value = [text: ["a\(text)": text]]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .prettyPrinted
    let json = String(decoding: try encoder.encode(value), as: UTF8.self).visibleJSON
    #expect(
      try JSONDecoder().decode([String: [String: String]].self, from: Data(json.utf8)) == value)
    let left = Set(json.unicodeScalars).intersection(Self.obeyed)
    #expect(left == ["\n"], "line feeds between values")
  }

  @Test("A file's beginning is read, and nothing is where nothing lasts")
  func beginning() throws {
    let folder = try TemporaryFolder()
    let (file, link, path) = (
      try folder.put("beginning and end", "file"), folder.file("link"), folder.path
    )
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file")
    #expect(try AtomicFile.beginning(of: link, length: 9) == Array("beginning".utf8))
    #expect(try AtomicFile.beginning(of: file, length: 100).count == 17)
    for nothing in [folder.file("none"), "/dev/zero"] {
      #expect(try AtomicFile.beginning(of: nothing, length: 9).isEmpty)
    }
    #expect(throws: FileError("write", path: path, reason: .system(code: EISDIR))) {
      try AtomicFile.beginning(of: path, length: 9)
    }
  }
}
