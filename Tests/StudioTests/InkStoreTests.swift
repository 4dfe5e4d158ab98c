import Ink
import Numbers
import Segmentation
import Testing

@testable import Studio

@Suite("The ink that a playground keeps")
struct InkStoreTests {
  @Test("After anything that is drawn, corrected and undone, shapes without emoji have their ink")
  func random() throws {
    var pruned = 0
    for seed in UInt64(1)...6 {
      var generator = SeededGenerator(seed: seed)
      var settings = LiveCanvas.Settings()
      (settings.undoDepth, settings.mostOpenStrokes, settings.reach) = (10, 16, 8)
      var canvas = LiveCanvas(
        recognizer: nil, model: try .standard(), canvas: .init(width: 600, height: 400),
        settings: settings)
      var (ink, time) = (InkStore(spare: 3), 0.0)
      for _ in 0..<250 {
        time += generator.uniform(100...4000)
        let shapes = canvas.shapes.filter { !$0.isPending }
        let shape = shapes.isEmpty ? nil : generator.pick(shapes)
        switch (generator.integer(below: 16), shape) {
        case (0..<4, _): _ = canvas.undo(at: time)
        case (4, _): _ = canvas.clear(at: time)
        case (5, _): _ = canvas.cancel(at: time)
        case (6..<8, let shape?): _ = canvas.correct(shape.id, .label("a"), at: time)
        case (8, let shape?) where ink.isKnown(shape):
          _ = canvas.correct(shape.id, .reject, at: time)
        case (9, let shape?): _ = canvas.correct(shape.id, .remove, at: time)
        case (10, let shape?): _ = canvas.join([shape.id, shapes[0].id], at: time)
        case (11, let shape?): _ = canvas.split(shape.id, off: [shape.strokes[0]], at: time)
        default:
          let (x, y) = (generator.uniform(0...500), generator.uniform(0...300))
          let stroke = Stroke([
            Point(x: x, y: y, t: time), Point(x: x + 50, y: y + 9, t: time + 90),
          ])
          ink.keep(stroke, canvas.strokeCount)
          _ = try canvas.add(stroke)
        }
        let before = ink.count
        ink.prune(canvas)
        if ink.count < before { pruned += 1 }
        for shape in canvas.shapes where shape.item == nil {
          #expect(ink.isKnown(shape), "seed \(seed)")
        }
      }
      #expect(ink.pointCount == 2 * ink.count)
    }
    #expect(pruned > 10)
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
        _ = canvas.clear()
      }
    }
    ink.prune(canvas)
    #expect(ink.count == 6)
    ink.prune(canvas, onlySeen: true)
    #expect(ink.count == 3 && ink[3].points.count == 2 && ink[0].points.isEmpty)
  }

  @Test("The newest actions are known by their ids")
  func applied() {
    var applied = AppliedActions()
    for number in 0..<AppliedActions.most { applied.insert("\(number)") }
    // One that is known takes no room.
    applied.insert("7")
    #expect(applied.contains("0") && !applied.contains("new") && !applied.contains(nil))
    applied.insert(nil)
    for number in 0..<3 { applied.insert("new \(number)") }
    #expect(!applied.contains("2") && applied.contains("3") && applied.contains("new 2"))
  }
}
