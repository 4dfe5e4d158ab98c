internal import Datasets
internal import Files
internal import Ink
internal import Recognition
internal import Report
internal import Segmentation
internal import Synthesis

extension SpeedInputs {
  /// Steps that classify, teach, segment canvases, and read and write files.
  var recognitionSteps: [SpeedStep] {
    [
      SpeedStep(
        name: "classify", title: "a drawing to a decision, 1,000 samples taught", unit: "drawings",
        prepare: prepareClassifying),
      SpeedStep(
        name: "teach-1", title: "one drawing more, 1,000 samples taught", unit: "drawings",
        prepare: prepareTeaching),
      SpeedStep(
        name: "teach-200", title: "200 drawings at once, none taught before", unit: "drawings",
        threads: threads, prepare: prepareTeachingMany),
      SpeedStep(
        name: "segment", title: "one stroke more on a canvas of several shapes", unit: "strokes",
        prepare: prepareSegmenting),
      SpeedStep(
        name: "load", title: "a model file of 1,000 samples to a model", unit: "models",
        prepare: prepareLoading),
      SpeedStep(
        name: "save", title: "a model of 1,000 samples to its file, synced", unit: "models",
        prepare: prepareSaving),
      SpeedStep(
        name: "cold-start", title: "'drawml classify' of one drawing, from start to exit",
        unit: "starts", prepare: prepareColdStart),
    ]
  }

  private func prepareClassifying() async throws -> PreparedStep {
    let recognizer = try await taughtRecognizer()
    let drawings = Array(try askedDrawings().prefix(64))
    return PreparedStep(count: drawings.count) {
      try time { for drawing in drawings { _ = try recognizer.classify(drawing) } }
    } record: {
      var record = SpeedRecord()
      let found = try drawings.map { try recognizer.classify($0, neighbors: 3) }
      let memory = recognizer.memory
      record.add("vectors", memory.vectors, shape: [memory.samples.count, memory.dimension])
      record.add("ids", memory.samples.map(\.id))
      record.add("labels", memory.samples.map(\.label))
      record.add("asked", drawings.map(\.id))
      record.add("nearest", found.flatMap { $0.neighbors.map(\.sample.id) })
      record.add("best", found.map { $0.candidates.first?.label ?? "" })
      return record
    }
  }

  private func prepareTeaching() async throws -> PreparedStep {
    var recognizer = try await taughtRecognizer()
    let drawings = try askedDrawings()
    var next = 0
    return PreparedStep(count: 1) {
      let drawing = drawings[next % drawings.count]
      next += 1
      let duration = try await time { try await recognizer.update(with: [drawing]) }
      // Not timed: restores the 1,000 samples for the next update.
      try recognizer.forget(sample: drawing.id)
      return duration
    }
  }

  private func prepareTeachingMany() throws -> PreparedStep {
    let (recognizer, threads) = (try blankRecognizer(), threads)
    let drawings = Array(try taughtDrawings().prefix(200))
    return PreparedStep(count: drawings.count) {
      var copy = recognizer
      return try await time { try await copy.update(with: drawings, threads: threads) }
    }
  }

  private func prepareSegmenting() async throws -> PreparedStep {
    let synthesizer = Synthesizer(seed: seed)
    let shapes = ShapeCatalog.all.prefix(40).map { synthesizer.drawing(of: $0, index: 40) }
    let canvases = try CanvasSynthesizer(drawings: shapes)
    let strokes = (0..<2).map { canvases.canvas($0, seed: seed).drawing.strokes }
    let blank = Segmenter(
      recognizer: try await taughtRecognizer(), model: try .standard(),
      limits: Segmenter.Limits().forWholeCanvas)
    return PreparedStep(count: strokes.reduce(0) { $0 + $1.count }) {
      try time {
        for canvas in strokes {
          var segmenter = blank
          for stroke in canvas { try segmenter.add(stroke) }
        }
      }
    }
  }

  private func prepareLoading() async throws -> PreparedStep {
    let path = try await savedModel()
    return PreparedStep(count: 1) { try time { _ = try ModelFile.read(path) } }
  }

  private func prepareSaving() async throws -> PreparedStep {
    let recognizer = try await taughtRecognizer()
    let path = try scratchPath("saved.drawml")
    return PreparedStep(count: 1) { try time { try ModelFile.write(recognizer, to: path) } }
  }

  private func prepareColdStart() async throws -> PreparedStep {
    let model = try await savedModel()
    let drawing = try scratchPath("drawing.json")
    try AtomicFile.write(StrokeJSON.encode(try askedDrawings()[0]), to: drawing)
    return PreparedStep(count: 1) {
      try ChildProcess.run(["classify", drawing, "--model", model])
    }
  }

  /// The path of a file of the taught model.
  private func savedModel() async throws -> String {
    let path = try scratchPath("model.drawml")
    if !AtomicFile.exists(path) { try ModelFile.write(try await taughtRecognizer(), to: path) }
    return path
  }
}
