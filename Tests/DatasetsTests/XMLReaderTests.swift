import Datasets
import Files
import Testing
import Text

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

  @Test("Entities of plain text are read; those that could multiply, and what is outside, are not")
  func entities() throws {
    let names = "<!DOCTYPE a [<!ENTITY n 'http://example.org/n'>]><a b='&n;'>x&n;</a>"
    #expect(
      try parts(names) == [
        .start(name: "a", attributes: ["b": "http://example.org/n"]),
        .text("xhttp://example.org/n"), .end(name: "a"),
      ])
    let bomb = """
      <!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>
      <a>&c;</a>
      """
    #expect(error(bomb).contains("line 1: it declares an entity that is not plain text"))
    for value in ["SYSTEM 'file:///etc/passwd'", "'<b/>'", "'&#38;b;'"] {
      let document = "<!DOCTYPE a [<!ENTITY b \(value)>]><a>&b;</a>"
      #expect(error(document).contains("it declares an entity that is not plain text"), "\(value)")
    }
    #expect(error("<!DOCTYPE a [<!ENTITY % b 'c'>]><a/>").contains("it declares an entity"))
    let long = String(repeating: "b", count: 2_000)
    let references = String(repeating: "&b;", count: 1_000)
    #expect(
      error("<!DOCTYPE a [<!ENTITY b '\(long)'>]><a>\(references)</a>")
        .contains("its entities would add more than"))
  }

  @Test("Attributes have the defaults of the document, up to a limit")
  func defaults() throws {
    let declared = "<!DOCTYPE a [<!ATTLIST a b CDATA 'c' d CDATA #FIXED 'e' f CDATA #IMPLIED>]>"
    #expect(
      try parts(declared + "<a b='g'/>")[0] == .start(name: "a", attributes: ["b": "g", "d": "e"]))
    let long = String(repeating: "c", count: 4_000)
    let elements = String(repeating: "<b/>", count: 1_000)
    #expect(
      error("<!DOCTYPE a [<!ATTLIST b c CDATA '\(long)'>]><a>\(elements)</a>")
        .contains("its attributes' defaults add more than"))
    // A document type by address is how editors mark SVG; it is not loaded.
    let type = "<!DOCTYPE a PUBLIC '-//W3C//DTD SVG 1.1//EN' 'file:///nowhere.dtd'><a/>"
    #expect(try parts(type).count == 2)
    let many = (0...256).map { "a\($0)='1'" }.joined(separator: " ")
    #expect(error("<a \(many)/>").contains("more than 256 attributes"))
  }

  @Test("Elements have the namespaces of their prefixes")
  func namespaces() throws {
    let text = """
      <a xmlns="urn:a" xmlns:p="urn:p"><p:b xmlns="" xmlns:p="urn:q"><c/><p:d/></p:b><e/><x:f/></a>
      """
    var reader = try XMLReader(Array(text.utf8), path: "a.xml")
    var found: [String] = []
    while let part = try reader.next() {
      if case .start(let name, _) = part { found.append("\(name) \(reader.namespace ?? "-")") }
    }
    #expect(found == ["a urn:a", "b urn:q", "c -", "d urn:q", "e urn:a", "f x"])
  }

  @Test("Text for XML is escaped, and control characters do not get through")
  func escaping() throws {
    #expect("a<b>&\"'\n\u{1b}".escapedForXML == "a&lt;b&gt;&amp;&quot;&#39;&#10;\u{fffd}")
    #expect("\u{ffff}\u{fffe}".escapedForXML == "\u{fffd}\u{fffd}", "not allowed in XML 1.0")
    let text = "<&\"'>é\u{2b50}\n\t\r"
    #expect(try parts("<a>\(text.escapedForXML)</a>")[1] == .text(text))
  }
}
