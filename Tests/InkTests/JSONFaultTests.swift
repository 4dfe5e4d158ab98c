import Foundation
import Ink
import Testing

@Suite("Faults in JSON")
struct JSONFaultTests {
  private struct Item: Decodable {
    enum Kind: String, Decodable { case round, square }
    var name: String
    var sizes: [Int]
    var weight: Float?
    var seed: UInt64?
    var isOpen: Bool?
    var kind: Kind?
    var parts: [Item]?
    var stamp: Data?
  }

  private func fault(_ text: String) -> String? {
    do {
      _ = try JSONFault.decode(Item.self, from: Array(text.utf8))
      return nil
    } catch { return error.description }
  }

  @Test(
    "What is wrong is told with its place, in words",
    arguments: [
      ("", "it is not JSON: byte 0: the text ends where a value is due"),
      ("{", "it is not JSON: byte 1: the text ends where a key in quotes is due"),
      ("no", "it is not JSON: byte 0: found \"n\" where a value is due"),
      (
        "{\n  \"name\": \"a\",\n  \"sizes\": [1 2]\n}",
        "it is not JSON: line 3, byte 31: found \"2\" where \",\" or \"]\" is due"
      ),
      (
        #"{"name":"a","sizes":[]}{}"#,
        "it is not JSON: byte 23: found \"{\" where the end of the text is due"
      ),
      ("[1]", "it must be an object"),
      ("{}", "name is missing"),
      (#"{"name":1,"sizes":[]}"#, "name must be a text"),
      (#"{"name":null,"sizes":[]}"#, "name must be a text, not null"),
      (#"{"name":"a","sizes":{}}"#, "sizes must be a list"),
      (#"{"name":"a","sizes":["1"]}"#, "sizes[0] must be a whole number"),
      (#"{"name":"a","sizes":[],"weight":"1"}"#, "weight must be a number"),
      (#"{"name":"a","sizes":[],"isOpen":1}"#, "isOpen must be true or false"),
      (
        #"{"name":"a","sizes":[],"kind":"flat"}"#,
        "kind has the value “flat”, which this drawml does not know"
      ),
      (#"{"name":"a","sizes":[],"parts":[{"name":"b"}]}"#, "parts[0].sizes is missing"),
      (
        #"{"name":"a","sizes":[1],"parts":[{"name":"b","sizes":[1,2,3.5,4],"weight":2.5}]}"#,
        "parts[0].sizes[2] is 3.5, which is not a whole number"
      ),
      (#"{"name":"a","sizes":[],"weight":1e39}"#, "weight is 1e+39, which is too large"),
      (#"{"name":"a","sizes":[],"seed":-4}"#, "seed is -4, which must not be below 0"),
      (#"{"name":"a","sizes":[1e999]}"#, "it has a number that is too large"),
      (#"{"name":"a","sizes":[],"stamp":"?"}"#, "stamp has a value that this drawml cannot use"),
    ])
  func words(text: String, message: String) {
    #expect(fault(text) == message)
  }

  @Test("Sound text is read")
  func sound() {
    #expect(fault(#"{"name":"a","sizes":[1,-2],"weight":2.5,"kind":"round"}"#) == nil)
  }

  @Test(
    "A number that does not fit is found in a text of some kilobytes; in a longer one it is not looked for"
  )
  func longText() {
    func fault(among count: Int) -> String? {
      let sizes = (0..<count).map { $0 == 1_234 ? "0.25" : "\($0)" }.joined(separator: ",")
      return self.fault(#"{"name":"a","sizes":[\#(sizes)]}"#)
    }
    #expect(fault(among: 3_000) == "sizes[1234] is 0.25, which is not a whole number")
    #expect(
      fault(among: 20_000)
        == "it has a number that does not fit, such as a fraction for a whole number")
  }
}
