internal import Datasets
internal import Files
internal import Foundation
internal import Ink
internal import JSON
internal import NeuralNetwork
package import Recognition
internal import Report
internal import Text

/// Refits the PLDA priors of a base model, whose embedding is unchanged.
package struct StatisticsJob: Sendable {
  var recipe: TrainingRecipe
  /// The base model whose embedding is kept.
  var model: String
  /// A base model of the same networks that was trained on fewer labels, whose calibration is taken
  /// for sources without validation labels; nil to cross-fit those.
  var calibrated: String?
  var output: String
  /// The decision policy; nil for that of the model.
  var policy: DecisionPolicy?
  var seed: UInt64
  var threads: Int

  package init(
    recipe: TrainingRecipe, model: String, calibrated: String?, output: String,
    policy: DecisionPolicy?, seed: UInt64, threads: Int
  ) {
    (self.recipe, self.model, self.output) = (recipe, model, output)
    (self.calibrated, self.policy) = (calibrated, policy)
    (self.seed, self.threads) = (seed, threads)
  }

  package struct Report: Encodable {
    var model: String
    var fingerprint: String
    var priors: [String]
    var heldOutLabels: HeldOutLabels
    var seed: UInt64
    var threads: Int
    var seconds: Double
    var modelBytes: Int
    var peakMemoryBytes: Int

    private enum CodingKeys: String, CodingKey {
      case model, fingerprint
      case priors = "backgrounds"
      case heldOutLabels, seed, threads, seconds, modelBytes, peakMemoryBytes
    }
  }

  /// Writes the model with priors learned from the drawings.
  ///
  /// - Throws: `JobProblem` if the model was not trained by a recipe, if a label that it held out
  ///   is not held out now, or if one that trained it is.
  package func run(
    on data: BaseTrainingJob.Data, progress: @escaping JobProgress
  ) async throws -> Report {
    let started = ContinuousClock.now
    let replacement = Replacement(of: output, reading: [model])
    let old = try ModelFile.read(model)
    var provenance = old.provenance
    guard
      let record = try? JSONDocument.decode(
        BaseTrainingJob.Record.self,
        from: Array((provenance.recipes.first?.augmentation ?? "").utf8))
    else {
      throw JobProblem(
        "\(model) does not name its recipe, or does so in an older form")
    }
    let heldOut = HeldOutLabels(data.heldOut, by: recipe, of: data.sources)
    // Without a record of its training labels, no other labels may be held out.
    let trained = provenance.labels.map { Set($0.training) }
    let tooEasy = Set(record.heldOut.validation).subtracting(heldOut.validation)
      .union(Set(record.heldOut.test).subtracting(heldOut.test))
      .union(heldOut.all.subtracting(record.heldOut.all).filter { trained?.contains($0) ?? true })
    guard tooEasy.isEmpty else {
      throw JobProblem(
        "\(model) held out other labels than the recipe does now; with these its scores would be "
          + "too optimistic: "
          + listed(tooEasy.sorted()))
    }
    let parts = try BaseData(data.sources, by: recipe, heldOut)
    let calibrations = try calibrated.map {
      try Self.calibrations(of: $0, for: old.embedding, withoutHavingSeen: heldOut.test)
    }
    let priors = try await parts.priors(
      of: old.embedding, by: recipe, calibrations: calibrations ?? [:], seed: seed,
      threads: threads, progress)
    // Keep the record of the embedding's training labels, independent of the data of the new
    // statistics.
    provenance.labels = parts.labels.union(with: provenance.labels)
    var new = Recognizer(
      embedding: old.embedding, trained: old.memory.trained, priors: priors,
      head: old.head.configuration, policy: policy ?? old.policy, provenance: provenance)
    new.update(with: old.memory.samples, vectors: old.memory.vectors)
    // The adaptation was to the old statistics.
    if old.memory.adaptation != nil {
      _ = try new.adapt { progress(.progress("Adapting", done: $0, of: $1)) }
    }
    let written = try ModelFile.write(new, to: output, replacing: replacement)
    return Report(
      model: output, fingerprint: written.fingerprint,
      priors: priors.map(\.name), heldOutLabels: heldOut, seed: seed, threads: threads,
      seconds: (ContinuousClock.now - started) / .seconds(1),
      modelBytes: written.byteCount, peakMemoryBytes: Resources.peakMemoryBytes)
  }

  /// The calibrations of the base model in `path`, by the names of its priors.
  ///
  /// - Throws: `JobProblem` if its networks are not those of `embedding`, if a label of `test`
  ///   trained or calibrated it, or if it has no calibration.
  private static func calibrations(
    of path: String, for embedding: Embedding, withoutHavingSeen test: [String]
  ) throws -> [String: Calibration] {
    let model = try ModelFile.read(path)
    let architectures = embedding.members.map(\.network.architecture)
    guard model.embedding.members.map(\.network.architecture) == architectures else {
      throw JobProblem(
        "\(path) has other networks, whose scores differ from these: give a model of this recipe"
      )
    }
    let labels = model.provenance.labels
    let seen = Set(test).intersection((labels?.training ?? []) + (labels?.validation ?? []))
    guard seen.isEmpty else {
      throw JobProblem(
        "\(path) was trained on labels that are to be held out for the final test: "
          + listed(seen.sorted()))
    }
    let calibrations = model.memory.priors.compactMap { prior in
      prior.calibration.map { (prior.name, $0) }
    }
    guard !calibrations.isEmpty else { throw JobProblem("\(path) has no calibration to copy") }
    return Dictionary(calibrations) { first, _ in first }
  }
}

extension StatisticsJob.Report {
  /// A few lines for people.
  package var lines: [String] {
    [
      "\(model): the same embedding, and how labels differ among "
        + priors.joined(separator: " and ")
    ]
      + runLines(
        seconds, threads: threads, peakMemoryBytes, modelBytes, seed: seed, data: nil,
        model: fingerprint)
  }
}
