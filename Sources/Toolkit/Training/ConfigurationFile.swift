internal import Files
internal import Foundation
internal import JSON
internal import Recognition
internal import Text
internal import Yams

// The YAML file of `drawml train --config`. It may have any of the keys of `TrainingSettings`;
// missing ones keep their defaults. So it is merged into the default settings, and the result is
// decoded and checked like a recipe's JSON.

/// What is wrong with a configuration file or a recipe, and where.
package struct ConfigurationError: DescribedError, Equatable {
  package var path: String
  /// The line, from 1; nil for the whole file.
  package var line: Int?
  /// The rest of a sentence that starts with the place, such as "seed is …".
  package var problem: String

  package var description: String {
    "\(path.inputName)\(line.map { ", line \($0)" } ?? ""): \(problem)"
  }
}

extension TrainingSettings {
  /// The maximum number of bytes of a configuration file; with all settings it has about 1,200.
  package static let mostBytes = 1 << 14

  /// The settings of a configuration file.
  ///
  /// - Parameters:
  ///   - path: The YAML file.
  ///   - hasBase: Whether there is a base model; the file may then have no key of a new embedding.
  /// - Throws: `FileError` when it cannot be read, `ConfigurationError` naming the line and the key
  ///   that is unknown or wrong.
  package init(path: String, hasBase: Bool) throws {
    try self.init(yaml: AtomicFile.read(path), path: path, hasBase: hasBase)
  }

  package init(yaml bytes: [UInt8], path: String, hasBase: Bool) throws {
    let file = try Node.settings(bytes, path: path)
    self = try TrainingSettings(hasBase: hasBase).changed(by: file, path: path, hasBase: hasBase)
  }

  /// Changes one setting.
  ///
  /// - Parameters:
  ///   - assignment: A key, with dots between those of mappings, "=", and a value in YAML, such as
  ///     "training.batchSize=32" or "network.channels=[16, 32]".
  ///   - hasBase: Whether there is a base model.
  /// - Throws: `ConfigurationError` that names the key that is unknown or wrong.
  package mutating func set(_ assignment: String, hasBase: Bool) throws {
    let place = "--set \(assignment)"
    let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let keys = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, keys.allSatisfy({ !$0.isEmpty }) else {
      throw ConfigurationError(
        path: place, problem: "write a key and a value, as in --set training.batchSize=32")
    }
    let value = try Node.value(String(parts[1]), path: place)
    self = try changed(by: .nested(value, at: keys), path: place, hasBase: hasBase)
  }

  /// Changes settings, each a key, with dots between those of mappings, and a value in YAML.
  ///
  /// - Throws: `ConfigurationError` whose problem begins with the key that is unknown or wrong.
  mutating func set(_ values: [(key: String, value: String)], hasBase: Bool) throws {
    let change = try values.reduce(Node([(Node, Node)]())) { node, item in
      let keys = item.key.split(separator: ".", omittingEmptySubsequences: false)
      return node.merged(with: .nested(try .value(item.value, path: item.key), at: keys))
    }
    self = try changed(by: change, path: "", hasBase: hasBase)
  }

  /// The settings with those of a file instead.
  func changed(by file: Node, path: String, hasBase: Bool) throws -> TrainingSettings {
    do {
      if hasBase, let key = Self.embeddingKeys.first(where: { file[$0] != nil }) {
        throw JSONFault(
          place: key, "is of a new embedding, which --base replaces: leave it out")
      }
      let json = try node.merged(with: file).json(path: path)
      let document = try JSONDocument(Array(json.utf8), notesKeys: true)
      let settings = try document.decode(TrainingSettings.self)
      try settings.check(hasBase: hasBase)
      // An unknown key is probably a typo.
      if let key = document.unknownKey {
        throw JSONFault(place: key, "is not a setting; --print-config without --config shows all")
      }
      return settings
    } catch let fault as JSONFault {
      throw ConfigurationError(path: path, line: file.line(of: fault.place), problem: "\(fault)")
    }
  }

  /// The settings in force, as YAML that gives them again.
  ///
  /// - Parameter hasBase: Whether there is a base model; settings of a new embedding are left out
  ///   then.
  /// - Returns: The lines of the file.
  /// - Throws: `YamlError`, never for settings.
  package func yaml(hasBase: Bool) throws -> [String] {
    var settings = self
    if !hasBase {
      settings.head = head ?? .linear
      settings.refuse = refuse ?? DecisionPolicy.standard.refusalRate
    }
    var node = try settings.node
    if hasBase { for key in Self.embeddingKeys { node.mapping?[key] = nil } }
    // JSON omits nulls, but the file shows all possible keys.
    if settings.training.batchSize == nil {
      node.mapping?["training"]?.mapping?["batchSize"] = Node("null", .implicit, .plain)
    }
    return try Yams.serialize(node: node.plain).split(separator: "\n").map(String.init)
  }

  /// The settings' JSON, which is YAML, too.
  private var node: Node {
    get throws { try Node.settings(Array(jsonText(self).utf8), path: "") }
  }
}

extension Node {
  // MARK: Reading

  /// The mapping that is the only document of a text; an empty one for a text without.
  static func settings(_ bytes: [UInt8], path: String) throws -> Node {
    let root = try document(bytes, path: path) ?? [:]
    guard case .mapping = root else {
      throw ConfigurationError(
        path: path, line: root.mark?.line, problem: "must be keys with values")
    }
    return root
  }

