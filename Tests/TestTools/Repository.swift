public import Foundation

/// The repository's own files.
public enum Repository {
  /// Its folder.
  public static let path =
    URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// The recipe of the smaller released base model.
  public static let recipe = path + "/models/base-slim-recipe.json"
  /// A small Core ML network.
  public static let teacher = path + "/Tests/InterchangeTests/Fixtures/channels-last.mlmodel"

  /// That recipe with some values replaced; nil takes the key out.
  public static func recipe(_ changes: [([String], Any?)]) throws -> Data {
    let data = try Data(contentsOf: URL(fileURLWithPath: recipe))
    var object = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    for (path, value) in changes { object = replaced(object, path[...], value) }
    return try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
  }

  /// An object of JSON with another value at a path; nil takes the key out.
  public static func replaced(
    _ object: [String: Any], _ path: ArraySlice<String>, _ value: Any?
  ) -> [String: Any] {
    guard let key = path.first else { return object }
    var object = object
    if path.count == 1 {
      object[key] = value
    } else if key == "members", let members = object[key] as? [[String: Any]] {
      // "members" means the first member.
      object[key] = [replaced(members[0], path.dropFirst(), value)] + members.dropFirst()
    } else {
      object[key] = replaced(object[key] as? [String: Any] ?? [:], path.dropFirst(), value)
    }
    return object
  }

  /// A tiny recipe, with a teacher or without.
  public static func tinyRecipe(hasTeacher: Bool) throws -> Data {
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

/// Real drawings that stay beside the project: tests that need them are skipped where they are
/// absent.
public enum SharedData {
  /// `DRAWML_SHARED_DATA`, else `../shared/data` beside the package.
  public static let folder =
    ProcessInfo.processInfo.environment["DRAWML_SHARED_DATA"] ?? Repository.path
    + "/../shared/data"

  /// Whether they are there.
  public static let isPresent = FileManager.default.fileExists(atPath: folder + "/quickdraw")
}
