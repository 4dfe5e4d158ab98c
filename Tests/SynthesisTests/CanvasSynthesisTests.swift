import Ink
import Testing

@testable import Synthesis

/// Timed drawings of crosses and boxes: two strokes 200 ms apart, each a second long.
private func drawings(_ label: String, count: Int) -> [Drawing] {
  (0..<count).map { number in
    let size = Double(40 + number)
    func line(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, from t: Double) -> Stroke {
      Stroke(
        (0...4).map { step in
          let share = Double(step) / 4
          return Point(x: x0 + (x1 - x0) * share, y: y0 + (y1 - y0) * share, t: t + 1000 * share)
        })
    }
    return Drawing(
      id: "\(label)-\(number)", label: label,
      strokes: [
        line(0, 0, size, size, from: 0), line(0, size, size, 0, from: 1200),
        line(0, size / 2, size, size / 2, from: 2400),
      ])
  }
}

@Suite("Synthetic canvases")
struct CanvasSynthesisTests {
  private func synthesizer(_ change: (inout CanvasSettings) -> Void = { _ in })
    throws -> CanvasSynthesizer
  {
    var settings = CanvasSettings()
    settings.lateShare = 0
    change(&settings)
    return try CanvasSynthesizer(
      drawings: drawings("a", count: 20) + drawings("b", count: 20),
      unknowns: drawings("c", count: 20), settings: settings)
  }

  @Test("The same seed gives the same canvas, whatever else is made; another seed another one")
  func deterministic() throws {
    let (first, second) = (try synthesizer(), try synthesizer())
    let canvases = (0..<6).map { first.canvas($0, seed: 3) }
    #expect((0..<6).reversed().map { second.canvas($0, seed: 3) } == canvases.reversed())
    #expect(first.canvas(0, seed: 4).drawing.strokes != canvases[0].drawing.strokes)
  }

  @Test("Every stroke is in exactly one shape, times never fall, and unknowns are on every canvas")
  func truth() throws {
    let synthesizer = try synthesizer { $0.lateShare = 0.5 }
    for number in 0..<40 {
      let made = synthesizer.canvas(number, seed: 1)
      let canvas = try LabeledCanvas(made.drawing)
      #expect(canvas.owners.allSatisfy { $0 != nil })
      #expect(canvas.shapes.allSatisfy { $0.strokes.count == 3 })
      #expect(canvas.shapes.contains { $0.label == "c" })
      #expect(made.sources.count == canvas.shapes.count)
      #expect(Set(made.sources).count == made.sources.count)
      let times = made.drawing.strokes.flatMap(\.points).compactMap(\.t)
      #expect(times == times.sorted())
      #expect(times.first == 0)
    }
  }

  @Test("A shape keeps its own pauses; between shapes there are 0.5 to 2.5 seconds")
  func pauses() throws {
    let made = try synthesizer().canvas(0, seed: 5)
    let canvas = try LabeledCanvas(made.drawing)
    let strokes = made.drawing.strokes
    for index in strokes.indices.dropFirst() {
      let start = try #require(strokes[index].points.first?.t)
      let end = try #require(strokes[index - 1].points.last?.t)
      if canvas.owners[index] == canvas.owners[index - 1] {
        #expect(start - end == 200)
      } else {
        // Times are whole milliseconds, so an end may be rounded.
        #expect((499...2501).contains(start - end))
      }
    }
  }

  @Test("Kinds come in their shares, and their shapes lie as their names say")
  func kinds() throws {
    let synthesizer = try synthesizer { $0.overShare = 1 }
    var counts: [CanvasKind: Int] = [:]
    for number in 0..<100 {
      let made = synthesizer.canvas(number, seed: 2)
      counts[made.kind, default: 0] += 1
      let canvas = try LabeledCanvas(made.drawing)
      let lines = canvas.shapes.map { shape in
        shape.strokes.compactMap { InkOutline(made.drawing.strokes[$0], count: 40) }
      }
      for index in lines.indices.dropFirst() {
        let nearest =
          lines[..<index].map { earlier in
            lines[index].flatMap { a in earlier.map { a.distance(to: $0) } }.min() ?? .infinity
          }.min() ?? .infinity
        switch made.kind {
        case .spread: #expect(nearest >= 19)
        // The boxes of crosses are as near as their ends at most; places are rounded to tenths of a
        // pixel.
        case .tight: #expect((0.8...120).contains(nearest))
        case .over: #expect(nearest < 1.3)
        case .scene: Issue.record("no scene was asked for")
        }
      }
    }
    for (kind, share) in [(CanvasKind.spread, 60), (.tight, 25), (.over, 15)] {
      #expect(abs((counts[kind] ?? 0) - share) <= 2)
    }
  }

  @Test("Scenes have shapes in other places for every seed, on the sheet, with or without times")
  func scenes() throws {
    for hasTimes in [true, false] {
      let synthesizer = try synthesizer {
        ($0.mix, $0.hasTimes, $0.lateShare) = ([.scene: 1], hasTimes, 0.3)
      }
      for number in 0..<30 {
        let made = synthesizer.canvas(number, seed: 9)
        #expect(made.kind == .scene)
        #expect(made == synthesizer.canvas(number, seed: 9))
        let canvas = try LabeledCanvas(made.drawing)
        #expect(canvas.owners.allSatisfy { $0 != nil })
        let points = made.drawing.strokes.flatMap(\.points)
        #expect(points.allSatisfy { (0...1280).contains($0.x) && (0...960).contains($0.y) })
        #expect(points.allSatisfy { ($0.t != nil) == hasTimes })
        let times = points.compactMap(\.t)
        #expect(times == times.sorted())
      }
    }
  }

