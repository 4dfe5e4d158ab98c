internal import Text

/// The rules of an SVG document's style sheets.
///
/// Selectors are of types, classes, ids and what they are within (see `SVGSelector`); other rules
/// that could matter are left out, with a note. So are rules for printers, and sheets imported.
///
/// Source: CSS Cascading and Inheritance Level 4, https://www.w3.org/TR/css-cascade-4/.
struct SVGStyleSheet {
  private struct Rule {
    var selector: SVGSelector
    /// The index of its declarations, which the selectors of a list share.
    var block: Int
  }

  /// The maximum number of rules.
  private static let mostRules = 1 << 14

  /// In document order.
  private var rules: [Rule] = []
  private var blocks: [[CSSDeclaration]] = []
  /// The rules by what their selectors need first: "#id", ".class", a type or "*".
  private var rulesByKey: [String: [Int]] = [:]

  /// Adds the rules of a sheet.
  mutating func add(_ text: String, _ notes: inout ReadingNotes) {
    var rest = CSSText(text).bytes[...]
    while let (prelude, block, isBlock) = CSSText.nextRule(&rest) {
      let selectors = String(decoding: prelude, as: UTF8.self).trimmed
      guard isBlock, !selectors.hasPrefix("@") else {
        let name = selectors.prefix { !$0.isWhitespace && $0 != "(" }
        if !Self.harmless.contains(name.lowercased()) {
          notes.add("a part of its style sheet is not read: \(name.prefix(40))")
        }
        continue
      }
      let declarations = CSSDeclaration.list(block).filter {
        SVGStyle.properties.contains($0.name)
      }
      guard !declarations.isEmpty else { continue }
      blocks.append(declarations)
      for part in CSSText.parts(prelude, separatedBy: UInt8(ascii: ",")) {
        let text = String(decoding: part, as: UTF8.self).trimmed
        guard let selector = SVGSelector(text) else {
          notes.add("a rule of its style sheet is not read: \(text.prefix(40))")
          continue
        }
        guard rules.count < Self.mostRules else {
          return notes.add("its style sheet is read up to \(grouped(Self.mostRules)) rules")
        }
        rulesByKey[selector.key, default: []].append(rules.count)
        rules.append(Rule(selector: selector, block: blocks.count - 1))
      }
    }
  }

  /// At-rules that hide and draw nothing.
  private static let harmless: Set = [
    "", "@charset", "@font-face", "@keyframes", "@-webkit-keyframes", "@namespace",
  ]

  /// What the sheets and its own `style` declare for an element, the strongest last.
  func declarations(
    for index: Int, in elements: [SVGDocument.Element], _ work: inout SVGWork
  ) throws(FormatFault) -> [CSSDeclaration] {
    let element = elements[index]
    let own = element.attributes["style"].map { CSSDeclaration.list($0) } ?? []
    guard !rules.isEmpty else {
      return own.filter { !$0.isImportant } + own.filter(\.isImportant)
    }
    var keys = ["*", element.name]
    if let id = element.attributes["id"] { keys.append("#" + id) }
    keys += (element.attributes["class"] ?? "").split(whereSeparator: \.isWhitespace).prefix(64)
      .map { ".\($0)" }
    var matching: [Int] = []
    for key in keys {
      for rule in rulesByKey[key] ?? [] {
        try work.spend(64)
        if try rules[rule].selector.matches(index, in: elements, &work) { matching.append(rule) }
      }
    }
    matching.sort {
      (rules[$0].selector.specificity, $0) < (rules[$1].selector.specificity, $1)
    }
    var normal: [CSSDeclaration] = []
    var important: [CSSDeclaration] = []
    for declaration in matching.lazy.flatMap({ blocks[rules[$0].block] }) {
      try work.spend(64)
      if declaration.isImportant {
        important.append(declaration)
      } else {
        normal.append(declaration)
      }
    }
    return normal + own.filter { !$0.isImportant } + important + own.filter(\.isImportant)
  }
}
