/// Resolves namespace prefixes while elements begin and end.
///
/// Source: Namespaces in XML 1.0, W3C, https://www.w3.org/TR/xml-names/.
struct XMLNamespaces {
  /// The earlier namespace of each prefix that an open element redeclares, with that element's depth.
  private var replaced: [(depth: Int, prefix: String, namespace: String?)] = []
  private var current: [String: String] = ["xml": "http://www.w3.org/XML/1998/namespace"]
  private var depth = 0

  /// An element with these attributes begins.
  mutating func begin(_ attributes: [String: String]) {
    depth += 1
    for (key, value) in attributes where key.hasPrefix("xmlns") {
      guard key == "xmlns" || key.hasPrefix("xmlns:") else { continue }
      let prefix = String(key.dropFirst(6))
      replaced.append((depth, prefix, current[prefix]))
      current[prefix] = value.isEmpty ? nil : value
    }
  }

  /// The element begun last ends.
  mutating func end() {
    while let last = replaced.last, last.depth == depth {
      current[last.prefix] = last.namespace
      replaced.removeLast()
    }
    depth -= 1
  }

  /// The namespace of an element's name; nil if it has none. A prefix that is not declared stands
  /// for itself.
  func namespace(of name: String) -> String? {
    guard let colon = name.lastIndex(of: ":") else { return current[""] }
    let prefix = String(name[..<colon])
    return current[prefix] ?? prefix
  }
}