  @Test("Tidy canvases have shapes of about one size in rows, with room between them")
  func rows() throws {
    let synthesizer = try synthesizer {
      $0.mix = [.spread: 1]
      $0.tidyShare = 1
    }
    for number in 0..<20 {
      let boxes = try LabeledCanvas(synthesizer.canvas(number, seed: 4).drawing).shapes.map(\.box)
      #expect(boxes.count >= 3)
      let sides = boxes.map(\.longerSide)
      #expect(try #require(sides.max()) / #require(sides.min()) < 1.1 / 0.9 + 0.01)
      for (a, b) in zip(boxes, boxes.dropFirst()) {
        // The next one is to the right, a little higher or lower at most, or begins a row below.
        #expect(b.x > a.x + a.width ? abs(b.y - a.y) <= 10 : b.x < 20 && b.y > a.y + a.height)
        #expect(a.gap(to: b) >= 29.8)
      }
    }
  }

  @Test("Canvases of repeats have one label, unknowns aside")
  func repeats() throws {
    let synthesizer = try synthesizer {
      $0.repeatShare = 1
      $0.shapes = 6...6
    }
    var labels: Set<Set<String>> = []
    for number in 0..<20 {
      let known = synthesizer.canvas(number, seed: 5).drawing.shapes.map(\.label)
        .filter { $0 != "c" }
      #expect(known.count >= 2 && Set(known).count == 1)
      labels.insert(Set(known))
    }
    #expect(labels == [["a"], ["b"]])
  }

  @Test("A late stroke comes behind strokes of a shape that was begun later")
  func late() throws {
    let synthesizer = try synthesizer { $0.lateShare = 1 }
    for number in 0..<20 {
      let canvas = try LabeledCanvas(synthesizer.canvas(number, seed: 8).drawing)
      // An interrupted shape's strokes lie apart, too.
      #expect(canvas.hasLateStrokes)
    }
    let none = try self.synthesizer()
    #expect(
      try (0..<20).allSatisfy {
        try !LabeledCanvas(none.canvas($0, seed: 8).drawing).hasLateStrokes
      })
  }

  @Test(
    "In haste pauses between shapes are as short as within; the usual one is half a second or more"
  )
  func haste() throws {
    for (share, range) in [(0.0, 499.0...2501), (1, 49...501)] {
      let synthesizer = try synthesizer {
        ($0.hastyShare, $0.lateShare) = (share, 0)
      }
      for number in 0..<20 {
        let canvas = synthesizer.canvas(number, seed: 3).drawing
        let firsts = canvas.shapes.compactMap(\.strokes.first).filter { $0 > 0 }
        #expect(firsts.count >= 2)
        for stroke in firsts {
          let start = try #require(canvas.strokes[stroke].points.first?.t)
          let end = try #require(canvas.strokes[stroke - 1].points.last?.t)
          #expect(range.contains(start - end))
        }
      }
    }
  }

  @Test("Of logarithmic pauses from 0.1 to 10 seconds as many are below one second as above")
  func logarithmicPauses() throws {
    let synthesizer = try synthesizer {
      ($0.pause, $0.pausesAreLogarithmic, $0.lateShare) = (100...10_000, true, 0)
    }
    var pauses: [Double] = []
    for number in 0..<200 {
      let canvas = synthesizer.canvas(number, seed: 6).drawing
      for stroke in canvas.shapes.compactMap(\.strokes.first) where stroke > 0 {
        let start = try #require(canvas.strokes[stroke].points.first?.t)
        let end = try #require(canvas.strokes[stroke - 1].points.last?.t)
        pauses.append(start - end)
      }
    }
    #expect(pauses.count > 300)
    #expect(pauses.allSatisfy { (99...10_001).contains($0) })
    let short = Double(pauses.count { $0 < 1000 }) / Double(pauses.count)
    #expect(abs(short - 0.5) < 0.06)
  }

  @Test("Two people have two tempos")
  func people() throws {
    let made = try synthesizer { $0.people = 2 }.canvas(1, seed: 11)
    let lengths = Set(
      made.drawing.strokes.map { stroke in
        ((stroke.points.last?.t ?? 0) - (stroke.points.first?.t ?? 0)) / 20
      }.map { $0.rounded() })
    #expect(lengths.count == 2)
  }

  @Test("Untimed drawings and none at all are refused; clocks that jump back are mended")
  func badDrawings() throws {
    #expect(throws: CanvasSynthesisError.noDrawings) { try CanvasSynthesizer(drawings: []) }
    let untimed = Drawing(id: "u", label: "a", strokes: [Stroke([Point(x: 0, y: 0)])])
    #expect(throws: CanvasSynthesisError.untimed(id: "u")) {
      try CanvasSynthesizer(drawings: [untimed])
    }
    for far in [
      Point(x: 1e100, y: 0, t: 9), Point(x: 9, y: -2e15, t: 9), Point(x: 9, y: 9, t: 1e99),
    ] {
      let drawing = Drawing(
        id: "f", label: "a", strokes: [Stroke([Point(x: 0, y: 0, t: 0), far])])
      #expect(throws: CanvasSynthesisError.tooFar(id: "f")) {
        try CanvasSynthesizer(drawings: [drawing])
      }
    }
    let jumping = Drawing(
      id: "j", label: "a",
      strokes: [Stroke([Point(x: 0, y: 0, t: 50), Point(x: 9, y: 0, t: 20)])])
    let made = try CanvasSynthesizer(drawings: [jumping]).canvas(0, seed: 1)
    #expect(made.drawing.strokes[0].points.map(\.t) == [0, 0])
  }
}
