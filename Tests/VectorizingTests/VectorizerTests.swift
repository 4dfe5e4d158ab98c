import Foundation
import Ink
import Numbers
import Pictures
import Testing
import Vectorizing

@Suite("Vectorizer")
struct VectorizerTests {
  private func trace(_ drawn: Drawn) throws -> Drawing { try Vectorizer()(drawn.picture) }

  @Test(
    "A line is one stroke from end to end, drawn rightwards or else downwards",
    arguments: [
      ((0.0, 0.0), (90.0, 0.0)), ((0, 0), (0, 90)), ((0, 0), (90, 90)), ((90, 0), (0, 90)),
      ((0, 20), (90, 0)), ((0, 0), (7, 90)),
    ] as [((Double, Double), (Double, Double))])
  func line(from: (Double, Double), to: (Double, Double)) throws {
    for pen in [1.5, 3, 7] {
      let drawn = try Drawn([[to, from]], pen: pen)
      let strokes = try trace(drawn).strokes
      try #require(strokes.count == 1)
      let (first, last) = (drawn.truth.strokes[0].points[1], drawn.truth.strokes[0].points[0])
      #expect(try #require(strokes[0].points.first).distance(to: first) < 0.5 + pen / 5)
      #expect(try #require(strokes[0].points.last).distance(to: last) < 0.5 + pen / 5)
      #expect(Drawing(strokes: strokes).farness(from: drawn.truth) < 0.3 + pen / 8)
    }
  }

