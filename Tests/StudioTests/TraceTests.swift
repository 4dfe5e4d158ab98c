import Foundation
import HTTPTypes
import Ink
import Pictures
import Synchronization
import Testing
import Text
import Trace
import Workspace

@testable import Studio

@Suite("Tracing over HTTP")
struct TraceTests {
  @Test("TR-030: there is a template for each shape of the starter set, and one for each label")
  func templates() async throws {
    let (_, page, model) = try await TestStudio.taught()
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

  /// A PNG file of a black line on white, 40 × 20.
  private static func picture() throws -> Data {
    var values = [UInt8](repeating: 255, count: 40 * 20)
    for row in 8..<12 { for column in 4..<36 { values[row * 40 + column] = 0 } }
    return Data(try PNG.encode(values, width: 40, height: 20, as: .gray))
  }

  @Test("TR-003, TR-031, TR-033: a picture is added, shown, made lines and deleted")
  func imported() async throws {
    let studio = try await TestStudio()
    let file = try Self.picture()
    let page = try await studio.page()
    let listener = try studio.listener()
    let png = ["Content-Type": "image/png"]
    let path = "/api/templates"
    let added = try await page.send(.post, path + "?name=my%20cat", bytes: file, headers: png)
    #expect(added.status == 201)
    #expect(added.text("name") == "my cat" && added.text("source") == "imported")
    #expect(added.number("picture", "width") == 40 && added.count("strokes") == 0)
    let address = path + "/" + (try #require(added.text("id")))
    let picture = try await page.get(address + "/picture")
    #expect(picture.headers[.contentType] == "image/png")
    #expect(picture.headers[.contentSecurityPolicy] == SecurityMiddleware.contentSecurityPolicy)
    #expect(picture.headers[.xContentTypeOptions] == "nosniff")
    #expect(try PNG.header(of: Array(picture.body)).width == 40)
    let lines = try await page.post(address + "/lines")
    #expect(lines.text("name") == "my cat, lines" && lines.count("strokes") == 1)
    #expect(lines["picture"] is NSNull)
    let linesAddress = path + "/" + (try #require(lines.text("id")))
    #expect(try await page.get(linesAddress + "/picture").status == 404)
    let all = try await page.get(path)
    #expect(all.count("templates") == 54 && all.text("templates", 53, "name") == "my cat")
    #expect(try await page.delete(address).status == 204)
    #expect(try await page.delete(address).code == "unknownTemplate")
    #expect(try await page.get(address + "/picture").status == 404)
    #expect(try await page.delete("/api/templates/bundled/star").status == 404)
    #expect(try await page.get(path).count("templates") == 53)
    let told = try await listener.told().map { $0.text("what") }
    #expect(told == ["templates", "templates", "templates"])
  }

  @Test("TR-003, TR-032: the web is asked for a template only where the owner allows it")
  func remote() async throws {
    struct Unreachable: DescribedError { var description: String { "no such server" } }
    let path = "/api/templates/remote"
    @Sendable func body(_ address: String) -> String {
      #"{"address":"\#(address)","name":"castle"}"#
    }
    let page = try await TestStudio().page()
    #expect(try await page.get("/api/state")["hasWeb"] as? Bool == false)
    let reply = try await page.post(path, body("https://example.org/a.png"))
    #expect(reply.status == 403 && reply.code == "remoteOff")
    #expect(reply.detail == "Start it with --allow templates to permit that.")
    let file = try Self.picture()
    let open = try await TestStudio(fetch: { address, make in
      switch address {
      case "https://example.org/a.png": try await make(Array(file))
      case "https://example.org/a.txt": try await make(Array("text".utf8))
      default: throw Unreachable()
      }
    })
    let later = try await open.page()
    #expect(try await later.get("/api/state")["hasWeb"] as? Bool == true)
    let added = try await later.post(path, body("https://example.org/a.png"))
    #expect(added.status == 201 && added.text("name") == "castle")
    #expect(added.number("picture", "width") == 40)
    let unreachable = try await later.post(path, body("https://example.org/b.png"))
    #expect(unreachable.status == 502 && unreachable.code == "notFetched")
    #expect(unreachable.detail == "No such server.")
    #expect(try await later.post(path, body("https://example.org/a.txt")).status == 400)
    #expect(try await later.get("/api/templates").count("templates") == 53)
  }

  @Test("Four addresses are asked at once, and a fifth when one of them has answered")
  func fourAtOnce() async throws {
    let running = Mutex((now: 0, most: 0))
    let file = try Self.picture()
    let studio = try await TestStudio(fetch: { _, make in
      running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      // Until there were four, and for long enough that a fifth would have come, too.
      for _ in 0..<10_000 where running.withLock(\.most) < 4 { usleep(1_000) }
      usleep(50_000)
      running.withLock { $0.now -= 1 }
      return try await make(Array(file))
    })
    let page = try await studio.page()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<6 {
        group.addTask {
          try await page.post(
            "/api/templates/remote", #"{"address":"https://example.org/a","name":"\#(number)"}"#
          ).status
        }
      }
      for try await status in group { #expect(status == 201) }
    }
    #expect(running.withLock(\.most) == 4)
  }

  @Test("TR-031: a bad file is refused with a sentence, and nothing is kept")
  func refused() async throws {
    let studio = try await TestStudio { $0.templateBytes = 1000 }
    let file = try Self.picture()
    let page = try await studio.page()
    func add(_ bytes: Data, _ type: String, _ name: String = "a") async throws -> Reply {
      try await page.send(
        .post, "/api/templates?name=\(name)", bytes: bytes, headers: ["Content-Type": type])
    }
    let foreign = try await add(Data("no picture".utf8), "image/png")
    #expect(foreign.status == 400 && foreign.code == "unusableTemplate")
    #expect(foreign.message == "Couldn’t add the template.")
    #expect(foreign.detail == "It is not a PNG, JPEG or SVG picture; save it as one of these.")
    #expect(try await add(file.prefix(60), "image/png").status == 400)
    #expect(try await add(Data(count: 1001), "image/png").status == 413)
    #expect(try await add(file, "text/html").status == 415)
    #expect(try await add(file, "image/png", "").code == "nameEmpty")
    #expect(try await page.get("/api/templates").count("templates") == 52)
    // What the bytes say counts, not the type; SVG has strokes.
    let svg = Data("<svg><path d='M1 2L3 4'/></svg>".utf8)
    let added = try await add(svg, "application/octet-stream")
    #expect(added.status == 201 && added.count("strokes") == 1)
  }

  @Test("TR-031: guests see the owner's templates, and change none")
  func guests() async throws {
    let studio = try await TestStudio(token: token, host: "0.0.0.0")
    let template = try await studio.workspace.addTemplate(
      try TemplateContents(file: Array(Self.picture())), named: "cat")
    let guest = try await studio.page().showing(Tokens(owner: token).guest)
    let address = "/api/templates/\(template.id)"
    let all = try await guest.get("/api/templates")
    #expect(all.status == 200 && all.count("templates") == 53)
    #expect(try await guest.get(address + "/picture").status == 200)
    #expect(try await guest.post("/api/templates?name=a").status == 403)
    #expect(try await guest.post(address + "/lines").status == 403)
    #expect(try await guest.delete(address).status == 403)
  }

  @Test("TR-041: a template traced exactly has 100, and what cannot be scored is said")
  func score() async throws {
    let page = try await TestStudio().page()
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

  @Test("TR-041: a sample remembers which template it was traced over, also when it comes back")
  func origin() async throws {
    let page = try await TestStudio().page()
    let model = try await page.model
    let path = "/api/models/\(model)/samples"
    let body = Shapes.body("ring", id: "t1", as: "⭐")
    let traced = Shapes.body("ring", id: "t1", as: "⭐", more: #""template":"bundled/star""#)
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
    let odd = Shapes.body("ring", 2, as: "⭐", more: #""template":"a\u0007""#)
    #expect(try await page.post(path, odd).code == "invalidID")
  }

  @Test("TR-040: at the daily limit no more drawings are counted; guests have no limit")
  func limit() async throws {
    let page = try await TestStudio(token: token, host: "0.0.0.0").page()
    let (owner, guest) = (page.showing(token), page.showing(Tokens(owner: token).guest))
    let traces = "/api/traces"
    #expect(try await owner.get(traces)["left"] is NSNull)
    let set = try await owner.patch("/api/settings", #"{"tracingLimit":2}"#)
    #expect(set.number("tracingLimit") == 2)
    #expect(try await owner.post(traces, "{}").number("left") == 1)
    #expect(try await owner.post(traces, "{}").number("left") == 0)
    let over = try await owner.post(traces, "{}")
    #expect(over.status == 409 && over.code == "dailyLimit")
    #expect(try await owner.get(traces).number("left") == 0)
    #expect(try await guest.post(traces, "{}")["left"] is NSNull)
    #expect(try await owner.patch("/api/settings", #"{"tracingLimit":1001}"#).status == 400)
  }

  @Test("TR-022: only /trace of a studio with --camera may ask for the camera and a wake lock")
  func policies() async throws {
    let plain = try await TestStudio().page()
    for path in ["/", "/trace", "/api/state"] {
      let policy = try await plain.get(path).headers[.permissionsPolicy] ?? ""
      #expect(policy == SecurityMiddleware.permissionsPolicy, "\(path)")
      #expect(policy.contains("camera=(), ") && policy.contains("screen-wake-lock=(), "))
    }
    let page = try await TestStudio(hasCamera: true).page()
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
