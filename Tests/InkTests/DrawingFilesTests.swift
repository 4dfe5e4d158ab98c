import Files
import Foundation
import Glibc
import Ink
import TestTools
import Testing

/// What a file gives: drawings' ids, and errors as they are told, with the path shortened to its
/// name.
private func outcomes(
  _ path: String, lineLimit: Int = 1000
) throws(DrawingFileError) -> [String] {
  var reader = try DrawingReader(path: path, lineLimit: lineLimit)
  var found: [String] = []
  while true {
    do throws(DrawingFileError) {
      guard let drawing = try reader.next() else { return found }
      found.append(drawing.id)
    } catch {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      found.append(error.description.replacingOccurrences(of: path, with: name))
    }
  }
}

private let one = #"{"strokes":[[[1],[2]]]}"#
private let named = #"{"id":"a","strokes":[[[1],[2]]]}"#

@Suite("Files of drawings")
struct DrawingFilesTests {
  @Test("Lines become drawings; those without id are named by file and line, blank lines skipped")
  func lines() throws {
    let folder = try TemporaryFolder()
    let path = try folder.put("\u{feff}\(one)\n\n\(named)\r\n  \t\n\(one)", "a.ndjson")
    #expect(try outcomes(path) == ["a.ndjson:1", "a", "a.ndjson:5"])
  }

  @Test(
    "A text that is read whole and has more than 2 GiB is refused by its size",
    arguments: ["a.json", "a"])
  func tooLong(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.put("[\n", name)
    #expect(truncate(path, 5_000_000_000) == 0)
    let error = #expect(throws: DrawingFileError.self) {
      var reader = try DrawingReader(path: path)
      _ = try reader.next()
    }
    #expect(
      error?.description
        == "cannot read \(path): it has 5,000,000,000 bytes; at most 2 GiB are read at once")
  }

  @Test("Of an array in a pipe, which may never end, 64 MiB are kept", arguments: ["a.json", "a"])
  func pipe(name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(name)
    #expect(mkfifo(path, 0o600) == 0)
    let writer = Thread {
      guard let output = FileHandle(forWritingAtPath: path) else { return }
      let block = Data(String(repeating: " [\n", count: 1 << 18).utf8)
      signal(SIGPIPE, SIG_IGN)
      while (try? output.write(contentsOf: block)) != nil {}
    }
    writer.start()
    let error = #expect(throws: DrawingFileError.self) {
      var reader = try DrawingReader(path: path)
      _ = try reader.next()
    }
    #expect(
      error?.description
        == "cannot read \(path): it is longer than 64 MiB; write one drawing per line")
  }

  @Test("After a bad line the next one is read, and the error names line, stroke and point")
  func badLines() throws {
    let folder = try TemporaryFolder()
    let path = try folder.put(
      [
        one, #"{"strokes":[[{"x":1,"y":2},{"y":2}]]}"#, "nonsense", #"{"strokes":[]}"#, one,
        #"{"strokes":[[[1],[2]]"#,
      ].joined(separator: "\n"), "b.ndjson")
    #expect(
      try outcomes(path) == [
        "b.ndjson:1", "b.ndjson, line 2: stroke 0, point 1: x is missing",
        "b.ndjson, line 3: byte 0: found \"n\" where a drawing's \"{\" is due",
        "b.ndjson, line 4: the drawing has no points", "b.ndjson:5",
        "b.ndjson, line 6: byte 21: the text ends where \",\" or \"]\" is due",
      ])
  }

  @Test("A .json file holds one object or an array, on as many lines as it likes")
  func documents() throws {
    let folder = try TemporaryFolder()
    let pretty = "\u{feff}{\n \"strokes\": [\n  [[1], [2]]\n ]\n}\n"
    #expect(try outcomes(folder.put(pretty, "c.json")) == ["c.json:1"])
    let array = "[\n\(one),\n\(named), \(one),\n\n{\"strokes\":[]},\n7,\n\(one)\n]\n"
    #expect(
      try outcomes(folder.put(array, "d.json")) == [
        "d.json:1", "a", "d.json:3", "d.json, line 5: the drawing has no points",
        "d.json, line 6: byte 103: found \"7\" where a drawing's \"{\" is due", "d.json:6",
      ])
    #expect(try outcomes(folder.put("[]", "e.json")) == [])
    #expect(
      try outcomes(folder.put("[\(one),\n\(one)", "f.json")) == [
        "f.json:1", "f.json:2",
        "f.json, line 2: byte 49: the text ends where \",\" or \"]\" is due",
      ])
    #expect(
      try outcomes(folder.put("\(one)\n\(one)", "g.json")) == [
        "g.json:1",
        "g.json, line 2: byte 24: another drawing begins here; put several in a list, [ ], "
          + "or one per line in an .ndjson file",
      ])
  }

  @Test("A file of another name shows by its first line how it is to be read")
  func detected() throws {
    let folder = try TemporaryFolder()
    #expect(try outcomes(folder.put("\(one)\n\(one)\n", "a.txt")) == ["a.txt:1", "a.txt:2"])
    #expect(try outcomes(folder.put("[\(one),\n\(one)]", "b.txt")) == ["b.txt:1", "b.txt:2"])
    #expect(try outcomes(folder.put("{\n\"strokes\":[[[1],[2]]]}", "c.txt")) == ["c.txt:1"])
  }

  @Test("An empty file, a missing one and a folder are errors that name the file")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    for name in ["e.ndjson", "e.json", "blank.ndjson"] {
      let path = try folder.put(name == "blank.ndjson" ? "\n \n" : "", name)
      #expect(
        try outcomes(path) == ["cannot read \(name): it is empty; it should hold drawings as JSON"])
    }
    let missing = #expect(throws: DrawingFileError.self) {
      _ = try DrawingReader(path: "/nowhere/a.json")
    }
    #expect(
      missing?.description
        == "cannot read /nowhere/a.json: No such file or directory; check the path")
  }

  @Test("A line over the limit is one error, and the lines behind it are read")
  func longLine() throws {
    let folder = try TemporaryFolder()
    let path = try folder.put("", "long.ndjson")
    let long = String(repeating: " ", count: 1001)
    try AtomicFile.write("\(one)\n\(long)\n\(one)\n", to: path)
    #expect(
      try outcomes(path) == [
        "long.ndjson:1",
        "cannot read long.ndjson: line 2 is longer than 1000 bytes", "long.ndjson:3",
      ])
  }
}
