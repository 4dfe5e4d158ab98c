import Ink
import Segmentation
import Support
import Testing

@testable import Studio

@Suite("The ink that a playground keeps")
struct InkStoreTests {
  @Test("After any drawing, canceling, undo and clearing, all shapes without emoji have their ink")
  func random() throws {
    for seed in UInt64(1)...2 {
      var generator = SeededGenerator(seed: seed)
      var settings = LiveCanvas.Settings()
      (settings.undoDepth, settings.mostOpenStrokes, settings.reach) = (10, 16, 8)
      var canvas = LiveCanvas(
        recognizer: nil, model: try .standard(), canvas: .init(width: 600, height: 400),
        settings: settings)
      var (ink, time) = (InkStore(), 0.0)
      for _ in 0..<150 {
        time += generator.uniform(100...4000)
        switch generator.integer(below: 12) {
        case 0..<3:
          ink.undo()
          _ = canvas.undo(at: time)
        case 3:
          _ = canvas.advance(to: time)
          ink.clear(canvas)
          _ = canvas.clear(at: time)
        case 4:
          let count = canvas.strokeCount
          _ = canvas.cancel(at: time)
          if canvas.strokeCount < count { ink.undo() }
        default:
          let (x, y) = (generator.uniform(0...500), generator.uniform(0...300))
          let stroke = Stroke([
            Point(x: x, y: y, t: time), Point(x: x + 50, y: y + 9, t: time + 90),
          ])
          ink.keep(stroke, canvas.strokeCount)
          _ = try canvas.add(stroke)
        }
        ink.prune(canvas)
        for shape in canvas.shapes {
          let strokes = try #require(ink.ink(of: shape))
          #expect(strokes.allSatisfy { $0.points.count == 2 }, "seed \(seed)")
        }
      }
      #expect(ink.count < 150)
      #expect(ink.pointCount == 2 * ink.count)
    }
  }

  @Test("Where room is needed, what only undo could bring back goes first")
  func room() throws {
    var canvas = LiveCanvas(recognizer: nil, model: try .standard())
    var ink = InkStore()
    for number in 0..<6 {
      let stroke = Stroke([Point(x: 200 * Double(number), y: 0), Point(x: 9, y: 9)])
      ink.keep(stroke, canvas.strokeCount)
      _ = try canvas.add(stroke, at: Double(number) * 9000)
      if number == 2 {
        ink.clear(canvas)
        _ = canvas.clear()
      }
    }
    ink.prune(canvas)
    #expect(ink.count == 6)
    ink.prune(canvas, onlySeen: true)
    #expect(ink.count == 3 && ink[3].points.count == 2 && ink[0].points.isEmpty)
  }

  @Test("Clearing and undoing again and again needs no more room")
  func again() throws {
    var canvas = LiveCanvas(recognizer: nil, model: try .standard())
    var ink = InkStore()
    ink.keep(Stroke([Point(x: 0, y: 0), Point(x: 9, y: 9)]), 0)
    _ = try canvas.add(Stroke([Point(x: 0, y: 0), Point(x: 9, y: 9)]), at: 0)
    for _ in 0..<300 {
      ink.clear(canvas)
      _ = canvas.clear()
      ink.undo()
      _ = canvas.undo()
    }
    #expect(ink.cleared.isEmpty && canvas.shapes.count == 1)
    for _ in 0..<300 {
      ink.clear(canvas)
      _ = canvas.clear()
    }
    #expect(ink.cleared.count <= canvas.settings.undoDepth + 1)
    // Undo goes back to the stroke as far as the canvas does.
    for _ in 0..<400 { ink.undo() }
    #expect(ink.cleared.isEmpty)
  }

  @Test("Of the last clients it is known how far they came, of those before nothing")
  func clients() {
    var clients = ClientMemory()
    for action in 0..<5000 { clients.note("tab", action) }
    #expect(clients.isDone("tab", 0) && clients.isDone("tab", 4999))
    #expect(!clients.isDone("tab", 5000) && !clients.isDone("other", 0))
    clients.note(nil, 7)
    #expect(!clients.isDone(nil, 7))
    for number in 0..<16 { clients.note("\(number)", 0) }
    #expect(clients.isDone("0", 0) && !clients.isDone("tab", 0))
  }
}
