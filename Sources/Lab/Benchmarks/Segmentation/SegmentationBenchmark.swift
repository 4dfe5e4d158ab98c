internal import Datasets
internal import Evaluation
package import Ink
package import Recognition
internal import Report
package import Segmentation

/// Measures a segmenter on labeled canvases, with plain groupings as baselines.
package struct SegmentationBenchmark {
  /// Classifies the groups.
  var recognizer: Recognizer
  /// The model of the segmenter.
  var model: SegmenterModel
  /// Canvases that the plain groupings are fitted to; if empty, the evaluated ones.
  var plain: [LabeledCanvas]

  package init(recognizer: Recognizer, model: SegmenterModel, plain: [LabeledCanvas]) {
    (self.recognizer, self.model, self.plain) = (recognizer, model, plain)
  }

  /// The results on the canvases of one kind.
  struct Row: Encodable {
    var kind: String
    var canvases: Int
    var perfectShapes: Rate
    var endToEnd: Rate
    var plain: [String: Rate]
    var inkAccuracy: Double
    var adjustedRandIndex: Double
    var recallAtIoU50: Double
  }

  /// The results on all canvases.
  package struct Report: Encodable {
    var perfectShapes: Double
    var inkAccuracy: Double
    var adjustedRandIndex: Double
    var recallAtIoU50: Double
    /// Over all shapes that are grouped perfectly; nil without any.
    var leastBoxIoU: Double?
    var endToEnd: Double
    var latencyMilliseconds: LatencySummary
    /// The mean number of groups evaluated per stroke.
    var readingsPerStroke: Double
    /// On a live canvas; nil if no timed canvas gets an emoji of a complete shape.
    var live: LiveTiming?
    var kinds: [Row]
    /// The same shapes by kinds of shapes: in the order as given, and for each variant that only
    /// changes the order.
    var breakdowns: [ShapeBreakdown]
  }

  /// The results on one canvas.
  package struct Outcome {
    package var canvas: LabeledCanvas
    package var segments: [Segment]
    package var isPerfect: [Bool]
    package var isRight: [Bool]
    package var plain: [PlainGrouping.Cue: [Bool]]
    var inkAccuracy: Double
    var randIndex: Double
    var recall: Double
    /// The least intersection over union of the boxes of perfectly grouped shapes; nil without any.
    var leastBoxIoU: Double?
  }

  /// Runs the benchmark.
  ///
  /// - Parameters:
  ///   - canvases: The canvases to evaluate.
  ///   - variants: Changes that the canvases are also evaluated with, as further rows.
  ///   - progress: Called with the number of canvases done, including variants.
  /// - Returns: The results overall and canvas by canvas.
  /// - Throws: The errors of a segmenter for invalid strokes.
  package func run(
    on canvases: [LabeledCanvas], variants: [CanvasVariant] = [],
    progress: (Int) -> Void = { _ in }
  ) throws -> (report: Report, outcomes: [Outcome]) {
    let cues = PlainGrouping.Cue.allCases.map {
      PlainGrouping($0, fittedTo: plain.isEmpty ? canvases : plain)
    }
    let run = try outcomes(on: canvases, cues, progress: progress)
    let (outcomes, durations) = (run.outcomes, run.durations)
    var rows = [try row("all", outcomes)]
    rows += try byKind(outcomes)
    let late = outcomes.filter { $0.canvas.hasLateStrokes }
    if !late.isEmpty { rows.append(try row("with late strokes", late)) }
    let known = Set(recognizer.labels)
    var breakdowns = [try ShapeBreakdown("as given", outcomes, known: known)]
    for (place, variant) in variants.enumerated() {
      let changed = canvases.enumerated().map { variant.change($1, number: $0) }
      let isOrder = CanvasVariant.orders.contains(variant)
      let found = try self.outcomes(on: changed, isOrder ? cues : []) {
        progress((place + 1) * canvases.count + $0)
      }.outcomes
      rows.append(try row(variant.rawValue, found))
      if isOrder {
        breakdowns.append(try ShapeBreakdown(variant.rawValue, found, known: known))
      }
    }
    let report = Report(
      perfectShapes: rows[0].perfectShapes.rate, inkAccuracy: rows[0].inkAccuracy,
      adjustedRandIndex: rows[0].adjustedRandIndex, recallAtIoU50: rows[0].recallAtIoU50,
      leastBoxIoU: outcomes.lazy.compactMap(\.leastBoxIoU).min(),
      endToEnd: rows[0].endToEnd.rate,
      latencyMilliseconds: try LatencySummary(durations),
      readingsPerStroke: Double(run.readings) / Double(durations.count),
      live: try LiveTiming.measure(on: canvases, recognizer: recognizer, model: model),
      kinds: rows, breakdowns: breakdowns)
    return (report, outcomes)
  }

  /// A row for each kind of canvas, which their labels name; no rows if there are no labels.
  private func byKind(_ outcomes: [Outcome]) throws -> [Row] {
    let kinds = Set(outcomes.compactMap(\.canvas.drawing.label)).sorted()
    var rows = try kinds.map { kind in
      try row(kind, outcomes.filter { $0.canvas.drawing.label == kind })
    }
    let others = outcomes.filter { $0.canvas.drawing.label == nil }
    if !kinds.isEmpty, !others.isEmpty { rows.append(try row("without a label", others)) }
    return rows
  }

  private func outcomes(
    on canvases: [LabeledCanvas], _ cues: [PlainGrouping], progress: (Int) -> Void
  ) throws -> (outcomes: [Outcome], durations: [Double], readings: Int) {
    var (outcomes, durations, readings) = ([Outcome](), [Double](), 0)
    let blank = Segmenter(
      recognizer: recognizer, model: model, limits: Segmenter.Limits().forWholeCanvas)
    for canvas in canvases {
      var segmenter = blank
      let order = Segmenter.order(of: canvas.drawing.strokes)
      for index in order {
        let start = ContinuousClock.now
        try segmenter.add(canvas.drawing.strokes[index])
        durations.append((ContinuousClock.now - start) / .milliseconds(1))
      }
      readings += segmenter.readingCount
      let segments = segmenter.segments.map { segment in
        var named = segment
        named.strokes = segment.strokes.map { order[$0] }.sorted()
        return named
      }
      var found = try outcome(canvas, segments)
      for cue in cues { found.plain[cue.cue] = cue.perfectShapes(on: canvas) }
      outcomes.append(found)
      progress(outcomes.count)
    }
    return (outcomes, durations, readings)
  }

  private func outcome(_ canvas: LabeledCanvas, _ segments: [Segment]) throws -> Outcome {
    let ink = canvas.drawing.strokes.map(\.length)
    let truth = canvas.shapes.map(\.strokes)
    let score = try GroupingScore(predicted: segments.map(\.strokes), truth: truth, ink: ink)
    var owners = [Int](repeating: -1, count: ink.count)
    for (number, segment) in segments.enumerated() {
      for stroke in segment.strokes { owners[stroke] = number }
    }
    let known = Set(recognizer.labels)
    let found = canvas.shapes.map { shape in segments.first { $0.strokes == shape.strokes } }
    let isRight = zip(canvas.shapes, found).map { shape, segment in
      guard let segment else { return false }
      guard case .recognized(let best)? = segment.answer?.decision else {
        return !known.contains(shape.label)
      }
      return best.label == shape.label
    }
    func box(_ box: BoundingBox) -> Box {
      Box(x: box.x, y: box.y, width: box.width, height: box.height)
    }
    return Outcome(
      canvas: canvas, segments: segments, isPerfect: found.map { $0 != nil }, isRight: isRight,
      plain: [:], inkAccuracy: score.inkAccuracy,
      randIndex: try adjustedRandIndex(canvas.owners.map { $0 ?? -1 }, owners),
      recall: try boxRecall(
        truth: canvas.shapes.map { box($0.box) }, predicted: segments.map { box($0.box) }),
      leastBoxIoU: zip(canvas.shapes, found).compactMap { shape, segment in
        segment.map { box(shape.box).intersectionOverUnion(with: box($0.box)) }
      }.min())
  }

  private func row(_ kind: String, _ outcomes: [Outcome]) throws -> Row {
    func mean(_ value: (Outcome) -> Double) -> Double {
      outcomes.reduce(0) { $0 + value($1) } / Double(outcomes.count)
    }
    return Row(
      kind: kind, canvases: outcomes.count, perfectShapes: try Rate(outcomes.flatMap(\.isPerfect)),
      endToEnd: try Rate(outcomes.flatMap(\.isRight)),
      plain: try Rate.byCue { cue in outcomes.flatMap { $0.plain[cue] ?? [] } },
      inkAccuracy: mean(\.inkAccuracy), adjustedRandIndex: mean(\.randIndex),
      recallAtIoU50: mean(\.recall))
  }
}
