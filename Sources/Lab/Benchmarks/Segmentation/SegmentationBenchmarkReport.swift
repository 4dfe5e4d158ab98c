internal import Evaluation
internal import Files
internal import Foundation
internal import Ink
internal import Recognition
internal import Report
internal import Segmentation
internal import Text
internal import Training

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
    let summary =
      table.lines + [
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
    return summary + breakdowns.flatMap { [""] + $0.lines }
  }
}

extension SegmentationBenchmark {
  /// Where the results come from, for their page.
  package struct Source {
    var modelPath: String
    var canvasPaths: [String]
    /// Nil for the segmenter that comes along.
    var segmenterPath: String?
    var started = ContinuousClock.now

    package init(modelPath: String, canvasPaths: [String], segmenterPath: String?) {
      (self.modelPath, self.canvasPaths) = (modelPath, canvasPaths)
      self.segmenterPath = segmenterPath
    }
  }

  /// The results as a page with the canvases, an HTML document.
  package func page(
    _ report: Report, _ outcomes: [Outcome], from source: Source
  ) throws -> String {
    var fingerprint = Fingerprint()
    fingerprint.update("DrawML canvases 1")
    for canvas in outcomes.map(\.canvas) {
      fingerprint.update(canvas.drawing.id)
      fingerprint.update(canvas.drawing.digest)
      for shape in canvas.shapes { fingerprint.update("\(shape.label) \(shape.strokes)") }
    }
    let facts = RunFacts(
      modelPath: source.modelPath, modelFingerprint: try ModelFile.fingerprint(of: recognizer),
      dataPaths: source.canvasPaths, dataFingerprint: fingerprint.hexadecimal(),
      head: recognizer.head.configuration.name,
      seed: report.kinds.contains { CanvasVariant(rawValue: $0.kind) != nil }
        ? CanvasVariant.seed : nil,
      threads: 1, date: Date.now.formatted(.iso8601),
      seconds: (ContinuousClock.now - source.started) / .seconds(1))
    let known = Set(recognizer.labels)
    let drawn = Set(outcomes.flatMap { $0.canvas.shapes.map(\.label) })
    return SegmentationPage.html(
      report, outcomes, known: known,
      facts: facts.list(after: [
        ("Segmenter", source.segmenterPath ?? "the one that comes with DrawML"),
        (
          "Labels",
          "\(counted(drawn.count, "label")) on the canvases, \(drawn.intersection(known).count) "
            + "of which the model was taught"
        ),
      ]))
  }
}
