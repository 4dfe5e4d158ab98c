import Support
import Testing

@Suite("XML")
struct XMLReaderTests {
  private func parts(_ text: String) throws -> [XMLPart] {
    var reader = try XMLReader(Array(text.utf8), path: "a.xml")
    var parts: [XMLPart] = []
    while let part = try reader.next() { parts.append(part) }
    return parts
  }

  private func error(_ text: String) -> String {
    #expect(throws: FileError.self) { try parts(text) }?.description ?? ""
  }

  @Test("Elements, attributes and texts come in their order")
  func order() throws {
    #expect(
      try parts("<?xml version='1.0'?><s:a b='1' c:d='&lt;é'>x<!-- no -->y<e/>z</s:a>\n") == [
        .start(name: "a", attributes: ["b": "1", "c:d": "<é"]), .text("xy"),
        .start(name: "e", attributes: [:]), .end(name: "e"), .text("z"), .end(name: "a"),
      ])
    #expect(try parts("<a><![CDATA[<b>]]></a>")[1] == .text("<b>"))
  }

  @Test("A long document, and long attributes and texts, are the same")
  func long() throws {
    let text = String(repeating: "<b n='7'>tést</b>", count: 20_000)
    let parts = try parts("<a>\(text)</a>")
    #expect(parts.count == 60_002)
    #expect(parts.count { $0 == .text("tést") } == 20_000)
    let one = String(repeating: "x", count: 300_000)
    #expect(try self.parts("<a b='\(one)'>\(one)</a>")[1] == .text(one))
  }

  @Test("What is not sound XML is refused with its line")
  func unsound() {
    #expect(error("").hasSuffix(": it is empty"))
    for cut in ["<a>", "<a><b", "<a>text", " "] {
      #expect(error(cut).contains("line 1: it ends too early: "), "\(cut)")
    }
    #expect(error("<a>\n<b></a>").contains("line 2: it is not sound XML: mismatched tag"))
    #expect(error("<a/><b/>").contains("junk after document element"))
    #expect(error("<a>\u{1}</a>").contains("not well-formed"))
    let deep = String(repeating: "<a>", count: 200)
    #expect(error(deep).contains("nest more than 128 deep"))
  }

  @Test("Entities are refused before they multiply, and nothing outside is read")
  func entities() throws {
    let bomb = """
      <!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>
      <a>&c;</a>
      """
    #expect(error(bomb).contains("line 1: it declares an entity"))
    let outside = "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>"
    #expect(error(outside).contains("it declares an entity"))
    let standard = "<!DOCTYPE a [<!ATTLIST a b CDATA \"long\">]><a/>"
    #expect(error(standard).contains("it declares an attribute's default"))
    #expect(try parts("<!DOCTYPE a [<!ATTLIST a b CDATA #IMPLIED>]><a/>").count == 2)
    let many = (0...256).map { "a\($0)='1'" }.joined(separator: " ")
    #expect(error("<a \(many)/>").contains("more than 256 attributes"))
    // A document type by address is how editors mark SVG; it is not loaded.
    let type = "<!DOCTYPE a PUBLIC '-//W3C//DTD SVG 1.1//EN' 'file:///nowhere.dtd'><a/>"
    #expect(try parts(type).count == 2)
  }

  @Test("Text for XML is escaped, and control characters do not get through")
  func escaping() throws {
    #expect("a<b>&\"'\n\u{1b}".escapedForXML == "a&lt;b&gt;&amp;&quot;&#39;&#10;\u{fffd}")
    #expect("\u{ffff}\u{fffe}".escapedForXML == "\u{fffd}\u{fffd}", "not allowed in XML 1.0")
    let text = "<&\"'>é\u{2b50}\n\t\r"
    #expect(try parts("<a>\(text.escapedForXML)</a>")[1] == .text(text))
  }
}
