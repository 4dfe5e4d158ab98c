/// Which elements a rule of a style sheet is about: their type, classes and id, and those of the
/// elements around them, as in `g.layer > path`.
///
/// Source: Selectors Level 4, https://www.w3.org/TR/selectors-4/.
struct SVGSelector {
  /// What one element must be.
  private struct Compound {
    var type: String?
    var id: String?
    var classes: [String] = []
  }

  /// The element itself first, then those around it; `isParent` where it must be directly around
  /// the one before.
  private var compounds: [(compound: Compound, isParent: Bool)] = []
  /// Whether it is about a state that a picture never has, such as `:hover`.
  private var isNever = false
  /// A higher value wins: ids outweigh classes, which outweigh types.
  private(set) var specificity = 0

  /// The maximum number of compound selectors in a selector.
  private static let mostCompounds = 16

  /// Parses a selector; nil if its syntax is not supported.
  init?(_ text: String) {
    var isParent = false
    var found: [(Compound, isParent: Bool)] = []
    for word in text.replacing(">", with: " > ").split(separator: " ") {
      if word == ">" {
        guard !found.isEmpty, !isParent else { return nil }
        isParent = true
        continue
      }
      guard let compound = compound(word), found.count < Self.mostCompounds else { return nil }
      found.append((compound, isParent))
      isParent = false
    }
    guard !found.isEmpty, !isParent else { return nil }
    // Each says how it relates to the one within it.
    for index in found.indices.reversed() {
      let inner = index + 1
      compounds.append((found[index].0, inner < found.count && found[inner].isParent))
    }
  }

  /// A name such as `path.thick#p1`.
  private mutating func compound(_ text: Substring) -> Compound? {
    var result = Compound()
    var rest = text
    while let first = rest.first {
      let mark = "*.#:".contains(first) ? first : nil
      if mark != nil { rest = rest.dropFirst() }
      let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
      rest = rest.dropFirst(name.count)
      guard mark == "*" ? name.isEmpty : !name.isEmpty else { return nil }
      switch mark {
      case "*": break
      case ".":
        result.classes.append(String(name))
        specificity += 1 << 10
      case "#":
        guard result.id == nil else { return nil }
        result.id = String(name)
        specificity += 1 << 20
      case ":":
        guard Self.neverStates.contains(name.lowercased()) else { return nil }
        isNever = true
      default:
        guard result.type == nil, result.id == nil, result.classes.isEmpty else { return nil }
        result.type = String(name)
        specificity += 1
      }
    }
    return result
  }

  private static let neverStates: Set = ["active", "focus", "hover", "target", "visited"]

  /// What an element must have so that the selector can be about it.
  var key: String {
    let own = compounds[0].compound
    return own.id.map { "#" + $0 } ?? own.classes.first.map { "." + $0 } ?? own.type ?? "*"
  }

  /// Whether it is about an element.
  func matches(
    _ index: Int, in elements: [SVGDocument.Element], _ work: inout SVGWork
  ) throws(FormatFault) -> Bool {
    guard !isNever else { return false }
    return try matches(index, from: 0, in: elements, &work)
  }

  private func matches(
    _ index: Int, from first: Int, in elements: [SVGDocument.Element], _ work: inout SVGWork
  ) throws(FormatFault) -> Bool {
    try work.spend(32 + (elements[index].attributes["class"]?.utf8.count ?? 0))
    guard Self.matches(compounds[first].compound, elements[index]) else { return false }
    guard first + 1 < compounds.count else { return true }
    var outer = elements[index].parent
    while let candidate = outer {
      if try matches(candidate, from: first + 1, in: elements, &work) { return true }
      guard !compounds[first + 1].isParent else { return false }
      outer = elements[candidate].parent
    }
    return false
  }

  private static func matches(_ compound: Compound, _ element: SVGDocument.Element) -> Bool {
    if let type = compound.type, type != element.name { return false }
    if let id = compound.id, id != element.attributes["id"] { return false }
    guard !compound.classes.isEmpty else { return true }
    let own = (element.attributes["class"] ?? "").split(whereSeparator: \.isWhitespace)
    return compound.classes.allSatisfy { own.contains(Substring($0)) }
  }
}
