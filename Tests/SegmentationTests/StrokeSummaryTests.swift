import Ink
import Testing

@testable import Segmentation

@Suite("Stroke summaries")
struct StrokeSummaryTests {
  private func summary(_ points: [(Double, Double)]) throws -> StrokeSummary {
    try #require(StrokeSummary(Stroke(points.map { Point(x: $0.0, y: $0.1) })))
  }

  @Test("A closed stroke goes round what lies inside it, and an open one round nothing")
  func inside() throws {
    let square = try summary([(0, 0), (10, 0), (10, 10), (0, 10), (0, 0)])
    let corner = try summary([(0, 0), (10, 0), (10, 10)])
    let within = try summary([(2, 2), (8, 8)])
    let across = try summary([(5, 5), (5, 15)])
    #expect(within.share(of: square) == 1)
    #expect(square.share(of: within) == 0)
    #expect(across.share(of: square) == 0.5)
    #expect(within.share(of: corner) == 0)
    #expect(try summary([(20, 20), (30, 30)]).share(of: square) == 0)
  }
}