  @Test("Two lines that cross are two strokes that run straight through, at any angle down to 30°")
  func crossing() throws {
    for degrees in [90.0, 60, 45, 30] {
      let turn = Transform.rotation(degrees * .pi / 180)
      let drawn = try Drawn([
        [(-50, 0), (50, 0)], [(-50 * turn.a, -50 * turn.b), (50 * turn.a, 50 * turn.b)],
      ])
      let found = try trace(drawn)
      #expect(found.strokes.count == 2, "\(degrees)°")
      for stroke in found.strokes {
        let (first, last) = (try #require(stroke.points.first), try #require(stroke.points.last))
        #expect(abs(first.distance(to: last) - stroke.length) < 0.3, "no zigzag at \(degrees)°")
      }
      #expect(found.farness(from: drawn.truth) < 1, "\(degrees)°")
    }
  }

  @Test("Where a line meets another's middle, it ends there, on it")
  func tee() throws {
    let drawn = try Drawn([[(0, 0), (90, 0)], [(45, 0), (45, 90)]])
    let found = try trace(drawn)
    try #require(found.strokes.count == 2)
    let (bar, stem) = (found.strokes[0], found.strokes[1])
    #expect(bar.points.allSatisfy { abs($0.y - drawn.truth.strokes[0].points[0].y) < 0.6 })
    let top = try #require(stem.points.first)
    #expect(top.distance(to: drawn.truth.strokes[1].points[0]) < 0.8)
    #expect(stem.points.allSatisfy { abs($0.x - top.x) < 0.6 })
  }

  @Test("A circle is one closed stroke from the top, counterclockwise")
  func circle() throws {
    let ring = (0...64).map { step in
      let turn = Transform.rotation(Double(step) * .pi / 32 + 1)
      return (turn.a * 40, turn.b * 40)
    }
    let drawn = try Drawn([ring])
    let found = try trace(drawn)
    try #require(found.strokes.count == 1)
    let points = found.strokes[0].points
    #expect(points.first == points.last)
    let top = try #require(points.first)
    #expect(points.allSatisfy { $0.y > top.y - 1.5 })
    #expect(points[points.count / 4].x < 40, "the left side comes first")
    #expect(found.farness(from: drawn.truth) < 0.7)
  }

  @Test("Corners stay corners: a square's, and a star's acute ones, in one stroke each")
  func corners() throws {
    for (count, step) in [(4, 1), (5, 2), (3, 1)] {
      for angle in [0.0, 0.3, 0.7] {
        let corners = (0...count).map { index in
          let turn = Transform.rotation(Double(index * step) * 2 * .pi / Double(count) + angle)
          return (turn.a * 40, turn.b * 40)
        }
        let drawn = try Drawn([corners])
        let found = try trace(drawn)
        #expect(found.strokes.count == 1, "\(count) corners")
        let tips = Drawing(strokes: drawn.truth.strokes[0].points.map { Stroke([$0]) })
        #expect(tips.distances(to: found, [1])[0] < 1.6)
      }
    }
  }

  @Test("Dots stay dots, beside lines and alone, and each is one point")
  func dots() throws {
    let drawn = try Drawn([[(0, 50), (90, 50)], [(20, 20)], [(70, 20)]])
    let found = try trace(drawn)
    #expect(found.strokes.map(\.points.count).filter { $0 == 1 }.count == 2)
    #expect(found.strokes.count == 3)
    #expect(found.farness(from: drawn.truth) < 0.6)
    let alone = try trace(Drawn([[(0, 0)]], pen: 9))
    try #require(alone.strokes.count == 1 && alone.strokes[0].points.count == 1)
    #expect(alone.strokes[0].points[0].distance(to: Point(x: 52.5, y: 52.5)) < 0.6)
  }

  @Test("The drawing has the picture's size, and no times, label or id")
  func frame() throws {
    let picture = GrayPicture(
      width: 40, height: 30,
      values: (0..<1200).map { (10...11).contains($0 / 40) && (5..<35).contains($0 % 40) ? 0 : 255 }
    )
    let drawing = try Vectorizer()(picture)
    #expect(drawing.canvas == Drawing.Canvas(width: 40, height: 30))
    #expect(drawing.id.isEmpty && drawing.label == nil)
    #expect(drawing.strokes.allSatisfy { $0.points.allSatisfy { $0.t == nil } })
    // Two rows of ink: their middle is the edge between them.
    #expect(drawing.strokes.flatMap(\.points).allSatisfy { abs($0.y - 11) < 0.3 })
    #expect(drawing.boundingBox.map { $0.x < 7 && $0.x + $0.width > 33 } == true)
  }

  @Test("A picture and its negative give the same drawing; so does saying which tone is ink")
  func polarity() throws {
    for doodle in doodles(4, seed: 5) {
      let drawn = try Drawn(doodle, side: 64, pen: 2)
      let found = try trace(drawn)
      #expect(try Vectorizer()(drawn.picture.inverted) == found)
      #expect(try Vectorizer(polarity: .darkInk)(drawn.picture) == found)
      #expect(try Vectorizer(polarity: .lightInk)(drawn.picture.inverted) == found)
    }
  }

  @Test("A dark frame around a page is neither the ground nor ink")
  func frameAround() throws {
    let drawn = try Drawn([[(0, 0), (90, 90)]])
    let framed = drawn.picture.mapped { row, column, tone in
      min(row, column, 104 - row, 104 - column) < 2 ? 0 : Double(tone)
    }
    let found = try Vectorizer()(framed)
    #expect(drawn.truth.distances(to: found, [0.95])[0] < 1, "the line is among the strokes")
    #expect(found.strokes.count == 1)
  }

  @Test(
    "A picture without ink is an error: white, black, one pixel, nearly one tone",
    arguments: [(30, 30, [255]), (30, 30, [0]), (1, 1, [0]), (1, 1, [255]), (20, 10, [250, 255])]
      as [(Int, Int, [UInt8])])
  func noInk(width: Int, height: Int, tones: [UInt8]) {
    let picture = GrayPicture(
      width: width, height: height, values: (0..<(width * height)).map { tones[$0 % tones.count] })
    #expect(throws: VectorizerError.noInk) { try Vectorizer()(picture) }
    #expect(throws: VectorizerError.noInk) { try Vectorizer(thresholding: .local)(picture) }
  }

  @Test("Lines that fill a large picture are an error")
  func dense() {
    // One line to and fro, two pixels from row to row: 300,000 pixels long, a mark of its own.
    let side = 800
    let values = (0..<(side * side)).map { index -> UInt8 in
      let (row, column) = (index / side, index % side)
      let end = row / 2 % 2 == 0 ? side - 3 : 2
      let isLine = (2..<(side - 2)).contains(row) && (2..<(side - 2)).contains(column)
      return isLine && (row % 2 == 0 || column == end) ? 0 : 255
    }
    let picture = GrayPicture(width: side, height: side, values: values)
    #expect(throws: VectorizerError.dense) { try Vectorizer()(picture) }
  }

  @Test("Texture is an error, not thousands of strokes")
  func texture() {
    var generator = SeededGenerator(seed: 1)
    let picture = GrayPicture(
      width: 60, height: 60, values: (0..<3600).map { _ in generator.chance(0.3) ? 0 : 255 })
    let error = #expect(throws: VectorizerError.self) {
      try Vectorizer(speckSize: 0, mostMarks: 20)(picture)
    }
    guard case .texture(let marks)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(marks > 20)
  }

  @Test("Any picture gives an error or finite strokes within it")
  func anything() throws {
    var generator = SeededGenerator(seed: 11)
    var drawings = 0
    for _ in 0..<150 {
      let (width, height) = (1 + generator.integer(below: 14), 1 + generator.integer(below: 14))
      let share = generator.unit()
      let picture = GrayPicture(
        width: width, height: height,
        values: (0..<(width * height)).map { _ in
          generator.chance(share) ? 0 : UInt8(generator.integer(below: 256))
        })
      for thresholding in [Vectorizer.Thresholding.global, .local] {
        guard let drawing = try? Vectorizer(thresholding: thresholding)(picture) else { continue }
        drawings += 1
        #expect(!drawing.strokes.isEmpty)
        for point in drawing.strokes.flatMap(\.points) {
          #expect((0...Double(width)).contains(point.x) && (0...Double(height)).contains(point.y))
        }
        #expect(drawing.strokes.allSatisfy { !$0.points.isEmpty })
      }
    }
    #expect(drawings > 150)
  }

  @Test("The same hyper-parameters come back from JSON, and give the same strokes")
  func coding() throws {
    let vectorizer = Vectorizer(polarity: .lightInk, thresholding: .local, tolerance: 0.2)
    let data = try JSONEncoder().encode(vectorizer)
    #expect(try JSONDecoder().decode(Vectorizer.self, from: data) == vectorizer)
  }
}
