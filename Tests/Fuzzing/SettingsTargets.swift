internal import Datasets
internal import Files
internal import Interchange
internal import Numbers
internal import Recognition
internal import Segmentation
internal import Training

extension Target {
  /// Files that say what is to be done, and other programs' models.
  static let settingsTargets = [
    Target("episodes", ending: ".json", seeds: { [Samples.episodes] }) {
      _ = try Episodes(path: $0)
    },
    Target("canvas-log", ending: ".log", seeds: { [Samples.canvasLog] }) { path in
      var reader = try CanvasLogReader(path: path)
      var canvas = LiveCanvas(
        recognizer: nil, model: try Samples.segmenter.get(), canvas: reader.canvas,
        settings: reader.settings)
      for _ in 0..<20 {
        guard let action = try reader.next() else { break }
        _ = try canvas.apply(action)
      }
    },
    Target("segmenter", ending: ".json", seeds: { [try Samples.segmenterJSON()] }) {
      _ = try SegmenterModel(path: $0)
    },
    Target("recipe", ending: ".json", seeds: { try [Samples.recipe()] }) {
      let recipe = try TrainingRecipe(path: $0)
      var generator = SeededGenerator(seed: 1)
      // What a recipe does to each drawing of a training.
      for member in recipe.members {
        _ = member.augmentation(Samples.drawing, using: &generator)
      }
    },
    Target("configuration", seeds: { try Samples.configurations() }) {
      _ = try TrainingSettings(yaml: $0, path: "train.yaml", hasBase: false)
    },
    Target("coreml", ending: ".mlmodel", seeds: { try Samples.coreML() }, reading: useCoreML),
    Target("coreml-parts", ending: ".mlmodel", seeds: { [[], [3, 2, 1], Array(0...63)] }) { path in
      try edit(path, to: Samples.coreML())
      try useCoreML(path)
    },
    Target("onnx", ending: ".onnx", seeds: { try Samples.onnx() }, reading: useONNX),
    Target("onnx-parts", ending: ".onnx", seeds: { [[], [3, 2, 1], Array(0...63)] }) { path in
      try edit(path, to: Samples.onnx())
      try useONNX(path)
    },
  ]

  /// Replaces a file, whose bytes say how, with one of the samples, edited.
  private static func edit(_ path: String, to samples: [[UInt8]]) throws {
    var script = EditScript(try AtomicFile.read(path))
    let file = samples[Int(script.byte()) % samples.count]
    try AtomicFile.write(ProtobufEdits.apply(&script, to: file), to: path)
  }

  /// Takes a graph as a model, and asks it about a drawing.
  private static func useONNX(_ path: String) throws {
    let model = try ONNXImport.recognizer(at: path, white: 1, software: "fuzzing")
    _ = try model.embedding.vector(of: Samples.drawing)
    if !model.labels.isEmpty { _ = try model.classify(Samples.drawing) }
  }

  /// Takes a network as a teacher, else a model, and asks it about a drawing.
  private static func useCoreML(_ path: String) throws {
    if (try? CoreMLImport.embedding(at: path)) != nil { return }
    let model = try CoreMLImport.recognizer(at: path, white: 255, software: "fuzzing")
    _ = try model.classify(Samples.drawing)
  }
}