  /// The value that is the only document of a text; nil for a text without.
  fileprivate static func document(_ bytes: [UInt8], path: String) throws -> Node? {
    func refuse(_ line: Int?, _ problem: String) -> ConfigurationError {
      ConfigurationError(path: path, line: line, problem: problem)
    }
    let most = TrainingSettings.mostBytes
    guard bytes.count <= most else {
      throw refuse(nil, "it has more than \(most >> 10) KiB, too many for settings")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw refuse(nil, "it is not UTF-8 text")
    }
    // Aliases may multiply their contents, again and again, before Yams returns.
    if let place = bytes.firstIndex(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "*") }) {
      throw refuse(
        bytes[..<place].count { $0 == 0x0a } + 1,
        "has a “&” or “*”: anchors and aliases are not read, and comments do without these signs")
    }
    do {
      return try Parser(yaml: text, encoding: .utf8).singleRoot()
    } catch let error as YamlError {
      let (line, problem) = error.place
      throw refuse(line, "it is not YAML: \(problem)")
    }
  }

  /// The line of the value at a place such as "network.channels[1]", or of what holds it; nil if
  /// the file has neither. The line of a key's value is the key's.
  fileprivate func line(of place: String) -> Int? {
    var (line, node): (Int?, Node) = (nil, self)
    for part in place.split(whereSeparator: { ".[]".contains($0) }) {
      if let nodes = node.sequence, let index = Int(part), nodes.indices ~= index {
        (line, node) = (nodes[index].mark?.line, nodes[index])
      } else if let member = node.mapping?.first(where: { $0.key == Node(String(part)) }) {
        (line, node) = (member.key.mark?.line, member.value)
      } else {
        break
      }
    }
    return line
  }

  /// The value of a text; null for an empty one.
  fileprivate static func value(_ text: String, path: String) throws -> Node {
    try document(Array(text.utf8), path: path) ?? Node("null", .implicit, .plain)
  }

  /// A value within mappings of these keys, the outermost first.
  fileprivate static func nested(_ value: Node, at keys: [Substring]) -> Node {
    keys.reversed().reduce(value) { Node([(Node(String($1)), $0)]) }
  }

  // MARK: Changing

  /// Lays another value over this one: keys of mappings replace those of the same name, all else
  /// replaces the whole value.
  fileprivate func merged(with other: Node) -> Node {
    guard case .mapping(var members) = self, case .mapping(let others) = other else { return other }
    for (key, value) in others {
      // The two kinds of views share no key.
      let isWhole = key == "view" && value["sequence"] != nil
      members[key] = isWhole ? value : members[key]?.merged(with: value) ?? value
    }
    return .mapping(members)
  }

  // MARK: Writing

  func json(path: String) throws -> String {
    switch self {
    case .scalar(let scalar): return scalar.json
    case .sequence(let nodes):
      return try "[" + nodes.map { try $0.json(path: path) }.joined(separator: ",") + "]"
    case .mapping(let members):
      let texts = try members.map { key, value in
        guard let name = key.scalar?.string else {
          throw ConfigurationError(
            path: path, line: key.mark?.line, problem: "has a key that is no text")
        }
        return try "\(quoted(name)):\(value.json(path: path))"
      }
      return "{" + texts.joined(separator: ",") + "}"
    case .alias:
      throw ConfigurationError(
        path: path, line: mark?.line, problem: "has an alias, which is not read")
    }
  }

  /// What was JSON, as people write YAML. All texts are names, which need no quotes.
  fileprivate var plain: Node {
    switch self {
    case .scalar(let scalar): Node(scalar.plain)
    case .sequence(let nodes): Node(nodes.map(\.plain), .implicit, .flow)
    case .mapping(let members): Node(members.map { ($0.key.plain, $0.value.plain) })
    case .alias: self
    }
  }
}

/// A text in JSON.
private func quoted(_ text: String) -> String {
  // Cannot throw: any text can be encoded.
  (try? jsonText(text)) ?? "\"\""
}

extension Node.Scalar {
  /// A number of JSON as YAML writes it; other scalars as they are. YAML 1.1, which PyYAML reads,
  /// takes a number with an exponent for a text unless it has a point.
  fileprivate var plain: String {
    guard let exponent = string.firstIndex(of: "e"), string.first?.isLetter == false,
      !string.contains(".")
    else { return string }
    return string[..<exponent] + ".0" + string[exponent...]
  }

  /// The scalar in JSON. A plain scalar may be a number, a boolean or null; all others are texts.
  fileprivate var json: String {
    guard style == .plain, tag.description != Tag.Name.str.rawValue else { return quoted(string) }
    if string.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil {
      return string
    }
    // Numbers of base 60 are no part of YAML 1.2, and a large one ends the program in Yams.
    if string.contains(":") { return quoted(string) }
    if NSNull.construct(from: self) != nil { return "null" }
    if let flag = Bool.construct(from: self) { return flag ? "true" : "false" }
    if let number = Int.construct(from: self) { return String(number) }
    if let number = Double.construct(from: self), number.isFinite { return "\(number)" }
    return quoted(string)
  }
}

extension YamlError {
  /// Where the text is no YAML, and why.
  fileprivate var place: (line: Int?, problem: String) {
    switch self {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      // libyaml's words name a function of C.
      (mark.line, problem.hasPrefix("Maximum nesting level") ? "it is nested too deep" : problem)
    case .duplicatedKeysInMapping(let keys, let context):
      (context.mark.line, "the key \(listed(keys)) is there twice")
    case .reader(let problem, _, _, _): (nil, problem)
    default: (nil, "it cannot be read")
    }
  }
}
