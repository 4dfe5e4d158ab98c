import Foundation
import HTTPTypes
import Testing

@testable import Studio

@Suite("State, settings, models and labels over HTTP")
struct ModelTests {
  @Test("D-001: the state names the active model, the settings and the limits")
  func state() async throws {
    let page = try await TestStudio().page()
    let state = try await page.get("/api/state")
    #expect(state.status == 200)
    #expect(state.headers[.contentType] == "application/json")
    #expect(state.text("activeModel", "name") == "My first model")
    #expect(state.text("settings", "theme") == "system")
    #expect(state.number("limits", "points") == 20_000)
    #expect(state.number("limits", "bodyBytes") == 2_097_152)
    #expect(state["training"] is NSNull)
    #expect(state.text("version") == "test")
  }

  @Test("D-005: settings change one by one, and unknown ones are refused")
  func settings() async throws {
    let page = try await TestStudio().page()
    let changed = try await page.patch("/api/settings", #"{"theme":"dark"}"#)
    #expect(changed.text("theme") == "dark")
    #expect(try await page.patch("/api/settings", #"{"penSize":9}"#).text("theme") == "dark")
    #expect(try await page.get("/api/settings").number("penSize") == 9)
    for body in [#"{"teme":"dark"}"#, #"{"theme":"pink"}"#, #"{"penSize":"wide"}"#, "[]", "7"] {
      let refused = try await page.patch("/api/settings", body)
      #expect(refused.status == 400 && refused.code == "malformedRequest", "\(body)")
    }
    #expect(try await page.patch("/api/settings", #"{"teme":1}"#).detail?.contains("teme") == true)
  }

  @Test("F-009: models are made, renamed, made active and deleted")
  func models() async throws {
    let page = try await TestStudio().page()
    let made = try await page.post("/api/models", #"{"name":"Animals"}"#)
    #expect(made.status == 201)
    let id = try #require(made.text("id"))
    #expect(made["isActive"] as? Bool == false)
    #expect(made["lastTrained"] is NSNull)
    let renamed = try await page.patch("/api/models/\(id)", #"{"name":"Zoo","isActive":true}"#)
    #expect(renamed.text("name") == "Zoo" && renamed["isActive"] as? Bool == true)
    #expect(try await page.model == id)
    let rated = try await page.patch("/api/models/\(id)", #"{"refusalRate":0.2}"#)
    #expect(rated.number("refusalRate") == 0.2)
    #expect(try await page.get("/api/models").count("models") == 2)
    // Browsers make this of ".../samples/..": it is not the model's address.
    #expect(try await page.delete("/api/models/\(id)/").status == 404)
    #expect(try await page.delete("/api/models/\(id)").status == 204)
    #expect(try await page.get("/api/models").count("models") == 1)
    #expect(try await page.get("/api/state").text("activeModel", "name") == "My first model")
  }

  @Test("What is wrong with a model's name or rate is said")
  func badModels() async throws {
    let page = try await TestStudio().page()
    let model = try await page.model
    let taken = try await page.post("/api/models", #"{"name":"My first model"}"#)
    #expect(taken.status == 409 && taken.code == "nameTaken")
    #expect(taken.message == "Couldn’t create the model.")
    let long = #"{"name":"\#(String(repeating: "a", count: 81))"}"#
    #expect(try await page.post("/api/models", long).code == "nameTooLong")
    #expect(try await page.post("/api/models", #"{"name":"  "}"#).code == "nameEmpty")
    #expect(try await page.post("/api/models", #"{"name":"a\u0007"}"#).code == "nameInvalid")
    #expect(try await page.post("/api/models", #"{}"#).detail == "name is missing")
    #expect(try await page.post("/api/models", #"{"name":7}"#).status == 400)
    #expect(
      try await page.patch("/api/models/\(model)", #"{"refusalRate":0.7}"#).code == "invalidNumber")
    _ = try await page.patch("/api/models/\(model)", #"{"name":"x","refusalRate":-1}"#)
    #expect(try await page.get("/api/state").text("activeModel", "name") == "My first model")
    #expect(try await page.patch("/api/models/\(model)", #"{"isActive":false}"#).status == 400)
    for (method, body) in [(HTTPRequest.Method.patch, #"{"name":"x"}"#), (.delete, nil)] {
      let unknown = try await page.send(method, "/api/models/none", body)
      #expect(unknown.status == 404 && unknown.code == "unknownModel")
    }
  }

  @Test("F-007: labels have counts and an example, are renamed, joined and deleted")
  func labels() async throws {
    let (_, page, model) = try await TestStudio.taught(2)
    let path = "/api/models/\(model)/labels"
    let labels = try await page.get(path)
    #expect(labels.text("labels", 0, "label") == "ring")
    #expect(labels.number("labels", 0, "sampleCount") == 2)
    #expect(labels.number("labels", 0, "taughtCount") == 2)
    #expect(labels["labels", 0, "name"] is NSNull)
    #expect(labels.number("labels", 0, "example", "canvas", "width") == 80)
    #expect(labels.count("labels", 0, "example", "strokes", 0, 0) == 21)
    // An emoji of several scalars, and a slash, go through the path as percent-encoded text.
    let renamed = try await page.patch("\(path)/ring", #"{"label":"👩‍🚀","name":"Astronaut"}"#)
    #expect(renamed.text("label") == "👩‍🚀" && renamed.text("name") == "Astronaut")
    let encoded = try #require("👩‍🚀".addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    let slash = try await page.patch("\(path)/\(encoded)", #"{"label":"a/b"}"#)
    #expect(slash.text("label") == "a/b" && slash.text("name") == "Astronaut")
    let nameless = try await page.patch("\(path)/a%2Fb", #"{"name":null}"#)
    #expect(nameless["name"] is NSNull)
    let taken = try await page.patch("\(path)/a%2Fb", #"{"label":"zigzag"}"#)
    #expect(taken.status == 409 && taken.code == "labelTaken")
    // All or nothing: where the label is refused, the name stays as it was.
    let both = try await page.patch("\(path)/a%2Fb", #"{"label":"zigzag","name":"Z"}"#)
    #expect(both.status == 409)
    #expect(try await page.get(path)["labels", 0, "name"] is NSNull)
    let joined = try await page.patch("\(path)/a%2Fb", #"{"label":"zigzag","merge":true}"#)
    #expect(joined.number("sampleCount") == 4)
    let whole = try await page.get("/api/models/\(model)/samples")
    _ = try await page.patch("\(path)/zigzag", #"{"name":"Z"}"#)
    #expect(try await page.post("\(path)/zigzag/restore").code == "nothingToRestore")
    #expect(try await page.delete("\(path)/zigzag").status == 204)
    #expect(try await page.get("/api/state").number("activeModel", "sampleCount") == 0)
    // What was deleted comes back as it was, once.
    let restored = try await page.post("\(path)/zigzag/restore")
    #expect(restored.status == 200 && restored.text("name") == "Z")
    #expect(restored.number("sampleCount") == 4)
    #expect(try await page.get("/api/models/\(model)/samples").body == whole.body)
    let twice = try await page.post("\(path)/zigzag/restore")
    #expect(twice.status == 404 && twice.code == "nothingToRestore")
    #expect(twice.message == "Couldn’t bring it back.")
    #expect(try await page.delete("\(path)/zigzag").status == 204)
    let unknown = try await page.delete("\(path)/zebra")
    #expect(unknown.status == 404 && unknown.code == "unknownLabel")
    #expect(try await page.patch("\(path)/zebra", "{}").status == 400)
    #expect(try await page.delete("\(path)/%ff").status == 400)
  }
}
