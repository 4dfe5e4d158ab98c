import Ink
import Numbers
import Testing

@testable import Datasets

@Suite("Mixing drawings")
struct DrawingMixerTests {
  /// A long line, a short one, and a dot.
  private let first = Drawing(
    id: "a", label: "first",
    strokes: [
      Stroke([Point(x: 0, y: 0), Point(x: 100, y: 0)]),
      Stroke([Point(x: 0, y: 0), Point(x: 0, y: 50)]), Stroke([Point(x: 20, y: 20)]),
    ])
  private let second = Drawing(
    id: "b", label: "second",
    strokes: [
      Stroke([Point(x: 500, y: 500), Point(x: 500, y: 700), Point(x: 600, y: 700)])
    ])

  @Test("Quarter turns are clockwise on screen, four of them change nothing")
  func turns() {
    let drawing = Drawing(strokes: [Stroke([Point(x: 1, y: 0, t: 5), Point(x: 2, y: 3)])])
    #expect(
      drawing.turned(quarters: 1).strokes == [
        Stroke([Point(x: 0, y: 1, t: 5), Point(x: -3, y: 2)])
      ])
    #expect(
      drawing.turned(quarters: 2).strokes == [
        Stroke([Point(x: -1, y: 0, t: 5), Point(x: -2, y: -3)])
      ])
    #expect(drawing.turned(quarters: -1) == drawing.turned(quarters: 3))
    #expect(drawing.turned(quarters: 1).turned(quarters: 3) == drawing)
    #expect(drawing.turned(quarters: 4) == drawing)
    #expect(
      drawing.turned(quarters: 1, mirrored: true).strokes == [
        Stroke([Point(x: 0, y: -1, t: 5), Point(x: -3, y: -2)])
      ])
  }

  @Test("Without strengths a mixed drawing is the first one without its label")
  func nothing() {
    var generator = SeededGenerator(seed: 1)
    let mixed = DrawingMixer()(first, second, changedBy: .none, using: &generator)
    #expect(mixed.strokes == first.strokes)
    #expect(mixed.label == nil)
  }

  @Test("The second drawing is laid over the first, in its size and beside its place")
  func overlay() {
    let mixer = DrawingMixer(overlay: 1, smallest: 0.3, shift: 0.7)
    var factors: [Double] = []
    for seed in 0..<200 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let mixed = mixer(first, second, changedBy: .none, using: &generator)
      #expect(mixed.strokes.count == 4)
      #expect(Array(mixed.strokes[..<3]) == first.strokes)
      // 200 × 100 units become 100 × 50 and then smaller.
      let length = mixed.strokes[3].length
      factors.append(length / 150)
      let points = mixed.strokes[3].points
      let (xs, ys) = (points.map(\.x), points.map(\.y))
      let center = (
        ((xs.min() ?? 0) + (xs.max() ?? 0)) / 2, ((ys.min() ?? 0) + (ys.max() ?? 0)) / 2
      )
      #expect(abs(center.0 - 50) <= 70.001 && abs(center.1 - 25) <= 70.001)
    }
    #expect(factors.allSatisfy { (0.2999...1.0001).contains($0) })
    #expect((factors.min() ?? 1) < 0.4 && (factors.max() ?? 0) > 0.9)
  }

  @Test("Strokes are left out as often as asked, the longest never")
  func dropping() {
    let mixer = DrawingMixer(overlay: 1, firstDropping: 0.3)
    var kept = [0, 0, 0]
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<1000 {
      let mixed = mixer(first, second, changedBy: .none, using: &generator)
      for (index, stroke) in first.strokes.enumerated() where mixed.strokes.contains(stroke) {
        kept[index] += 1
      }
    }
    #expect(kept[0] == 1000)
    #expect(abs(kept[1] - 700) < 60 && abs(kept[2] - 700) < 60)
  }

  @Test(
    "Dots, and one and the same drawing twice, give finite drawings of the same bytes for a seed")
  func degenerate() {
    let dot = Drawing(strokes: [Stroke([Point(x: 3, y: 4)])])
    let mixer = DrawingMixer(
      turning: 0.5, overlay: 1, firstDropping: 0.5, secondDropping: 0.5, smallest: 0.3, shift: 0.7)
    var random = SeededGenerator(seed: 9)
    let others = (0..<20).map { randomDrawing(&random, id: "\($0)") }
    for (a, b) in zip([dot, dot, first] + others, [dot, first, dot] + others.reversed()) {
      var one = SeededGenerator(seed: 2)
      var same = one
      let mixed = mixer(a, b, changedBy: .standard, using: &one)
      #expect(mixer(a, b, changedBy: .standard, using: &same) == mixed)
      #expect(!mixed.strokes.isEmpty)
      #expect(mixed.strokes.allSatisfy { $0.points.allSatisfy { $0.x.isFinite && $0.y.isFinite } })
    }
  }

  @Test("Numbers out of their range are named")
  func problems() {
    #expect(DrawingMixer().problem == nil)
    #expect(DrawingMixer(overlay: 1.5).problem == "overlay must be in 0...1, got 1.5")
    #expect(DrawingMixer(smallest: 0).problem == "smallest must be above 0")
    #expect(DrawingMixer(shift: .infinity).problem != nil)
    #expect(DrawingMixer(turning: .nan).problem != nil)
  }
}

