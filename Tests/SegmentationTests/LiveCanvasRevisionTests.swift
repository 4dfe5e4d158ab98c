import Ink
import Recognition
import Support
import TestTools
import Testing

@testable import Segmentation

@Suite("Drawing over emojis, and finishing them late")
struct LiveCanvasRevisionTests {
  /// A model that gives every revision the same score.
  private static func always(_ score: Float) -> RevisionModel {
    RevisionModel(weights: [score] + [Float](repeating: 0, count: Revision.featureCount))
  }

  private func canvas(_ revision: RevisionModel?) async throws -> LiveCanvas {
    var model = try #require(Fitted.model)
    model.revision = revision
    var settings = LiveCanvas.Settings()
    settings.adapts = false
    return LiveCanvas(
      recognizer: try await CanvasDoodles.recognizer, model: model,
      canvas: .init(width: 600, height: 400), settings: settings)
  }

  /// A cross 80 wide with its emoji, 1,000 ms after its last ink at 300 ms.
  private func withEmoji(model: RevisionModel?) async throws -> LiveCanvas {
    var canvas = try await canvas(model)
    for stroke in cross(200, 100, from: 0) { _ = try canvas.add(stroke) }
    #expect(canvas.advance(to: 1300).map(summary) == ["recognized 0 cross"])
    return canvas
  }

  private func withEmoji(revisionScore: Float?) async throws -> LiveCanvas {
    try await withEmoji(model: revisionScore.map(Self.always))
  }

  /// A line across the cross, in 100 ms.
  private func late(from start: Double) -> Stroke {
    Stroke([Point(x: 200, y: 140, t: start), Point(x: 280, y: 140, t: start + 100)])
  }

  @Test("G-014, US-015, F-015, B-013: an emoji stays while a shape is drawn over it at once")
  func drawingOver() async throws {
    for score in [nil, -1] as [Float?] {
      var canvas = try await withEmoji(revisionScore: score)
      let item = canvas.items[0]
      var told: [String] = []
      for stroke in cross(210, 110, from: 1300) {
        told += try canvas.add(stroke).map(summary)
        #expect(canvas.items == [item])
      }
      told += canvas.finish().map(summary)
      #expect(told == ["pending 1 [2]", "pending 1 [2, 3]", "recognized 1 cross"])
      #expect(canvas.items[0] == item)
      #expect(canvas.shapes.map(\.strokes) == [[0, 1], [2, 3]])
    }
  }

