import Datasets
import Ink
import Recognition
import Segmentation
import Synthesis
import TestTools
import Testing

@Suite("Whole canvases")
struct WholeCanvasTests {
  /// Shapes that stand for what was drawn, and what the recognizer is taught.
  let shapes = Array(ShapeCatalog.all.prefix(40))

  @Test(
    "The limits for whole canvases give the shapes that reading all gives, with fewer readings",
    arguments: [false, true])
  func asAll(isTaught: Bool) throws {
    let (drawn, taught) = (Synthesizer(seed: 5), Synthesizer(seed: 6))
    let canvases = try CanvasSynthesizer(
      drawings: shapes.map { drawn.drawing(of: $0, index: 7) })
    var recognizer: Recognizer?
    if isTaught {
      var slim = try ModelFile.read("\(Repository.path)/models/base-slim.drawml")
      try slim.update(
        with:
          shapes.flatMap { shape in (0..<3).map { taught.drawing(of: shape, index: $0) } })
      recognizer = slim
    }
    func segmenter(_ limits: Segmenter.Limits) throws -> Segmenter {
      Segmenter(recognizer: recognizer, model: try .standard(), limits: limits)
    }
    var all = Segmenter.Limits()
    (all.wholeMargin, all.readings) = (1000, 64)
    var readings = (all: 0, some: 0)
    for number in 0..<6 {
      let canvas = canvases.canvas(number, seed: 5).drawing
      let expected = try segmenter(all).segments(of: canvas)
      let found = try segmenter(Segmenter.Limits()).segments(of: canvas)
      #expect(found.map(\.strokes) == expected.map(\.strokes), "canvas \(number)")
      #expect(
        found.map { $0.answer?.candidates.first?.label }
          == expected.map { $0.answer?.candidates.first?.label },
        "canvas \(number)")
      #expect(found.contains { $0.answer != nil } == isTaught)
      readings.all += try count(all, segmenter, canvas)
      readings.some += try count(Segmenter.Limits(), segmenter, canvas)
    }
    #expect(readings.some < readings.all, "\(readings)")
  }

  private func count(
    _ limits: Segmenter.Limits, _ segmenter: (Segmenter.Limits) throws -> Segmenter,
    _ canvas: Drawing
  ) throws -> Int {
    var copy = try segmenter(limits.forWholeCanvas)
    for stroke in canvas.strokes { try copy.add(stroke) }
    return copy.readingCount
  }
}
