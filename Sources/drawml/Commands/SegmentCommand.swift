internal import ArgumentParser
internal import Datasets
internal import Files
internal import Ink
internal import JSON
internal import Pictures
internal import Recognition
internal import Report
internal import Segmentation
internal import Training

struct SegmentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "segment",
    abstract: "Find the shapes on canvases and classify them.",
    discussion: """
      Reads canvases: drawings of many shapes, strokes in the order of drawing, with times if \
      known. Prints each shape's strokes, box and label, or that nothing fits. With --format json, \
      one JSON object per canvas.

      --live replays the strokes at their times on a live canvas, and prints its events as NDJSON: \
      shapes become pending, recognized, unrecognized, confused or revised. Strokes are numbered \
      there in the order of their times.

      Examples:
        drawml segment page.json --model shapes.drawml
        drawml segment pages.ndjson --model shapes.drawml --format json
        drawml segment page.json --model shapes.drawml --picture page.png
        drawml segment page.json --model shapes.drawml --live
        drawml segment page.json --model shapes.drawml --live --record page.log
      """)

  @Argument(help: "Files or folders of canvases; '-' or nothing is standard input.")
  var canvases: [String] = ["-"]
  @OptionGroup var options: CanvasOptions
  @Option(help: "Draw the shapes in colors, with boxes and labels, of up to 24 canvases (.png).")
  var picture: String?
  @Flag(help: "Replay stroke by stroke and print the events.")
  var live = false
  @Option(help: "With --live: keep the strokes and times of the one canvas as a log for 'replay'.")
  var record: String?
  @OptionGroup var overwrite: OverwriteOption
  @OptionGroup var format: FormatOption

  func validate() throws {
    try PictureFile.check(picture, "--picture")
    guard live || (record == nil && options.settle == nil) else {
      throw ValidationError("--record and --settle go with --live.")
    }
    try OverwriteOption.requireDistinct(picture, record)
  }

  func run() throws {
    try overwrite.check(picture, for: .picture, reading: canvases)
    try overwrite.check(record, for: .canvasLog, reading: canvases)
    let tools = try options.tools()
    var shown: [(Drawing, [CanvasPicture.Shape])] = []
    var logs: [CanvasLog] = []
    var notes = FileNotes()
    defer { printToStandardError(notes.lines) }
    for source in try DatasetFiles.expand(canvases) {
      var reader = try DatasetReader(path: source.path, label: source.label)
      while let canvas = try reader.next() {
        if let record, !logs.isEmpty {
          throw FileError(
            "write", path: record,
            reason: .malformed("a log holds one canvas, and there are more; name a file with one"))
        }
        let shapes: [CanvasPicture.Shape]
        if live {
          let (found, log) = try replay(canvas, tools)
          shapes = found
          if record != nil { logs.append(log) }
        } else {
          shapes = try segment(canvas, tools)
        }
        if picture != nil, shown.count < CanvasPicture.Content.labels.most {
          shown.append((canvas, shapes))
        }
      }
      notes.add(reader.notes, of: source.path)
    }
    if let record, let log = logs.first { try AtomicFile.write(try log.ndjson(), to: record) }
    guard let picture else { return }
    var sheet = CanvasPicture(count: shown.count)
    for (canvas, shapes) in shown { sheet.add(canvas, shapes) }
    try AtomicFile.write(try sheet.png(), to: picture)
  }

  /// Groups a canvas at once.
  private func segment(
    _ canvas: Drawing, _ tools: CanvasOptions.Tools
  ) throws -> [CanvasPicture.Shape] {
    var segments = try Segmenter(recognizer: tools.recognizer, model: tools.model)
      .segments(of: canvas)
    for index in segments.indices {
      // A segment's box is that of its outline; the report has that of all points.
      let points = segments[index].strokes.lazy.flatMap { canvas.strokes[$0].points }
      segments[index].box = BoundingBox(points) ?? segments[index].box
    }
    let report = SegmentationReport(canvas, segments)
    try format.print(report, report.lines, pretty: false)
    return segments.map { CanvasPicture.Shape($0) }
  }

  /// Adds a canvas's strokes to a live canvas.
  private func replay(
    _ canvas: Drawing, _ tools: CanvasOptions.Tools
  ) throws -> (shapes: [CanvasPicture.Shape], log: CanvasLog) {
    var live = LiveCanvas(
      recognizer: tools.recognizer, model: tools.model, canvas: canvas.canvas,
      settings: options.settings)
    var log = CanvasLog(canvas: canvas.canvas, settings: options.settings)
    if record != nil {
      log.models = try .init(recognizer: tools.recognizer, segmenter: tools.model)
    }
    func show(_ events: [LiveCanvas.Event]) throws {
      for event in events {
        try printToStandardOutput(json: Joined(event, ["canvas": canvas.id]), pretty: false)
      }
    }
    let order = Segmenter.order(of: canvas.strokes)
    for (number, stroke) in canvas.strokes.enumerated() {
      if let index = CanvasLog.untimelyPoint(of: stroke) {
        throw JobProblem(
          "canvas \(canvas.id), stroke \(number), point \(index): with --live, "
            + CanvasLog.timeRule)
      }
    }
    for stroke in order.map({ canvas.strokes[$0] }) {
      try show(try live.add(stroke))
      log.actions.append(.stroke(stroke, pen: 0, milliseconds: live.milliseconds ?? 0))
    }
    try show(live.finish())
    log.actions.append(.advance(milliseconds: live.milliseconds ?? 0))
    let shapes = live.shapes.map { shape in
      var named = shape
      named.strokes = shape.strokes.map { order[$0] }
      return CanvasPicture.Shape(named)
    }
    return (shapes, log)
  }
}

/// The options of segmentation.
struct CanvasOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: "The taught model.")
  var model: String
  @Option(help: "A segmenter written by 'train-segmenter' (default: the one built into drawml).")
  var segmenter: String?
  @Option(
    help: ArgumentHelp(
      """
      With --live: the pause after which a shape is finished, until the writer’s tempo is known; \
      shorter if the shape is surely recognized, longer if not.
      """,
      valueName: "milliseconds"), in: 0...1e6)
  var settle: Double?
  @OptionGroup var refusal: RefusalOption

  struct Tools {
    var recognizer: Recognizer
    var model: SegmenterModel
  }

  /// Reads the models.
  func tools() throws -> Tools {
    var recognizer = try ModelFile.read(model)
    if let policy = refusal.policy { recognizer.policy = policy }
    return Tools(
      recognizer: recognizer,
      model: try segmenter.map { try SegmenterModel(path: $0) } ?? .standard())
  }

  /// The default settings with the given settle time, which then adapts to the writer's tempo.
  var settings: LiveCanvas.Settings {
    var settings = LiveCanvas.Settings()
    if let settle {
      settings.settleMilliseconds = settle
      settings.settleRange =
        min(settle, settings.settleRange.lowerBound)...max(settle, settings.settleRange.upperBound)
    }
    return settings
  }
}

extension CanvasPicture.Shape {
  /// A shape of a canvas that was grouped at once.
  init(_ segment: Segment) {
    let decision = segment.answer?.decision
    self.init(
      strokes: segment.strokes, box: segment.box,
      label: decision?.isRecognized == true ? decision?.best?.label : nil,
      confidence: decision?.best?.confidence)
  }

  /// A shape of a live canvas.
  init(_ shape: LiveShape) {
    self.init(
      strokes: shape.strokes, box: shape.box, label: shape.item?.label,
      confidence: shape.item?.confidence)
  }
}