  @Test("F-015: a late stroke that finishes an emoji is added to it, which stays all the time")
  func lateStroke() async throws {
    var canvas = try await withEmoji(revisionScore: 1)
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

  @Test("A rejected stroke on an emoji waits three settle times for more, a recognized shape one")
  func waiting() async throws {
    var canvas = try await withEmoji(revisionScore: 1)
    _ = try canvas.add(late(from: 1800))
    let best = Candidate(label: "ring", confidence: 0.4)
    for index in canvas.state.open.indices {
      canvas.state.open[index].decision = .unrecognized(best: best, because: .likeNothingTaught)
    }
    #expect(canvas.advance(to: 1900 + 3 * 850 - 1).isEmpty)
    #expect(canvas.advance(to: 1900 + 3 * 850).map(\.milliseconds) == [4450])

    var other = try await withEmoji(revisionScore: 1)
    _ = try other.add(late(from: 1800))
    for index in other.state.open.indices {
      other.state.open[index].decision = .recognized(best)
    }
    #expect(other.advance(to: 9000).map(\.milliseconds) == [2750])
  }

  @Test("Of two emojis, the one that a late stroke belongs to gets it")
  func choosing() async throws {
    for x in [200.0, 300] {
      // The likelier, the nearer: the fourth feature is the logarithm of the distance.
      var weights = [Float](repeating: 0, count: 1 + Revision.featureCount)
      (weights[0], weights[4]) = (-3, -1)
      var canvas = try await withEmoji(model: RevisionModel(weights: weights))
      for stroke in cross(300, 100, from: 1300) { _ = try canvas.add(stroke) }
      _ = canvas.advance(to: 2600)
      #expect(canvas.shapes.map(\.strokes) == [[0, 1], [2, 3]])
      _ = try canvas.add(
        Stroke([Point(x: x, y: 140, t: 2600), Point(x: x + 80, y: 140, t: 2700)]))
      _ = canvas.finish()
      let joined = x == 200 ? [[0, 1, 4], [2, 3]] : [[0, 1], [2, 3, 4]]
      #expect(canvas.shapes.map(\.strokes) == joined)
    }
  }

  @Test("An emoji's drawing has at most 32 strokes with those that finish it")
  func mostStrokes() async throws {
    var canvas = try await withEmoji(revisionScore: 1)
    var time = 1300.0
    for _ in 0..<40 {
      _ = try canvas.add(late(from: time))
      time = try #require(canvas.nextDeadline)
      _ = canvas.advance(to: time)
    }
    #expect((3...32).contains(canvas.shapes[0].strokes.count))
    #expect(canvas.shapes.count > 1)
    #expect(canvas.shapes.flatMap(\.strokes).sorted() == Array(0..<42))
  }

  @Test("Ink begun more than five seconds after an emoji's last ink, or far away, never joins it")
  func tooLate() async throws {
    var canvas = try await withEmoji(revisionScore: 1)
    _ = try canvas.add(late(from: 5400))
    _ = canvas.finish()
    #expect(canvas.shapes.map(\.strokes) == [[0, 1], [2]])

    var other = try await withEmoji(revisionScore: 1)
    for stroke in cross(400, 300, from: 1800) { _ = try other.add(stroke) }
    _ = other.finish()
    #expect(other.shapes.map(\.strokes) == [[0, 1], [2, 3]])
  }

  @Test("Features do not depend on scale")
  func features() async throws {
    let canvas = try await canvas(nil)
    func features(scale: Double) throws -> [Float] {
      let strokes = cross(200, 100, from: 0) + [late(from: 1800)]
      let ink = try strokes.enumerated().map { number, stroke in
        let large = stroke.transformed(by: .scale(scale))
        return LiveCanvas.WindowStroke(
          number: number, stroke: large, box: try #require(BoundingBox(large.points)),
          start: stroke.points[0].t ?? 0, end: stroke.points[1].t ?? 0)
      }
      let revision = Revision(of: Array(ink[..<2]), with: [ink[2]], by: canvas.segmenter)
      return try #require(revision?.features)
    }
    let usual = try features(scale: 1)
    #expect(usual.count == Revision.featureCount)
    for (one, other) in zip(usual, try features(scale: 64)) {
      #expect(abs(one - other) < 1e-3)
    }
  }

  @Test(
    "A fit tells late strokes from others, and a file keeps it; older files get the standard one")
  func fit() throws {
    var generator = SeededGenerator(seed: 6)
    let examples = (0..<400).map { number in
      var features = (0..<Revision.featureCount).map { _ in Float(generator.normal()) }
      let isOne = number % 4 > 0
      features[3] += isOne ? 2 : -2
      return RevisionExample(features: features, isOne: isOne)
    }
    let revision = try #require(RevisionFit()(Array(examples[..<300])))
    let right = examples[300...].count { (revision.score($0.features) > 0) == $0.isOne }
    #expect(right >= 90)
    #expect(RevisionFit()(examples.filter(\.isOne)) == nil)

    var model = try #require(Fitted.model)
    let folder = try TemporaryFolder()
    let path = folder.file("segmenter.json")
    try AtomicFile.write(model.json(), to: path)
    #expect(try SegmenterModel(path: path).revision == SegmenterModel.standard().revision)
    #expect(try SegmenterModel.standard().revision != nil)
    model.revision = revision
    try AtomicFile.write(model.json(), to: path)
    #expect(try SegmenterModel(path: path) == model)
    model.revision?.weights[0] = 2000
    try AtomicFile.write(model.json(), to: path)
    #expect(throws: FileError.self) { try SegmenterModel(path: path) }
  }
}
