internal import Files
internal import Foundation
internal import Numbers
internal import Yams

/// What a sweep tries: settings of a training, of which some vary from trial to trial.
///
/// Its YAML file has the keys of `TrainingSettings`, and two more: `vary`, with a list of values for
/// each key that varies, or `{from: 1e-4, to: 1e-2}` for numbers that are drawn log-uniformly (whole
/// ones if both ends are); and `trials`, the number of random trials. Without `trials`, every
/// combination is tried (grid search).
/// Random trials find good values sooner where only some of the settings matter (Bergstra and Bengio
/// 2012, JMLR 13, 281).
package struct SweepPlan: Sendable {
  /// One trial.
  package struct Trial: Sendable {
    /// The settings that vary, each a key and a value in YAML.
    package var assignments: [(key: String, value: String)]
    /// All settings.
    package var settings: TrainingSettings
  }

  /// The values of one key.
  private enum Values: Sendable {
    case list([String])
    /// Numbers, drawn log-uniformly; whole ones if both ends are.
    case range(ClosedRange<Double>, isWhole: Bool)

    /// Nil for anything but a list or a range.
    init?(_ node: Node, path: String) throws {
      if case .sequence(let nodes) = node, !nodes.isEmpty {
        self = .list(try nodes.map { try $0.json(path: path) })
        return
      }
      guard case .mapping(let ends) = node, ends.count == 2,
        let from = try node["from"]?.json(path: path), let to = try node["to"]?.json(path: path),
        let low = Double(from), let high = Double(to), 0 < low, low < high, high.isFinite
      else { return nil }
      self = .range(low...high, isWhole: Int(from) != nil && Int(to) != nil)
    }

    var isRange: Bool { if case .range = self { true } else { false } }

    /// One of the values.
    func value(using generator: inout SeededGenerator) -> String {
      switch self {
      case .list(let list): return generator.pick(list)
      case .range(let range, let isWhole):
        let exponent = generator.uniform(log(range.lowerBound)...log(range.upperBound))
        let number = min(max(exp(exponent), range.lowerBound), range.upperBound)
        if isWhole { return "\(Int(number.rounded()))" }
        let short = String(format: "%.3g", number)
        return range.contains(Double(short) ?? 0) ? short : "\(number)"
      }
    }
  }

  /// The keys that vary, in the file's order.
  package var keys: [String] { values.map(\.key) }
  /// The settings that do not vary.
  package let settings: TrainingSettings
  package let trials: [Trial]
  private let values: [(key: String, values: Values)]

  /// The maximum number of trials.
  package static let mostTrials = 1000

  /// Reads a plan.
  ///
  /// - Parameters:
  ///   - path: The YAML file.
  ///   - hasBase: Whether there is a base model.
  /// - Throws: `FileError` when it cannot be read, `ConfigurationError` naming the line and the key
  ///   that is unknown or wrong.
  package init(path: String, hasBase: Bool) throws {
    try self.init(yaml: AtomicFile.read(path), path: path, hasBase: hasBase)
  }

  package init(yaml bytes: [UInt8], path: String, hasBase: Bool) throws {
    let file = try Node.settings(bytes, path: path)
    func refuse(_ node: Node?, _ problem: String) -> ConfigurationError {
      ConfigurationError(path: path, line: node?.mark?.line, problem: problem)
    }
    guard let varied = file["vary"], case .mapping(let members) = varied, !members.isEmpty else {
      throw refuse(
        file["vary"], "vary must name settings with their values, as training.batchSize: [16, 32]")
    }
    var found: [(key: String, values: Values)] = []
    var lines: [String: Node] = [:]
    for (key, node) in members {
      guard let name = key.scalar?.string else { throw refuse(key, "has a key that is no text") }
      guard lines.updateValue(key, forKey: name) == nil else {
        throw refuse(key, "vary.\(name) is there twice")
      }
      guard let values = try Values(node, path: path) else {
        throw refuse(key, Self.advice(name, node))
      }
      found.append((name, values))
    }
    var rest = file
    for key in ["vary", "trials"] { rest.mapping?[key] = nil }
    let common = try TrainingSettings(hasBase: hasBase).changed(
      by: rest, path: path, hasBase: hasBase)
    var choices: [Choice]
    if let node = file["trials"] {
      guard let count = try Int(node.json(path: path)), (1...Self.mostTrials).contains(count) else {
        throw refuse(node, "trials must be a whole number from 1 to \(Self.mostTrials)")
      }
      choices = Self.random(count, of: found, seed: common.seed)
    } else {
      if let (key, _) = found.first(where: { $0.values.isRange }) {
        throw refuse(
          lines[key], "vary.\(key) has no list: say how many random trials, as trials: 20")
      }
      guard let all = Self.grid(found) else {
        throw refuse(varied, "vary has more than \(Self.mostTrials) combinations")
      }
      choices = all
    }
    (values, settings) = (found, common)
    trials = try choices.map { choice in
      var own = common
      do { try own.set(choice, hasBase: hasBase) } catch let error as ConfigurationError {
        // The longest: "seed" begins "seeds", too.
        let key = choice.map(\.key).filter { error.problem.hasPrefix($0) }.max {
          $0.count < $1.count
        }
        throw refuse(key.flatMap { lines[$0] } ?? varied, "vary: \(error.problem)")
      }
      if let problem = own.holdOutProblem("each fold is held out in turn") {
        throw refuse(nil, problem)
      }
      return Trial(assignments: choice, settings: own)
    }
  }

  /// What is wrong with the values of a key.
  private static func advice(_ name: String, _ node: Node) -> String {
    let keys = node.mapping?.keys.compactMap { $0.scalar?.string } ?? []
    let dots =
      keys.isEmpty || keys.contains("from")
      ? "" : "; write a setting within it with a dot, as \(name).\(keys[0])"
    return "vary.\(name) must be a list, or {from: …, to: …} with two numbers above 0, the smaller "
      + "first\(dots)"
  }

  private typealias Choice = [(key: String, value: String)]

  /// Every combination, the last key changing fastest; nil for too many.
  private static func grid(_ values: [(key: String, values: Values)]) -> [Choice]? {
    var found: [Choice] = [[]]
    for (key, values) in values {
      guard case .list(let list) = values else { return nil }
      guard found.count * list.count <= mostTrials else { return nil }
      found = found.flatMap { choice in list.map { choice + [(key, $0)] } }
    }
    return found
  }

  /// Random combinations. Each trial has its own random numbers, so the first trials do not depend
  /// on the number of trials; repeated combinations are left out.
  private static func random(
    _ count: Int, of values: [(key: String, values: Values)], seed: UInt64
  ) -> [Choice] {
    var known: Set<String> = []
    return (0..<count).compactMap { number in
      var generator = SeededGenerator(seed: seed, stream: 0x53, number)
      let choice = values.map { (key: $0.key, value: $0.values.value(using: &generator)) }
      return known.insert("\(choice)").inserted ? choice : nil
    }
  }
}

extension SweepPlan.Trial {
  /// The settings that vary, by key.
  var values: [String: String] {
    Dictionary(assignments.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// The settings that vary, as options of 'train'.
  package var options: String {
    assignments.map { "--set '\($0.key)=\($0.value)'" }.joined(separator: " ")
  }
}
