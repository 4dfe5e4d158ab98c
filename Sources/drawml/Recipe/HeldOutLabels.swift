internal import Benchmarks
internal import Datasets
internal import Foundation
internal import Ink
internal import Support

/// Labels that a training never sees.
struct HeldOutLabels: Codable, Hashable, Sendable {
  /// Those that judge along the way and calibrate in the end.
  var validation: [String] = []
  /// Those left for a last look.
  var test: [String] = []

  /// Both.
  var all: Set<String> { Set(validation).union(test) }

  /// The labels in the file at `path`: a JSON list, which is taken for the validation labels; a
  /// JSON object with the lists "validation" and "test"; or text with one label a line.
  ///
  /// - Throws: `FileError` when it cannot be read or names nothing.
  init(path: String) throws {
    let bytes = try AtomicFile.read(path)
    func named(_ labels: [String]) -> [String] {
      Set(labels.map(\.precomposedStringWithCanonicalMapping)).sorted()
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    do throws(JSONFault) {
      switch lines.first?.first {
      case "{":
        let both = try JSONFault.decode(HeldOutLabels.self, from: bytes)
        (validation, test) = (named(both.validation), named(both.test))
      case "[": validation = named(try JSONFault.decode([String].self, from: bytes))
      default: validation = named(lines)
      }
    } catch {
      throw FileError("read", path: path, reason: .malformed("\(error)"))
    }
    guard !all.isEmpty else {
      throw FileError("read", path: path, reason: .malformed("it names no labels"))
    }
  }

  /// The labels that a recipe keeps out of its sources.
  init(_ recipe: TrainingRecipe.HeldOut, of sources: [String: SampleSet]) {
    guard let samples = sources[recipe.source] else { return }
    let split = Splitter(validation: recipe.validation, test: recipe.test, seed: recipe.seed)
      .byClass(samples)
    func labels(_ indices: [Int]) -> [String] {
      Set(indices.map { samples.classes[samples.classIndices[$0]] }).sorted()
    }
    (validation, test) = (labels(split.validation), labels(split.test))
  }

  /// Those given; where none are, those that `recipe` keeps out of its sources, if it does.
  init(_ given: HeldOutLabels?, by recipe: TrainingRecipe, of sources: [String: SampleSet]) {
    self =
      given ?? recipe.heldOut.map { HeldOutLabels($0, of: sources) } ?? HeldOutLabels()
  }

  /// None.
  init() {}
}
