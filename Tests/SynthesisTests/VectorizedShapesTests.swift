import Datasets
import Foundation
import Ink
import Pictures
import TestTools
import Testing
import Vectorizing

@testable import Synthesis

/// What the vectorizer finds in pictures of human-like and of human drawings; limits are a little
/// above what was measured.
@Suite("Vectorized shapes")
struct VectorizedShapesTests {
  /// How the strokes found in a picture differ from those drawn.
  private struct Difference {
    /// The distance that 95 in 100 points drawn are not farther from the strokes found, and the
    /// other way round.
    var missing: Double
    var invented: Double
    /// Strokes found less strokes drawn.
    var strokes: Int
    /// Of the two drawings as the rasterizer's standard pixels.
    var cosine: Float
    var meanDifference: Float

    init(of drawing: Drawing, side: Int = 105, pen: Double = 3) throws {
      let rasterizer = Rasterizer(width: side, height: side, strokeWidth: pen, margin: 4)
      let inset = 4 + pen / 2
      let truth = try drawing.normalized(side: Double(side) - 2 * inset)
        .transformed(by: .translation(x: inset, y: inset))
      let found = try Vectorizer()(GrayPicture(try rasterizer(drawing)))
      missing = Self.farness(of: truth, from: found)
      invented = Self.farness(of: found, from: truth)
      strokes = found.strokes.count - drawing.strokes.count
      let (x, y) = (try Rasterizer()(truth).values, try Rasterizer()(found).values)
      func product(_ a: [Float], _ b: [Float]) -> Float {
        zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
      }
      cosine = product(x, y) / (product(x, x) * product(y, y)).squareRoot()
      meanDifference = zip(x, y).reduce(0) { $0 + abs($1.0 - $1.1) } / Float(x.count)
    }

    private static func farness(of drawing: Drawing, from other: Drawing) -> Double {
      func dense(_ drawing: Drawing) -> [Point] {
        drawing.strokes.flatMap {
          $0.points.count > 1 ? $0.resampled(spacing: 1).points : $0.points
        }
      }
      let others = dense(other)
      let distances = dense(drawing).map { point in
        others.reduce(Double.infinity) { min($0, point.distance(to: $1)) }
      }.sorted()
      return distances[min(distances.count - 1, distances.count * 95 / 100)]
    }
  }

  private func check(_ drawings: [Drawing]) throws {
    let differences = try drawings.map { try Difference(of: $0) }
    func mean(_ value: (Difference) -> Double) -> Double {
      differences.reduce(0) { $0 + value($1) } / Double(differences.count)
    }
    #expect(mean(\.missing) < 1)
    #expect(mean(\.invented) < 0.8)
    #expect(mean { Double($0.cosine) } > 0.985)
    #expect(mean { Double($0.meanDifference) } < 0.02)
    #expect(mean { abs(Double($0.strokes)) } < 2)
    for (drawing, difference) in zip(drawings, differences) {
      #expect(difference.missing < 3 && difference.cosine > 0.93, "\(drawing.id)")
    }
  }

  @Test("Synthetic shapes of the catalog, drawn with a pen of 3 pixels in 105, come back")
  func catalog() throws {
    let kinds = stride(from: 0, to: ShapeCatalog.all.count, by: 4).map { ShapeCatalog.all[$0] }
    try check(kinds.map { Synthesizer(seed: 77).drawing(of: $0, index: 0) })
  }

  @Test(
    "Characters that people drew come back",
    .enabled(if: SharedData.isPresent, "there are no real drawings in \(SharedData.folder)"))
  func omniglot() throws {
    let all = try DatasetFiles.read(["\(SharedData.folder)/omniglot/omniglot-strokes.ndjson"])
      .drawings
    try check(stride(from: 0, to: all.count, by: 400).map { all[$0] })
  }
}
