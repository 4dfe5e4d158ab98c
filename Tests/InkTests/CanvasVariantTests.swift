import Testing

@testable import Ink

@Suite("Canvases changed for judging")
struct CanvasVariantTests {
  /// Two shapes: a with a late stroke, b between.
  private func canvas() throws -> LabeledCanvas {
    func line(_ x: Double, from start: Double, to end: Double) -> Stroke {
      Stroke([Point(x: x, y: 0, t: start), Point(x: x, y: 8, t: end)])
    }
    return try LabeledCanvas(
      Drawing(
        strokes: [
          line(0, from: 100, to: 200), line(4, from: 250, to: 300), line(20, from: 1000, to: 1100),
          line(2, from: 2000, to: 2040),
        ],
        canvas: .init(width: 40, height: 20),
        shapes: [.init(strokes: [0, 1, 3], label: "a"), .init(strokes: [2], label: "b")]))
  }

  @Test("Without times, only times are gone")
  func untimed() throws {
    let before = try canvas()
    let after = before.withoutTimes()
    #expect(after.drawing.strokes.allSatisfy { $0.points.allSatisfy { $0.t == nil } })
    #expect(
      after.drawing.strokes.map { $0.points.map(\.x) } == [[0, 0], [4, 4], [20, 20], [2, 2]])
    #expect(after.shapes == before.shapes && after.owners == before.owners)
  }

  @Test("Scaling takes points, boxes and the sheet along, and no times")
  func scaled() throws {
    let after = try canvas().scaled(by: 0.25)
    #expect(after.drawing.canvas == .init(width: 10, height: 5))
    #expect(after.shapes[0].box == BoundingBox(x: 0, y: 0, width: 1, height: 2))
    #expect(
      after.drawing.strokes[1].points == [Point(x: 1, y: 0, t: 250), Point(x: 1, y: 2, t: 300)])
  }

  @Test("A slow shape's strokes and inner pauses last longer, and the pauses between shapes stay")
  func retimed() throws {
    let after = try canvas().retimed(tempos: [2, 1])
    let times = after.drawing.strokes.map { $0.points.map { $0.t ?? -1 } }
    // 100…200 lasts 200 ms, the pause of 50 is 100, 50 ms last 100; then 700 and 900 ms as they
    // were.
    #expect(times == [[100, 300], [400, 500], [1200, 1300], [2200, 2280]])
  }

  @Test("In haste only the pauses between shapes are others")
  func haste() throws {
    var pauses = [10.0, 20, 30]
    let after = try canvas().retimed { pauses.removeFirst() }
    let times = after.drawing.strokes.map { $0.points.map { $0.t ?? -1 } }
    #expect(times == [[100, 200], [250, 300], [310, 410], [430, 470]])
    #expect(pauses == [30])
  }

  @Test("In another order every stroke stays in its shape")
  func reordered() throws {
    let before = try canvas()
    let after = before.reordered([3, 2, 0, 1])
    #expect(after.drawing.strokes.map { $0.points[0].x } == [2, 20, 0, 4])
    #expect(after.shapes.map(\.strokes) == [[0, 2, 3], [1]])
    #expect(after.owners == [0, 1, 0, 0])
    // What the drawing itself says of its shapes agrees.
    #expect(try LabeledCanvas(after.drawing) == after)
  }
}
