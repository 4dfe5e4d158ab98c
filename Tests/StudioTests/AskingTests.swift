import Foundation
import Ink
import Recognition
import Segmentation
import Testing
import Workspace

@testable import Studio

@Suite("Asking a model over HTTP")
struct AskingTests {
  @Test("F-005, F-006: a drawing is classified, with the square for its emoji")
  func classify() async throws {
    let (_, page, model) = try await TestStudio.taught()
    let path = "/api/models/\(model)/classify"
    let answer = try await page.post(path, Shapes.body("zigzag", 60))
    #expect(answer.status == 200)
    #expect(answer.text("decision") == "recognized" && answer.text("label") == "zigzag")
    #expect(answer.text("candidates", 0, "label") == "zigzag")
    let confidence = try #require(answer.number("confidence"))
    #expect((0.5...1).contains(confidence))
    // The box is that of the points, the square as large as its longer side, moved onto the
    // canvas.
    let box = try #require(BoundingBox(Shapes.stroke("zigzag", 60).points))
    #expect(answer.number("boundingBox", "width") == box.width)
    #expect(answer.number("placement", "side") == max(box.width, box.height))
    #expect(answer["message"] == nil && answer["raster"] == nil && answer["neighbors"] == nil)
  }

  @Test("G-002: each model has emojis of its own for the same drawings")
  func ownEmojis() async throws {
    let studio = try await TestStudio()
    let first = try await studio.teach()
    let second = try await studio.workspace.createModel(named: "second", activating: true).id
    try await studio.teach(as: ["⭕", "⚡"])
    let page = try await studio.page()
    for (model, labels) in [(first, Shapes.labels), (second, ["⭕", "⚡"])] {
      for (shape, label) in zip(Shapes.labels, labels) {
        let answer = try await page.post("/api/models/\(model)/classify", Shapes.body(shape, 60))
        #expect(answer.text("label") == label)
      }
    }
  }

  @Test("S-006: asked why, it shows what the model sees and the nearest taught drawings")
  func explain() async throws {
    let (_, page, model) = try await TestStudio.taught()
    let body = Shapes.body("ring", 60, more: #""explain":true"#)
    let answer = try await page.post("/api/models/\(model)/classify", body)
    #expect(answer.number("raster", "width") == 12)
    #expect(answer.count("raster", "pixels") == 144)
    let darkest = (0..<144).compactMap { answer.number("raster", "pixels", $0) }.max()
    #expect(try #require(darkest) > 200)
    #expect(answer.count("neighbors") == 5)
    #expect(answer.text("neighbors", 0, "label") == "ring")
    #expect(answer.text("neighbors", 0, "sample")?.hasPrefix("ring-") == true)
    #expect(answer.count("neighbors", 0, "strokes", 0, 0) == 21)
    let distances = (0..<5).compactMap { answer.number("neighbors", $0, "distance") }
    #expect(distances == distances.sorted())
    // A neighbor whose sample was deleted since is not shown.
    let nearest = try #require(answer.text("neighbors", 0, "sample"))
    _ = try await page.delete("/api/models/\(model)/samples/\(nearest)")
    #expect(
      try await page.post("/api/models/\(model)/classify", body).count("neighbors") == 4)
  }

