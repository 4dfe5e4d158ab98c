import Foundation
import Ink
import Testing

@testable import Segmentation

@Suite("Placement")
struct PlacementTests {
  private let canvas = Drawing.Canvas(width: 400, height: 300)

  private func place(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Placement {
    Placement(for: BoundingBox(x: x, y: y, width: width, height: height), on: canvas)
  }

  @Test("F-006, B-014: the square is as large as the drawing's longer side, around its middle")
  func square() {
    #expect(place(100, 100, 60, 40) == Placement(x: 100, y: 90, side: 60))
    #expect(place(100, 100, 40, 60) == Placement(x: 90, y: 100, side: 60))
    #expect(place(100, 100, 60, 60) == Placement(x: 100, y: 100, side: 60))
  }

  @Test("A thin line gets a square as wide as it is long; a dot the least side")
  func thin() {
    #expect(place(100, 150, 200, 0) == Placement(x: 100, y: 50, side: 200))
    #expect(place(200, 100, 0, 100) == Placement(x: 150, y: 100, side: 100))
    // 3 % of 300.
    #expect(place(200, 150, 0, 0) == Placement(x: 195.5, y: 145.5, side: 9))
    #expect(
      Placement(for: BoundingBox(x: 5, y: 5, width: 0, height: 0))
        == Placement(x: -7, y: -7, side: 24))
  }

  @Test("The square stays on the canvas, also for drawings at its edge, larger than it, or outside")
  func edges() {
    #expect(place(0, 0, 60, 20) == Placement(x: 0, y: 0, side: 60))
    #expect(place(380, 290, 20, 10) == Placement(x: 380, y: 280, side: 20))
    // A line along the whole width: no square of 400 has room, the largest is 300.
    #expect(place(0, 290, 400, 5) == Placement(x: 50, y: 0, side: 300))
    #expect(place(-500, 900, 50, 50) == Placement(x: 0, y: 250, side: 50))
  }

  @Test("A canvas without area has no edges, and huge numbers give finite squares")
  func extremes() {
    let box = BoundingBox(x: 10, y: 10, width: 100, height: 50)
    let free = Placement(for: box)
    #expect(free == Placement(x: 10, y: -15, side: 100))
    for size in [(0.0, 0.0), (400, 0), (.infinity, 300)] {
      #expect(Placement(for: box, on: .init(width: size.0, height: size.1)) == free)
    }
    for box in [
      BoundingBox(x: -1e308, y: -1e308, width: .infinity, height: .infinity),
      BoundingBox(x: 1e308, y: 0, width: 1e308, height: 0),
    ] {
      for canvas in [nil, canvas] {
        let place = Placement(for: box, on: canvas)
        #expect(place.x.isFinite && place.y.isFinite && place.side.isFinite && place.side > 0)
        if canvas != nil {
          #expect(place.x >= 0 && place.x + place.side <= 400)
          #expect(place.y >= 0 && place.y + place.side <= 300)
        }
      }
    }
  }

  @Test("D-007: items are the same after writing and reading")
  func items() throws {
    let item = PlacedItem(
      shape: 3, label: "🏠", confidence: 0.75, placement: Placement(x: 1, y: 2.5, side: 40))
    let bytes = try JSONEncoder().encode([item])
    #expect(try JSONDecoder().decode([PlacedItem].self, from: bytes) == [item])
  }
}
