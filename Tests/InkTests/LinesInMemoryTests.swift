import Testing

@testable import Ink

@Suite("Lines of drawings in memory")
struct LinesInMemoryTests {
  @Test("Every line is a drawing, the last one with or without a line feed", arguments: ["", "\n"])
  func reads(end: String) throws {
    let text = """
      {"word":"cat","key_id":"1","drawing":[[[0,1,2],[3,4,5]]]}
      {"word":"dog","drawing":[[[7],[8]],[[1,2],[3,4]]]}
      """
    var reader = DrawingReader(lines: Array((text + end).utf8), named: "memory")
    let first = try #require(try reader.next())
    #expect(first.id == "1" && first.label == "cat")
    #expect(first.strokes[0].points.map(\.y) == [3, 4, 5])
    let second = try #require(try reader.next())
    #expect(second.id == "memory:2" && second.strokes.count == 2)
    #expect(try reader.next() == nil)
  }

  @Test("A fault names the text and the line")
  func fault() throws {
    var reader = DrawingReader(
      lines: Array("{\"drawing\":[[[0],[3]]]}\n{\"drawing\":[[[0],[]]]}\n".utf8), named: "memory")
    _ = try reader.next()
    let error = #expect(throws: DrawingFileError.self) { try reader.next() }
    #expect(error?.description.hasPrefix("memory, line 2") == true)
  }
}
