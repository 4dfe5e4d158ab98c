import Datasets
import Ink
import Recognition

/// Trains on a folder of labeled drawings, judges the model on a third of them, and saves it.
func trainShapes(
  from folder: String, to path: String, recipe: EmbeddingRecipe = .standard
) async throws -> Double {
  let samples = try DatasetFiles.read([folder]).samples()
  let split = Splitter(validation: 0.1, test: 0.33, seed: 1).byDrawing(samples)
  let training = split.train.map { samples.drawings[$0] }
  let validation = split.validation.map { samples.drawings[$0] }
  let test = split.test.map { samples.drawings[$0] }

  let trainer = EmbeddingTrainer(recipe) { drawing, generator in
    AugmentedDrawing(Augmentation.standard(drawing, using: &generator))
  }
  let trained = try await trainer.fit(
    training: training, validation: validation, seed: 1, threads: 2)

  let provenance = Provenance(
    software: "my program 1.0", seed: 1, threads: 2, dataFingerprint: samples.fingerprint,
    trainingDrawings: training.count, validationDrawings: validation.count,
    validationAccuracy: nil, recipes: [recipe])
  // How labels differ in general: with that, few drawings of a new one are enough.
  let prior = try await PLDAPrior(
    of: trained.embedding, base: training, fresh: validation, seed: 1, threads: 2)
  var recognizer = Recognizer(
    embedding: trained.embedding, trained: trained.trained.fitted(to: training),
    prior: prior, head: .twoCovariance, provenance: provenance)

  try await recognizer.update(with: training + validation, threads: 2)
  try ModelFile.write(recognizer, to: path)

  let answers = try await recognizer.classify(test, threads: 2)
  let right = zip(answers, test).count { $0.decision.best?.label == $1.label }
  return Double(right) / Double(test.count)
}

/// Teaches a saved model one more label, and asks it what `strokes` are.
func teach(_ examples: [Drawing], to path: String, andAskAbout strokes: [Stroke]) async throws
  -> String
{
  var recognizer = try ModelFile.read(path)
  try await recognizer.update(with: examples)
  try ModelFile.write(recognizer, to: path)

  let answer = try recognizer.classify(Drawing(strokes: strokes))
  switch answer.decision {
  case .recognized(let best): return "\(best.label), one of \(recognizer.labels.count) labels"
  case .unrecognized(let best, _): return "unknown; \(best?.label ?? "nothing") came closest"
  }
}
