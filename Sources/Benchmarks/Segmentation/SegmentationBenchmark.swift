internal import Datasets
internal import Evaluation
package import Ink
package import Recognition
internal import Report
package import Segmentation
internal import Support

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
    var run = try outcomes(on: canvases, progress: progress)
    for index in canvases.indices {
      for cue in cues {
        run.outcomes[index].plain[cue.cue] = cue.perfectShapes(on: canvases[index])
      }
    }
    let (outcomes, durations) = (run.outcomes, run.durations)
    let kinds = Set(canvases.map { $0.drawing.label ?? "" }).sorted()
    var rows = [try row("all", outcomes)]
    for kind in kinds {
      rows.append(try row(kind, outcomes.filter { ($0.canvas.drawing.label ?? "") == kind }))
    }
    let late = outcomes.filter { $0.canvas.hasLateStrokes }
    if !late.isEmpty { rows.append(try row("with late strokes", late)) }
    for (place, variant) in variants.enumerated() {
      let changed = canvases.enumerated().map { variant.change($1, number: $0) }
      let found = try self.outcomes(on: changed) { progress((place + 1) * canvases.count + $0) }
      rows.append(try row(variant.rawValue, found.outcomes))
    }
    let report = Report(
      perfectShapes: rows[0].perfectShapes.rate, inkAccuracy: rows[0].inkAccuracy,
      adjustedRandIndex: rows[0].adjustedRandIndex, recallAtIoU50: rows[0].recallAtIoU50,
      leastBoxIoU: outcomes.lazy.compactMap(\.leastBoxIoU).min(),
      endToEnd: rows[0].endToEnd.rate,
      latencyMilliseconds: try LatencySummary(durations),
      readingsPerStroke: Double(run.readings) / Double(durations.count),
      live: try LiveTiming.measure(on: canvases, recognizer: recognizer, model: model), kinds: rows)
    return (report, outcomes)
  }

  private func outcomes(
    on canvases: [LabeledCanvas], progress: (Int) -> Void
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
      outcomes.append(try outcome(canvas, segments))
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
    var plain: [String: Rate] = [:]
    for cue in PlainGrouping.Cue.allCases {
      let values = outcomes.flatMap { $0.plain[cue] ?? [] }
      if !values.isEmpty { plain[cue.rawValue] = try Rate(values) }
    }
    return Row(
      kind: kind, canvases: outcomes.count, perfectShapes: try Rate(outcomes.flatMap(\.isPerfect)),
      endToEnd: try Rate(outcomes.flatMap(\.isRight)), plain: plain,
      inkAccuracy: mean(\.inkAccuracy), adjustedRandIndex: mean(\.randIndex),
      recallAtIoU50: mean(\.recall))
  }
}

extension SegmentationBenchmark.Report {
  /// A table for people.
  package var lines: [String] {
    var table = TextTable([
      ("canvases", .left), ("shapes", .right), ("grouped perfectly", .left),
      ("and named or refused rightly", .left), ("pause", .right), ("distance", .right),
      ("both", .right),
    ])
    for row in kinds {
      table.add(
        ["\(row.kind) (\(row.canvases))", grouped(row.perfectShapes.of), row.perfectShapes.text]
          + [row.endToEnd.text]
          + ["pause", "distance", "logistic"].map { row.plain[$0].map { percent($0.rate) } ?? "" })
    }
    let time = latencyMilliseconds
    return table.lines + [
      "",
      "pause, distance, both: groupings of consecutive strokes that are told the true shape so far",
      "ink accuracy \(percent(inkAccuracy)), adjusted Rand index "
        + "\(decimal(Float(adjustedRandIndex))), boxes found at IoU 0.5 \(percent(recallAtIoU50))"
        + (leastBoxIoU.map { ", least IoU of a perfect group \(decimal(Float($0)))" } ?? ""),
      """
      a stroke: \(decimal(Float(time.p50))) ms median, 95 % below \(decimal(Float(time.p95))) ms, \
      99 % below \(decimal(Float(time.p99))) ms; \(decimal(Float(readingsPerStroke))) groups \
      looked at
      """,
    ] + (live.map { [$0.line] } ?? [])
  }
}

/// A change of canvases, to measure a segmenter's robustness.
package enum CanvasVariant: String, CaseIterable {
  case withoutTimes = "without times"
  case quarter = "a quarter as large"
  case fourTimes = "four times as large"
  case twoTempos = "two people’s tempos"
  case haste = "without pauses between shapes"
  case anyOrder = "strokes in any order"
  case anyOrderWithoutTimes = "in any order, without times"

  /// The changed canvas; the same number and canvas give the same result.
  func change(_ canvas: LabeledCanvas, number: Int) -> LabeledCanvas {
    var generator = SeededGenerator(seed: 1, stream: number)
    switch self {
    case .withoutTimes: return canvas.withoutTimes()
    case .quarter: return canvas.scaled(by: 0.25)
    case .fourTimes: return canvas.scaled(by: 4)
    case .twoTempos:
      // One person is up to twice as slow as usual, the other up to twice as fast.
      let people = [exp(generator.uniform(0...0.7)), exp(generator.uniform(-0.7...0))]
      return canvas.retimed(tempos: canvas.shapes.map { _ in generator.pick(people) })
    case .haste:
      // More than half of the pauses within shapes are that short.
      return canvas.retimed { generator.uniform(CanvasSettings().hastyPause) }
    case .anyOrder:
      return canvas.reordered(generator.permutation(canvas.drawing.strokes.count))
    case .anyOrderWithoutTimes:
      return canvas.reordered(generator.permutation(canvas.drawing.strokes.count)).withoutTimes()
    }
  }
}
