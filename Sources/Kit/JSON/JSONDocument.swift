internal import Files

/// Where a value or a key of a JSON text begins, and the node that follows it.
struct JSONNode {
  /// The offset of the first byte.
  var start: UInt32
  /// The index of the node after the value and everything in it; `key` for an object's key, whose
  /// value is the next node.
  var next: UInt32

  static let key = UInt32.max
}

/// A validated JSON text and the positions of its values.
///
///     let recipe = try JSONDocument(bytes).decode(TrainingRecipe.self)
///
/// The text is scanned once, and values are decoded from it on demand: besides the text of *n*
/// bytes, this takes at most 4 *n* bytes; decoding a dictionary also takes what that has.
package final class JSONDocument {
  let bytes: [UInt8]
  let nodes: [JSONNode]
  /// Whether null is as good as a missing key.
  let takesNull: Bool
  /// The nodes of members that were decoded; nil unless `notesKeys` was set.
  private var asked: Set<Int>?

  /// Validates and indexes a text.
  ///
  /// - Parameters:
  ///   - bytes: The text, which may begin with a byte order mark.
  ///   - notesKeys: Whether to record decoded keys, for `unknownKey`.
  ///   - takesNull: Whether null is as good as a missing key; otherwise decoding it is an error.
  /// - Throws: `JSONFault` that names the line and the byte.
  package init(
    _ bytes: [UInt8], notesKeys: Bool = false, takesNull: Bool = true
  ) throws(JSONFault) {
    guard bytes.count <= LineReader.longestText else { throw JSONFault("has more than 2 GiB") }
    let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
    var scanner = JSONScanner(bytes, from: bytes.starts(with: byteOrderMark) ? 3 : 0)
    var nodes: [JSONNode]? = []
    do throws(JSONSyntaxError) {
      try scanner.value(&nodes)
      try scanner.expectEnd()
    } catch {
      let line = bytes.prefix(scanner.position).count { $0 == 0x0a } + 1
      throw JSONFault(
        "is not JSON: \(line > 1 ? "line \(line), " : "")byte \(error.byte): \(error.problem)")
    }
    (self.bytes, self.nodes, asked) = (bytes, nodes ?? [], notesKeys ? [] : nil)
    self.takesNull = takesNull
  }

  /// The value that a JSON text describes.
  ///
  /// - Throws: `JSONFault`.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8]
  ) throws(JSONFault) -> Value {
    try JSONDocument(bytes).decode(type)
  }

  /// The value that the whole text describes.
  ///
  /// - Throws: `JSONFault`.
  package func decode<Value: Decodable>(_ type: Value.Type) throws(JSONFault) -> Value {
    try JSONValue(document: self, node: 0).decoded(type)
  }

  /// The path of the first key that no type decoded; nil if all were decoded. Needs `notesKeys`.
  package var unknownKey: String? {
    guard let asked else { return nil }
    let key = nodes.indices.first { nodes[$0].next == JSONNode.key && !asked.contains($0 + 1) }
    return key.map { JSONFault(path: JSONValue(document: self, node: $0 + 1).codingPath, "").place }
  }

  func note(_ node: Int) { asked?.insert(node) }

  /// The text's one value.
  package var root: JSONValue { JSONValue(document: self, node: 0) }
}

/// A value of a JSON text, decoded on demand.
package struct JSONValue {
  let document: JSONDocument
  let node: Int

  /// The members of an object in file order; nil for anything else.
  package var members: [(key: String, value: JSONValue)]? {
    guard first == UInt8(ascii: "{") else { return nil }
    return children.map { ($0.key, $0) }
  }

  /// The elements of a list; nil for anything else.
  package var elements: [JSONValue]? {
    first == UInt8(ascii: "[") ? Array(children) : nil
  }

  /// The first member of an object with this key.
  package subscript(key: String) -> JSONValue? {
    guard first == UInt8(ascii: "{") else { return nil }
    return children.first { $0.isNamed(key) }
  }

  /// The text of the value, from its first byte to its last.
  package var bytes: ArraySlice<UInt8> {
    var scanner = scanner
    let start = scanner.position
    // Cannot throw: the document was validated.
    try? scanner.skipValue()
    return document.bytes[start..<scanner.position]
  }

  /// The value's first byte, which determines its kind.
  var first: UInt8 { document.bytes[Int(document.nodes[node].start)] }
  /// Whether it is null.
  package var isNull: Bool { first == UInt8(ascii: "n") }
  /// A scanner of the text, at the value's first byte.
  package var scanner: JSONScanner {
    JSONScanner(document.bytes, from: Int(document.nodes[node].start))
  }
  /// The index of the node after the value.
  var end: Int { Int(document.nodes[node].next) }

  /// A text or key without its quotes and escapes.
  var text: String {
    var scanner = scanner
    return (try? scanner.string()) ?? ""
  }

  /// The key of the value, which is a member.
  var key: String { Self(document: document, node: node - 1).text }

  /// Whether the value is a member with this key.
  func isNamed(_ key: String) -> Bool {
    // By bytes: comparing strings takes time quadratic in the number of combining accents.
    self.key.utf8.elementsEqual(key.utf8)
  }

  /// The values in an object or list.
  var children: some Sequence<JSONValue> {
    let step = first == UInt8(ascii: "{") ? 1 : 0
    return sequence(state: node + 1) { next in
      guard next < end else { return nil }
      let value = Self(document: document, node: next + step)
      next = value.end
      return value
    }
  }
}
