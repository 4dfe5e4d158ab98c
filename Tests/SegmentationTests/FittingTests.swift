import Ink
import Numbers
import Synchronization
import Testing

@testable import Segmentation

/// The slope of `function` along each number, by differences.
private func slopes(
  at point: [Float], step: Float = 1e-2, _ function: ([Float]) -> Double
) -> [Double] {
  point.indices.map { k in
    var (up, down) = (point, point)
    up[k] += step
    down[k] -= step
    return (function(up) - function(down)) / Double(up[k] - down[k])
  }
}

@Suite("Fitting a segmenter")
struct FittingTests {
  @Test("Joinings name the group that a stroke joins, among those before it")
  func decisions() throws {
    let canvas = try LabeledCanvas(
      Drawing(
        strokes: (0..<4).map { line([(Double($0) * 10, 0), (Double($0) * 10, 5)], from: 0) },
        shapes: [
          .init(strokes: [0, 3], label: "a"), .init(strokes: [1], label: "b"),
          .init(strokes: [2], label: "c"),
        ]))
    let decisions = Joining.all(on: canvas, reach: 64)
    #expect(decisions.map(\.choice) == [nil, nil, nil, 0])
    #expect(decisions.map { $0.features.count / JoinFeatures.count } == [0, 1, 2, 3])
    // With a reach of one stroke, the first shape is out of sight.
    #expect(Joining.all(on: canvas, reach: 1).map(\.choice) == [nil, nil, nil, nil])
  }

  @Test(
    "After a mistake a new shape joins nothing, and what belongs to the mixed group is left out"
  )
  func mistakes() throws {
    let canvas = try LabeledCanvas(
      Drawing(
        strokes: (0..<5).map { line([(Double($0) * 10, 0), (Double($0) * 10, 5)], from: 0) },
        shapes: [
          .init(strokes: [0, 2], label: "a"), .init(strokes: [1, 3], label: "b"),
          .init(strokes: [4], label: "c"),
        ]))
    let decisions = Joining.all(on: canvas, reach: 64, mistake: \.first)
    // Shape b is put into a's group: strokes 2 and 3 have no right place.
    #expect(decisions.map(\.choice) == [nil, nil, nil])
    #expect(decisions.map { $0.features.count / JoinFeatures.count } == [0, 1, 1])
  }

