import Ink
import Testing

@testable import Benchmarks
@testable import Recognition
@testable import Segmentation

@Suite("Emojis on a live canvas, counted")
struct LiveTimingTests {
  private func shape(_ id: Int, _ label: String?) -> LiveShape {
    let box = BoundingBox(x: 0, y: 0, width: 9, height: 9)
    let state = label.map {
      LiveShape.State.recognized(Candidate(label: $0, confidence: 1), Placement(for: box, on: nil))
    }
    return LiveShape(id: id, strokes: [id], box: box, state: state ?? .unrecognized(best: nil))
  }

  @Test("An emoji is taken back if it goes, becomes another, or part of another shape")
  func fates() {
    let kinds: [LiveCanvas.Event.Kind] = [
      .recognized(shape(0, "cat")), .unrecognized(shape(1, nil)), .recognized(shape(2, "sun")),
      .recognized(shape(3, "star")), .recognized(shape(4, "fish")), .recognized(shape(5, "tree")),
      // More strokes, the same emoji.
      .revised(shape(0, "cat"), absorbed: [1]),
      .revised(shape(2, "flower"), absorbed: []), .revised(shape(4, "fish"), absorbed: [3]),
      .pending(
        LiveShape(id: 5, strokes: [5], box: shape(5, nil).box, state: .pending), absorbed: []),
    ]
    let events = kinds.map { LiveCanvas.Event(milliseconds: 0, kind: $0) }
    // Of shapes 0, 2, 3, 4 and 5: shape 1 never was an emoji.
    #expect(LiveTiming.fates(of: events) == [false, true, true, false, true])
  }
}
