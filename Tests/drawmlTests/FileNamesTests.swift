import Testing

@testable import drawml

@Suite("Names of files for labels")
struct FileNamesTests {
  @Test("Files for labels have safe names of their own")
  func fileNames() {
    var names = FileNames()
    #expect(names.next(for: "star") == "star.ndjson")
    #expect(names.next(for: "Star") == "Star 2.ndjson", "the same on disks that ignore case")
    #expect(names.next(for: "Greek/character01") == "Greek-character01.ndjson")
    #expect(names.next(for: "Greek-character01") == "Greek-character01 2.ndjson")
    #expect(names.next(for: "../x") == "_..-x.ndjson")
    #expect(names.next(for: "-rf") == "_-rf.ndjson")
    #expect(names.next(for: "a\u{0}\nb") == "a--b.ndjson")
    #expect(names.next(for: "⭐") == "⭐.ndjson")
    #expect(names.next(for: String(repeating: "x", count: 500)).count == 87)
    // Of 255 bytes a name may have.
    #expect(names.next(for: String(repeating: "🐧", count: 64)).utf8.count == 207)
  }
}