  @Test("Features do not depend on scale, and without times they do not hear of pauses")
  func features() throws {
    let canvas = try #require(crosses(4, seed: 3))
    let large = try LabeledCanvas(
      Drawing(
        strokes: canvas.drawing.strokes.map { $0.transformed(by: .scale(64)) },
        shapes: canvas.drawing.shapes))
    let (a, b) = (Joining.all(on: canvas, reach: 64), Joining.all(on: large, reach: 64))
    for (one, other) in zip(a, b) {
      for (x, y) in zip(one.features, other.features) { #expect(abs(x - y) < 1e-4) }
    }
    let untimed = canvas.withoutTimes()
    for decision in Joining.all(on: untimed, reach: 64) {
      for start in stride(from: 0, to: decision.features.count, by: JoinFeatures.count) {
        #expect((decision.features[(start + 30)..<(start + 39)].allSatisfy { $0 == 0 }))
      }
    }
  }

  @Test("The join network's gradient is the slope of its loss")
  func joinGradient() throws {
    var generator = SeededGenerator(seed: 4)
    let decisions = [(2, 1), (3, nil), (1, 0)].map { (groups: Int, choice: Int?) in
      Joining(
        features: (0..<(groups * JoinFeatures.count)).map { _ in Float(generator.normal()) },
        choice: choice)
    }
    let units = 2
    let point = (0..<(units * (JoinFeatures.count + 1) + units * (units + 1) + units + 1)).map {
      _ in
      Float(generator.normal(deviation: 0.3))
    }
    func loss(_ point: [Float]) -> (value: Double, gradient: [Float]) {
      JoinFit.loss(point, decisions, units: units)
    }
    for (found, slope) in zip(loss(point).gradient, slopes(at: point) { loss($0).value }) {
      #expect(abs(Double(found) - slope) < 2e-3)
    }
  }

  @Test("A fit tells how far it is, and is the same however many canvases are searched at once")
  func wholeFit() async throws {
    let canvases = (0..<10).compactMap { crosses(4, seed: UInt64($0)) }
    var models: [SegmenterModel] = []
    for threads in [1, 2] {
      var fit = SegmenterFit(seed: 1, threads: threads)
      fit.groupsPerCanvas = 10
      let searched = Mutex<[[Int]]>([])
      models.append(
        try await fit(places: canvases, worlds: []) { event in
          guard case .searched(let done, let count) = event else { return }
          searched.withLock { $0.append([done, count]) }
        })
      #expect(searched.withLock { $0 } == (1...8).map { [$0, 8] } + [[1, 2], [2, 2]])
    }
    #expect(models[0] == models[1])
    let judged = try #require(crosses(5, seed: 99))
    var segmenter = Segmenter(recognizer: nil, model: models[0])
    for stroke in judged.drawing.strokes { try segmenter.add(stroke) }
    #expect(segmenter.segments.map(\.strokes) == judged.shapes.map(\.strokes))
  }

  @Test("A fit that keeps a wholeness network trains the rest around it")
  func keptWholeness() async throws {
    let canvases = (0..<10).compactMap { crosses(4, seed: UInt64($0)) }
    var fit = SegmenterFit(seed: 2)
    fit.wholenessSource = try SegmenterModel.standard()
    let searched = Mutex(0)
    let model = try await fit(places: canvases, worlds: []) { event in
      if case .searched = event { searched.withLock { $0 += 1 } }
    }
    // Only the canvases that weigh the terms are searched.
    #expect(searched.withLock { $0 } == 2)
    #expect(model.wholeness != nil)
    #expect(model.wholeness == fit.wholenessSource?.wholeness)
    #expect(model.join != fit.wholenessSource?.join)
  }

  @Test("Weights make the true groupings likeliest")
  func ranking() {
    var generator = SeededGenerator(seed: 2)
    let count = 1 + GroupFeatures.count
    let rankings = (0..<40).map { _ in
      // The first term is higher for the true grouping, the second lower, the others tell nothing.
      var ranking = Ranking(
        terms: [1, -1] + (2..<count).map { _ in Float(generator.normal()) })
      for _ in 0..<3 {
        ranking.add(grouping: [0, 0] + (2..<count).map { _ in Float(generator.normal()) })
      }
      return ranking
    }
    let weights = Ranking.weights(
      rankings, from: [Float](repeating: 0, count: count), fitted: (0..<count).map { $0 != 5 },
      penalty: 0.01)
    #expect(weights[0] > 0.5)
    #expect(weights[1] < -0.5)
    #expect(weights[5] == 0)
  }

  @Test(
    "Grouping crosses by distance is perfect, and a wrong decision spoils both shapes beside it"
  )
  func plain() throws {
    let canvases = (0..<6).compactMap { crosses(5, seed: UInt64($0)) }
    for cue in PlainGrouping.Cue.allCases {
      let plain = PlainGrouping(cue, fittedTo: canvases)
      let judged = try #require(crosses(4, seed: 77))
      #expect(plain.perfectShapes(on: judged) == [true, true, true, true])
      // Without the truth, too.
      #expect(plain.shapes(of: judged.drawing.strokes) == judged.shapes.map(\.strokes))
      #expect(plain.shapes(of: []).isEmpty)
    }
    // Two crosses in one place, at once: nothing tells them apart.
    let one = try #require(crosses(1, seed: 5)).drawing.strokes
    let both = try LabeledCanvas(
      Drawing(
        strokes: one + one,
        shapes: [.init(strokes: [0, 1], label: "a"), .init(strokes: [2, 3], label: "b")]))
    let plain = PlainGrouping(.distance, fittedTo: canvases)
    #expect(plain.perfectShapes(on: both) == [false, false])
    #expect(plain.shapes(of: both.drawing.strokes) == [[0, 1, 2, 3]])
    // A stroke that cannot be placed is in none.
    #expect(plain.shapes(of: one + [Stroke([])]) == [[0, 1]])
  }
}
