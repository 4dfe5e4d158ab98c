internal import Datasets
internal import Evaluation
package import Ink
internal import Numbers
package import Recognition
internal import Report
package import Segmentation
internal import Synthesis
internal import Text
internal import Training

/// Measures what happens to an emoji on a live canvas if another shape is drawn over it, or its own
/// shape is finished late (F-015).
///
/// All shapes are drawings that the model recognizes correctly in isolation, so that errors are due
/// to the other ink.
package struct DrawingOverBenchmark {
  var recognizer: Recognizer
  var model: SegmenterModel

  package init(recognizer: Recognizer, model: SegmenterModel) {
    (self.recognizer, self.model) = (recognizer, model)
  }

  /// The times from the first shape's last ink to the second shape's first, in milliseconds.
  package static let gaps = [1000.0, 2000, 3000, 4000, 5100]
  /// The pause before a late last stroke, in milliseconds.
  static let latePause = 1500.0
  /// The number of attempts per canvas: some have no room for both shapes.
  private static let tries = 10

  /// The results for canvases with one gap.
  package struct Row: Encodable {
    var gapMilliseconds: Double
    /// Of the first shapes' emojis, those that were removed again, or became another emoji.
    var vanished: Rate
    /// Of the canvases, those with both shapes recognized correctly in the end.
    var bothRight: Rate
    /// The same, of the canvases whose first shape had an emoji when the second one began.
    var bothRightOverEmoji: Rate
  }

  /// All that was measured.
  package struct Report: Encodable {
    var rows: [Row]
    /// Of the shapes with an emoji before their last stroke, those that the stroke joined.
    var lateJoined: Rate
    /// Of the same shapes, those recognized correctly in the end.
    var lateRight: Rate
    /// Of the drawings, those recognized correctly in isolation.
    var usable: Rate
    var seed: UInt64
  }

  /// Runs the benchmark.
  ///
  /// - Parameters:
  ///   - drawings: Timed drawings, each with a label and an id of its own.
  ///   - count: The number of canvases for each gap, ≥ 1.
  ///   - seed: The same seed and drawings give the same canvases.
  ///   - progress: Called with the numbers of steps done and in total.
  /// - Returns: The rates for each gap and for late strokes.
  /// - Throws: `CanvasSynthesisError`, `JobProblem` if the drawings do not suffice, and the errors
  ///   of a canvas for invalid strokes.
  package func run(
    on drawings: [Drawing], count: Int, seed: UInt64,
    progress: (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) throws -> Report {
    let labels = Set(recognizer.labels)
    let taught = drawings.filter { $0.label.map(labels.contains) ?? false }
    let total = taught.count + (Self.gaps.count + 1) * count
    var done = 0
    func step() {
      done += 1
      progress(done, total)
    }
    var usable: [Drawing] = []
    for drawing in taught {
      if try isRightAlone(drawing) { usable.append(drawing) }
      step()
    }
    guard usable.count >= 2 else {
      throw JobProblem(
        "\(counted(usable.count, "timed drawing")) of \(counted(taught.count, "drawing")) of "
          + "taught labels would be named rightly alone; two or more are needed")
    }
    var rows: [Row] = []
    for gap in Self.gaps {
      let canvases = try canvases(of: usable, gap: gap, count: count, seed: seed)
      var (vanished, right, rightOverEmoji) = ([Bool](), [Bool](), [Bool]())
      for canvas in canvases {
        let outcome = try play(canvas)
        if let hasVanished = outcome.hasVanished {
          vanished.append(hasVanished)
          rightOverEmoji.append(outcome.bothRight)
        }
        right.append(outcome.bothRight)
        step()
      }
      guard !vanished.isEmpty else {
        throw JobProblem("no canvas had an emoji to draw over")
      }
      rows.append(
        Row(
          gapMilliseconds: gap, vanished: try Rate(vanished), bothRight: try Rate(right),
          bothRightOverEmoji: try Rate(rightOverEmoji)))
    }
    var (joined, named) = ([Bool](), [Bool]())
    var generator = SeededGenerator(seed: seed, stream: 1)
    for index in generator.permutation(usable.count) where joined.count < count {
      guard let outcome = try playLate(usable[index]) else { continue }
      joined.append(outcome.isJoined)
      named.append(outcome.isRight)
      step()
    }
    guard !joined.isEmpty else {
      throw JobProblem("no drawing has an emoji before its last stroke")
    }
    progress(total, total)
    return Report(
      rows: rows, lateJoined: try Rate(joined), lateRight: try Rate(named),
      usable: try Rate(taught.indices.map { $0 < usable.count }), seed: seed)
  }

  private var blank: LiveCanvas { LiveCanvas(recognizer: recognizer, model: model) }

  private func isRightAlone(_ drawing: Drawing) throws -> Bool {
    var canvas = blank
    for stroke in drawing.strokes { _ = try canvas.add(stroke) }
    _ = canvas.finish()
    return canvas.shapes.count == 1 && canvas.shapes[0].item?.label == drawing.label
  }

  /// Two shapes each, the second across the first.
  private func canvases(
    of drawings: [Drawing], gap: Double, count: Int, seed: UInt64
  ) throws -> [LabeledCanvas] {
    var settings = CanvasSettings()
    settings.shapes = 2...2
    settings.mix = [.over: 1]
    settings.overShare = 1
    (settings.lateShare, settings.unknownShare) = (0, 0)
    settings.pause = gap...gap
    let synthesizer = try CanvasSynthesizer(drawings: drawings, settings: settings)
    var canvases: [LabeledCanvas] = []
    for number in 0..<(Self.tries * count) where canvases.count < count {
      let canvas = synthesizer.canvas(number, seed: seed)
      if canvas.sources.count == 2 { canvases.append(try LabeledCanvas(canvas.drawing)) }
    }
    return canvases
  }

  /// Plays a canvas of two shapes.
  ///
  /// - Returns: Whether the first shape's emoji was removed again or became another, nil if there
  ///   was none before the second shape started; and whether both shapes are correct in the end.
  private func play(_ canvas: LabeledCanvas) throws -> (hasVanished: Bool?, bothRight: Bool) {
    var live = blank
    var hasVanished: Bool?
    var first: PlacedItem?
    for (index, stroke) in canvas.drawing.strokes.enumerated() {
      let isSecond = canvas.owners[index] == 1
      for event in try live.add(stroke) {
        if let first, event.changesEmoji(first) { hasVanished = true }
        if let shape = event.decided, first == nil, shape.strokes == canvas.shapes[0].strokes {
          first = shape.item
        }
      }
      if isSecond, first != nil, hasVanished == nil { hasVanished = false }
    }
    for event in live.finish() {
      if let first, event.changesEmoji(first) { hasVanished = true }
    }
    let found = Set(live.shapes.map { Named(strokes: $0.strokes, label: $0.item?.label) })
    let bothRight = canvas.shapes.allSatisfy {
      found.contains(Named(strokes: $0.strokes, label: $0.label))
    }
    return (hasVanished, bothRight)
  }

  private struct Named: Hashable {
    var strokes: [Int]
    var label: String?
  }

  /// Plays a drawing whose last stroke comes late.
  ///
  /// - Returns: Whether it joined the others, and whether the shape is correct in the end; nil if
  ///   there was no emoji before.
  private func playLate(_ drawing: Drawing) throws -> (isJoined: Bool, isRight: Bool)? {
    guard drawing.strokes.count > 1, var late = drawing.strokes.last else { return nil }
    var live = blank
    for stroke in drawing.strokes.dropLast() { _ = try live.add(stroke) }
    let start = (live.milliseconds ?? 0) + Self.latePause
    _ = live.advance(to: start)
    guard live.shapes.count == 1, live.shapes[0].item != nil else { return nil }
    let shift = start - (late.points.first?.t ?? start)
    for point in late.points.indices { late.points[point].t? += shift }
    _ = try live.add(late)
    _ = live.finish()
    let isJoined = live.shapes.count == 1
    return (isJoined, isJoined && live.shapes[0].item?.label == drawing.label)
  }
}

extension LiveCanvas.Event {
  /// Whether the event removes an emoji, or makes it another one.
  fileprivate func changesEmoji(_ emoji: PlacedItem) -> Bool {
    absorbed.contains(emoji.shape)
      || shape?.id == emoji.shape && shape?.item?.label != emoji.label
  }
}

extension DrawingOverBenchmark.Report {
  /// A table for people.
  package var lines: [String] {
    var table = TextTable([
      ("drawn over after", .right), ("first emojis that vanish", .left),
      ("both right in the end", .left), ("of those over an emoji", .left),
    ])
    for row in rows {
      table.add([
        "\(decimal(Float(row.gapMilliseconds / 1000))) s", row.vanished.text, row.bothRight.text,
        row.bothRightOverEmoji.text,
      ])
    }
    return table.lines + [
      "",
      "a last stroke \(decimal(Float(DrawingOverBenchmark.latePause / 1000))) s late joins its "
        + "shape in \(lateJoined.text) of \(lateJoined.of), and is right in \(lateRight.text)",
      "\(grouped(usable.count)) of \(grouped(usable.of)) drawings are named rightly alone; seed "
        + "\(seed)",
    ]
  }
}
