import Files
import Foundation
import Ink
import Numbers
import TestTools
import Testing
import Text

@testable import Segmentation

@Suite("Segmenter")
struct SegmenterTests {
  private func segmenter(_ limits: Segmenter.Limits = .init()) throws -> Segmenter {
    Segmenter(recognizer: nil, model: try #require(Fitted.model), limits: limits)
  }

  @Test("Crosses come out whole, with their boxes, stroke by stroke")
  func crossesAreFound() throws {
    var segmenter = try segmenter()
    let canvas = try #require(crosses(7, seed: 90))
    for (index, stroke) in canvas.drawing.strokes.enumerated() {
      try segmenter.add(stroke)
      #expect(segmenter.segments.count == index / 2 + 1)
    }
    #expect(segmenter.segments.map(\.strokes) == canvas.shapes.map(\.strokes))
    #expect(segmenter.segments.map(\.box) == canvas.shapes.map(\.box))
    #expect(segmenter.segments.allSatisfy { $0.answer == nil })
  }

  @Test("A canvas a quarter or four times as large, or elsewhere, is grouped the same")
  func scale() throws {
    let canvas = try #require(crosses(5, seed: 91))
    for transform in [
      Transform.scale(0.25), .scale(4), .translation(x: -3000, y: 1e5),
    ] {
      var segmenter = try segmenter()
      for stroke in canvas.drawing.strokes {
        try segmenter.add(stroke.transformed(by: transform))
      }
      #expect(segmenter.segments.map(\.strokes) == canvas.shapes.map(\.strokes))
    }
  }

  @Test("A whole canvas is grouped in the order of its times, whatever the order of its strokes")
  func order() throws {
    let canvas = try #require(crosses(5, seed: 96))
    var generator = SeededGenerator(seed: 1)
    let order = generator.permutation(canvas.drawing.strokes.count)
    let shuffled = Drawing(strokes: order.map { canvas.drawing.strokes[$0] })
    let found = try segmenter().segments(of: shuffled).map { Set($0.strokes.map { order[$0] }) }
    #expect(found == canvas.shapes.map { Set($0.strokes) })
    let untimed = [Stroke([Point(x: 0, y: 0)]), Stroke([Point(x: 1, y: 0, t: 0)])]
    #expect(Segmenter.order(of: untimed) == [0, 1])
  }

  @Test("Without times, places alone decide")
  func untimed() throws {
    let canvas = try #require(crosses(5, seed: 92, timed: false))
    var segmenter = try segmenter()
    for stroke in canvas.drawing.strokes { try segmenter.add(stroke) }
    #expect(segmenter.segments.map(\.strokes) == canvas.shapes.map(\.strokes))
  }

  @Test(
    "Every stroke is in exactly one shape: dots, huge numbers, times that fall or are missing"
  )
  func nothingIsLost() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<10 {
      var segmenter = try segmenter()
      for _ in 0..<30 {
        let size = generator.pick([0.0, 1, 1e-9, 1e9])
        let time = generator.chance(0.5) ? generator.uniform(-1e6...1e6) : nil
        try segmenter.add(
          Stroke(
            (0..<(1 + generator.integer(below: 4))).map { _ in
              Point(
                x: generator.normal(deviation: size), y: generator.normal(deviation: size), t: time)
            }))
      }
      #expect(segmenter.segments.flatMap(\.strokes).sorted() == Array(0..<30))
    }
  }

