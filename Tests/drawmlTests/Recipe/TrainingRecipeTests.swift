import Datasets
import Foundation
import Ink
import Recognition
import Support
import Testing

@testable import Benchmarks
@testable import drawml

/// The repository's own files.
enum Repository {
  static let path =
    URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  static let recipe = path + "/models/base-recipe.json"
  static let teacher = path + "/Tests/InterchangeTests/Fixtures/channels-last.mlmodel"

  /// The committed recipe with some values replaced; nil takes the key out.
  static func recipe(_ changes: [([String], Any?)]) throws -> Data {
    let data = try Data(contentsOf: URL(fileURLWithPath: recipe))
    var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    for (path, value) in changes { object = replaced(object, path[...], value) }
    return try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
  }

  private static func replaced(
    _ object: [String: Any], _ path: ArraySlice<String>, _ value: Any?
  ) -> [String: Any] {
    guard let key = path.first else { return object }
    var object = object
    if path.count == 1 {
      object[key] = value
    } else if key == "members", let members = object[key] as? [[String: Any]] {
      // "members" stands for the first of them.
      object[key] = [replaced(members[0], path.dropFirst(), value)] + members.dropFirst()
    } else {
      object[key] = replaced(object[key] as? [String: Any] ?? [:], path.dropFirst(), value)
    }
    return object
  }

  /// A tiny recipe, with a teacher or without.
  static func tinyRecipe(hasTeacher: Bool) throws -> Data {
    let distillation: Any =
      hasTeacher ? ["strokeWidth": 1, "margin": 0.5] as [String: Any] : NSNull()
    let full = try JSONSerialization.jsonObject(with: recipe([])) as? [String: Any]
    let views: [[String: Any]] = [
      [
        "rasterizer": [
          "width": 12, "height": 12, "strokeWidth": 1.2, "margin": 0.5, "channels": "inkAndFlow",
        ] as [String: Any]
      ], ["sequence": ["steps": 16]],
    ]
    let members = zip(full?["members"] as? [[String: Any]] ?? [], views).map { member, view in
      let changes: [([String], Any?)] = [
        (["view"], view), (["network", "channels"], [4, 6]), (["network", "blocks"], [0, 1]),
        (["network", "kernels"], [3, 3]), (["network", "dimension"], 8),
        (["training", "epochs"], 2), (["training", "examplesPerEpoch"], 48),
        (["training", "batchSize"], 16), (["training", "shardSize"], 8),
        (["training", "checkpointInterval"], 1),
      ]
      return changes.reduce(member) { replaced($0, $1.0[...], $1.1) }
    }
    return try recipe([
      (["members"], members), (["distillation"], distillation), (["heldOut", "validation"], 0.4),
      (["heldOut", "test"], 0),
      (["tasks"], ["count": 5, "ways": 2, "shots": 2, "queries": 3]),
    ])
  }
}

@Suite("Recipes")
struct TrainingRecipeTests {
  @Test("The committed recipe is sound")
  func committed() throws {
    let recipe = try TrainingRecipe(path: Repository.recipe)
    #expect(recipe.members.map(\.view.shape) == [[28, 28, 4], [1, 96, 6]])
    #expect(recipe.sources.map(\.name) == ["everyday", "characters"])
    let member = recipe.members[0]
    let plan = member.embeddingRecipe(describedAs: "x", teacher: "t")
    #expect(plan.blocks == member.network.blocks)
    #expect(plan.distillationWeight == member.teacherWeight)
    #expect(member.embeddingRecipe(describedAs: "x", teacher: nil).distillationWeight == 0)
  }

