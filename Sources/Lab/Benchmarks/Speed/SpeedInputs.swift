internal import Datasets
internal import Files
internal import Foundation
internal import Ink
internal import NeuralNetwork
internal import Numbers
internal import Recognition
internal import Synthesis
internal import Text

/// The inputs of the timed steps, made on first use.
package final class SpeedInputs {
  /// The seed of the inputs.
  let seed: UInt64
  /// The number of threads for multithreaded steps.
  let threads: Int
  /// The model whose embedding runs; nil for an untrained one of the standard recipe, which is as
  /// fast as a trained one.
  let modelPath: String?
  /// A stroke JSON file to read instead of synthetic drawings.
  let drawingsPath: String?

  /// The number of taught drawings.
  static let taughtCount = 1000
  /// The number of query drawings.
  static let askedCount = 256

  private var madeDrawings: [Drawing]?
  private var madeBlank: Recognizer?
  private var madeTaught: Recognizer?
  private var folder: PrivateTemporaryFolder?

  package init(seed: UInt64, threads: Int, modelPath: String?, drawingsPath: String?) {
    (self.seed, self.threads) = (seed, threads)
    (self.modelPath, self.drawingsPath) = (modelPath, drawingsPath)
  }

  /// Labeled drawings, at least `taughtCount` + `askedCount`.
  func drawings() throws -> [Drawing] {
    if let madeDrawings { return madeDrawings }
    let drawings = try drawingsPath.map(Self.read) ?? Self.synthetic(seed: seed)
    madeDrawings = drawings
    return drawings
  }

  /// The taught drawings.
  func taughtDrawings() throws -> [Drawing] { Array(try drawings()[..<Self.taughtCount]) }

  /// The query drawings, which are not taught.
  func askedDrawings() throws -> [Drawing] {
    Array(try drawings()[Self.taughtCount..<(Self.taughtCount + Self.askedCount)])
  }

  /// The drawings of 40 shapes, in turn.
  private static func synthetic(seed: UInt64) -> [Drawing] {
    let synthesizer = Synthesizer(seed: seed)
    let kinds = ShapeCatalog.all.prefix(40)
    return (0..<32).flatMap { index in
      kinds.map { synthesizer.drawing(of: $0, index: index) }
    }
  }

  private static func read(_ path: String) throws -> [Drawing] {
    let drawings = try DatasetFiles.read([path]).drawings.filter { $0.label != nil }
    let needed = taughtCount + askedCount
    guard drawings.count >= needed else {
      throw SpeedError.tooFewDrawings(path: path, found: drawings.count, needed: needed)
    }
    return drawings
  }

  /// A recognizer without taught samples.
  func blankRecognizer() throws -> Recognizer {
    if let madeBlank { return madeBlank }
    let recognizer = try modelPath.map { try ModelFile.read($0).untaught() } ?? untrained()
    madeBlank = recognizer
    return recognizer
  }

  /// The same, taught `taughtDrawings`.
  func taughtRecognizer() async throws -> Recognizer {
    if let madeTaught { return madeTaught }
    var recognizer = try blankRecognizer()
    try await recognizer.update(with: try taughtDrawings(), threads: threads)
    madeTaught = recognizer
    return recognizer
  }

  /// A recognizer with an untrained embedding of the standard recipe and a 3-nearest-neighbors
  /// head.
  private func untrained() throws -> Recognizer {
    let recipe = EmbeddingRecipe.standard
    var generator = SeededGenerator(seed: seed, stream: 1)
    let network = try Network.residual(
      recipe.network, inputShape: recipe.view.shape, classes: 2,
      using: &generator)
    return Recognizer(
      embedding: try Embedding([EmbeddingMember(view: recipe.view, network: network.dropLast())]),
      head: .nearestNeighbors(count: 3, weights: .inverseDistance),
      provenance: Provenance(
        software: Version.text, seed: seed, threads: 1, dataFingerprint: "none",
        trainingDrawings: 0, validationDrawings: 0, validationAccuracy: nil, recipes: [recipe]))
  }

  /// The inputs of a network of the embedding for drawings, row-major, shape [drawings, view].
  static func values(of drawings: [Drawing], seenAs view: DrawingView) throws -> [Float] {
    let size = view.shape.reduce(1, *)
    var values = [Float](repeating: 0, count: drawings.count * size)
    var slots = values.mutableSpan
    switch view {
    case .picture(let rasterizer):
      var scratch = Rasterizer.Scratch()
      for (number, drawing) in drawings.enumerated() {
        try rasterizer.draw(drawing, into: &slots, at: number * size, using: &scratch)
      }
    case .sequence(let sequence):
      var scratch = StrokeSequence.Scratch()
      for (number, drawing) in drawings.enumerated() {
        try sequence.draw(drawing, into: &slots, at: number * size, using: &scratch)
      }
    }
    return values
  }

  /// The path of a file in a temporary folder with the lifetime of the inputs.
  func scratchPath(_ name: String) throws -> String {
    let folder = try folder ?? PrivateTemporaryFolder()
    self.folder = folder
    return "\(folder.path)/\(name)"
  }
}
