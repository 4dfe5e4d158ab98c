import Datasets
import Ink
import Numbers
import TestTools
import Testing

/// On drawings that people made. Set `DRAWML_SHARED_DATA`, or put them into `../shared/data`.
@Suite(
  "Real drawings",
  .enabled(if: SharedData.isPresent, "no real drawings at DRAWML_SHARED_DATA or ../shared/data"))
struct RealDrawingsTests {
  private let files = ["axe", "star", "key", "snail"]

  private func samples() throws -> SampleSet {
    try DatasetFiles.read(files.map { "\(SharedData.folder)/quickdraw/\($0).ndjson" }).samples()
  }

  @Test("Quick, Draw! files load, split in every class, and survive HDF5")
  func quickDraw() throws {
    let set = try samples()
    #expect(set.classes == files.sorted())
    #expect(set.repeats == 0)
    let split = Splitter(seed: 1).byDrawing(set)
    for part in [split.train, split.validation, split.test] {
      #expect(set.subset(part).classes == set.classes)
    }
    let folder = try TemporaryFolder()
    try DatasetFiles.write(set.drawings, to: folder.file("a.h5"))
    let again = try DatasetFiles.read([folder.file("a.h5")]).samples()
    #expect(again.fingerprint == set.fingerprint)
    let summary = SampleSummary(set)
    #expect(summary.withoutTimes == set.count)
    #expect(summary.drawingsPerClass.minimum >= 18)
  }

  @Test("Changed drawings stay within reach, keep points, and overlap what they were")
  func augmentation() throws {
    let set = try samples()
    let recipe = Augmentation.standard
    let rasterizer = Rasterizer(width: 14, height: 14, strokeWidth: 3, margin: 0)
    var generator = SeededGenerator(seed: 5)
    var similarities: [Float] = []
    for drawing in set.drawings.prefix(100) {
      let before = try #require(drawing.boundingBox)
      let copy = recipe(drawing, using: &generator)
      let after = try #require(copy.boundingBox)
      let reach = recipe.reach * max(before.width, before.height) + 1e-9
      #expect(after.x >= before.x - reach && after.y >= before.y - reach)
      #expect(after.x + after.width <= before.x + before.width + reach)
      #expect(after.y + after.height <= before.y + before.height + reach)
      #expect(!copy.strokes.contains { $0.points.isEmpty })
      let (a, b) = (try rasterizer(drawing).values, try rasterizer(copy).values)
      func product(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
      similarities.append(product(a, b) / (product(a, a) * product(b, b)).squareRoot())
    }
    let mean = similarities.reduce(0, +) / Float(similarities.count)
    #expect((0.6...0.95).contains(mean), "the recipe is strong, but a drawing stays itself")
  }
}