@Suite("Sampling examples")
struct ExampleSamplerTests {
  private func shares(
    _ sampler: ExampleSampler, _ count: Int = 8000
  ) -> (labels: [String: Double], unlabeled: Double) {
    var labels: [String: Double] = [:]
    var unlabeled = 0.0
    for index in 0..<count {
      var generator = SeededGenerator(seed: 3, stream: index)
      let example = sampler.example(using: &generator)
      if let label = example.label {
        labels[sampler.classes[label], default: 0] += 1 / Double(count)
      } else {
        unlabeled += 1 / Double(count)
      }
    }
    return (labels, unlabeled)
  }

  @Test("The balance leads from equal drawings to equal labels")
  func balance() throws {
    let samples = try SampleSet(drawings([("many", 64), ("few", 4)]))
    for (balance, expected) in [(1.0, 4.0 / 68), (0.5, 2.0 / 10), (0, 0.5)] {
      let sampler = ExampleSampler(
        [(samples, .init())], settings: .init(balance: balance, augmentation: .none))
      #expect(sampler.classes == ["few", "many"])
      #expect(abs((shares(sampler).labels["few"] ?? 0) - expected) < 0.02)
    }
  }

  @Test("Slices of an epoch choose each drawing as often as its weight says")
  func slices() throws {
    let samples = try SampleSet(drawings([("many", 12), ("few", 4)]))
    for (balance, few, drawingsOfMany) in [(1.0, 4, 12), (0, 8, 8)] {
      let sampler = ExampleSampler(
        [(samples, .init())], settings: .init(balance: balance, augmentation: .none))
      let chosen = (0..<16).map { index in
        var generator = SeededGenerator(seed: 6, stream: index)
        let slice = (Double(index) / 16)..<(Double(index + 1) / 16)
        return sampler.example(in: slice, using: &generator)
      }
      #expect(chosen.count { $0.label == 0 } == few)
      let many = chosen.filter { $0.label == 1 }.map(\.drawing)
      #expect(Set(many).count == drawingsOfMany, "none comes twice")
    }
  }