  @Test("F-013: a dot and a model that was taught nothing are refused, and it is said why")
  func refusals() async throws {
    let page = try await TestStudio().page()
    let path = "/api/models/\(try await page.model)/classify"
    let untaught = try await page.post(path, Shapes.body("ring"))
    #expect(untaught.text("decision") == "unrecognized")
    #expect(untaught.text("reason") == "nothingTaught")
    #expect(untaught["label"] is NSNull && untaught.count("candidates") == 0)
    #expect(untaught.text("message") == "Couldn’t classify that drawing.")
    // By this, too, a page knows to say that the model is to be trained first.
    #expect(try await page.get("/api/state")["activeModel", "lastTrained"] is NSNull)
    let report = try await page.get("/api/models/\(try await page.model)/report")
    #expect(report.status == 404 && report.code == "noReport")
    #expect(report.message == "Train the model to see what it learned.")
    #expect(try await page.get("/api/models/x/report").code == "unknownModel")
    let dot = try await page.post(
      path, #"{"explain":true,"canvas":{"width":900,"height":900},"strokes":[[[5],[5]]]}"#)
    #expect(dot.text("reason") == "tooLittleInk" && dot.count("neighbors") == 0)
    #expect(dot.number("placement", "side") == 27)
    #expect(try await page.post("/api/models/x/classify", Shapes.body("ring")).status == 404)
  }

  @Test("D-006: what was asked is kept on demand, newest first, and forgotten on demand")
  func history() async throws {
    let (_, page, model) = try await TestStudio.taught()
    let path = "/api/models/\(model)"
    _ = try await page.post("\(path)/classify", Shapes.body("ring"))
    #expect(try await page.get("\(path)/history").count("predictions") == 0)
    for label in Shapes.labels {
      _ = try await page.post("\(path)/classify", Shapes.body(label, 60, more: #""record":true"#))
    }
    let history = try await page.get("\(path)/history")
    #expect(history.text("predictions", 0, "label") == "zigzag")
    #expect(history.text("predictions", 1, "decision") == "recognized")
    #expect(history.count("predictions", 1, "strokes", 0, 0) == 21)
    #expect(try await page.get("\(path)/history?limit=1").count("predictions") == 1)
    #expect(try await page.get("\(path)/history?limit=201").status == 400)
    #expect(try await page.delete("\(path)/history").status == 204)
    #expect(try await page.get("\(path)/history").count("predictions") == 0)
  }

  @Test("S-006: the dial previews which past drawings would shake, and changes nothing")
  func certainty() async throws {
    let (_, page, model) = try await TestStudio.taught(6)
    let path = "/api/models/\(model)"
    _ = try await page.post("\(path)/classify", Shapes.body("ring", 60, more: #""record":true"#))
    var shaking: [Double] = []
    for rate in ["0", "0.1", "0.25", "0.5"] {
      let preview = try await page.get("\(path)/certainty?refusalRate=\(rate)")
      #expect(preview.number("of") == 13 && preview.count("drawings") == 13)
      #expect(preview.text("drawings", 0, "kind") == "history")
      #expect(preview.text("drawings", 1, "kind") == "sample")
      let shakes = (0..<13).filter { preview["drawings", $0, "shakes"] as? Bool == true }
      #expect(preview.number("shaking") == Double(shakes.count))
      for index in shakes {
        #expect(preview.text("drawings", index, "decision") == "unrecognized")
      }
      shaking.append(Double(shakes.count))
    }
    // The surer it must be, the more shake; at one half some do.
    #expect(shaking == shaking.sorted() && shaking[3] > shaking[0])
    #expect(try await page.get("/api/state").number("activeModel", "refusalRate") == 0)
    #expect(try await page.get("\(path)/certainty").number("refusalRate") == 0)
    for rate in ["0.6", "-1", "nan", "much"] {
      #expect(try await page.get("\(path)/certainty?refusalRate=\(rate)").status == 400)
    }
  }

  @Test(
    "What was asked before a training is asked again; of later samples only the sample counts"
  )
  func askedBefore() async throws {
    let studio = try await TestStudio()
    let page = try await studio.page()
    let path = "/api/models/\(try await page.model)"
    for index in [60, 0] {
      let body = Shapes.body("ring", index, more: #""record":true"#)
      #expect(try await page.post("\(path)/classify", body).text("label") == nil)
    }
    // A model that was taught nothing has nothing to preview.
    #expect(try await page.get("\(path)/certainty").number("of") == 0)
    _ = try await studio.teach()
    let preview = try await page.get("\(path)/certainty")
    // The drawing 0 is one of the eight samples by now.
    #expect(preview.number("of") == 9)
    #expect(preview.text("drawings", 0, "kind") == "history")
    #expect(preview.text("drawings", 0, "label") == "ring")
    #expect(preview.text("drawings", 0, "decision") == "recognized")
    #expect(preview.text("drawings", 1, "kind") == "sample")
    let said = try await page.get("\(path)/history")
    #expect(said["predictions", 0, "label"] is NSNull, "what was said stays said")
  }

  @Test("The preview at the model's own rate says what asking says")
  func previewAgrees() async throws {
    let studio = try await TestStudio()
    let model = try await studio.teach(5)
    for rate in [0.0, 0.3] {
      try await studio.workspace.changeModel(model, refusalRate: rate)
      let recognizer = try await studio.workspace.snapshot(of: model).recognizer
      let previews = try await studio.services.previews.drawings(of: model)
      #expect(previews.count == 10)
      for preview in previews {
        var rest = recognizer
        try rest.forget(sample: preview.id)
        #expect(
          recognizer.policy.decision(on: preview.answer).isRecognized
            == (try rest.classify(preview.drawing)).decision.isRecognized)
      }
    }
  }
}