  @Test(
    "What is missing, unknown, of another kind or out of its range is named",
    arguments: [
      (["members"], [String](), "members must not be empty"),
      (
        ["members", "name"], "a/b",
        "members[0].name must be of letters, digits and hyphens, at most 64"
      ),
      (["members", "name"], "strokes", "members must not have one name twice"),
      (["members", "training", "epochs"], nil, "members[0].training.epochs is missing"),
      (
        ["members", "training", "epochs"], 0,
        "members[0].training.epochs is 0; it must be from 1 to 100000"
      ),
      (
        ["members", "training", "epochs"], "many",
        "members[0].training.epochs must be a whole number"
      ),
      (
        ["members", "training", "epochs"], 1.5,
        "members[0].training.epochs is 1.5, which is not a whole number"
      ),
      (["heldOut", "seed"], -1, "heldOut.seed is -1, which must not be below 0"),
      (["members", "training", "epoch"], 3, "members[0].training.epoch is not a key of a recipe"),
      (["colour"], 3, "colour is not a key of a recipe"),
      (["version"], 2, "version is 2; this drawml reads version 1"),
      (
        ["members", "network", "pooling"], "sum",
        "members[0].network.pooling has the value “sum”, which this drawml does not know"
      ),
      (
        ["members", "network", "blocks"], [1],
        "members[0].network.blocks must have one number for each"
      ),
      (
        ["members", "network", "kernels"], [3],
        "members[0].network.kernels must have one number for each"
      ),
      (
        ["members", "network", "kernels"], [3, 3, 4],
        "members[0].network.kernels[2] is 4; it must be odd"
      ),
      (
        ["members", "network", "channels"], [24, 9_000_000_000_000_000_000, 128],
        "members[0].network.channels[1] is 9000000000000000000; it must be from 1 to 1024"
      ),
      (
        ["members", "augmentation", "warpCells"], 1_000_000,
        "members[0].augmentation.warpCells is 1000000; it must be from 1 to 64"
      ),
      (
        ["members", "augmentation", "strokeWidth"], -1,
        "members[0].augmentation.strokeWidth is -1; it must be from 0 to 10"
      ),
      (
        ["members", "training", "shardSize"], 4096,
        "members[0].training needs about 4706 MB for a step; at most 2048 are allowed"
      ),
      (["sources"], [String](), "sources must not be empty"),
      (["balance"], -1, "balance is -1; it must be from 0 to 1"),
      (["mixing", "mixer", "overlay"], 7, "mixing.mixer is out of range: overlay must be"),
      (["mixing", "share"], 1, "mixing.share is 1; it must be from 0 to 0.99"),
      (["heldOut", "source"], "other", "heldOut.source names no source"),
      (["heldOut", "test"], 0.9, "heldOut.test and heldOut.validation leave nothing"),
      (["tasks", "ways"], 1, "tasks.ways is 1; it must be from 2 to 1000"),
      (
        ["members", "view", "rasterizer", "width"], 2,
        "members[0].view.rasterizer.strokeWidth is 1.5; a 2 × 28 raster has no room for it"
      ),
      (
        ["members", "view", "rasterizer", "width"], 1025,
        "members[0].view.rasterizer.width is 1025; it must be from 1 to 1024"
      ),
      // It fits as it is; the pen is widened at random, and that ended the process.
      (
        ["members", "view", "rasterizer", "strokeWidth"], 20,
        "members[0].view.rasterizer.strokeWidth is 20; with this margin and "
          + "augmentation.strokeWidth it must be below 19.23"
      ),
      (
        ["members", "view"], ["sequence": ["steps": 1]],
        "members[0].view.sequence.steps is 1; it must be from 2 to 65536"
      ),
    ] as [([String], (any Sendable)?, String)])
  func faults(path: [String], value: (any Sendable)?, message: String) throws {
    let data = try Repository.recipe([(path, value)])
    do {
      _ = try TrainingRecipe(Array(data), path: "r.json")
      Issue.record("it was taken")
    } catch {
      #expect("\(error)".hasPrefix("r.json: \(message)"), "\(error)")
    }
  }

  @Test("Text that is no JSON is refused")
  func noJSON() {
    #expect(throws: RecipeError.self) { try TrainingRecipe(Array("{".utf8), path: "r") }
  }

  @Test("Samples stand for the sources in order, or by name")
  func paths() throws {
    let sources = ["one", "two"].map {
      TrainingRecipe.Source(name: $0, weight: 1, turning: 0, inStatistics: true)
    }
    #expect(
      try RecipeOptions.paths(["a", "b"], for: sources) == ["one": ["a"], "two": ["b"]])
    #expect(
      try RecipeOptions.paths(["two=b", "a", "two=c=d"], for: sources)
        == ["one": ["a"], "two": ["b", "c=d"]])
    #expect(
      try RecipeOptions.paths(["x=1", "two=b"], for: sources) == ["one": ["x=1"], "two": ["b"]])
    for wrong in [["a"], ["a", "b", "c"], ["one=a"], ["one=a", "two=b", "c"]] {
      #expect(throws: CommandProblem.self) { try RecipeOptions.paths(wrong, for: sources) }
    }
  }

  @Test("Labels to hold out are read from lists, objects and lines")
  func heldOut() throws {
    let folder = try TestFolder()
    func labels(_ text: String) throws -> HeldOutLabels {
      try folder.write(text, to: "f")
      return try HeldOutLabels(path: folder.path + "/f")
    }
    #expect(try labels("[\"b\", \"a\", \"b\"]").validation == ["a", "b"])
    let both = try labels("{\"validation\":[\"x\"],\"test\":[\"z\",\"y\"]}")
    #expect(both.validation == ["x"] && both.test == ["y", "z"])
    #expect(both.all == ["x", "y", "z"])
    #expect(try labels("The Eiffel Tower\n\n  axe \r\n").validation == ["The Eiffel Tower", "axe"])
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

  @Test("Only processors with all parts of AVX-512 that the kernels need are given them")
  func kernels() {
    let flags = "flags\t\t: fpu sse avx2 avx512f avx512dq avx512cd avx512bw avx512vl\n"
    #expect(ProcessorKernels.coreType(for: "processor : 0\n" + flags) == "SkylakeX")
    #expect(
      ProcessorKernels.coreType(for: flags.replacingOccurrences(of: " avx512vl", with: "")) == nil)
    #expect(ProcessorKernels.coreType(for: "processor : 0\nFeatures : neon\n") == nil)
    #expect(ProcessorKernels.coreType(for: "") == nil)
  }
}
