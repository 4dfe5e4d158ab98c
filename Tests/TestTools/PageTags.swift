/// The tags of an HTML page.
public struct PageTags {
  /// The names of its elements.
  public private(set) var names: Set<String> = []
  /// The values of their attributes `id` and `href`.
  public private(set) var (ids, links): ([String], [String]) = ([], [])

  /// What is wrong with a page.
  public struct Fault: Error, CustomStringConvertible {
    /// One sentence.
    public let description: String
  }

  /// Reads a page.
  ///
  /// - Throws: `Fault` unless every element is closed in order, and only void ones are not.
  public init(_ html: String) throws {
    let void: Set<String> = ["meta", "link", "!DOCTYPE"]
    var open: [String] = []
    for piece in html.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
      guard let inside = piece.firstIndex(of: ">") else {
        throw Fault(description: "a tag does not end: <\(piece.prefix(80))")
      }
      let tag = piece[..<inside]
      let name = String(tag.drop { $0 == "/" }.prefix { $0 != " " })
      names.insert(name)
      if tag.hasPrefix("/") {
        guard open.popLast() == name else { throw Fault(description: "<\(tag)> closes another") }
      } else if !void.contains(name) {
        open.append(name)
      }
      let parts = tag.split(separator: "\"", omittingEmptySubsequences: false)
      guard !parts.count.isMultiple(of: 2) else {
        throw Fault(description: "a quote does not end: <\(tag)>")
      }
      for (key, value) in zip(parts, parts.dropFirst()) {
        if key.hasSuffix(" id=") { ids.append(String(value)) }
        if key.hasSuffix(" href=") { links.append(String(value)) }
      }
    }
    guard open.isEmpty else { throw Fault(description: "\(open) are not closed") }
  }
}
