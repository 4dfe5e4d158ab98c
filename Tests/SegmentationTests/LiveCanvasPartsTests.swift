import Ink
import Recognition
import Testing

@testable import Segmentation

@Suite("Joining shapes and splitting them")
struct LiveCanvasPartsTests {
  /// A cross at (200, 100), 80 wide, decided on as one shape or as two lines, long ago.
  private func canvas(
    asOne isOne: Bool, _ change: (inout LiveCanvas.Settings) -> Void = { _ in }
  ) async throws -> LiveCanvas {
    let model = SegmenterModel.everywhere(join: isOne ? 5 : -5)
    var canvas = try liveCanvas(try await CanvasDoodles.recognizer, model: model, change)
    for stroke in cross(200, 100, from: 0) { _ = try canvas.add(stroke) }
    _ = canvas.advance(to: 20_000)
    #expect(canvas.shapes.map(\.strokes) == (isOne ? [[0, 1]] : [[0], [1]]))
    return canvas
  }

  private static let place = Placement(
    for: BoundingBox(x: 200, y: 100, width: 80, height: 80), on: .init(width: 600, height: 400))

  @Test("What was drawn as one and taken for two is joined, and recognized; undo parts it again")
  func join() async throws {
    var canvas = try await canvas(asOne: false)
    let before = canvas.shapes
    let told = canvas.join([1, 0])
    #expect(told.map(summary) == ["revised 0 [0, 1] instead of [1]", "recognized 0 cross"])
    #expect(told.map(\.shape?.isPending) == [true, false])
    #expect(canvas.shapes.map(\.strokes) == [[0, 1]])
    #expect(canvas.items.map(\.placement) == [Self.place])
    // Nothing joins it any more.
    _ = try canvas.add(
      Stroke([Point(x: 200, y: 140, t: 20_100), Point(x: 280, y: 140, t: 20_200)]))
    _ = canvas.finish()
    #expect(canvas.shapes.map(\.strokes) == [[0, 1], [2]])
    #expect(canvas.undo().last.map(summary)?.hasPrefix("undone 2") == true)
    #expect(canvas.undo().map(summary) == ["undone clear [0, 1] []"])
    #expect(canvas.shapes == before)
  }

  @Test("An emoji that is two things is split, and both are decided on; undo makes it one again")
  func split() async throws {
    var canvas = try await canvas(asOne: true)
    let before = canvas.shapes
    #expect(canvas.items.map(\.label) == ["cross"])
    let told = canvas.split(0, off: [1])
    #expect(told.prefix(2).map(summary) == ["revised 0 [0]", "pending 1 [1]"])
    #expect(told.dropFirst(2).map(\.decided?.id) == [0, 1])
    #expect(canvas.shapes.map(\.strokes) == [[0], [1]])
    for shape in canvas.shapes {
      #expect(shape.box == BoundingBox(x: 200, y: 100, width: 80, height: 80))
    }
    #expect(canvas.undo().map(summary) == ["undone clear [0] [1]"])
    #expect(canvas.shapes == before)
  }

  @Test("A label that a person gave to a part is that of the whole")
  func givenLabel() async throws {
    var canvas = try await canvas(asOne: false)
    _ = canvas.correct(1, .label("kite"))
    #expect(canvas.join([0, 1]).last.map(summary) == "recognized 0 kite")
    #expect(canvas.items.map(\.confidence) == [1])
    #expect(canvas.items.map(\.placement) == [Self.place])
  }

  @Test("Strokes that cannot be undone are joined without the recognizer, and are not split")
  func oldInk() async throws {
    var canvas = try await canvas(asOne: false) { $0.undoDepth = 1 }
    _ = canvas.correct(0, .reject)
    _ = canvas.correct(1, .reject)
    #expect(canvas.join([0, 1]).last.map(summary) == "unrecognized 0")
    #expect(canvas.split(0, off: [1]).isEmpty)
    #expect(canvas.shapes.map(\.strokes) == [[0, 1]])
  }

  @Test("Nothing changes where there is nothing to join or to split")
  func nothing() async throws {
    var canvas = try await canvas(asOne: true)
    _ = try canvas.add(
      Stroke([Point(x: 500, y: 300, t: 21_000), Point(x: 560, y: 300, t: 21_100)]))
    let before = canvas.shapes
    #expect(before.map(\.isPending) == [false, true])
    for shapes in [[], [0], [0, 0], [0, 7], [-1, 0], [0, 1]] {
      #expect(canvas.join(shapes).isEmpty, "\(shapes)")
    }
    for (shape, strokes) in [(0, []), (0, [0, 1]), (0, [2]), (0, [0, 2]), (1, [2]), (7, [0])] {
      #expect(canvas.split(shape, off: strokes).isEmpty, "\(shape) \(strokes)")
    }
    #expect(canvas.shapes == before)
    #expect(canvas.undo().last.map(summary)?.hasPrefix("undone 2") == true)
  }
}
