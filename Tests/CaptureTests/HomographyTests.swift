@testable import Capture
import Ink
import Numbers
import Testing
import Vectorizing

@Suite("Straightening")
struct HomographyTests {
  private static let square = [
    Point(x: 0, y: 0), Point(x: 1, y: 0), Point(x: 1, y: 1), Point(x: 0, y: 1),
  ]

  @Test("A square that is seen from its front side: its middle moves to where the diagonals cross")
  func trapezoid() throws {
    // The far side is half as long as the near one. Its diagonals cross at a third of the height.
    let map = try #require(
      Homography(
        from: Self.square,
        to: [Point(x: 1, y: 0), Point(x: 3, y: 0), Point(x: 4, y: 3), Point(x: 0, y: 3)]))
    let middle = map(Point(x: 0.5, y: 0.5))
    #expect(abs(middle.x - 2) < 1e-12 && abs(middle.y - 1) < 1e-12)
  }

  @Test("There and back again is where it began")
  func inverse() throws {
    var random = SeededGenerator(seed: 3)
    func near(_ point: Point, _ reach: Double) -> Point {
      Point(
        x: point.x + .random(in: -reach...reach, using: &random),
        y: point.y + .random(in: -reach...reach, using: &random))
    }
    for _ in 0..<100 {
      let other = Self.square.map { near($0, 0.2) }
      let there = try #require(Homography(from: Self.square, to: other))
      let back = try #require(Homography(from: other, to: Self.square))
      let place = near(Point(x: 0.5, y: 0.5), 0.5)
      #expect(back(there(place)).distance(to: place) < 1e-9)
    }
  }

  @Test("Three points on a line are no page")
  func degenerate() {
    let line = [Point(x: 0, y: 0), Point(x: 1, y: 1), Point(x: 2, y: 2), Point(x: 0, y: 1)]
    #expect(Homography(from: Self.square, to: line) == nil)
    #expect(Homography(from: line, to: Self.square) == nil)
  }

  @Test("A picture that is turned by a quarter")
  func warp() throws {
    let picture = GrayPicture(width: 2, height: 3, values: [1, 2, 3, 4, 5, 6])
    // The new picture's left column is the old one's bottom row.
    let map = try #require(
      Homography(
        from: [Point(x: 0, y: 0), Point(x: 3, y: 0), Point(x: 3, y: 2), Point(x: 0, y: 2)],
        to: [Point(x: 0, y: 3), Point(x: 0, y: 0), Point(x: 2, y: 0), Point(x: 2, y: 3)]))
    #expect(
      picture.warped(width: 3, height: 2, by: map.callAsFunction).values == [5, 3, 1, 6, 4, 2])
  }
}
