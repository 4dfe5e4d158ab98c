package import Datasets
internal import Foundation
package import Ink
package import Recognition
internal import Report
internal import Support

/// Where a notebook reads and writes, and how much work it does.
package struct Setting: Sendable {
  /// The folder of the starter set: a file a shape.
  package var drawings = "datasets/starter"
  /// A base model: an embedding that was taught nothing.
  package var base = "models/base.drawml"
  /// Drawings to teach the base model, in place of the synthetic ones: a folder or file that
  /// `drawml train` reads.
  package var ownDrawings: String?
  /// The folder that holds one folder a notebook.
  package var output = "output/notebooks"
  /// Whether to train a tiny network on few drawings: the pictures are all there, but show little.
  package var isQuick = false
  /// Whether the story is also printed.
  package var isPrinting = true

  /// The usual setting.
  package init() {}

  /// The usual setting; `DRAWML_QUICK=1` in the environment makes it quick, and an argument names
  /// own drawings.
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

  /// Shapes that the model never sees in training.
  package var unknowns: [String] {
    let all = ["snail", "ladder", "glasses", "light-bulb", "note", "cactus", "crown", "spiral"]
    return isQuick ? Array(all.prefix(2)) : all
  }

  /// The drawings of the named shapes.
  ///
  /// - Throws: `DatasetError` or `SampleSetError` when the files are not there or not as they
  ///   should be.
  package func samples(of names: [String]) throws -> SampleSet {
    let read = try DatasetFiles.read(names.map { "\(drawings)/\($0).ndjson" })
    guard isQuick else { return try read.samples() }
    let indices = read.drawings.indices.filter { $0 % 60 < 20 }
    return try SampleSet(
      indices.map { read.drawings[$0] }, origins: indices.map { read.origins[$0] })
  }

  /// Makes the pixels that the first notebook's network sees.
  package var rasterizer: Rasterizer {
    isQuick
      ? Rasterizer(width: 12, height: 12, strokeWidth: 1.2, margin: 0.5) : Rasterizer()
  }

  /// What the first notebook's training is made of.
  package var recipe: EmbeddingRecipe {
    var recipe = EmbeddingRecipe.standard
    recipe.view = .picture(rasterizer)
    recipe.epochs = 16
    if isQuick {
      (recipe.channels, recipe.dimension) = ([6], 8)
      (recipe.epochs, recipe.batchSize, recipe.averagingDecay) = (4, 16, 0.8)
    }
    return recipe
  }

  /// The model that the first notebook writes and the second one reads.
  package var modelPath: String { "\(output)/01-first-model/shapes.drawml" }
}

/// Tells a notebook's story in the environment's setting; an error becomes a line and the exit code
/// 1.
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
