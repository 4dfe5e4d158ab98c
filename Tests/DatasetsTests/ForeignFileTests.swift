import Datasets
import Files
import Pictures
import TestTools
import Testing

@Suite("Files whose names tell no format")
struct ForeignFileTests {
  private func said(_ bytes: [UInt8], _ name: String) throws -> String {
    let folder = try TemporaryFolder()
    let path = folder.file(name)
    try AtomicFile.write(bytes, to: path)
    return refusal(DatasetError.self) { try DatasetFiles.read([path]) }
  }

  @Test(
    "Binary files are called what they seem to be, with what is read",
    arguments: [
      ("%PDF-1.7\n%\u{1}\n", "it seems to be a PDF document; drawings are .json, .ndjson,"),
      ("GIF89a\u{0}", "a GIF picture"), ("SQLite format 3\u{0}", "an SQLite database"),
      ("PK\u{3}\u{4}\u{0}", "a ZIP archive; name it .npz if numpy wrote it, else unpack it"),
      ("\u{1}\u{0}\u{2}", "a binary file of an unknown kind"),
      ("<svg xmlns='http://www.w3.org/2000/svg'/>", "an SVG picture; name it .svg"),
      ("<?xml version='1.0'?>\n<ink/>", "InkML; name it .inkml"),
    ])
  func named(text: String, words: String) throws {
    for name in ["drawing", "a.data", "a.json", "a.ndjson"] {
      #expect(try said(Array(text.utf8), name).contains(words), "\(name)")
    }
  }

  @Test("Bytes that are no UTF-8")
  func bytes() throws {
    let png: [UInt8] = [0x89] + Array("PNG\r\n\u{1a}\n".utf8)
    #expect(try said(png, "star.xyz").contains("a PNG picture; name it .png"))
    #expect(try said([0x1f, 0x8b, 8, 0], "a.dat").contains("a gzip file; name it .ndjson.gz"))
    #expect(try said([0xff, 0xfe, 0x7b, 0], "a.json").contains("UTF-16; save it in UTF-8"))
    #expect(try said([0x80, 4, 0x95], "a.pkl").contains("a pickle of Python"))
    #expect(try said([0xc3, 0x28, 0xa0], "a").contains("a binary file of an unknown kind"))
  }

  @Test("Text that is no JSON is told as before, also where a letter is cut off at 4 KiB")
  func text() throws {
    let folder = try TemporaryFolder()
    for text in ["BMW", "hello", "a" + String(repeating: "é", count: 3000)] {
      let path = try folder.put(text, "a.note")
      let error = #expect(throws: DatasetError.self) { try DatasetFiles.read([path]) }
      guard case .drawing? = error else {
        Issue.record("\(text.prefix(9)): \(String(describing: error))")
        continue
      }
    }
  }
}
