internal import Benchmarks
internal import Datasets
internal import Ink
internal import Recognition

/// The drawings of a recipe's sources, without the labels that are held out.
struct BaseData: Sendable {
  /// The drawings of labels that are trained on, by source.
  var training: [String: SampleSet] = [:]
  /// Those of the validation labels, by source; only sources that have some.
  var validation: [String: [Drawing]] = [:]

  /// Cuts the drawings of every source of `recipe`.
  ///
  /// - Throws: `CommandProblem` for a source without drawings.
  init(
    _ sources: [String: SampleSet], by recipe: TrainingRecipe, _ heldOut: HeldOutLabels
  ) throws {
    let (out, judges) = (heldOut.all, Set(heldOut.validation))
    for source in recipe.sources {
      guard let samples = sources[source.name] else {
        throw CommandProblem("the recipe's source \"\(source.name)\" is not given")
      }
      func indices(_ isWanted: (String) -> Bool) -> [Int] {
        samples.drawings.indices.filter { isWanted(samples.classes[samples.classIndices[$0]]) }
      }
      training[source.name] = samples.subset(indices { !out.contains($0) })
      let judging = indices { judges.contains($0) }
      if !judging.isEmpty { validation[source.name] = samples.subset(judging).drawings }
    }
  }

  /// What the labels did; see `Provenance`.
  var labels: Provenance.Labels {
    Provenance.Labels(
      training: Set(training.values.flatMap(\.classes)).sorted(),
      validation: Set(validation.values.joined().compactMap(\.label)).sorted())
  }

  /// How labels differ, for each source whose recipe asks for it. A source without validation
  /// labels has its scores found by leaving out alphabets, or labels where there are none.
  ///
  /// - Throws: `ModelError.noStatistics` for a source with too few drawings, and what
  ///   `Embedding.vectors` throws.
  func backgrounds(
    of embedding: Embedding, by recipe: TrainingRecipe, seed: UInt64, threads: Int
  ) async throws -> [Background] {
    var backgrounds: [Background] = []
    for source in recipe.sources where source.inStatistics {
      printToStandardError("Learning how labels differ: \(source.name)")
      let base = training[source.name]?.drawings ?? []
      if let fresh = validation[source.name] {
        backgrounds.append(
          try await Background(
            named: source.name, of: embedding, base: base, fresh: fresh, seed: seed,
            threads: threads))
      } else {
        backgrounds.append(
          try await Background(
            named: source.name, of: embedding, crossFitting: base,
            by: { Episodes.alphabet(ofLabel: $0) ?? $0 }, seed: seed, threads: threads))
      }
    }
    return backgrounds
  }
}
