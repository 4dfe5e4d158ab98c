import Ink
import Recognition
import Testing

@testable import Segmentation

@Suite("Drawing over emojis, and finishing them late")
struct LiveCanvasRevisionTests {
  /// All strokes are one shape, wherever they are.
  private static let one = SegmenterModel.everywhere(join: 5)
  /// Three strokes are one shape rather than two and one; four are two pairs.
  private static let pairs = SegmenterModel.everywhere(join: -1, single: -3)

  /// A cross 80 wide with its emoji, 1,000 ms after its last ink at 300 ms.
  private func withEmoji(_ model: SegmenterModel) async throws -> LiveCanvas {
    var canvas = try liveCanvas(try await CanvasDoodles.recognizer, model: model) {
      $0.adapts = false
    }
    for stroke in cross(200, 100, from: 0) { _ = try canvas.add(stroke) }
    #expect(canvas.advance(to: 1300).map(summary) == ["recognized 0 cross"])
    return canvas
  }

  /// A line across the cross, in 100 ms.
  private func late(from start: Double) -> Stroke {
    Stroke([Point(x: 200, y: 140, t: start), Point(x: 280, y: 140, t: start + 100)])
  }

  @Test("G-014, US-015, F-015, B-013: an emoji stays while a shape is drawn over it at once")
  func drawingOver() async throws {
    var canvas = try await withEmoji(Self.pairs)
    let item = canvas.items[0]
    var told: [String] = []
    for (number, stroke) in cross(210, 110, from: 1300).enumerated() {
      told += try canvas.add(stroke).map(summary)
      #expect(canvas.items == [item])
      // The first stroke seems to finish the emoji, the second shows that it does not.
      #expect(canvas.state.open[1].group == (number == 0 ? [0, 1, 2] : [2, 3]))
    }
    told += canvas.finish().map(summary)
    #expect(told == ["pending 1 [2]", "pending 1 [2, 3]", "recognized 1 cross"])
    #expect(canvas.items[0] == item)
    #expect(canvas.shapes.map(\.strokes) == [[0, 1], [2, 3]])
  }

  @Test("F-015: a late dot is part of its emoji, also where it is taken for something else")
  func anyLateDot() async throws {
    let ring = Candidate(label: "ring", confidence: 0.9)
    for (group, decision) in [
      // Alone, and with a stroke of the emoji.
      ([2], .recognized(ring)), ([1, 2], .unrecognized(best: ring, because: .likeNothingTaught)),
    ] as [([Int], Recognition.Decision)] {
      var canvas = try await withEmoji(Self.one)
      let item = canvas.items[0]
      _ = try canvas.add(Stroke([Point(x: 220, y: 120, t: 1800)]))
      canvas.state.open[1].group = group
      canvas.state.open[1].answer = answer(decision)
      let told = canvas.advance(to: 3600).map(summary)
      #expect(told == ["revised 0 [0, 1, 2] instead of [1]"], "\(group)")
      #expect(canvas.items == [item])
    }
  }

  @Test(
    "F-015: an emoji keeps its late dots, also where later strokes finish it",
    arguments: [
      // The segmenter has all in one group, and is asked about a group that it does not have.
      ([0, 1, 2, 3], "revised 0 [0, 1, 2, 3] instead of [2]", [[0, 1, 2, 3]]),
      ([0, 1, 3], "recognized 2 ring", [[0, 1, 2], [3]]),
    ] as [([Int], String, [[Int]])])
  func dotsStay(group: [Int], told: String, shapes: [[Int]]) async throws {
    var canvas = try await withEmoji(Self.one)
    _ = try canvas.add(Stroke([Point(x: 220, y: 120, t: 1800)]))
    canvas.state.open[1].group = [2]
    _ = canvas.advance(to: 3600)
    #expect(canvas.state.open.map(\.dots) == [[[2]]])
    #expect(canvas.state.open.map(\.grouped) == [[0, 1]])
    _ = try canvas.add(late(from: 4000))
    canvas.state.open[1].group = group
    canvas.state.open[1].answer = answer(
      .recognized(Candidate(label: "cross", confidence: 0.9)))
    #expect(canvas.advance(to: 9000).map(summary) == [told])
    #expect(canvas.shapes.map(\.strokes) == shapes)
    #expect(canvas.items.first?.label == "cross")
  }

