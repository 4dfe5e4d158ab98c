import Datasets
import TestTools
import Testing

@Suite("Notes of readers")
struct ReadingNotesTests {
  @Test("A file's note is told once, and of many files with it the first three")
  func grouped() {
    var notes = ReadingNotes()
    for text in ["a", "b", "a"] { notes.add(text) }
    #expect(notes.texts == ["a", "b"])
    for number in 0..<100 { notes.add("\(number)") }
    #expect(notes.texts.count == ReadingNotes.most)

    var all = FileNotes()
    var one = ReadingNotes()
    one.add("dashes are not read")
    for number in 1...5 { all.add(one, of: "\(number).svg") }
    one.add("paper is not read")
    all.add(one, of: "-")
    #expect(
      all.lines == [
        "Note: 1.svg: dashes are not read", "Note: 2.svg: dashes are not read",
        "Note: 3.svg: dashes are not read", "Note: 3 more files: dashes are not read",
        "Note: standard input: paper is not read",
      ])
  }

  @Test("Notes come with the drawings of files")
  func ofFiles() throws {
    let folder = try TemporaryFolder()
    try folder.put("<svg><text/><path d='M1 2L3 4' stroke='red'/></svg>", "set/a.svg")
    try folder.put("<svg><path d='M1 2L3 4' stroke='red'/></svg>", "set/b.svg")
    let lines = try DatasetFiles.read([folder.file("set")]).notes.lines
    #expect(lines.count == 1 && lines[0].hasPrefix("Note: \(folder.file("set"))/a.svg: its texts"))
  }
}
