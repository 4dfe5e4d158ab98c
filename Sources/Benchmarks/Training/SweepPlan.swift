internal import Foundation
internal import Support
internal import Yams

/// What a sweep tries: settings of a training, of which some vary from trial to trial.
///
/// Its YAML file has the keys of `TrainingSettings`, and two more: `vary`, with a list of values for
/// each key that varies, or `{from: 1e-4, to: 1e-2}` for numbers that are drawn log-uniformly; and
/// `trials`, the number of random trials, without which every combination is tried (grid search).
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
    case range(ClosedRange<Double>)
  }

  /// The keys that vary, in the file's order.
  package var keys: [String] { values.map(\.key) }
  /// The settings that do not vary.
  package let settings: TrainingSettings
  package let trials: [Trial]
  private let values: [(key: String, values: Values)]

  /// The maximum number of trials.
  package static let mostTrials = 10_000

  /// Reads a plan.
  ///
  /// - Parameters:
  ///   - path: The YAML file.
  ///   - hasBase: Whether a base model's embedding is kept.
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
    let found: [(key: String, values: Values)] = try members.map { key, node in
      guard let name = key.scalar?.string else { throw refuse(key, "has a key that is no text") }
      if case .sequence(let nodes) = node, !nodes.isEmpty {
        return (name, .list(try nodes.map { try $0.json(path: path) }))
      }
      guard case .mapping(let ends) = node, ends.count == 2, let from = ends["from"]?.float,
        let to = ends["to"]?.float, 0 < from, from < to, to.isFinite
      else {
        throw refuse(
          key, "vary.\(name) must be a list, or {from: …, to: …} with numbers above 0")
      }
      return (name, .range(from...to))
    }
    var rest = file
    for key in ["vary", "trials"] { rest.mapping?[key] = nil }
    let common = try TrainingSettings().changed(by: rest, path: path, hasBase: hasBase)
    let isGrid = file["trials"] == nil
    let count = file["trials"]?.int
    guard isGrid || (1...Self.mostTrials).contains(count ?? 0) else {
      throw refuse(file["trials"], "trials must be a whole number from 1 to \(Self.mostTrials)")
    }
    for (key, values) in found where isGrid {
      guard case .range = values else { continue }
      throw refuse(varied, "vary.\(key) has no list: say how many random trials, as trials: 20")
    }
    let choices =
      count.map { Self.random($0, of: found, seed: common.seed) } ?? Self.grid(found)
    guard let choices else {
      throw refuse(varied, "vary has more than \(Self.mostTrials) combinations")
    }
    (values, settings) = (found, common)
    trials = try choices.map { choice in
      var own = common
      for (key, value) in choice {
        do { try own.set("\(key)=\(value)", hasBase: hasBase) } catch let error
          as ConfigurationError
        {
          throw refuse(varied, "vary: \(error.problem)")
        }
      }
      guard !own.stream, own.training.examplesPerEpoch == nil, own.holdOut == 0 else {
        throw refuse(
          nil, "each fold is held out in turn: leave out holdOut, stream and examplesPerEpoch")
      }
      return Trial(assignments: choice, settings: own)
    }
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

  /// Random combinations. Each trial has numbers of its own, so that more trials begin with the
  /// same ones; a combination that has come already is left out.
  private static func random(
    _ count: Int, of values: [(key: String, values: Values)], seed: UInt64
  ) -> [Choice] {
    var known: Set<String> = []
    return (0..<count).compactMap { number in
      var generator = SeededGenerator(seed: seed, stream: 0x53, number)
      let choice = values.map { key, values in
        switch values {
        case .list(let list): return (key: key, value: generator.pick(list))
        case .range(let range):
          let exponent = generator.uniform(log(range.lowerBound)...log(range.upperBound))
          return (key: key, value: String(format: "%.3g", exp(exponent)))
        }
      }
      return known.insert("\(choice)").inserted ? choice : nil
    }
  }
}

extension SweepPlan.Trial {
  /// The settings that vary, as options of 'train'.
  package var options: String {
    assignments.map { "--set '\($0.key)=\($0.value)'" }.joined(separator: " ")
  }
}