  @Test("Sources have their weights, and turned drawings labels of their own")
  func sources() throws {
    let (one, other) = (try SampleSet(drawings([("a", 5)])), try SampleSet(drawings([("b", 5)])))
    let sampler = ExampleSampler(
      [(one, .init(weight: 3)), (other, .init(weight: 1, turning: 0.75))],
      settings: .init(augmentation: .none))
    #expect(sampler.classes == ["a", "b", "b@180", "b@270", "b@90"])
    let labels = shares(sampler).labels
    #expect(abs((labels["a"] ?? 0) - 0.75) < 0.02)
    for label in sampler.classes.dropFirst() {
      #expect(abs((labels[label] ?? 0) - 0.0625) < 0.015, "\(label)")
    }
    // What is labeled as turned is turned: a level line then stands upright.
    for index in 0..<200 {
      var generator = SeededGenerator(seed: 8, stream: index)
      let example = sampler.example(using: &generator)
      let points = example.drawing.strokes[0].points
      let (dx, dy) = (points[1].x - points[0].x, points[1].y - points[0].y)
      switch sampler.classes[example.label ?? -1] {
      case "b@90": #expect(dx == -1 && dy >= 10)
      case "b@180": #expect(dx <= -10 && dy == -1)
      case "b@270": #expect(dx == 1 && dy <= -10)
      default: #expect(dx >= 10 && dy == 1)
      }
    }
  }

  @Test("The asked share is mixed from all drawings, those without a label too")
  func mixing() throws {
    let extra = Drawing(strokes: [Stroke([Point(x: 0, y: 0), Point(x: 0, y: 9)])])
    let sampler = ExampleSampler(
      [(try SampleSet(drawings([("a", 5), ("b", 5)])), .init())], unlabeled: [extra],
      settings: .init(augmentation: .none, mixer: DrawingMixer(), mixedShare: 0.25))
    #expect(sampler.count == 10)
    #expect(sampler.poolCount == 11)
    #expect(abs(shares(sampler).unlabeled - 0.25) < 0.02)
    var sawExtra = 0
    for index in 0..<4000 {
      var generator = SeededGenerator(seed: 5, stream: index)
      let example = sampler.example(using: &generator)
      if example.drawing.strokes == extra.strokes {
        sawExtra += 1
        #expect(example.label == nil)
      }
    }
    #expect(abs(Double(sawExtra) / 4000 - 0.25 / 11) < 0.01)
  }

  @Test("The fingerprint names drawings, labels, shares and settings")
  func fingerprint() throws {
    let samples = try SampleSet(drawings([("a", 2), ("b", 2)]))
    func fingerprint(
      _ share: ExampleSampler.Share = .init(), _ settings: ExampleSampler.Settings = .init(),
      _ unlabeled: [Drawing] = []
    ) -> String {
      ExampleSampler([(samples, share)], unlabeled: unlabeled, settings: settings).fingerprint
    }
    #expect(fingerprint() == fingerprint())
    let all = [
      fingerprint(), fingerprint(.init(weight: 2)), fingerprint(.init(turning: 0.1)),
      fingerprint(.init(), .init(balance: 0.5)), fingerprint(.init(), .init(), samples.drawings),
      fingerprint(.init(), .init(augmentation: .none)),
      fingerprint(.init(), .init(mixer: DrawingMixer(), mixedShare: 0.1)),
    ]
    #expect(Set(all).count == all.count)
  }

  @Test("A turned drawing is never taken for one whose label says the same")
  func labelsLikeTurns() throws {
    let turned = try SampleSet(drawings([("a", 5), ("a@90", 5)]))
    let sampler = ExampleSampler(
      [(turned, .init(turning: 0.75)), (try SampleSet(drawings([("a@270'", 5)])), .init())],
      settings: .init(augmentation: .none))
    #expect(
      sampler.classes == [
        "a", "a@180", "a@270", "a@270'", "a@90", "a@90'", "a@90@180", "a@90@270", "a@90@90",
      ])
    for index in 0..<400 {
      var generator = SeededGenerator(seed: 9, stream: index)
      let example = sampler.example(using: &generator)
      let label = sampler.classes[example.label ?? -1]
      let points = example.drawing.strokes[0].points
      // Upright drawings go to the right.
      let isUpright = points[1].x - points[0].x >= 10
      #expect(isUpright == ["a", "a@90", "a@270'"].contains(label), "\(label)")
    }
  }
}
