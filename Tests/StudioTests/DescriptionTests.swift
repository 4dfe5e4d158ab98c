import Foundation
import Testing

@testable import Studio

@Suite("The description of the interface")
struct DescriptionTests {
  private var text: String {
    get throws {
      try String(
        contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
          .appendingPathComponent("../../docs/studio-api.yaml").standardizedFileURL,
        encoding: .utf8)
    }
  }

  /// The methods and paths that the description has, each with whether guests may use it: keys two
  /// and four blanks in, below `paths:`.
  private func described() throws -> [String: Bool] {
    var found: [String: Bool] = [:]
    var isInPaths = false
    var (path, endpoint) = ("", "")
    for line in try text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let first = line.first, !first.isWhitespace { isInPaths = line == "paths:" }
      guard isInPaths else { continue }
      if line.hasPrefix("  /"), line.hasSuffix(":") {
        path = String(line.dropFirst(2).dropLast())
      } else if let match = line.wholeMatch(of: /\ {4}(get|post|put|patch|delete):/) {
        endpoint = "\(match.1.uppercased()) \(path)"
        found[endpoint] = false
      } else if line == "      x-access: guest" {
        found[endpoint] = true
      }
    }
    return found
  }

  @Test("It has every method and path of the server, and no others but those of companions")
  func paths() async throws {
    let served = try await TestStudio().services.endpoints.map { "\($0.method) /api\($0.path)" }
    let companions = ["/api/capture", "/api/art", "/api/calm"]
    let described = Set(try described().keys).filter { each in
      !companions.contains { each.contains(" \($0)") }
    }
    #expect(Set(served).count == served.count)
    #expect(described.symmetricDifference(served).sorted() == [])
  }

  @Test("It tells of which endpoints guests may use")
  func accesses() async throws {
    let guests = try await TestStudio().services.endpoints.filter { $0.access == .guest }
    let described = try described().filter(\.value).keys
    #expect(Set(guests.map { "\($0.method) /api\($0.path)" }) == Set(described))
  }

  @Test("It has every name of a path, and every reference in it leads somewhere")
  func references() throws {
    let text = try text
    for match in text.matches(of: /\$ref: "#\/components\/([a-zA-Z]+)\/([a-zA-Z]+)"/) {
      #expect(text.contains("\n    \(match.2):\n"), "\(match.0)")
    }
    for name in ["model", "label", "sample", "playground", "shape", "template"] {
      #expect(text.contains("name: \(name)\n"), "\(name)")
    }
  }

  /// The keys that a schema of the description requires, and all that it describes.
  private func keys(of schema: String) throws -> (required: Set<String>, described: Set<String>) {
    let text = try text
    let start = try #require(text.range(of: "\n    \(schema):\n"), "\(schema)")
    let lines = text[start.upperBound...].split(separator: "\n").prefix { $0.hasPrefix("      ") }
    let line = try #require(
      lines.first { $0.hasPrefix("      required: [") }, "\(schema) requires nothing")
    let required = line.dropFirst("      required: [".count).dropLast().split(separator: ", ")
    let described = lines.drop { $0 != "      properties:" }.compactMap {
      $0.wholeMatch(of: /\ {8}([a-zA-Z]+):.*/)?.1
    }
    return (Set(required.map(String.init)), Set(described.map(String.init)))
  }

  @Test("Answers and events have the keys that it requires, and no others than it describes")
  func keys() async throws {
    let studio = try await TestStudio()
    let model = try await studio.teach()
    /// For an event that reports a shape, `more` describes the shape's keys.
    @Sendable func check(_ value: Any?, _ schema: String, or more: String? = nil) throws {
      let found = Set(try #require(value as? [String: Any], "\(schema)").keys)
      let (required, described) = try keys(of: schema)
      #expect(required.subtracting(found).sorted() == [], "\(schema) requires them")
      let known = try described.union(more.map { try keys(of: $0).described } ?? [])
      #expect(found.subtracting(known).sorted() == [], "\(schema) does not describe them")
    }
    let page = try await studio.page()
    let path = "/api/models/\(model)"
    let state = try await page.get("/api/state")
    try check(state["activeModel"], "Model")
    try check(state[], "State")
    try check(try await page.get(path + "/labels")["labels", 0], "Label")
    try check(try await page.get(path + "/samples")["samples", 0], "Sample")
    try check(try await page.get(path + "/templates")["templates", 0], "Template")
    try check(try await page.get("/api/templates")["templates", 51], "Template")
    try check(try await page.post("/api/traces")[], "TracesLeft")
    let train = try await page.post(path + "/train")
    try check(train["training"], "Training")
    await studio.services.trainer.wait()
    try check(try await page.get(path + "/report")[], "TrainingReport")
    let explain = Shapes.body("ring", more: #""explain":true"#)
    let asked = try await page.post(path + "/classify", explain)
    try check(asked[], "Classification")
    try check(asked["boundingBox"], "BoundingBox")
    try check(asked["placement"], "Placement")
    let dot = #"{"canvas":{"width":80,"height":80},"strokes":[[[1],[1]]]}"#
    try check(try await page.post(path + "/classify", dot)[], "Classification")
    try check(try await page.openSheet()[], "Playground")
    let undo = action("undo", at: 300)
    for actions in [strokeBody("ring", from: 0), undo, strokeBody("ring", from: 400)] {
      try check(try await page.draw(actions)["events", 0], "CanvasEvent", or: "Shape")
    }
    try check(try await page.sheet["shapes", 0], "Shape")
    try check(try await page.get("/api/playgrounds/p/shapes/0")[], "Drawing")
    studio.time.advance(by: 8000)
    try await eventually("it is remembered") {
      try await page.get(path + "/history").count("predictions") == 1
    }
    try check(try await page.get(path + "/history")["predictions", 0], "Prediction")
    for (name, label) in [("label", #","label":"ring""#), ("reject", ""), ("remove", "")] {
      let corrected = try await page.draw(action(name, at: 9000, #""shape":0\#(label)"#))
      try check(corrected["events", 0], "CanvasEvent", or: "Shape")
    }
  }
}
