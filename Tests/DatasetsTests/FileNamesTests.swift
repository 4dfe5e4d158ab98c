import Datasets
import Testing

@Suite("Names of files for labels")
struct FileNamesTests {
  @Test("Files for labels have safe names of their own")
  func fileNames() {
    var names = FileNames()
    func next(_ text: String) -> String { names.next(for: text, ending: ".ndjson") }
    #expect(next("star") == "star.ndjson")
    #expect(next("Star") == "Star 2.ndjson", "the same on disks that ignore case")
    #expect(next("Greek/character01") == "Greek-character01.ndjson")
    #expect(next("Greek-character01") == "Greek-character01 2.ndjson")
    #expect(next("../x") == "_..-x.ndjson")
    #expect(next("-rf") == "_-rf.ndjson")
    #expect(next("a\u{0}\nb") == "a--b.ndjson")
    #expect(next("a\u{202e}b") == "a-b.ndjson", "it would turn the rest around")
    #expect(next("⭐") == "⭐.ndjson")
    #expect(next(String(repeating: "x", count: 500)).count == 87)
    // Of 255 bytes a name may have.
    #expect(next(String(repeating: "🐧", count: 64)).utf8.count == 207)
  }

  @Test("A character that is longer than a file's name is left out")
  func longCharacter() {
    var names = FileNames()
    let character = "e" + String(repeating: "\u{301}", count: 150)
    #expect(character.count == 1)
    #expect(names.next(for: character, ending: ".svg") == "_.svg")
    #expect(names.next(for: "", ending: ".svg") == "_ 2.svg")
    #expect(names.next(for: "x" + character, ending: ".svg") == "x.svg")
  }
}
