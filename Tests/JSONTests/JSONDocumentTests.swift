import Foundation
import JSON
import Synchronization
import Testing

@Suite("Values of JSON texts")
struct JSONDocumentTests {
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
    var place: Double?
  }

  private func fault(_ text: String) -> String? {
    do {
      _ = try JSONDocument.decode(Item.self, from: Array(text.utf8))
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
      (#"{"name":"a","sizes":[],"weight":1e39}"#, "weight is 1e39, which is too large"),
      (#"{"name":"a","sizes":[],"seed":-4}"#, "seed is -4, which must not be below 0"),
      (#"{"name":"a","sizes":[1e999]}"#, "sizes[0] is 1e999, which is too large"),
      (
        #"{"name":"a","sizes":[9223372036854775808]}"#,
        "sizes[0] is 9223372036854775808, which is too large"
      ),
      (
        #"{"name":"a","sizes":[9007199254740991.0,9007199254740993.0]}"#,
        "sizes[1] is 9007199254740993.0; from 2^53 up it must be written without fraction and "
          + "exponent"
      ),
      (
        #"{"name":"a","sizes":[-9223372036854775809]}"#,
        "sizes[0] is -9223372036854775809, which is too large"
      ),
      (#"{"name":"a","sizes":[],"weight":1e-320}"#, "weight is 1e-320, which is too near to 0"),
      (
        #"{"name":"a","sizes":[],"place":-2e100}"#,
        "place is -2e100; it must be from -1e100 to 1e100"
      ),
      (#"{"name":"a","sizes":[],"name":"b"}"#, "name comes twice"),
      (#"{"name":"a","sizes":[],"stamp":"?"}"#, "stamp has a value that this drawml cannot use"),
    ])
  func words(text: String, message: String) {
    #expect(fault(text) == message)
  }

  @Test("Sound text is read")
  func sound() {
    #expect(fault(#"{"name":"a","sizes":[1,-2],"weight":2.5,"kind":"round"}"#) == nil)
  }

  @Test("A number that does not fit is named in a text of any length")
  func longText() {
    let sizes = (0..<20_000).map { $0 == 12_345 ? "0.25" : "\($0)" }.joined(separator: ",")
    #expect(
      fault(#"{"name":"a","sizes":[\#(sizes)]}"#)
        == "sizes[12345] is 0.25, which is not a whole number")
  }

  @Test("Values are read exactly, escapes, limits and nulls included")
  func values() throws {
    struct Values: Decodable, Equatable {
      var text: String
      var least: Int64
      var most: UInt64
      var whole: Int
      var floats: [Float]
      var double: Double
      var flags: [Bool?]
      var byKey: [String: Int]
      var data: Data
    }
    let text = #"""
      {"text":"\u00e9\ud83d\ude00\n\"", "least":-9223372036854775808,
      "most":18446744073709551615, "whole":1.2e1, "floats":[0.1, 1e-45, -0, 3.4028235e38],
      "double":5e-324, "flags":[true,null,false], "byKey":{"a":1,"b\u0062":2}, "data":"AAEC",
      "more":{"text":[1,{}]}}
      """#
    #expect(
      try JSONDocument.decode(Values.self, from: Array(text.utf8))
        == Values(
          text: "é😀\n\"", least: .min, most: .max, whole: 12,
          floats: [0.1, .leastNonzeroMagnitude, -0, .greatestFiniteMagnitude],
          double: .leastNonzeroMagnitude,
          flags: [true, nil, false], byKey: ["a": 1, "bb": 2], data: Data([0, 1, 2])))
  }

  @Test("The first key that no type asked for is named with its place")
  func unknownKeys() throws {
    func unknown(_ text: String) throws -> String? {
      let document = try JSONDocument(Array(text.utf8), notesKeys: true)
      _ = try document.decode(Item.self)
      return document.unknownKey
    }
    #expect(try unknown(#"{"name":"name","sizes":[1],"seed":null}"#) == nil)
    #expect(
      try unknown(
        #"{"name":"a","sizes":[],"parts":[{"name":"b","sizes":[]},{"name":"c","sizes":[],"size":{"x":1}}],"y":1}"#
      ) == "parts[1].size")
  }

  @Test("Parts of a text are found without decoding it")
  func parts() throws {
    let root = try JSONDocument(Array(#" {"a" : [1, {"b":"]"} ] , "c\t":null}"#.utf8)).root
    #expect(root.members?.map(\.key) == ["a", "c\t"] && root.elements == nil)
    let list = try #require(root["a"]?.elements)
    #expect(list.map { String(decoding: $0.bytes, as: UTF8.self) } == ["1", #"{"b":"]"}"#])
    #expect(root["b"] == nil && list[0].members == nil && list[1]["b"] != nil)
  }

  @Test("Deep nesting ends in an error, not in a full stack")
  func depth() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array(String(repeating: "[", count: depth).utf8) + String(repeating: "]", count: depth).utf8
    }
    #expect(throws: Never.self) { try JSONDocument(nested(128)) }
    for depth in [129, 100_000] {
      #expect(throws: JSONFault("is not JSON: byte 128: values nest more than 128 deep")) {
        try JSONDocument(nested(depth))
      }
    }
  }

  @Test("A key among many is looked up, not compared with each; one that comes twice is told")
  func manyKeys() throws {
    struct Key: CodingKey {
      static let reads = Mutex(0)
      var text: String
      var stringValue: String {
        Self.reads.withLock { $0 += 1 }
        return text
      }
      var intValue: Int? { nil }
      init(stringValue: String) { text = stringValue }
      init?(intValue: Int) { nil }
    }
    struct Sum: Decodable {
      var value = 0
      init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        for key in object.allKeys { value += try object.decode(Int.self, forKey: key) }
      }
    }
    let members = (0..<1000).map { "\"k\($0)\":\($0)" }
    func bytes(_ members: [String]) -> [UInt8] {
      Array("{\(members.joined(separator: ","))}".utf8)
    }
    #expect(try JSONDocument.decode(Sum.self, from: bytes(members)).value == 499_500)
    #expect(Key.reads.withLock { $0 } < 10_000)
    #expect(throws: JSONFault(place: "k7", "comes twice")) {
      try JSONDocument.decode([String: Int].self, from: bytes(members + ["\"k7\":1"]))
    }
  }
}
