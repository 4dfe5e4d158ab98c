import Files
import Foundation
import Ink
import Testing
import Workspace

@testable import Studio

@Suite("Samples and training over HTTP")
struct SampleTests {
  @Test("F-003: a sample is acknowledged once it is kept, and again when it comes again")
  func add() async throws {
    let studio = try await TestStudio()
    let page = try await studio.page()
    let model = try await page.model
    let path = "/api/models/\(model)/samples"
    let body = Shapes.body("ring", id: "s1", as: "⭐")
    let added = try await page.post(path, body)
    #expect(added.status == 201)
    #expect(added.text("id") == "s1" && added.text("label") == "⭐")
    #expect(added["isTaught"] as? Bool == false)
    #expect(try await page.post(path, body).status == 200)
    // Under the same id, other ink is another sample.
    let other = try await page.post(path, Shapes.body("zigzag", id: "s1", as: "⭐"))
    #expect(other.status == 409 && other.code == "idTaken")
    #expect(other.message == "Couldn’t save sample.")
    let kept = try await studio.workspace.sample("s1", of: model)
    #expect(kept.drawing.strokes == [Shapes.stroke("ring")])
    #expect(try await page.get("/api/state").number("activeModel", "untrainedCount") == 1)
  }

  @Test("F-002, F-003: without an emoji, ink or canvas nothing is saved, and it is said why")
  func refused() async throws {
    let page = try await TestStudio().page()
    let path = "/api/models/\(try await page.model)/samples"
    let nothing = try await page.post(path, Shapes.body("ring"))
    #expect(nothing.status == 400 && nothing.code == "labelEmpty")
    #expect(nothing.message == "Please pick an emoji first.")
    let long = String(repeating: "⭐", count: 65)
    #expect(try await page.post(path, Shapes.body("ring", as: long)).code == "labelTooLong")
    #expect(try await page.post(path, Shapes.body("ring", as: #"a\u0000"#)).code == "labelInvalid")
    let empty = try await page.post(
      path, #"{"label":"⭐","canvas":{"width":9,"height":9},"strokes":[[]]}"#)
    #expect(empty.status == 400 && empty.code == "emptyDrawing")
    #expect(empty.message == "Couldn’t read drawing. Please try again.")
    let dot = try await page.post(
      path, #"{"label":"⭐","canvas":{"width":9,"height":9},"strokes":[[[1],[1]]]}"#)
    #expect(dot.status == 422 && dot.code == "tooLittleInk")
    let noCanvas = try await page.post(path, #"{"label":"⭐","strokes":[[[1,5],[1,5]]]}"#)
    #expect(noCanvas.status == 400 && noCanvas.detail == "canvas is missing")
    let missing = try await page.post("/api/models/none/samples", Shapes.body("ring", as: "⭐"))
    #expect(missing.status == 404 && missing.code == "unknownModel")
    #expect(try await page.get(path).count("samples") == 0)
  }

  @Test("S-002: samples come newest first, page by page, of one label or all")
  func pages() async throws {
    let studio = try await TestStudio()
    let model = try await studio.workspace.activeModel().id
    try await studio.workspace.addSamples(
      (0..<5).map {
        SampleAddition(
          id: "s\($0)", label: $0 == 2 ? "b & c+" : "a", drawing: Shapes.drawing("ring", $0))
      }, to: model)
    let page = try await studio.page()
    let path = "/api/models/\(model)/samples"
    let first = try await page.get("\(path)?limit=2")
    #expect(first.text("samples", 0, "id") == "s4" && first.text("samples", 1, "id") == "s3")
    #expect(first.text("next") == "s3")
    let second = try await page.get("\(path)?limit=2&before=s3")
    #expect(second.text("samples", 0, "id") == "s2" && second.text("next") == "s1")
    let last = try await page.get("\(path)?limit=2&before=s1")
    #expect(last.count("samples") == 1 && last["next"] is NSNull)
    for label in ["b+%26+c%2B", "b%20%26%20c%2b"] {
      #expect(try await page.get("\(path)?label=\(label)").count("samples") == 1)
    }
    let some = try await page.get("\(path)?id=s1&id=gone&id=s4")
    #expect(some.count("samples") == 2 && some["next"] is NSNull)
    #expect(some.text("samples", 0, "id") == "s1" && some.text("samples", 1, "id") == "s4")
    let many = Array(repeating: "id=s1", count: 21).joined(separator: "&")
    for query in ["limit=0", "limit=501", "limit=many", "limit=-1", many] {
      #expect(try await page.get("\(path)?\(query)").status == 400)
    }
  }

  @Test("S-002: a sample gets another label, and is deleted")
  func change() async throws {
    let (_, page, model) = try await TestStudio.taught(2)
    let path = "/api/models/\(model)/samples"
    let changed = try await page.patch("\(path)/ring-0", #"{"label":"zigzag"}"#)
    #expect(changed.text("label") == "zigzag" && changed["isTaught"] as? Bool == false)
    #expect(try await page.patch("\(path)/ring-0", #"{"label":""}"#).code == "labelEmpty")
    #expect(try await page.delete("\(path)/ring-0").status == 204)
    #expect(try await page.delete("\(path)/ring-0").code == "unknownSample")
    #expect(try await page.patch("\(path)/ring-0", #"{"label":"x"}"#).status == 404)
  }

  @Test("A deleted sample comes back as it was, one without a canvas and over a template, too")
  func restore() async throws {
    let studio = try await TestStudio()
    let model = try await studio.teach(2)
    var drawing = Shapes.drawing("ring", 7)
    drawing.canvas = nil
    try await studio.workspace.addSample(
      drawing, label: "zigzag", id: "bare", over: "star", to: model)
    try await studio.workspace.train(model)
    let page = try await studio.page()
    let path = "/api/models/\(model)/samples"
    let before = try await page.get(path).body
    #expect(try await page.delete("\(path)/bare").status == 204)
    #expect(try await page.delete("\(path)/ring-0").status == 204)
    for _ in 0..<2 {
      let back = try await page.post("\(path)/bare/restore")
      #expect(back.status == 200 && back.text("template") == "star")
      #expect(back["isTaught"] as? Bool == true)
    }
    #expect(try await page.post("\(path)/ring-0/restore").status == 200)
    #expect(try await page.get(path).body == before)
    let never = try await page.post("\(path)/never/restore")
    #expect(never.status == 404 && never.code == "nothingToRestore")
    // Its id is another's by now.
    #expect(try await page.delete("\(path)/bare").status == 204)
    #expect(try await page.post(path, Shapes.body("ring", id: "bare", as: "⭐")).status == 201)
    #expect(try await page.post("\(path)/bare/restore").text("label") == "⭐")
    #expect(try await page.post("/api/models/none/samples/bare/restore").code == "unknownModel")
  }

  @Test("F-004: a training without samples says so, a second one at the same time is refused")
  func train() async throws {
    let studio = try await TestStudio()
    let page = try await studio.page()
    let model = try await page.model
    let nothing = try await page.post("/api/models/\(model)/train")
    #expect(nothing.status == 409 && nothing.code == "noSamples")
    #expect(nothing.message == "Training failed. Try with more samples.")
    for index in 0..<3 {
      for label in Shapes.labels {
        _ = try await page.post(
          "/api/models/\(model)/samples", Shapes.body(label, index, as: label))
      }
    }
    let started = try await page.post("/api/models/\(model)/train")
    #expect(started.status == 202)
    #expect(started.text("training", "model") == model)
    #expect(started["training", "running"] as? Bool == true)
    let again = try await page.post("/api/models/\(model)/train")
    #expect(again.status == 409 && again.code == "alreadyTraining")
    await studio.services.trainer.wait()
    let state = try await page.get("/api/state")
    #expect(state["training"] is NSNull)
    #expect(state.number("activeModel", "untrainedCount") == 0)
    #expect(state.text("activeModel", "lastTrained")?.hasSuffix("Z") == true)
    #expect(try await page.post("/api/models/none/train").code == "unknownModel")
  }

  @Test("F-004: each model's training is told of; that of a deleted model ends without a word")
  func trainings() async throws {
    let studio = try await TestStudio()
    let heard = EventCollector(try studio.listener())
    let first = try await studio.teach()
    let page = try await studio.page()
    let second = try #require(try await page.post("/api/models", #"{"name":"second"}"#).text("id"))
    for label in Shapes.labels {
      _ = try await page.post("/api/models/\(second)/samples", Shapes.body(label, 0, as: label))
    }
    do {
      let lock = try FileLock(path: studio.folder + "/models/making.lock", creating: true)
      for model in [first, second] {
        #expect(try await page.post("/api/models/\(model)/train").status == 202)
      }
      let state = try await page.get("/api/state")
      #expect(Set([0, 1].compactMap { state.text("trainings", $0, "model") }) == [first, second])
      #expect(try await page.delete("/api/models/\(second)").status == 204)
      try await eventually("it is told of no more") {
        try await page.get("/api/state").count("trainings") == 1
      }
      withExtendedLifetime(lock) {}
    }
    await studio.services.trainer.wait()
    try await eventually("the other one is told") { await heard.names.contains("trained") }
    #expect(await !heard.names.contains("training-failed"))
  }

  @Test("G-003: what another program adds and trains counts with the next request")
  func otherProgram() async throws {
    let (studio, page, model) = try await TestStudio.taught()
    let ring = Shapes.body("ring", 50)
    #expect(try await page.post("/api/models/\(model)/classify", ring).text("label") == "ring")
    let other = try await TestStudio(again: studio)
    _ = try await other.workspace.changeLabel("ring", to: "⭕", of: model)
    try await other.workspace.train(model)
    #expect(try await page.post("/api/models/\(model)/classify", ring).text("label") == "⭕")
  }
}
