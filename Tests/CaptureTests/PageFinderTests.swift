@testable import Capture
import Foundation
import Ink
import Numbers
import Testing
import Vectorizing

@Suite("Pages in photos")
struct PageFinderTests {
  /// A photo of an empty page between corners, on a table.
  private static func photo(
    _ corners: [Point], width: Int = 450, height: Int = 600, paper: Double = 225,
    table: Double = 90, seed: UInt64 = 1
  ) -> GrayPicture {
    var random = SeededGenerator(seed: seed)
    var values: [UInt8] = []
    for row in 0..<height {
      for column in 0..<width {
        let place = Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
        let isInside = corners.indices.allSatisfy { index in
          let (a, b) = (corners[index], corners[(index + 1) % 4])
          return (b.x - a.x) * (place.y - a.y) - (b.y - a.y) * (place.x - a.x) > 0
        }
        let light = 1 - 0.3 * Double(row) / Double(height)
        let tone = (isInside ? paper : table) * light + .random(in: -6...6, using: &random)
        values.append(UInt8(max(0, min(255, tone))))
      }
    }
    return GrayPicture(width: width, height: height, values: values)
  }

  /// Corners at places of a picture twice as large.
  private static func corners(_ values: [(Double, Double)]) -> [Point] {
    values.map { Point(x: $0.0 / 2, y: $0.1 / 2) }
  }

  @Test("CA-002: The corners of a page are found within a hundredth of the side")
  func found() throws {
    var random = SeededGenerator(seed: 40)
    for seed in 0..<20 {
      func near(_ x: Double, _ y: Double) -> (Double, Double) {
        (x + .random(in: -60...60, using: &random), y + .random(in: -60...60, using: &random))
      }
      let truth = Self.corners([near(150, 150), near(750, 150), near(750, 1050), near(150, 1050)])
      let picture = Self.photo(truth, seed: UInt64(seed))
      let page = try #require(PageFinder()(picture), "seed \(seed)")
      #expect(page.confidence > 0.8)
      for (corner, wanted) in zip(page.corners, truth) {
        #expect(corner.distance(to: wanted) < 3, "seed \(seed): \(corner), \(wanted)")
      }
    }
  }

  @Test(
    "CA-002: The first corner is the one nearest to the picture's top left, however a page lies")
  func firstCorner() throws {
    for degrees in [-40.0, -30, -20, 20, 30, 40] {
      let turn = degrees * .pi / 180
      let corners = [(-150.0, -90.0), (150, -90), (150, 90), (-150, 90)].map { x, y in
        Point(x: 225 + x * cos(turn) - y * sin(turn), y: 300 + x * sin(turn) + y * cos(turn))
      }
      let page = try #require(PageFinder()(Self.photo(corners)), "\(degrees) degrees")
      let origin = Point(x: 0, y: 0)
      let distances = page.corners.map { $0.distance(to: origin) }
      #expect(distances[0] == distances.min(), "\(degrees) degrees")
    }
  }

  @Test("A page on a lighter table, and one that is hardly lighter, is found")
  func tones() throws {
    let truth = Self.corners([(150, 200), (760, 170), (800, 1000), (120, 1020)])
    #expect(PageFinder()(Self.photo(truth, paper: 150, table: 230)) != nil)
    #expect(PageFinder()(Self.photo(truth, paper: 215, table: 180)) != nil)
  }

  @Test(
    "CA-008: What keeps no limit is no page: too narrow, too small, too oblique",
    arguments: [
      [(300.0, 100.0), (560, 100), (560, 1100), (300, 1100)],
      [(400, 500), (560, 500), (560, 700), (400, 700)],
      [(50, 150), (450, 150), (850, 900), (450, 900)],
    ])
  func limits(corners: [(Double, Double)]) {
    let picture = Self.photo(Self.corners(corners))
    #expect(PageFinder()(picture) == nil)
    let anything = PageFinder(
      minimumAspectRatio: 0.1, minimumSize: 0.05, quadratureTolerance: 60)
    #expect(anything(picture) != nil)
  }

  @Test("Print up to the edges, and a drawn square, are no pages: paper is on both sides")
  func ink() {
    var random = SeededGenerator(seed: 9)
    var (print, square) = (
      [UInt8](repeating: 250, count: 620 * 877), [UInt8](repeating: 250, count: 620 * 877)
    )
    for row in 0..<877 {
      for column in 0..<620 {
        // Lines of words of 20 pixels, with gaps, in a column with margins.
        let isLine = (45..<830).contains(row) && (row - 45) % 20 < 11
        if isLine, (45..<575).contains(column), .random(in: 0...1, using: &random) < 0.5 {
          print[row * 620 + column] = 30
        }
        let (x, y) = (abs(column - 310), abs(row - 440))
        if max(x, y) <= 150, max(x, y) > 144 { square[row * 620 + column] = 30 }
      }
    }
    for values in [print, square] {
      #expect(PageFinder()(GrayPicture(width: 620, height: 877, values: values)) == nil)
    }
  }

  @Test("Pictures without edges, and tiny ones, show no page")
  func nothing() {
    for (width, height) in [(1, 1), (5, 300), (200, 200)] {
      let picture = GrayPicture(
        width: width, height: height, values: .init(repeating: 128, count: width * height))
      #expect(PageFinder()(picture) == nil)
    }
  }
}
