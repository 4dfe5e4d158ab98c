internal import Foundation

// Decodes `Decodable` types from the values of a document. The path of a fault is looked up only
// when one occurs.

/// A key of an object or the index of an element.
private struct JSONKey: CodingKey {
  var stringValue: String
  var intValue: Int?

  init(stringValue: String) { self.stringValue = stringValue }
  init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }
}

extension JSONValue: Decoder, SingleValueDecodingContainer {
  /// The keys and indices that lead from the root to this value.
  package var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var outer = document.root
    while outer.node != node {
      let isObject = outer.first == UInt8(ascii: "{")
      guard let (index, inner) = outer.children.enumerated().first(where: { $1.end > node })
      else { break }
      path.append(
        isObject ? JSONKey(stringValue: inner.key) : JSONKey(intValue: index))
      outer = inner
    }
    return path
  }

  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) throws
    -> KeyedDecodingContainer<Key>
  {
    guard first == UInt8(ascii: "{") else { throw isNot("an object") }
    return KeyedDecodingContainer(JSONObject(value: self))
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard first == UInt8(ascii: "[") else { throw isNot("a list") }
    return JSONList(value: self, next: node + 1)
  }

  package func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  package func decodeNil() -> Bool { isNull }

  package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoded(type) }

  /// The value as one of `type`.
  ///
  /// - Throws: `JSONFault` with its path from the root.
  package func decoded<Value: Decodable>(_ type: Value.Type) throws(JSONFault) -> Value {
    do {
      let found: Any? =
        switch type {
        case is String.Type: try string
        case is Double.Type: try double
        case is Float.Type: try float
        case is Bool.Type: try bool
        case is Data.Type: try data
        case let type as any FixedWidthInteger.Type: try integer(type)
        default: nil
        }
      // `nil as? Value` would succeed if `Value` is an optional.
      guard let found, let value = found as? Value else { return try Value(from: self) }
      return value
    } catch {
      throw JSONFault(error, at: codingPath)
    }
  }

  /// What is wrong with the value, named by its path.
  package func fault(_ problem: String) -> JSONFault { JSONFault(path: codingPath, problem) }

  private func isNot(_ kind: String) -> JSONFault {
    fault("must be \(kind)\(isNull ? ", not null" : "")")
  }

  private var string: String {
    get throws {
      guard first == UInt8(ascii: "\"") else { throw isNot("a text") }
      return text
    }
  }

  private var bool: Bool {
    get throws {
      guard first == UInt8(ascii: "t") || first == UInt8(ascii: "f") else {
        throw isNot("true or false")
      }
      return first == UInt8(ascii: "t")
    }
  }

  private var data: Data {
    get throws {
      guard let data = Data(base64Encoded: try string) else {
        throw fault("has a value that this drawml cannot use")
      }
      return data
    }
  }

  /// A number, infinite if it is out of range, and its text.
  private func number(_ kind: String) throws -> (value: Double, text: String) {
    var scanner = scanner
    let start = scanner.position
    guard let value = try scanner.number() else { throw isNot(kind) }
    return (value, String(decoding: document.bytes[start..<scanner.position], as: UTF8.self))
  }

  private func numberFault(_ text: String, _ problem: String) -> JSONFault {
    fault("is \(text.count > 40 ? "\(text.prefix(40))…" : text)\(problem)")
  }

  private var double: Double {
    get throws {
      let (value, text) = try number("a number")
      guard JSONScanner.numbers.contains(value) else {
        throw numberFault(text, "; it must be from -1e100 to 1e100")
      }
      return value
    }
  }

  private var float: Float {
    get throws {
      let (value, text) = try number("a number")
      // From the text: rounding to a double first could give the neighboring float.
      guard let float = Float(text), float.isFinite else {
        throw numberFault(text, ", which is too large")
      }
      guard float != 0 || value == 0 else { throw numberFault(text, ", which is too near to 0") }
      return float
    }
  }

  private func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    let (value, text) = try number("a whole number")
    if let integer = Value(text) { return integer }
    if let integer = Value(exactly: value), text.contains(where: { ".eE".contains($0) }) {
      // Doubles from 2^53 up stand for several whole numbers.
      if value.magnitude < 0x1p53 { return integer }
      throw numberFault(text, "; from 2^53 up it must be written without fraction and exponent")
    }
    throw numberFault(
      text,
      value != value.rounded()
        ? ", which is not a whole number"
        : value < 0 && !Value.isSigned ? ", which must not be below 0" : ", which is too large")
  }
}

/// Finds the members of an object: the first few by searching it, more by an index, which only
/// decoding a dictionary needs.
private final class JSONMembers {
  private let value: JSONValue
  private var searches = 0
  private var index: [[UInt8]: [JSONValue]]?

  init(of value: JSONValue) { self.value = value }

  func named(_ name: String) -> [JSONValue] {
    searches += 1
    guard searches > 64 else { return value.children.filter { $0.isNamed(name) } }
    let index = index ?? Dictionary(grouping: value.children) { Array($0.key.utf8) }
    self.index = index
    return index[Array(name.utf8)] ?? []
  }
}

private struct JSONObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let value: JSONValue
  private let found: JSONMembers

  init(value: JSONValue) { (self.value, found) = (value, JSONMembers(of: value)) }

  var codingPath: [any CodingKey] { value.codingPath }
  var allKeys: [Key] { value.members?.compactMap { Key(stringValue: $0.key) } ?? [] }

  func contains(_ key: Key) -> Bool { !members(key).isEmpty }

  private func members(_ key: any CodingKey) -> [JSONValue] { found.named(key.stringValue) }

  private func member(_ key: any CodingKey) throws -> JSONValue {
    let found = members(key)
    guard let member = found.first else {
      throw JSONFault(path: codingPath + [key], "is missing")
    }
    guard found.count == 1 else { throw JSONFault(path: codingPath + [key], "comes twice") }
    value.document.note(member.node)
    return member
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    let member = try member(key)
    guard !member.isNull || value.document.takesNull else {
      throw JSONFault(path: codingPath + [key], "is null; leave it out")
    }
    return member.isNull
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try member(key).decoded(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try member(JSONKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
}

private struct JSONList: UnkeyedDecodingContainer {
  let value: JSONValue
  /// The node of the element that comes next.
  var next: Int
  private(set) var currentIndex = 0

  var codingPath: [any CodingKey] { value.codingPath }
  /// The elements are not counted in advance.
  var count: Int? { nil }
  var isAtEnd: Bool { next >= value.end }

  init(value: JSONValue, next: Int) { (self.value, self.next) = (value, next) }

  private mutating func element() throws -> JSONValue {
    guard !isAtEnd else { throw value.fault("has \(currentIndex) elements; it must have more") }
    let element = JSONValue(document: value.document, node: next)
    next = element.end
    currentIndex += 1
    return element
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, JSONValue(document: value.document, node: next).isNull else { return false }
    _ = try element()
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try element().decoded(type)
  }

  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    try element().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try element().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try element() }
}
