import Files
import Foundation
import Ink
import Pictures
import TestTools
import Testing

/// The pictures in `Fixtures` show what the rasterizer made when they were last looked at by eye.
/// After a wanted change: `DRAWML_WRITE_GOLDEN=1 swift test --filter GoldenRasterTests`, look at
/// them, commit them.
@Suite("Golden rasters")
struct GoldenRasterTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var rasterizer = Rasterizer()
    var strokes: [[(Double, Double)]]

    var testDescription: String { name }

    var drawing: Drawing {
      Drawing(strokes: strokes.map(Stroke.init(at:)))
    }
  }

  /// Points on an ellipse's arc, angles in turns.
  private static func arc(
    _ x: Double, _ y: Double, _ radius: Double, from: Double = 0, to: Double = 1, count: Int = 24
  ) -> [(Double, Double)] {
    (0...count).map { index in
      let turns = from + (to - from) * Double(index) / Double(count)
      let turn = Transform.rotation(2 * .pi * turns)
      return (x + radius * turn.a, y + radius * turn.b)
    }
  }

  private static let star = (0...5).map { index in
    let turn = Transform.rotation(2 * .pi * (Double(index) * 0.4 - 0.25))
    return (turn.a, turn.b)
  }

  static let cases = [
    Case(name: "dot", strokes: [[(5, 5)]]),
    Case(name: "line", strokes: [[(0, 0), (9, 4)]]),
    Case(name: "cross", strokes: [[(0, 0), (10, 10)], [(10, 0), (0, 10)]]),
    Case(name: "square", strokes: [[(0, 0), (10, 0), (10, 10), (0, 10), (0, 0)]]),
    Case(name: "star", strokes: [star]),
    Case(
      name: "smiley",
      strokes: [
        arc(0, 0, 10), [(-4, -3)], [(4, -3)], arc(0, 1, 5, from: 0.05, to: 0.45, count: 8),
      ]),
    Case(
      name: "smiley-large",
      rasterizer: Rasterizer(width: 96, height: 96, strokeWidth: 5, margin: 4),
      strokes: [
        arc(0, 0, 10), [(-4, -3)], [(4, -3)], arc(0, 1, 5, from: 0.05, to: 0.45, count: 8),
      ]),
    Case(
      name: "spiral-wide", rasterizer: Rasterizer(width: 48, height: 32, strokeWidth: 1, margin: 2),
      strokes: [
        (0...60).map { index in
          let turn = Transform.rotation(Double(index) / 5)
          return (turn.a * Double(index), turn.b * Double(index))
        }
      ]),
  ]

  @Test("The pictures are those that were looked at", arguments: cases)
  func golden(_ golden: Case) throws {
    let raster = try golden.rasterizer(golden.drawing)
    if ProcessInfo.processInfo.environment["DRAWML_WRITE_GOLDEN"] != nil {
      let fixtures = Repository.path + "/Tests/InkTests/Fixtures"
      try AtomicFile.write(raster.png(), to: "\(fixtures)/\(golden.name).png")
    }
    let path = try #require(
      Bundle.module.path(forResource: golden.name, ofType: "png", inDirectory: "Fixtures"))
    let picture = try PNG.decode(AtomicFile.read(path), as: .gray)
    #expect(picture.width == raster.width)
    #expect(picture.height == raster.height)
    for (expected, value) in zip(picture.values, raster.bytes) {
      #expect(abs(Int(expected) - (255 - Int(value))) <= 1)
    }
  }

  @Test("A picture's two styles are each other's negatives")
  func styles() throws {
    let raster = Raster(width: 2, height: 1, values: [0, 0.2])
    #expect(raster.bytes == [0, 51])
    #expect(try PNG.decode(raster.png(.whiteOnBlack), as: .gray).values == [0, 51])
    #expect(try PNG.decode(raster.png(.blackOnWhite), as: .gray).values == [255, 204])
  }
}
