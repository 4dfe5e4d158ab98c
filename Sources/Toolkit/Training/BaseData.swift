internal import Datasets
internal import Files
internal import Foundation
internal import Ink
internal import JSON
internal import Recognition

/// The drawings of a recipe's sources, without the labels that are held out.
struct BaseData: Sendable {
  /// The drawings of labels that are trained on, by source.
  var training: [String: SampleSet] = [:]
  /// The drawings of validation labels, by source; only sources that have some.
  var validation: [String: [Drawing]] = [:]

  /// Splits the drawings of every source of `recipe`.
  ///
  /// - Throws: `JobProblem` for a source without drawings.
  init(
    _ sources: [String: SampleSet], by recipe: TrainingRecipe, _ heldOut: HeldOutLabels
  ) throws {
    let (out, judges) = (heldOut.all, Set(heldOut.validation))
    for source in recipe.sources {
      guard let samples = sources[source.name] else {
        throw JobProblem("the recipe's source \"\(source.name)\" is not given")
      }
      func indices(_ isWanted: (String) -> Bool) -> [Int] {
        samples.drawings.indices.filter { isWanted(samples.classes[samples.classIndices[$0]]) }
      }
      training[source.name] = samples.subset(indices { !out.contains($0) })
      let judging = indices { judges.contains($0) }
      if !judging.isEmpty { validation[source.name] = samples.subset(judging).drawings }
    }
  }

  /// The labels by their role; see `Provenance`.
  var labels: Provenance.Labels {
    Provenance.Labels(
      training: Set(training.values.flatMap(\.classes)).sorted(),
      validation: Set(validation.values.joined().compactMap(\.label)).sorted())
  }

  /// The PLDA priors of the sources that the recipe requests them for. Without validation labels,
  /// the calibration is that of the source in `calibrations` or, if it is not there, cross-fitted
  /// over alphabets or, in a source without alphabets, over labels.
  ///
  /// - Throws: `ModelError.noStatistics` for a source with too few drawings, and what
  ///   `Embedding.vectors` throws.
  func priors(
    of embedding: Embedding, by recipe: TrainingRecipe,
    calibrations: [String: Calibration] = [:], seed: UInt64, threads: Int, _ progress: JobProgress
  ) async throws -> [PLDAPrior] {
    var priors: [PLDAPrior] = []
    for source in recipe.sources where source.inStatistics {
      progress(.note("Learning how labels differ: \(source.name)"))
      let base = training[source.name]?.drawings ?? []
      if let fresh = validation[source.name] {
        priors.append(
          try await PLDAPrior(
            named: source.name, of: embedding, base: base, fresh: fresh, seed: seed,
            threads: threads))
      } else if let calibration = calibrations[source.name] {
        priors.append(
          try await PLDAPrior(
            named: source.name, of: embedding, base: base, calibration: calibration,
            threads: threads))
      } else {
        priors.append(
          try await PLDAPrior(
            named: source.name, of: embedding, crossFitting: base,
            by: { Episodes.alphabet(ofLabel: $0) ?? $0 }, seed: seed, threads: threads))
      }
    }
    return priors
  }
}

/// Labels that are not trained on.
package struct HeldOutLabels: Codable, Hashable, Sendable {
  /// Labels for evaluation during training and for calibration.
  var validation: [String] = []
  /// Labels for the final test.
  var test: [String] = []

  /// Both.
  var all: Set<String> { Set(validation).union(test) }

  /// The labels in the file at `path`: a JSON list of validation labels; a JSON object with the
  /// lists "validation" and "test"; or text with one label per line.
  ///
  /// - Throws: `FileError` if it cannot be read or has no labels.
  package init(path: String) throws {
    let bytes = try AtomicFile.read(path)
    func named(_ labels: [String]) -> [String] {
      Set(labels.map(\.inLabelForm)).sorted()
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    do throws(JSONFault) {
      switch lines.first?.first {
      case "{":
        let both = try JSONDocument.decode(HeldOutLabels.self, from: bytes)
        (validation, test) = (named(both.validation), named(both.test))
      case "[": validation = named(try JSONDocument.decode([String].self, from: bytes))
      default: validation = named(lines)
      }
    } catch {
      throw FileError("read", path: path, reason: .malformed("\(error)"))
    }
    guard !all.isEmpty else {
      throw FileError("read", path: path, reason: .malformed("it names no labels"))
    }
  }

  /// The labels that a recipe holds out of its sources.
  init(_ recipe: TrainingRecipe.HeldOut, of sources: [String: SampleSet]) {
    guard let samples = sources[recipe.source] else { return }
    let split = Splitter(validation: recipe.validation, test: recipe.test, seed: recipe.seed)
      .byClass(samples)
    func labels(_ indices: [Int]) -> [String] {
      Set(indices.map { samples.classes[samples.classIndices[$0]] }).sorted()
    }
    (validation, test) = (labels(split.validation), labels(split.test))
  }

  /// The given labels or, if nil, those that `recipe` holds out of its sources, if any.
  init(_ given: HeldOutLabels?, by recipe: TrainingRecipe, of sources: [String: SampleSet]) {
    self =
      given ?? recipe.heldOut.map { HeldOutLabels($0, of: sources) } ?? HeldOutLabels()
  }

  /// No labels.
  init() {}

  /// The labels without drawings: they may be misspelled, and the intended labels then be trained
  /// on.
  func missing(from sources: [String: SampleSet]) -> [String] {
    all.subtracting(sources.values.flatMap(\.classes)).sorted()
  }
}
