import Datasets
import Foundation
import Ink
import Synthesis
import Testing

@testable import Benchmarks
@testable import Training

@Suite("Facts of scenes")
struct SceneFactsTests {
  @Test("The facts of a scene that can be counted by hand")
  func byHand() throws {
    // A house with two windows, the second drawn first of all, and a sun far away.
    let canvas = try BoxCanvas.canvas(
      [
        ("window", (60, 20, 20, 20), 2), ("house", (0, 0, 100, 100), 1),
        ("window", (20, 20, 20, 20), 2), ("sun", (900, 400, 50, 50), 5),
      ], sheet: Drawing.Canvas(width: 1000, height: 500))
    let facts = try SceneFacts([canvas])
    #expect(facts.scenes == 1)
    #expect(facts.percentiles[.shapesPerScene] == [4, 4, 4, 4, 4])
    #expect(facts.percentiles[.strokesPerScene] == [10, 10, 10, 10, 10])
    // Of 1, 2, 2 and 5.
    #expect(facts.percentiles[.strokesPerShape]?[2] == 2)
    // Of 0.02, 0.02, 0.05 and 0.1.
    #expect(try #require(facts.percentiles[.side]?[2]).rounded(digits: 6) == 0.035)
    #expect(try #require(facts.percentiles[.sideRatio]?[2]).rounded(digits: 6) == 5)
    #expect(facts.shares[.inside] == 0.5 && facts.shares[.around] == 0.25)
    #expect(facts.shares[.across] == 0)
    // The diagonal of the house crosses that of one window; the other is 20 · √2 = 28 away.
    #expect(facts.shares[.touching] == 0.5 && facts.shares[.near] == 0.75)
    // Of the two pairs of a window in the house, one was begun before the house.
    #expect(facts.shares[.outerFirst] == 0.5)
    #expect(facts.shares[.repeated] == 0)
    #expect(facts.shares[.late] == 0)
  }

  /// What the 364 training scenes of FrISS are like (Kütük and Sezgin, WACV 2025,
  /// arXiv:2410.00266), as `drawml dataset info` tells: the table of docs/research/scenes.md.
  private static let drawn:
    (percentiles: [SceneFacts.Measure: [Double]], shares: [SceneFacts.Share: Double]) = (
      [
        .shapesPerScene: [3, 4, 5, 7, 10], .strokesPerShape: [1, 2, 4, 7, 12],
        .side: [0.047, 0.087, 0.174, 0.310, 0.531],
        .sideRatio: [1.795, 3.66, 6.432, 12.529, 20.955],
      ],
      [
        .inside: 0.283, .around: 0.110, .across: 0.411, .touching: 0.488, .near: 0.843,
        .outerFirst: 0.909, .repeated: 0.293,
      ]
    )

  @Test("Synthetic scenes are like those that people drew")
  func likeLife() throws {
    let shapes = Synthesizer(seed: 3)
    let drawings = (0..<6).flatMap { index in
      ShapeCatalog.all.map { shapes.drawing(of: $0, index: index) }
    }
    var settings = CanvasSettings()
    (settings.mix, settings.hasTimes) = ([.scene: 1], false)
    let synthesizer = try CanvasSynthesizer(drawings: drawings, settings: settings)
    let scenes = try (0..<300).map { try LabeledCanvas(synthesizer.canvas($0, seed: 7).drawing) }
    let facts = try SceneFacts(scenes)
    for measure in [SceneFacts.Measure.shapesPerScene, .side, .sideRatio] {
      for (found, expected) in zip(
        facts.percentiles[measure] ?? [], Self.drawn.percentiles[measure] ?? [])
      {
        #expect(abs(log(found / expected)) < 0.45, "\(measure): \(found), in life \(expected)")
      }
    }
    for (share, expected) in Self.drawn.shares {
      let found = facts.shares[share] ?? 0
      #expect(abs(found - expected) < 0.1, "\(share): \(found), in life \(expected)")
    }
    #expect(
      scenes.allSatisfy { $0.drawing.strokes.allSatisfy { $0.points.allSatisfy { $0.t == nil } } })
  }
}

extension Double {
  fileprivate func rounded(digits: Int) -> Double {
    let scale = pow(10, Double(digits))
    return (self * scale).rounded() / scale
  }
}
