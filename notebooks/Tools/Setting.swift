package import Datasets
internal import Files
internal import Foundation
package import Ink
package import Recognition
internal import Report

/// The inputs and outputs of a notebook, and the amount of work.
package struct Setting: Sendable {
  /// The folder of the starter set: one file per shape.
  package var drawings = "datasets/starter"
  /// A base model, without taught samples.
  package var base = "models/base.drawml"
  /// Drawings to teach the base model instead of the synthetic ones: a folder or file that `drawml
  /// train` reads.
  package var ownDrawings: String?
  /// The folder that contains one folder per notebook.
  package var output = "output/notebooks"
  /// Whether to train a tiny network on few drawings: all pictures are made, but are not
  /// meaningful.
  package var isQuick = false
  /// Whether the text is also printed.
  package var isPrinting = true

  /// The default setting.
  package init() {}

  /// The default setting; `DRAWML_QUICK=1` in the environment makes it quick, and an argument is
  /// the path of own drawings.
  package static var fromEnvironment: Setting {
    var setting = Setting()
    setting.ownDrawings = CommandLine.arguments.dropFirst().first
    setting.isQuick = ProcessInfo.processInfo.environment["DRAWML_QUICK"] == "1"
    return setting
  }

  /// The shapes that the first notebook teaches.
  package var shapes: [String] {
    let all = [
      "star", "heart", "house", "fish", "sun", "moon", "cloud", "tree", "flower", "car", "cup",
      "key", "umbrella", "boat", "apple", "smiley",
    ]
    return isQuick ? Array(all.prefix(4)) : all
  }

  /// Shapes that the model is not trained on.
  package var unknowns: [String] {
    let all = ["snail", "ladder", "glasses", "light-bulb", "note", "cactus", "crown", "spiral"]
    return isQuick ? Array(all.prefix(2)) : all
  }

  /// The drawings of the named shapes.
  ///
  /// - Throws: `DatasetError` or `SampleSetError` if the files are missing or invalid.
  package func samples(of names: [String]) throws -> SampleSet {
    let read = try DatasetFiles.read(names.map { "\(drawings)/\($0).ndjson" })
    guard isQuick else { return try read.samples() }
    let indices = read.drawings.indices.filter { $0 % 60 < 20 }
    return try SampleSet(
      indices.map { read.drawings[$0] }, origins: indices.map { read.origins[$0] })
  }

  /// The rasterizer of the first notebook's network.
  package var rasterizer: Rasterizer {
    isQuick
      ? Rasterizer(width: 12, height: 12, strokeWidth: 1.2, margin: 0.5) : Rasterizer()
  }

  /// The recipe of the first notebook's training.
  package var recipe: EmbeddingRecipe {
    var recipe = EmbeddingRecipe.standard
    recipe.view = .picture(rasterizer)
    recipe.training.epochs = 16
    if isQuick {
      (recipe.network.channels, recipe.network.dimension) = ([6], 8)
      (recipe.training.epochs, recipe.training.batchSize, recipe.training.averagingDecay) = (
        4, 16, 0.8
      )
    }
    return recipe
  }

  /// The model that the first notebook writes and the second one reads.
  package var modelPath: String { "\(output)/01-first-model/shapes.drawml" }
}

/// Runs a notebook in the environment's setting; an error is printed, with exit code 1.
package func tell(_ story: @Sendable (Setting) async throws -> Void) async {
  do {
    try await story(.fromEnvironment)
  } catch {
    try? StandardStream.errors.write(["Error: \(error)"])
    exit(1)
  }
}

/// "0.12" for 0.1234.
package func decimal(_ value: Double) -> String {
  ReportNumbers.decimal(value, 2)
}
