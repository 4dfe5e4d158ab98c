import Ink
import Testing

@testable import Benchmarks

@Suite("Stream benchmark")
struct StreamBenchmarkTests {
  /// How many drawings are in a block where the longest has `count` points.
  private func blockSize(ofPoints count: Int) -> Int {
    let line = Stroke((0..<count).map { Point(x: Double($0), y: 0) })
    let pool = [Drawing(id: "a", strokes: [line])]
    return StreamBenchmark(pool: pool, count: 1, interval: 1, seed: 1, threads: 1).blockSize
  }

  @Test("a block holds 500 drawings, and no more than 100,000 points of any")
  func blocks() {
    #expect(blockSize(ofPoints: 2) == 500)
    #expect(blockSize(ofPoints: 200) == 500)
    #expect(blockSize(ofPoints: 1_000) == 100)
    #expect(blockSize(ofPoints: 600_000) == 1)
  }
}
