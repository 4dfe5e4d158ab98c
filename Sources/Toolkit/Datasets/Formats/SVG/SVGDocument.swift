internal import Files
internal import Text

/// The elements of an SVG document that concern its lines, in document order.
///
/// Elements of other namespaces are left out with all that is in them; so is what is within texts,
/// filters and metadata.
///
/// Source: Scalable Vector Graphics 2, chapter 5, "Document Structure".
struct SVGDocument {
  struct Element {
    /// The local name.
    var name: String
    /// The attributes that the reader knows, and after `applyStyleSheets` the properties that style
    /// sheets give instead.
    var attributes: [String: String]
    /// The index of the element around it; the root has none.
    var parent: Int?
    /// The index after the last element within it.
    var end: Int
    /// The line on which it begins, from 1.
    var line: Int
  }

  /// The maximum number of elements: few enough for the promise about memory in `docs/security.md`.
  static let mostElements = 1 << 18

  /// The elements, each before those within it; the first is the root.
  private(set) var elements: [Element] = []
  /// The first element with each id.
  private(set) var indexOfID: [String: Int] = [:]
  /// The number of the document's bytes.
  let byteCount: Int
  /// The texts of its style sheets.
  private var styleSheets: [String] = []

  /// Reads a document.
  ///
  /// - Throws: `FileError` that names the line.
  init(_ bytes: [UInt8], path: String) throws(FileError) {
    byteCount = bytes.count
    var reader = try XMLReader(bytes, path: path)
    var rootNamespace: String?
    /// The element that each open tag began; nil for those left out.
    var open: [Int?] = []
    while let part = try reader.next() {
      switch part {
      case .start(let name, let attributes):
        if open.isEmpty {
          guard name == "svg" else {
            throw reader.fault("it is not SVG: its first element is \(name)")
          }
          rootNamespace = reader.namespace
        }
        let isOurs = reader.namespace == rootNamespace || reader.namespace == Self.namespace
        let outer = open.last ?? nil
        guard isOurs, outer == nil ? open.isEmpty : !isOpaque(outer) else {
          open.append(nil)
          continue
        }
        guard elements.count < Self.mostElements else {
          throw reader.fault("it has more than \(grouped(Self.mostElements)) elements")
        }
        open.append(elements.count)
        begin(name, attributes, inside: outer, line: reader.line)
      case .end:
        if let index = open.removeLast() { elements[index].end = elements.count }
      case .text(let text):
        if let index = open.last ?? nil, elements[index].name == "style" {
          add(styleSheet: text, elements[index].attributes)
        }
      }
    }
  }

  private static let namespace = "http://www.w3.org/2000/svg"

  private mutating func begin(
    _ name: String, _ attributes: [String: String], inside parent: Int?, line: Int
  ) {
    var known: [String: String] = [:]
    for (key, value) in attributes {
      if Self.attributes.contains(key) || SVGStyle.properties.contains(key) {
        known[key] = value
      } else if key.hasSuffix(":href"), attributes["href"] == nil {
        known["href"] = value
      }
    }
    if let id = known["id"], indexOfID[id] == nil { indexOfID[id] = elements.count }
    elements.append(
      Element(
        name: name, attributes: known, parent: parent, end: elements.count + 1, line: line))
  }

  /// What is read besides the properties of style sheets.
  private static let attributes: Set = [
    "class", "clipPathUnits", "data-id", "data-label", "data-times", "href", "id", "media",
    "pathLength", "points", "preserveAspectRatio", "requiredExtensions", "style", "systemLanguage",
    "type", "viewBox", "x1", "x2", "y1", "y2",
  ]

  /// Whether nothing within an element matters.
  private func isOpaque(_ index: Int?) -> Bool {
    guard let index else { return true }
    return Self.opaque.contains(elements[index].name)
  }

  private static let opaque: Set = [
    "desc", "filter", "foreignObject", "metadata", "script", "style", "text", "title",
  ]

  private mutating func add(styleSheet text: String, _ attributes: [String: String]) {
    let type = attributes["type"]?.lowercased() ?? "text/css"
    guard type.isEmpty || type.hasPrefix("text/css") else { return }
    let media = attributes["media"]?.lowercased() ?? "all"
    guard media.isEmpty || media.contains("all") || media.contains("screen") else { return }
    styleSheets.append(text)
  }

  /// The indices of the elements directly within one.
  func children(of index: Int) -> some Sequence<Int> {
    sequence(state: index + 1) { [elements] next -> Int? in
      guard next < elements[index].end else { return nil }
      defer { next = elements[next].end }
      return next
    }
  }

  /// Gives each element the properties that style sheets and its own style give it, in place of
  /// those of its attributes.
  ///
  /// - Throws: `FormatFault` if that is more than `work` allows.
  mutating func applyStyleSheets(
    _ notes: inout ReadingNotes, _ work: inout SVGWork
  ) throws(FormatFault) {
    var sheet = SVGStyleSheet()
    for text in styleSheets { sheet.add(text, &notes) }
    for index in elements.indices {
      let declared = try sheet.declarations(for: index, in: elements, &work)
      for declaration in declared where SVGStyle.properties.contains(declaration.name) {
        elements[index].attributes[declaration.name] = declaration.value
      }
    }
  }
}
