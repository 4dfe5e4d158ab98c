import Datasets
import Ink
import Segmentation
import Testing

@Suite("Whole canvases")
struct WholeCanvasTests {
  @Test("The limits for whole canvases give the groups that reading all gives, with fewer readings")
  func asAll() throws {
    let synthesizer = Synthesizer(seed: 5)
    let canvases = try CanvasSynthesizer(
      drawings: ShapeCatalog.all.prefix(40).map { synthesizer.drawing(of: $0, index: 7) })
    var all = Segmenter.Limits()
    (all.wholeMargin, all.readings) = (1000, 64)
    var readings = (all: 0, some: 0)
    for number in 0..<6 {
      let strokes = canvases.canvas(number, seed: 5).drawing.strokes
      var (whole, some) = (
        Segmenter(recognizer: nil, model: try .standard(), limits: all.forWholeCanvas),
        Segmenter(
          recognizer: nil, model: try .standard(), limits: Segmenter.Limits().forWholeCanvas)
      )
      for stroke in strokes {
        try whole.add(stroke)
        try some.add(stroke)
      }
      #expect(whole.segments.map(\.strokes) == some.segments.map(\.strokes), "canvas \(number)")
      readings.all += whole.readingCount
      readings.some += some.readingCount
    }
    #expect(readings.some < readings.all, "\(readings)")
  }
}