  @Test(
    "F-015: late dots in an emoji's box are part of it rather than refused alone",
    arguments: [
      // The cross is 80 wide, from (200, 100): a dot in it, one of a single point, one beside it,
      // and a line in it.
      ([(220, 120), (224, 124)], "revised 0 [0, 1, 2] instead of [1]"),
      ([(220, 120)], "revised 0 [0, 1, 2] instead of [1]"),
      ([(290, 120), (294, 124)], "unrecognized 1"), ([(210, 120), (235, 120)], "confused 1"),
    ] as [([(Double, Double)], String)])
  func lateDots(_ line: [(x: Double, y: Double)], told: String) async throws {
    var canvas = try await withEmoji(Self.one)
    let item = canvas.items[0]
    let points = line.enumerated().map { index, place in
      Point(x: place.x, y: place.y, t: 1800 + 80 * Double(index))
    }
    _ = try canvas.add(Stroke(points))
    // A segmenter that has it alone.
    canvas.state.open[1].group = [2]
    canvas.state.open[1].answer = answer(
      .unrecognized(best: Candidate(label: "ring", confidence: 0.4), because: .likeNothingTaught))
    #expect(canvas.advance(to: 3600).map(summary) == [told])
    #expect(canvas.items == [item])
  }

  @Test("F-015: a late stroke that finishes an emoji is added to it, which stays all the time")
  func lateStroke() async throws {
    var canvas = try await withEmoji(Self.one)
    let before = canvas.shapes
    #expect(try canvas.add(late(from: 1800)).map(summary) == ["pending 1 [2]"])
    #expect(canvas.items.count == 1)
    let ink = canvas.ink(of: 0)
    #expect(ink != nil)
    let told = canvas.advance(to: 60_000)
    #expect(told.map(summary) == ["revised 0 [0, 1, 2] instead of [1]"])
    #expect(told[0].decided == canvas.shapes[0])
    #expect(canvas.shapes.map(\.strokes) == [[0, 1, 2]])
    #expect(
      canvas.shapes[0].item?.placement == Placement(for: canvas.shapes[0].box, on: canvas.canvas))
    #expect(canvas.nextDeadline == nil)

    // Undo gives back the emoji as it was; its strokes are the same.
    #expect(canvas.undo().map(summary) == ["undone 2 [0] []"])
    #expect(canvas.shapes == before)
    #expect(canvas.ink(of: 0) == ink)
  }

  @Test("A stroke that joined an emoji leaves it when a later one shows that both are a shape")
  func leaving() async throws {
    var canvas = try await withEmoji(Self.pairs)
    let strokes = cross(210, 110, from: 1300)
    var told = try canvas.add(strokes[0]).map(summary)
    told += canvas.advance(to: 3200).map(summary)
    #expect(told == ["pending 1 [2]", "revised 0 [0, 1, 2] instead of [1]"])
    let second = Stroke(strokes[1].points.map { Point(x: $0.x, y: $0.y, t: ($0.t ?? 0) + 2000) })
    told = try canvas.add(second).map(summary) + canvas.finish().map(summary)
    #expect(told == ["pending 2 [3]", "revised 0 [0, 1]", "recognized 2 cross"])
    #expect(canvas.shapes.map(\.strokes) == [[0, 1], [2, 3]])
    #expect(canvas.items.map(\.label) == ["cross", "cross"])
    for shape in canvas.shapes {
      #expect(shape.item?.placement == Placement(for: shape.box, on: canvas.canvas))
    }
  }

  @Test("An emoji keeps its strokes where they would be taken for something that is rejected")
  func keeping() async throws {
    var canvas = try await withEmoji(Self.one)
    _ = try canvas.add(late(from: 1800))
    let before = canvas.items
    canvas.state.open[1].group = [1, 2]
    canvas.state.open[1].answer = answer(
      .unrecognized(best: Candidate(label: "ring", confidence: 0.4), because: .likeNothingTaught))
    // Then it is closed: what comes later is never mixed with it.
    let told = canvas.advance(to: 3600)
    #expect(told.compactMap(\.decided?.strokes) == [[2]])
    #expect(canvas.closed.map(\.strokes) == [[0, 1]])
    #expect(canvas.items.prefix(1) == before[...])
    _ = try canvas.add(late(from: 4000))
    _ = canvas.finish()
    #expect(canvas.shapes.map(\.strokes) == [[0, 1], [2, 3]])
  }

  @Test("Undone to before another recognizer came, strokes beside an emoji are decided on, too")
  func otherRecognizer() async throws {
    var canvas = try await withEmoji(Self.one)
    for start in [1800.0, 2000] { _ = try canvas.add(late(from: start)) }
    _ = canvas.replaceRecognizer(with: try await CanvasDoodles.recognizer)
    #expect(canvas.closed.map(\.strokes) == [[0, 1]])
    _ = canvas.undo()
    #expect(canvas.isBehind)
    #expect(canvas.shapes.map(\.strokes) == [[0, 1], [2]])
    let told = canvas.advance(to: 60_000)
    #expect(told.map(summary) == ["revised 0 [0, 1, 2] instead of [1]"])
  }

  @Test("Ink begun more than five seconds after an emoji's last ink never joins it")
  func tooLate() async throws {
    for (start, strokes) in [(5200.0, [[0, 1, 2]]), (5400, [[0, 1], [2]])] {
      var canvas = try await withEmoji(Self.one)
      _ = try canvas.add(late(from: start))
      _ = canvas.finish()
      #expect(canvas.shapes.map(\.strokes) == strokes)
    }
  }
}
