internal import Foundation
internal import Recognition
internal import Support
internal import Yams

// The YAML file of `drawml train --config`. It may have any of the keys of `TrainingSettings`; what
// it does not have keeps its standard value. So it is laid over the standard settings, and the
// whole is decoded and checked as a recipe's JSON is.

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
  ///   - hasBase: Whether a base model's embedding is kept; the file may then have no key of an
  ///     embedding's training.
  /// - Throws: `FileError` when it cannot be read, `ConfigurationError` naming the line and the key
  ///   that is unknown or wrong.
  package init(path: String, hasBase: Bool) throws {
    try self.init(yaml: AtomicFile.read(path), path: path, hasBase: hasBase)
  }

  package init(yaml bytes: [UInt8], path: String, hasBase: Bool) throws {
    let file = try ConfigurationTree(yaml: bytes, path: path)
    do {
      if hasBase, let key = Self.embeddingKeys.first(where: { file[$0] != nil }) {
        throw JSONFault(
          place: key, "is of the training of an embedding, which --base replaces: leave it out")
      }
      var tree = try ConfigurationTree(json: jsonText(TrainingSettings()))
      tree.merge(file)
      let document = try JSONDocument(Array(tree.json.utf8), notesKeys: true)
      self = try document.decode(TrainingSettings.self)
      try check()
      // An unknown key is probably a typo.
      if let key = document.unknownKey {
        throw JSONFault(place: key, "is not a setting; --print-config without --config shows all")
      }
    } catch let fault as JSONFault {
      throw ConfigurationError(path: path, line: file.line(of: fault.place), problem: "\(fault)")
    }
  }

  /// The settings in force, as YAML that gives them again.
  ///
  /// - Parameter hasBase: Whether a base model's embedding is kept; its training's settings are
  ///   left out then.
  /// - Returns: The lines of the file.
  /// - Throws: `YamlError`, never for settings.
  package func yaml(hasBase: Bool) throws -> [String] {
    var settings = self
    if !hasBase {
      settings.head = head ?? .linear
      settings.refuse = refuse ?? DecisionPolicy.standard.refusalRate
    }
    var tree = try ConfigurationTree(json: jsonText(settings))
    if hasBase { for key in Self.embeddingKeys { tree.remove(key) } }
    return try Yams.serialize(node: tree.node).split(separator: "\n").map(String.init)
  }
}

/// A value of YAML or JSON: what both can say.
private struct ConfigurationTree {
  private indirect enum Value {
    /// A text, number, boolean or null, as JSON writes it.
    case scalar(String)
    case list([ConfigurationTree])
    case object([(key: String, value: ConfigurationTree)])
  }

  private var value: Value
  /// The line of the value's key, or of the value in a list, from 1; 0 for JSON.
  private var line = 0

  // MARK: Reading

  init(json text: String) throws(JSONFault) {
    self.init(try JSONDocument(Array(text.utf8)).root)
  }

  private init(_ json: JSONValue) {
    if let members = json.members {
      self.init(value: .object(members.map { ($0.key, ConfigurationTree($0.value)) }))
    } else if let elements = json.elements {
      self.init(value: .list(elements.map { ConfigurationTree($0) }))
    } else {
      self.init(value: .scalar(String(decoding: json.bytes, as: UTF8.self)))
    }
  }

  init(yaml bytes: [UInt8], path: String) throws {
    guard let root = try Self.root(of: bytes, path: path) else {
      self.init(value: .object([]))
      return
    }
    guard case .mapping = root else {
      throw ConfigurationError(
        path: path, line: root.mark?.line, problem: "must be keys with values")
    }
    try self.init(root, path: path)
  }

  private init(value: Value, line: Int = 0) { (self.value, self.line) = (value, line) }

  /// The only document of a text; nil for one without.
  private static func root(of bytes: [UInt8], path: String) throws -> Node? {
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
    // An alias may multiply what it names, again and again, before Yams returns.
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

  private init(_ node: Node, path: String) throws {
    let line = node.mark?.line ?? 0
    let value: Value
    switch node {
    case .scalar(let scalar): value = .scalar(scalar.json)
    case .sequence(let nodes):
      value = .list(try nodes.map { try ConfigurationTree($0, path: path) })
    case .mapping(let pairs):
      value = .object(
        try pairs.map { key, value in
          guard case .scalar(let name) = key else {
            throw ConfigurationError(
              path: path, line: key.mark?.line, problem: "has a key that is no text")
          }
          var tree = try ConfigurationTree(value, path: path)
          tree.line = key.mark?.line ?? tree.line
          return (name.string, tree)
        })
    case .alias:
      throw ConfigurationError(path: path, line: line, problem: "has an alias, which is not read")
    }
    self.init(value: value, line: line)
  }

  // MARK: Changing

  /// The value of a key of an object.
  subscript(key: String) -> ConfigurationTree? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.key == key }?.value
  }

  mutating func remove(_ key: String) {
    guard case .object(let members) = value else { return }
    value = .object(members.filter { $0.key != key })
  }

  /// Lays another tree over this one: keys of objects replace those of the same name, all else
  /// replaces the whole value.
  mutating func merge(_ other: ConfigurationTree) {
    guard case .object(var members) = value, case .object(let others) = other.value else {
      return self = other
    }
    for (key, value) in others {
      guard let index = members.firstIndex(where: { $0.key == key }) else {
        members.append((key, value))
        continue
      }
      // The two kinds of views share no key.
      if key == "view", value["sequence"] != nil {
        members[index].value = value
      } else {
        members[index].value.merge(value)
      }
    }
    value = .object(members)
  }

  // MARK: Writing

  var json: String {
    switch value {
    case .scalar(let text): text
    case .list(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { "\(quoted($0.key)):\($0.value.json)" }.joined(separator: ",") + "}"
    }
  }

  /// The line of the value at a place such as "network.channels[1]", or of what holds it; nil if
  /// the file has neither.
  func line(of place: String) -> Int? {
    var found: Int?
    var tree = self
    for part in place.split(whereSeparator: { ".[]".contains($0) }) {
      let next: ConfigurationTree? =
        if case .list(let values) = tree.value, let index = Int(part), values.indices ~= index {
          values[index]
        } else {
          tree[String(part)]
        }
      guard let next else { break }
      (found, tree) = (next.line, next)
    }
    return found
  }

  var node: Node {
    switch value {
    case .scalar(let text): .scalar(Node.Scalar(Self.plain(text)))
    case .list(let values):
      .sequence(Node.Sequence(values.map(\.node), .implicit, .flow))
    case .object(let members):
      .mapping(Node.Mapping(members.map { (Node($0.key), $0.value.node) }))
    }
  }

  /// A JSON scalar as YAML writes it. All texts are names, which need no quotes. YAML 1.1, which
  /// PyYAML reads, takes a number with an exponent for a text unless it has a point.
  private static func plain(_ json: String) -> String {
    if json.hasPrefix("\"") { return String(json.dropFirst().dropLast()) }
    guard let exponent = json.firstIndex(of: "e"), json.first?.isLetter == false,
      !json.contains(".")
    else { return json }
    return json[..<exponent] + ".0" + json[exponent...]
  }
}

/// A text in JSON.
private func quoted(_ text: String) -> String {
  // Cannot throw: any text can be encoded.
  (try? jsonText(text)) ?? "\"\""
}

extension Node.Scalar {
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
