internal import Datasets
internal import Ink
internal import NotebookTools
internal import Numbers
internal import Recognition
internal import Segmentation
internal import Synthesis

/// A recognizer that was taught some labels, and canvases of drawings that it was not taught.
struct Material {
  /// Taught `shots` drawings of each of its labels.
  let recognizer: Recognizer
  /// The standard segmenter model, which is not fitted here.
  let model: SegmenterModel
  /// How many drawings of each label were taught.
  let shots: Int
  /// All drawings.
  let samples: SampleSet
  /// Drawings of labels that were not taught.
  let unknowns: [Drawing]
  /// Drawings of taught labels that were not taught.
  let known: [Drawing]
  /// The canvases that plain groupings are fitted to, and the test canvases.
  let fitting: [LabeledCanvas]
  let judged: [LabeledCanvas]
  /// The canvas used as the example.
  let chosen: LabeledCanvas
  /// The number of candidates tried until one was grouped perfectly, at once and live; and whether
  /// one was.
  let looked: (count: Int, isRight: Bool)
  /// The plain groupings fitted to `fitting`.
  let plain: [PlainGrouping]

  /// How many canvases are in each of the two sets.
  static func count(_ setting: Setting) -> Int { setting.isQuick ? 3 : 80 }

  /// Makes the material.
  ///
  /// - Throws: `SettingError.tooFewDrawings`; `CanvasSynthesisError` for drawings without times.
  init(_ setting: Setting, seed: UInt64) async throws {
    samples = try setting.newDrawings()
    let shots = setting.isQuick ? 5 : 10
    self.shots = shots
    let needed = shots + 4
    var generator = SeededGenerator(seed: seed)
    var groups: [[Drawing]] = []
    for label in samples.classes {
      var drawings = samples.drawings.filter { $0.label == label }
      generator.shuffle(&drawings)
      if drawings.count >= needed { groups.append(drawings) }
    }
    guard groups.count >= 4 else {
      throw SettingError.tooFewDrawings(
        "the notebook needs 4 labels of \(needed) timed drawings or more, there are \(groups.count)"
      )
    }
    generator.shuffle(&groups)
    let taughtCount = min(20, groups.count * 2 / 3)
    let rest = groups.prefix(taughtCount).map { Array($0.dropFirst(shots)) }
    func halves(_ groups: [[Drawing]]) -> (first: [Drawing], second: [Drawing]) {
      (
        groups.flatMap { $0.prefix($0.count / 2) }, groups.flatMap { $0.dropFirst($0.count / 2) }
      )
    }
    let (a, b) = (halves(rest), halves(Array(groups.dropFirst(taughtCount))))
    (known, unknowns) = (a.second, b.second)
    var settings = CanvasSettings()
    (settings.shapes, settings.lateShare) = (4...7, 0.2)
    let fittingSheets = try CanvasSynthesizer(
      drawings: a.first, unknowns: b.first, settings: settings)
    let judgingSheets = try CanvasSynthesizer(
      drawings: a.second, unknowns: b.second, settings: settings)
    let count = Self.count(setting)
    let fitting = try (0..<count).map {
      try LabeledCanvas(fittingSheets.canvas($0, seed: seed).drawing)
    }
    judged = try (0..<count).map {
      try LabeledCanvas(judgingSheets.canvas($0, seed: seed &+ 1).drawing)
    }
    let plain = PlainGrouping.Cue.allCases.map { PlainGrouping($0, fittedTo: fitting) }
    (self.fitting, self.plain) = (fitting, plain)

    var recognizer = try await setting.baseModel()
    try await recognizer.update(
      with: groups.prefix(taughtCount).flatMap { $0.prefix(shots) }, threads: 2)
    model = try .standard()

    // The example has difficulties: tight shapes, a late stroke, and plain groupings that fail; the
    // segmenter must succeed.
    (settings.width, settings.height) = (900, 600)
    (settings.mix, settings.shapes, settings.lateShare) = ([.tight: 1], 6...6, 1)
    settings.side = 130...220
    let storySheets = try CanvasSynthesizer(
      drawings: a.second, unknowns: b.second, settings: settings)
    var candidates: [LabeledCanvas] = []
    var looked = (count: 0, isRight: false)
    for number in 0..<(setting.isQuick ? 10 : 100) {
      let canvas = try LabeledCanvas(storySheets.canvas(number, seed: seed &+ 2).drawing)
      let (strokes, truth) = (canvas.drawing.strokes, Set(canvas.shapes.map(\.strokes)))
      guard canvas.hasLateStrokes, canvas.shapes.count == 6,
        plain.allSatisfy({ Set($0.shapes(of: strokes)) != truth })
      else { continue }
      candidates.append(canvas)
      looked.count += 1
      let segments = try Segmenter(recognizer: recognizer, model: model).segments(
        of: canvas.drawing)
      guard Set(segments.map(\.strokes)) == truth else { continue }
      var live = LiveCanvas(
        recognizer: recognizer, model: model, canvas: canvas.drawing.canvas)
      for stroke in strokes { _ = try live.add(stroke) }
      _ = live.finish()
      guard Set(live.shapes.map(\.strokes)) == truth else { continue }
      looked.isRight = true
      // The last candidate is the example.
      candidates = [canvas]
      break
    }
    guard let canvas = candidates.last ?? judged.first else {
      preconditionFailure("no canvas was made")
    }
    (chosen, self.looked) = (canvas, looked)
    self.recognizer = recognizer
  }

  /// The segmenter's shapes of a canvas.
  func segments(of canvas: LabeledCanvas) throws -> [Segment] {
    try Segmenter(recognizer: recognizer, model: model).segments(of: canvas.drawing)
  }

  /// An empty canvas.
  func blank(_ size: Drawing.Canvas?) -> LiveCanvas {
    LiveCanvas(recognizer: recognizer, model: model, canvas: size)
  }
}

extension Drawing {
  /// The strokes moved to a position and scaled to `side`, with times starting at `start`
  /// milliseconds.
  func placed(x: Double, y: Double, side: Double, from start: Double) -> [Stroke] {
    guard let box = boundingBox else { return [] }
    let factor = side / max(box.width, box.height, 1e-9)
    let first = strokes.first?.points.first?.t ?? 0
    return strokes.map { stroke in
      Stroke(
        stroke.points.map { point in
          Point(
            x: x + (point.x - box.x) * factor, y: y + (point.y - box.y) * factor,
            t: point.t.map { start + $0 - first })
        })
    }
  }
}
