import Ink
import Numbers
import Testing

@testable import Report

@Suite("Pictures of drawings in reports")
struct PictureTests {
  @Test("A drawing of any size has a path on whole units; extents below 1e-300 are a dot")
  func sizes() {
    func path(_ x: Double, _ y: Double = 0) -> String {
      Gallery.path(of: Drawing(strokes: [Stroke([Point(x: 0, y: 0), Point(x: x, y: y)])]))
    }
    #expect(path(10) == "M8 64l112 0")
    for size in [1e-299, 1e-30, 1, 1e100] { #expect(path(size) == "M8 64l112 0") }
    for size in [0, Double.leastNonzeroMagnitude, .leastNormalMagnitude] {
      #expect(path(size, size) == "M64 64h0")
    }
  }

  @Test("A line from the edge of the sheet outwards is painted")
  func edge() {
    var sheet = PixelSheet(width: 30, height: 20)
    sheet.paint(Point(x: 32.5, y: 0.5), Point(x: 29.5, y: 4.5), radius: 1, [0, 0, 0])
    #expect(sheet.pixels[(4 * 30 + 29) * 4] == 0)
  }

  @Test("A painted line covers the pixels near it, whichever way it goes, and no others")
  func lines() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      func place() -> Point {
        Point(x: generator.uniform(-9...39), y: generator.pick([4.5, generator.uniform(-9...29)]))
      }
      let (a, b, radius) = (place(), place(), generator.pick([0.5, 1.7]))
      var sheet = PixelSheet(width: 30, height: 20)
      sheet.paint(a, b, radius: radius, [0, 0, 0])
      for row in 0..<20 {
        for column in 0..<30 {
          let pixel = Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
          let isPainted = sheet.pixels[(row * 30 + column) * 4] < 255
          let distance = pixel.distance(from: a, to: b)
          // One in 255 of cover cannot be seen.
          if distance < radius + 0.45 { #expect(isPainted, "\(a) \(b) \(pixel)") }
          if distance > radius + 0.5 { #expect(!isPainted, "\(a) \(b) \(pixel)") }
        }
      }
    }
  }
}

extension Point {
  /// The distance to a line from `a` to `b`.
  fileprivate func distance(from a: Point, to b: Point) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let along = ((x - a.x) * dx + (y - a.y) * dy) / max(dx * dx + dy * dy, 1e-12)
    return distance(to: a.interpolated(to: b, max(0, min(1, along))))
  }
}
