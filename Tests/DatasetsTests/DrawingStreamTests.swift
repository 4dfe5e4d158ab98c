import Ink
import TestTools
import Testing

@testable import Datasets

@Suite("Streams of drawings larger than the memory")
struct DrawingStreamTests {
  private static func ids(_ stream: consuming DrawingStream) throws -> [String] {
    var stream = stream
    var ids: [String] = []
    while let drawing = try stream.next() { ids.append(drawing.id) }
    return ids
  }

  @Test(
    "Each drawing of each file comes once, whatever the sizes",
    arguments: [1, 3, 7, 1000], [1, 2, 32])
  func complete(buffer: Int, openFiles: Int) throws {
    let folder = try TemporaryFolder()
    try write([5, 40, 17, 1, 30], to: folder)
    let ids = try Self.ids(
      DrawingStream([folder.path], seed: 1, buffer: buffer, openFiles: openFiles))
    let expected = [5, 40, 17, 1, 30].enumerated().flatMap { file, count in
      (0..<count).map { "\(file)-\($0)" }
    }
    #expect(ids.sorted() == expected.sorted())
    #expect(ids.count == 93)
  }

  @Test("The same seed gives the same order, another seed or epoch another")
  func seeded() throws {
    let folder = try TemporaryFolder()
    try write([30, 40, 20], to: folder)
    func order(seed: UInt64, epoch: Int) throws -> [String] {
      try Self.ids(DrawingStream([folder.path], seed: seed, epoch: epoch, buffer: 8, openFiles: 2))
    }
    let first = try order(seed: 1, epoch: 0)
    #expect(try order(seed: 1, epoch: 0) == first)
    #expect(try order(seed: 2, epoch: 0) != first)
    #expect(try order(seed: 1, epoch: 1) != first)
  }

  @Test("A buffer of one gives a file's drawings in their order, a larger one mixes them")
  func buffer() throws {
    let folder = try TemporaryFolder()
    try write([50], to: folder)
    let plain = (0..<50).map { "0-\($0)" }
    #expect(try Self.ids(DrawingStream([folder.path], seed: 1, buffer: 1)) == plain)
    let mixed = try Self.ids(DrawingStream([folder.path], seed: 1, buffer: 10))
    #expect(mixed != plain)
    // A drawing cannot come before it was read: at most 10 are read ahead.
    for (place, id) in mixed.enumerated() {
      let number = try #require(Int(id.dropFirst(2)))
      #expect(number < place + 10)
    }
  }

  @Test("Files that hold one label each come mixed from the beginning")
  func mixesFiles() throws {
    let folder = try TemporaryFolder()
    try write([200, 200, 200, 200], to: folder)
    let ids = try Self.ids(DrawingStream([folder.path], seed: 3, buffer: 1))
    let first = Set(ids.prefix(40).map { $0.prefix(1) })
    #expect(first.count == 4)
  }

  @Test("An error names file and line, and the stream goes on behind it")
  func errors() throws {
    let folder = try TemporaryFolder()
    let lines = [
      #"{"id":"a","strokes":[[[1,2],[3,4]]]}"#, #"{"id":"b","strokes":[[[1,2],[3]]]}"#,
      #"{"id":"c","strokes":[[[1,2],[3,5]]]}"#,
    ]
    let path = try folder.put(lines.joined(separator: "\n") + "\n", "broken.ndjson")
    var stream = try DrawingStream([path], seed: 1, buffer: 1)
    #expect(try stream.next()?.id == "a")
    #expect(stream.origin == SampleSet.Origin(path: path, line: 1))
    let error = refusal(DatasetError.self) { try stream.next() }
    #expect(error.hasPrefix("\(path), line 2"))
    #expect(try stream.next()?.id == "c")
    #expect(stream.origin?.line == 3)
    #expect(try stream.next() == nil)

    var skipping = try DrawingStream([path], seed: 1, buffer: 4, skippingInvalid: true)
    var count = 0
    while try skipping.next() != nil { count += 1 }
    #expect(count == 2)
    #expect(skipping.skippedCount == 1)
  }

  @Test("A folder without drawings is refused")
  func empty() throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    #expect(throws: DatasetError.self) {
      var stream = try DrawingStream([path], seed: 1)
      _ = try stream.next()
    }
  }
}
