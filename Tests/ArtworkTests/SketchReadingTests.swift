import Ink
import Testing

@testable import Artwork

@Suite("What a model sees on a sketch")
struct SketchReadingTests {
  @Test("TF-030: Emojis of things with one color have it, however they are written")
  func colors() {
    #expect(NaturalColor.of("🍓") == NaturalColor.of("❤️"))
    #expect(NaturalColor.of("❤") == NaturalColor.of("❤️"))
    #expect(NaturalColor.of("☀️") == SketchColor(0xffd23f))
    for label in ["🌈", "🦓", "", "sun", "🍓🍓"] { #expect(NaturalColor.of(label) == nil) }
  }

  @Test("Strokes that are mostly erased are not seen; what is drawn afterwards is")
  func erased() {
    let line = Sketches.line([(10, 50), (90, 50)])
    func eraser(to x: Double) -> Sketch.Line {
      Sketches.line([(0, 50), (x, 50)], width: 8, tool: .eraser)
    }
    #expect(Sketches.sketch([line]).visibleStrokes() == [0])
    #expect(Sketches.sketch([line, eraser(to: 40), line]).visibleStrokes() == [0, 2])
    #expect(Sketches.sketch([line, eraser(to: 70), line]).visibleStrokes() == [2])
    #expect(Sketches.sketch([eraser(to: 70), line]).visibleStrokes() == [1])
    #expect(Sketches.sketch([eraser(to: 70)]).visibleStrokes() == [])
  }
}
