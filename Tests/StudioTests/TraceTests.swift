import Foundation
import HTTPTypes
import Ink
import Testing
import Workspace

@testable import Studio

@Suite("Tracing over HTTP")
struct TraceTests {
  @Test("TR-030: there is a template for each shape of the starter set, and one for each label")
  func templates() async throws {
    let studio = try await TestStudio()
    let model = try await studio.teach()
    try await studio.test { page in
      let bundled = try await page.get("/api/templates")
      #expect(bundled.count("templates") == 52)
      #expect(bundled.text("templates", 0, "source") == "bundled")
      #expect(bundled.text("templates", 0, "label")?.isEmpty == false)
      let labels = try await page.get("/api/models/\(model)/templates")
      #expect(labels.count("templates") == 2)
      #expect(labels.text("templates", 0, "id") == "label/ring")
      #expect(labels.text("templates", 0, "source") == "label")
      #expect(labels.count("templates", 0, "strokes", 0, 0) == 21)
      #expect(try await page.get("/api/models/none/templates").code == "unknownModel")
    }
  }

  @Test("TR-041: a template traced exactly has 100, and what cannot be scored is said")
  func score() async throws {
    let studio = try await TestStudio()
    try await studio.test { page in
      let path = "/api/traces/score"
      let ring = Shapes.json(Shapes.stroke("ring"))
      let same = try await page.post(
        path, #"{"trace":{"strokes":\#(ring)},"template":{"strokes":\#(ring)}}"#)
      #expect(same.number("score") == 100)
      #expect(same.number("cover") == 1 && same.number("precision") == 1)
      let other = Shapes.json(Shapes.stroke("zigzag"))
      let wrong = try await page.post(
        path, #"{"trace":{"strokes":\#(other)},"template":{"strokes":\#(ring)}}"#)
      #expect(try #require(wrong.number("score")) < 50)
      let missing = try await page.post(path, #"{"trace":{"strokes":\#(ring)}}"#)
      #expect(missing.status == 400 && missing.detail == "template is missing")
      let empty = try await page.post(
        path, #"{"trace":{"strokes":[]},"template":{"strokes":\#(ring)}}"#)
      #expect(empty.status == 400 && empty.code == "emptyDrawing")
      let bad = try await page.post(
        path, #"{"trace":{"strokes":[[[1,2],[1]]]},"template":{"strokes":\#(ring)}}"#)
      #expect(bad.status == 400 && bad.detail?.hasPrefix("trace: ") == true)
    }
  }

  @Test("TR-041: a sample remembers which template it was traced over, also when it comes back")
  func origin() async throws {
    let studio = try await TestStudio()
    try await studio.test { page in
      let model = try await page.model
      let path = "/api/models/\(model)/samples"
      let body = Shapes.body("ring", id: "t1", as: "⭐")
      let traced = String(body.dropLast()) + #","template":"bundled/star"}"#
      #expect(try await page.post(path, traced).text("template") == "bundled/star")
      #expect(try await page.post(path, traced).status == 200)
      // The same id without its template is another sample.
      #expect(try await page.post(path, body).code == "idTaken")
      let label = "/api/models/\(model)/labels/%E2%AD%90"
      #expect(try await page.delete(label).status == 204)
      #expect(try await page.post(label + "/restore", "{}").status == 200)
      #expect(try await page.get(path).text("samples", 0, "template") == "bundled/star")
      let free = try await page.post(path, Shapes.body("ring", 1, id: "t2", as: "⭐"))
      #expect(free["template"] is NSNull)
      let odd = String(Shapes.body("ring", 2, as: "⭐").dropLast()) + #","template":"a\u0007"}"#
      #expect(try await page.post(path, odd).code == "invalidID")
    }
  }

  @Test("TR-040: at the daily limit no more drawings are counted; guests have no limit")
  func limit() async throws {
    let token = "0123456789abcdef0123"
    let studio = try await TestStudio(token: token, host: "0.0.0.0")
    try await studio.test { page in
      func send(_ method: HTTPRequest.Method, _ path: String, _ json: String?, _ token: String)
        async throws -> Reply
      {
        try await page.send(
          method, path, json, headers: ["Authorization": "Bearer \(token)"])
      }
      let traces = "/api/traces"
      #expect(try await send(.get, traces, nil, token)["left"] is NSNull)
      let set = try await send(.patch, "/api/settings", #"{"tracingLimit":2}"#, token)
      #expect(set.number("tracingLimit") == 2)
      #expect(try await send(.post, traces, "{}", token).number("left") == 1)
      #expect(try await send(.post, traces, "{}", token).number("left") == 0)
      let over = try await send(.post, traces, "{}", token)
      #expect(over.status == 409 && over.code == "dailyLimit")
      #expect(try await send(.get, traces, nil, token).number("left") == 0)
      let guest = Tokens(owner: token).guest
      #expect(try await send(.post, traces, "{}", guest)["left"] is NSNull)
      #expect(
        try await send(.patch, "/api/settings", #"{"tracingLimit":1001}"#, token).status == 400)
    }
  }

  @Test("TR-022: only /trace of a studio with --camera may ask for the camera and a wake lock")
  func policies() async throws {
    let plain = try await TestStudio()
    let before = try await plain.test { page in
      try await ["/", "/trace", "/api/state"].asyncMap {
        try await page.get($0).headers[.permissionsPolicy] ?? ""
      }
    }
    #expect(Set(before) == [SecurityMiddleware.permissionsPolicy])
    #expect(before[0].contains("camera=(), ") && before[0].contains("screen-wake-lock=(), "))
    let studio = try await TestStudio(hasCamera: true)
    try await studio.test { page in
      let trace = try await page.get("/trace").headers[.permissionsPolicy] ?? ""
      #expect(trace.contains("camera=(self), ") && trace.contains("screen-wake-lock=(self), "))
      let opened = trace.replacing("=(self)", with: "=()")
      #expect(opened == SecurityMiddleware.permissionsPolicy)
      for path in ["/", "/api/state", "/trace.js", "/trace/", "/nothing"] {
        let policy = try await page.get(path).headers[.permissionsPolicy]
        #expect(policy == SecurityMiddleware.permissionsPolicy, "\(path)")
      }
      #expect(try await page.get("/api/state")["hasCamera"] as? Bool == true)
    }
  }
}

extension Sequence where Element: Sendable {
  fileprivate func asyncMap<Value>(
    _ transform: (Element) async throws -> Value
  ) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
