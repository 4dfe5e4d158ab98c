import Datasets
import Files
import Foundation
import Ink
import Recognition
import TestTools
import Testing

@testable import Training

/// A source of a recipe, for all members or for those named.
private func source(named name: String, members: [String]? = nil) -> [String: any Sendable] {
  let source: [String: any Sendable] = [
    "name": name, "weight": 1, "turning": 0, "inStatistics": true,
  ]
  return members.map { source.merging(["members": $0]) { $1 } } ?? source
}

@Suite("Recipes")
struct TrainingRecipeTests {
  @Test("The committed recipes are sound")
  func committed() throws {
    let released = try TrainingRecipe(path: Repository.path + "/models/base-recipe.json")
    #expect(released.members.map(\.view.shape) == [[28, 28, 4], [1, 96, 6]])
    #expect(released.sources.map(\.name) == ["everyday", "characters", "more-characters"])
    let recipe = try TrainingRecipe(path: Repository.recipe)
    #expect(recipe.members.map(\.view.shape) == [[28, 28, 4], [1, 96, 6]])
    #expect(recipe.sources.map(\.name) == ["everyday", "characters"])
    let member = recipe.members[0]
    let plan = member.embeddingRecipe(describedAs: "x", teacher: "t", drawings: 9)
    #expect(plan.network.blocks == member.network.blocks)
    #expect(plan.distillationWeight == member.teacherWeight)
    #expect(
      member.embeddingRecipe(describedAs: "x", teacher: nil, drawings: 9).distillationWeight == 0)
  }

  // In a message @ is the path.
  @Test(
    "What is missing, unknown, of another kind or out of its range is named",
    arguments: [
      ("members", [String](), "@ must not be empty"),
      ("members[0].name", "a/b", "@ must be of letters, digits and hyphens, at most 64"),
      ("members[0].name", "strokes", "members must not have one name twice"),
      (
        "sources", [source(named: "a\0b")],
        "@[0].name has the control character U+0000, which cannot be seen; take it out"
      ),
      (
        "sources", [source(named: String(repeating: "🐧", count: 64) + "x")],
        "@[0].name is too long: 64 characters at most"
      ),
      (
        "sources", [source(named: String(repeating: "👩‍🚀", count: 30))],
        "the number of bytes of sources[0].name is 330; it must be from 1 to 256"
      ),
      (
        "sources", [source(named: "a", members: ["x"])],
        "@[0].members names \"x\", which is no member"
      ),
      ("sources", [source(named: "a", members: [])], "@[0].members must not be empty"),
      (
        "sources", [source(named: "a", members: ["strokes"])],
        "@ must have one for the member \"picture\""
      ),
      ("members[0].training.epochs", nil, "@ is missing"),
      ("members[0].training.epochs", 0, "@ is 0; it must be from 1 to 100000"),
      ("members[0].training.epochs", "many", "@ must be a whole number"),
      ("members[0].training.epochs", 1.5, "@ is 1.5, which is not a whole number"),
      ("heldOut.seed", -1, "@ is -1, which must not be below 0"),
      ("members[0].training.epoch", 3, "@ is not a key of a recipe"),
      ("colour", 3, "@ is not a key of a recipe"),
      ("version", 2, "@ is 2; this drawml reads version 1"),
      (
        "members[0].network.pooling", "sum",
        "@ has the value “sum”, which this drawml does not know"
      ),
      ("members[0].network.blocks", [1], "@ must have one number for each"),
      ("members[0].network.kernels", [3], "@ must have one number for each"),
      ("members[0].network.kernels", [3, 3, 4], "@[2] is 4; it must be odd"),
      (
        "members[0].network.channels", [24, 9_000_000_000_000_000_000, 128],
        "@[1] is 9000000000000000000; it must be from 1 to 1024"
      ),
      ("members[0].augmentation.warpCells", 1_000_000, "@ is 1000000; it must be from 1 to 64"),
      ("members[0].augmentation.strokeWidth", -1, "@ is -1; it must be from 0 to 10"),
      (
        "members[0].training.shardSize", 4096,
        "members[0].training needs about 4706 MB for a step; at most 2048 are allowed"
      ),
      ("sources", [String](), "@ must not be empty"),
      ("balance", -1, "@ is -1; it must be from 0 to 1"),
      ("mixing.mixer.overlay", 7, "mixing.mixer is out of range: overlay must be"),
      ("mixing.share", 1, "@ is 1; it must be from 0 to 0.99"),
      ("heldOut.source", "other", "@ names no source"),
      ("heldOut.test", 0.9, "@ and heldOut.validation leave nothing"),
      ("tasks.ways", 1, "@ is 1; it must be from 2 to 1000"),
      (
        "members[0].view.rasterizer.width", 2,
        "members[0].view.rasterizer.strokeWidth is 1.5; a 2 × 28 raster has no room for it"
      ),
      ("members[0].view.rasterizer.width", 1025, "@ is 1025; it must be from 1 to 1024"),
      // It fits as it is; the pen is widened at random, and that ended the process.
      (
        "members[0].view.rasterizer.strokeWidth", 20,
        "@ is 20; with this margin and augmentation.strokeWidth it must be below 19.23"
      ),
      (
        "members[0].view", ["sequence": ["steps": 1]],
        "@.sequence.steps is 1; it must be from 2 to 65536"
      ),
    ] as [(String, (any Sendable)?, String)])
  func faults(path: String, value: (any Sendable)?, message: String) throws {
    let keys = path.replacing("members[0]", with: "members").components(separatedBy: ".")
    let message = message.replacing("@", with: path)
    let data = try Repository.recipe([(keys, value)])
    do {
      _ = try TrainingRecipe(Array(data), path: "r.json")
      Issue.record("it was taken")
    } catch {
      #expect("\(error)".hasPrefix("r.json: \(message)"), "\(error)")
    }
  }

  @Test("Text that is no JSON is refused")
  func noJSON() {
    #expect(throws: ConfigurationError.self) { try TrainingRecipe(Array("{".utf8), path: "r") }
  }

  @Test("Labels to hold out are read from lists, objects and lines")
  func heldOut() throws {
    let folder = try TemporaryFolder()
    func labels(_ text: String) throws -> HeldOutLabels {
      try HeldOutLabels(path: folder.put(text, "f"))
    }
    #expect(try labels("[\"b\", \"a\", \"b\"]").validation == ["a", "b"])
    let both = try labels("{\"validation\":[\"x\"],\"test\":[\"z\",\"y\"]}")
    #expect(both.validation == ["x"] && both.test == ["y", "z"])
    #expect(both.all == ["x", "y", "z"])
    #expect(try labels("The Eiffel Tower\n\n  axe \r\n").validation == ["The Eiffel Tower", "axe"])
    // Of two spellings of an emoji the one of labels counts, else its drawings would be trained on.
    let hearts = try SampleSet([
      Drawing(label: "\u{2764}\u{FE0F}", strokes: [Stroke([.init(x: 0, y: 0)])])
    ])
    #expect(try labels("\u{2764}\n").missing(from: ["a": hearts]) == [])
    #expect(try labels("hart\n\u{2764}").missing(from: ["a": hearts]) == ["hart"])
    for (wrong, message) in [
      ("", "it names no labels"), ("[]", "it names no labels"),
      ("{\"validation\":3}", "validation must be a list"),
      ("{\"validation\":[]}", "test is missing"), ("[1]", "[0] must be a text"),
      ("[\"a\"", "it is not JSON: "),
    ] {
      let error = #expect(throws: FileError.self) { try labels(wrong) }
      let said = error?.description ?? ""
      #expect(said.hasPrefix("cannot read \(folder.path)/f: \(message)"), "\(said)")
    }
  }
}