  @Test("A bad stroke is an error that names its place, and changes nothing")
  func badStrokes() throws {
    var segmenter = try segmenter()
    try segmenter.add(line([(0, 0), (9, 9)], from: 0))
    #expect(throws: InkError.emptyDrawing) { try segmenter.add(Stroke([])) }
    #expect(throws: InkError.invalidNumber(stroke: 1, point: 1, axis: .y)) {
      try segmenter.add(Stroke([Point(x: 0, y: 0), Point(x: 1, y: .nan)]))
    }
    #expect(segmenter.segments.map(\.strokes) == [[0]])
  }

  @Test(
    "The bad stroke of a drawing is named by its place there, also where times order the strokes")
  func badStrokeOfDrawing() throws {
    let late = line([(0, 0), (9, 9)], from: 900)
    let bad = Stroke([Point(x: 0, y: 0, t: 5), Point(x: 1, y: .infinity, t: 6)])
    #expect(throws: InkError.invalidNumber(stroke: 1, point: 1, axis: .y)) {
      try segmenter().segments(of: Drawing(strokes: [late, bad]))
    }
  }

  @Test("A copy goes on by itself; cleared, it is as new")
  func values() throws {
    let canvas = try #require(crosses(4, seed: 93))
    var first = try segmenter()
    for stroke in canvas.drawing.strokes.prefix(4) { try first.add(stroke) }
    var second = first
    try second.add(canvas.drawing.strokes[4])
    #expect(first.segments.count == 2)
    #expect(second.segments.count == 3)
    var again = second.cleared()
    #expect(again.segments.isEmpty)
    for stroke in canvas.drawing.strokes.prefix(4) { try again.add(stroke) }
    #expect(again.segments == first.segments)
  }

  @Test("What is far behind the best is not looked at, and the shapes are the same")
  func margin() async throws {
    let recognizer = try await CanvasDoodles.recognizer
    let model = try SegmenterModel.standard()
    var (looks, shapes): ([Int], [[[Int]]]) = ([], [])
    for margin in [Float(0), 6, .infinity] {
      var limits = Segmenter.Limits()
      limits.margin = margin
      var segmenter = Segmenter(recognizer: recognizer, model: model, limits: limits)
      let canvas = try #require(crosses(4, seed: 99))
      for stroke in canvas.drawing.strokes { try segmenter.add(stroke) }
      looks.append(segmenter.readingCount)
      shapes.append(segmenter.segments.map(\.strokes))
    }
    #expect(looks[0] < looks[1] && looks[1] <= looks[2])
    #expect(shapes[1] == shapes[2])
  }

  @Test("What is kept does not grow with shapes long gone, beyond one entry a shape")
  func bounded() throws {
    var limits = Segmenter.Limits()
    limits.reach = 8
    var segmenter = try segmenter(limits)
    let canvas = try #require(crosses(60, seed: 94))
    for stroke in canvas.drawing.strokes { try segmenter.add(stroke) }
    #expect(segmenter.segments.count == 60)
    #expect(segmenter.groups.count <= 60 + 8 * limits.reach)
  }

  @Test("Settling shapes long gone keeps no group of theirs, and changes no shape")
  func settling() throws {
    var limits = Segmenter.Limits()
    limits.reach = 8
    var keeping = try segmenter(limits)
    limits.settles = true
    var settling = try segmenter(limits)
    let canvas = try #require(crosses(150, seed: 97))
    for stroke in canvas.drawing.strokes {
      try keeping.add(stroke)
      try settling.add(stroke)
      #expect(settling.groups.count <= 8 * limits.reach)
      #expect(settling.hypotheses.allSatisfy { $0.groups.count <= limits.reach })
    }
    // How sure a settled shape was is not asked again.
    #expect(settling.segments.map(\.strokes) == keeping.segments.map(\.strokes))
    #expect(settling.segments.allSatisfy { (0.5...1).contains($0.sureness) })
    #expect(settling.segments.map(\.strokes) == canvas.shapes.map(\.strokes))
  }

  @Test(
    "Strokes that come in another order than that of their times lose the pauses, not the places")
  func disorder() throws {
    let canvas = try #require(crosses(6, seed: 98))
    var generator = SeededGenerator(seed: 3)
    let order = generator.permutation(canvas.drawing.strokes.count)
    var segmenter = try segmenter()
    for index in order { try segmenter.add(canvas.drawing.strokes[index]) }
    let found = segmenter.segments.map { Set($0.strokes.map { order[$0] }) }
    #expect(Set(found) == Set(canvas.shapes.map { Set($0.strokes) }))

    // A pause is heard of, not after times that run back, and again after eight strokes in order.
    var history = StrokeHistory(reach: 64)
    var heard: [Bool] = []
    for start in [0.0, 1000, 200] + (1...9).map({ 200 + 1000 * Double($0) }) {
      let summary = try #require(StrokeSummary(line([(0, 0), (50, 0)], from: start)))
      heard.append(history.add(summary).pause != nil)
    }
    #expect(heard == [false, true] + [Bool](repeating: false, count: 8) + [true, true])
  }

  @Test(
    "A stroke of 100,000 points and a shape of 400 strokes are grouped, with the box of all points")
  func much() throws {
    var limits = Segmenter.Limits()
    limits.settles = true
    var segmenter = try segmenter(limits)
    let long = (0..<100_000).map { Point(x: Double($0 % 251), y: Double($0 % 83)) }
    try segmenter.add(Stroke(long))
    #expect(segmenter.segments.map(\.box) == [BoundingBox(x: 0, y: 0, width: 250, height: 82)])
    for number in 0..<400 {
      let x = Double(number % 20)
      try segmenter.add(line([(2000 + x, 0), (2020 - x, 90)], from: nil))
    }
    #expect(segmenter.segments.flatMap(\.strokes).sorted() == Array(0...400))
    #expect(segmenter.groups.count <= 8 * limits.reach)
  }

  @Test("The model that comes along can be read, and groups crosses without a recognizer")
  func standard() throws {
    var segmenter = Segmenter(recognizer: nil, model: try .standard())
    let canvas = try #require(crosses(5, seed: 95))
    for stroke in canvas.drawing.strokes { try segmenter.add(stroke) }
    #expect(segmenter.segments.map(\.strokes) == canvas.shapes.map(\.strokes))
  }

  @Test("A model is the same after writing and reading")
  func modelFile() throws {
    let model = try #require(Fitted.model)
    #expect(try SegmenterModel(json: model.json()) == model)
  }

  @Test("A file of a segmenter that cannot be used is refused with the field and why")
  func badFiles() throws {
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(SegmenterModel.standard().json()))
        as? [String: Any])
    let folder = try TemporaryFolder()
    let path = folder.file("s.json")
    let network: [String: Any] = ["inputShape": [3], "layers": []]
    let joined: [String: Any] = try #require(object["join"] as? [String: Any])
    let deviations = try #require(joined["deviations"] as? [Double])
    for (field, value, message) in [
      ("weights", [1, 2], "weights has 2 numbers; it must have"),
      ("weights", nil, "weights is missing"),
      (
        "weights", [3e38] + [Double](repeating: 0, count: GroupFeatures.count),
        "weights[0] is 3e+38; it must be from -1000 to 1000"
      ),
      ("join.first", [1], "join.first has 1 numbers; it must have"),
      ("join.output", [Int](), "join.output has 0 numbers; it must have 2 or more"),
      (
        "join.deviations", [0] + deviations.dropFirst(),
        "join.deviations[0] is 0.0; it must be 0.000001 or more"
      ),
      ("join.means", "x", "join.means must be a list"),
      (
        "wholeness.parameters", "AAA=",
        "wholeness.parameters has 1 numbers; the architecture needs"
      ),
      ("wholeness.parameters", "AHw=", "wholeness.parameters has a number that is not finite"),
      ("wholeness.parameters", "AAAA", "wholeness.parameters has 3 bytes"),
      ("wholeness.architecture", network, "wholeness.parameters has"),
      ("wholeness.architecture.inputShape", [3], "wholeness.architecture is wrong: "),
    ] as [(String, Any?, String)] {
      let keys = field.split(separator: ".").map(String.init)
      let changed = Repository.replaced(object, keys[...], value)
      try AtomicFile.write(Array(try JSONSerialization.data(withJSONObject: changed)), to: path)
      let error = #expect(throws: FileError.self) { try SegmenterModel(path: path) }
      let said = error?.description ?? "taken"
      #expect(said.hasPrefix("cannot read \(path): \(message)"), "\(said)")
      #expect(said.hasSuffix("; 'drawml train-segmenter' writes segmenters of this drawml"))
    }
  }
}
