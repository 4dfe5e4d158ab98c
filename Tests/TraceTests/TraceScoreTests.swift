import Ink
import Numbers
import Testing

@testable import Trace

@Suite("Scores of traces")
struct TraceScoreTests {
  private func score(_ trace: [Stroke], over template: [Stroke]) throws(InkError) -> TraceScore {
    try TraceScorer(template).score(trace)
  }

  private func percent(_ trace: Drawing, over template: Drawing) throws -> Double {
    try score(trace.strokes, over: template.strokes).percent
  }

  @Test("TR-041: each template is a perfect trace of itself")
  func perfect() throws {
    for template in Template.bundled {
      let found = try score(template.drawing.strokes, over: template.drawing.strokes)
      #expect(found.percent == 100, "\(template.name)")
    }
  }

  @Test("TR-041: moved aslant by a tenth of its size, a trace stays below 50")
  func moved() throws {
    for template in Template.bundled {
      let moved = template.drawing.transformed(by: .translation(x: 57, y: 57))
      // The arcs of a rainbow are a tenth apart, and the bolt runs in that direction.
      guard !["rainbow", "lightning"].contains(template.name) else { continue }
      #expect(try percent(moved, over: template.drawing) < 50, "\(template.name)")
    }
  }

  @Test("TR-041: other shapes stay below 30, but for parts of it and shapes around it")
  func others() throws {
    let templates = Template.bundled
    var count = 0
    var low = 0
    for (index, template) in templates.enumerated() {
      for step in [1, 7, 19] {
        let other = templates[(index + step) % templates.count].drawing
        count += 1
        if try percent(other, over: template.drawing) < 30 { low += 1 }
      }
    }
    // 2,359 of all 2,652 pairs, when this was written.
    #expect(Double(low) > 0.85 * Double(count), "\(low) of \(count)")
    func named(_ name: String) throws -> Drawing {
      try #require(templates.first { $0.name == name }).drawing
    }
    let clock = try score(named("circle").strokes, over: named("clock").strokes)
    #expect(clock.precision == 1)
    #expect(clock.cover < 0.8)
  }

  @Test("TR-041: half of a line covers half of it, precisely")
  func half() throws {
    let line = [Stroke([Point(x: 0, y: 0), Point(x: 100, y: 0)])]
    let part = [Stroke([Point(x: 0, y: 0), Point(x: 50, y: 0)])]
    let found = try score(part, over: line)
    // The end reaches 4 % farther.
    #expect(abs(found.cover - 0.54) < 0.011)
    #expect(found.precision == 1)
    let back = try score(line, over: part)
    #expect(back.cover == 1)
    #expect(abs(back.precision - 0.52) < 0.011)
  }

  @Test("TR-041: it falls with jitter")
  func jitter() throws {
    var generator = SeededGenerator(seed: 41)
    let star = try #require(Template.bundled.first { $0.name == "star" }).drawing
    let size = 800.0
    let scores = try [0, 0.01, 0.03, 0.06, 0.12].map { deviation in
      var trace = star
      for stroke in trace.strokes.indices {
        trace.strokes[stroke] = star.strokes[stroke].resampled(spacing: 20)
        for point in trace.strokes[stroke].points.indices {
          trace.strokes[stroke].points[point].x += generator.normal(deviation: deviation * size)
          trace.strokes[stroke].points[point].y += generator.normal(deviation: deviation * size)
        }
      }
      return try percent(trace, over: star)
    }
    #expect(scores[0] > 99.5)
    #expect(scores == scores.sorted(by: >), "\(scores)")
    #expect(scores[1] > 90)
    #expect(scores[4] < 60)
  }

  @Test("Scale and place do not matter, as long as they are the same")
  func scale() throws {
    let star = try #require(Template.bundled.first { $0.name == "star" }).drawing
    let heart = try #require(Template.bundled.first { $0.name == "heart" }).drawing
    let small = Transform.scale(0.01).then(.translation(x: -30, y: 7))
    let whole = try percent(heart, over: star)
    let other = try percent(
      heart.transformed(by: small), over: star.transformed(by: small))
    #expect(abs(whole - other) < 0.5)
  }

  @Test("A dot over a dot, ink far away, and huge numbers have a score, too")
  func extremes() throws {
    func dot(_ x: Double) -> [Stroke] { [Stroke([Point(x: x, y: 0)])] }
    #expect(try score(dot(5), over: dot(5)).percent == 100)
    #expect(try score(dot(7), over: dot(5)).percent == 0)
    let far = [Stroke([Point(x: 0, y: 0), Point(x: 1e100, y: 1e100)])]
    let line = [Stroke([Point(x: 0, y: 0), Point(x: 1, y: 0)])]
    #expect(try score(far, over: line).precision < 0.01)
    #expect(try score(line, over: far).precision == 1)
  }

  @Test("Nothing, and numbers that are none, are refused")
  func hostile() {
    let line = [Stroke([Point(x: 0, y: 0), Point(x: 1, y: 0)])]
    #expect(throws: InkError.emptyDrawing) { try score([], over: line) }
    #expect(throws: InkError.emptyDrawing) { try score(line, over: [Stroke([])]) }
    #expect(throws: InkError.invalidNumber(stroke: 0, point: 1, axis: .x)) {
      try score([Stroke([Point(x: 0, y: 0), Point(x: .nan, y: 0)])], over: line)
    }
  }
}
