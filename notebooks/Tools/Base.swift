package import Datasets
internal import Files
internal import Foundation
internal import Ink
internal import NeuralNetwork
internal import Numbers
package import Recognition
internal import Synthesis

extension Setting {
  /// Shapes of the catalog that are not among the labels that the released base model was trained
  /// on, under any name: no sailboat for a boat, no eyeglasses for glasses.
  package var newShapes: [String] {
    let all = [
      "arrow", "sun", "heart", "light bulb", "candle", "car", "kite", "cherries", "anchor", "flag",
      "note", "mountain", "triangle", "ice cream", "question mark", "balloon", "infinity", "fir",
      "check", "spiral", "cross", "plus",
    ]
    return isQuick ? Array(all.prefix(8)) : all
  }

  /// The maximum number of drawings used per label.
  private var drawingsPerLabel: Int { isQuick ? 20 : StarterSet.shippedCount }

  /// Drawings of labels that the base model was not trained on: your own if given, else those of
  /// `newShapes`. Drawings with too little ink are left out.
  ///
  /// - Parameter isUnsteady: Whether to rotate, slant, stretch and bend each synthetic drawing at
  ///   random, because the generator draws more neatly than people do.
  /// - Returns: The labeled drawings, the same each time.
  /// - Throws: `DatasetError` or `SampleSetError` if the files are missing or invalid.
  package func newDrawings(isUnsteady: Bool = true) throws -> SampleSet {
    if let ownDrawings {
      return try limited(DatasetFiles.read([ownDrawings]).samples())
    }
    let synthesizer = Synthesizer(seed: StarterSet.shippedSeed)
    var drawings: [Drawing] = []
    for name in newShapes {
      guard let kind = ShapeCatalog.kind(named: name) else { continue }
      let file = "\(self.drawings)/\(name.replacingOccurrences(of: " ", with: "-")).ndjson"
      drawings +=
        FileManager.default.fileExists(atPath: file)
        ? try DatasetFiles.read([file]).drawings
        : synthesizer.set(kinds: [kind], count: drawingsPerLabel)
    }
    if isUnsteady {
      // Drop no strokes, so that a drawing still matches its label.
      var hand = Augmentation.standard
      hand.strokeDropping = 0
      for index in drawings.indices {
        var generator = SeededGenerator(seed: 1, stream: index)
        drawings[index] = hand(drawings[index], using: &generator)
      }
    }
    return try limited(SampleSet(drawings))
  }

  private func limited(_ samples: SampleSet) -> SampleSet {
    var counts = [Int](repeating: 0, count: samples.classes.count)
    return samples.subset(
      samples.drawings.indices.filter { index in
        guard samples.drawings[index].hasEnoughInk else { return false }
        counts[samples.classIndices[index]] += 1
        return counts[samples.classIndices[index]] <= drawingsPerLabel
      })
  }

  /// What the drawings are, for the page.
  package func description(of samples: SampleSet) -> String {
    let what = "\(samples.count) drawings of \(samples.classes.count) labels"
    return ownDrawings == nil
      ? """
      \(what), made by a generator that draws as people do, then turned, slanted, stretched and \
      bent at random, as people are less steady; none of these shapes was among the labels that \
      the released base model was trained on
      """
      : "\(what) from your own folder"
  }

  /// The base model, without taught samples. If it is missing, the quick setting trains a tiny one.
  ///
  /// - Throws: `SettingError.missingBase`, or `FileError` for a file that is not a model.
  package func baseModel() async throws -> Recognizer {
    do {
      return try ModelFile.read(base).untaught(head: .twoCovariance)
    } catch let error as FileError where error.isMissingFile {
      guard isQuick else { throw SettingError.missingBase(base) }
      return try await tinyBase()
    }
  }

  private func tinyBase() async throws -> Recognizer {
    let known = try samples(of: shapes)
    let fresh = try samples(of: unknowns)
    let outcome = try await EmbeddingTrainer(recipe).fit(
      training: known.drawings, validation: [], seed: 1, threads: 2)
    return Recognizer(
      embedding: outcome.embedding,
      prior: try await PLDAPrior(
        of: outcome.embedding, base: known.drawings, fresh: fresh.drawings, seed: 1, threads: 2),
      head: .twoCovariance,
      provenance: Provenance(
        software: "notebooks", seed: 1, threads: 2, dataFingerprint: known.fingerprint,
        trainingDrawings: known.count, validationDrawings: fresh.count, validationAccuracy: nil,
        recipes: [recipe]))
  }
}

/// Why a notebook cannot run.
package enum SettingError: Error, Equatable, CustomStringConvertible {
  /// There is no base model at the path.
  case missingBase(String)
  /// The notebook needs more labels or more drawings of each.
  case tooFewDrawings(String)

  /// One sentence for users.
  package var description: String {
    switch self {
    case .missingBase(let path):
      "there is no base model at \(path); run the notebook in the repository's root, or train one "
        + "with drawml train-base --recipe models/base-recipe.json"
    case .tooFewDrawings(let what): what
    }
  }
}
