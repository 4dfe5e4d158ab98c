import Files
import Foundation
import HTTPTypes
import Hummingbird
import Ink
import Numbers
import StudioTesting
import Testing
import Workspace

@testable import Studio

@Suite("Requests that are not what they should be")
struct InputTests {
  @Test(
    "Malformed JSON, wrong types and wrong content types are refused, and it is said what is wrong")
  func malformed() async throws {
    let page = try await TestStudio.withSheet().page
    let model = try await page.model
    let paths = [
      "/api/models", "/api/models/\(model)/samples", "/api/models/\(model)/classify",
      "/api/playgrounds", "/api/playgrounds/p/actions",
    ]
    let bodies = [
      "", "{", "[]", "null", "7", #""text""#, #"{"name":}"#, #"{"strokes":7,"canvas":{}}"#,
      #"{"name":["a"],"actions":{},"canvas":[1]}"#, "{\"name\":\"\u{1}\"}", "\u{feff}{}",
      #"{"strokes":[[[1],[2]]],"canvas":"wide"}"#,
      String(repeating: "[", count: 60_000),
      #"{"actions":["# + String(repeating: "[", count: 50_000),
    ]
    for path in paths {
      for body in bodies {
        let reply = try await page.post(path, body)
        #expect(reply.status == 400, "\(path) \(body.prefix(40)): \(reply.status)")
        #expect(reply.message?.isEmpty == false && reply.detail?.isEmpty == false)
      }
      for type in ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonx"] {
        let reply = try await page.send(.post, path, "{}", headers: ["Content-Type": type])
        #expect(reply.status == 415, "\(path) \(type)")
      }
    }
    let charset = try await page.send(
      .post, "/api/models", #"{"name":"b"}"#,
      headers: ["Content-Type": "Application/JSON; charset=utf-8"])
    #expect(charset.status == 201)
  }

  @Test("F-001: what is wrong with strokes is said, with the stroke and the point")
  func strokes() async throws {
    let page = try await TestStudio().page()
    let path = "/api/models/\(try await page.model)/classify"
    for (strokes, detail) in [
      ("[[[1,2],[1]]]", "stroke 0: 2 x, 1 y values; lengths must match"),
      ("[[[1,2],[1,2]],[[1,NaN],[1,2]]]", "stroke 1, point 1: x is not a finite number"),
      ("[[[1,2],[1,1e999]]]", "stroke 0, point 1: y is not a finite number"),
      ("[[[1,2],[1,2],[0,Infinity]]]", "stroke 0, point 1: t is not a finite number"),
      ("[[[1,2],[1,2e9]]]", "stroke 0, point 1 is too far away"),
      ("[[[1,2],[1,2],[0,-1.7e98]]]", "stroke 0, point 1 is too early or too late"),
    ] {
      let body = #"{"canvas":{"width":9,"height":9},"strokes":\#(strokes)}"#
      let reply = try await page.post(path, body)
      #expect(reply.status == 400 && reply.code == "unreadableDrawing")
      #expect(reply.message == "Couldn’t read drawing. Please try again.")
      #expect(reply.detail == detail)
    }
    try await page.openSheet()
    let bad = #"""
      {"actions":[{"action":"begin","milliseconds":1},
      {"action":"stroke","milliseconds":2,"strokes":[[[1,1e999],[1,2]]]}]}
      """#
    let reply = try await page.act(bad)
    #expect(reply.detail == "action 1: stroke 0, point 1: x is not a finite number")
    // Nothing of it was done.
    #expect(try await page.sheet["isDrawing"] as? Bool == false)
  }

  @Test("Actions that are none are refused, and nothing of the request is done")
  func actions() async throws {
    let page = try await TestStudio.withSheet().page
    for action in [
      #"{"action":"begin"}"#, #"{"milliseconds":1}"#, #"{"action":"draw","milliseconds":1}"#,
      #"{"action":"advance","milliseconds":1}"#, #"{"action":"stroke","milliseconds":1}"#,
      #"{"action":"stroke","milliseconds":1,"strokes":[[[1],[1]],[[2],[2]]]}"#,
      #"{"action":"undo","milliseconds":"soon"}"#, #"{"action":"undo","milliseconds":1e999}"#,
      #"{"action":"undo","milliseconds":1e17}"#, #"{"action":"begin","milliseconds":1,"pen":-1}"#,
      #"{"action":"begin","milliseconds":1,"pen":1.5}"#, "7", "null",
      #"{"action":"begin","milliseconds":1,"x":5}"#,
      #"{"action":"begin","milliseconds":1,"x":5,"y":"low"}"#,
    ] {
      let body = #"{"actions":[{"action":"begin","milliseconds":0},\#(action)]}"#
      let reply = try await page.act(body)
      #expect(reply.status == 400, "\(action)")
      let place = reply.detail?.prefix { $0 != ":" && $0 != "." && $0 != " " }
      #expect(["action", "actions[1]"].contains(place), "\(reply.detail ?? "")")
    }
    for body in [
      #"{"now":1e999,"actions":[]}"#, #"{"now":1e30,"actions":[]}"#,
      #"{"now":"x","actions":[]}"#,
      #"{"client":"\#(String(repeating: "c", count: 65))","actions":[]}"#,
    ] {
      #expect(try await page.act(body).status == 400)
    }
    #expect(try await page.sheet["isDrawing"] as? Bool == false)
    #expect(try await page.act(#"{"actions":[]}"#).status == 200)
  }

  @Test("Actions that no client sends, and half of a place, are refused, and said where")
  func foreignActions() async throws {
    let undo = #"{"action":"undo","milliseconds":0}"#
    let page = try await TestStudio.withSheet().page
    for (action, detail) in [
      (#"{"action":"redo","milliseconds":0}"#, "actions[1].action is unknown"),
      (
        #"{"action":"advance","milliseconds":0}"#,
        "action 1: action is advance, which clients do not send"
      ),
      (#"{"action":"undo"}"#, "actions[1].milliseconds is missing"),
      (#"{"action":"begin","milliseconds":0,"y":5}"#, "actions[1].x is missing"),
      (#"{"action":"stroke","milliseconds":0}"#, "action 1: strokes is missing"),
      ("7", "actions[1] must be an object"),
    ] {
      let reply = try await page.act("{\"actions\":[\(undo),\(action)]}")
      #expect(reply.status == 400 && reply.detail == detail, "\(reply.detail ?? "")")
    }
  }

  @Test(
    "No number of a request, however mad, ends the studio; it is refused, or done",
    arguments: [true, false])
  func madNumbers(overSystemTime: Bool) async throws {
    let studio = try await TestStudio(time: overSystemTime ? nil : ManualTime())
    let stroke = #"{"action":"stroke","milliseconds":0,"strokes":[[[1,90],[1,90]]]}"#
    let refused = [
      #"{"now":1e30,"actions":[\#(stroke)]}"#, #"{"now":-1e30,"actions":[\#(stroke)]}"#,
      #"{"now":1.7e308,"actions":[{"action":"stroke","milliseconds":0,"strokes":[[[1],[1],[-1.7e98]]]}]}"#,
      #"{"actions":[{"action":"stroke","milliseconds":0,"strokes":[[[1],[1],[-1.7e98]]]}]}"#,
    ]
    let taken = ["1e15", "-1e15", "0"].map { #"{"now":\#($0),"actions":[\#(stroke)]}"# }
    let page = try await studio.page()
    for (number, body) in (refused + taken).enumerated() {
      // As the first of a playground, whose clock it sets, and as a later one.
      for id in ["p\(number)", "p"] {
        try await page.openSheet(id)
        let reply = try await page.act(body, on: id)
        #expect(reply.status == (number < refused.count ? 400 : 200), "\(body)")
      }
    }
    if overSystemTime { try await Task.sleep(for: .milliseconds(50)) }
    #expect(try await page.get("/api/state").status == 200)
    // The clock itself does not trap either.
    for due in [1e30, -1e30, Double.infinity, -.infinity] {
      let sleeping = Task { try await StudioTime.system.sleep(due) }
      try await Task.sleep(for: .milliseconds(5))
      sleeping.cancel()
      #expect((try? await sleeping.value) == nil || due < 0)
    }
  }

  @Test("A stroke from the far future does not stop the canvas's clock")
  func future() async throws {
    let page = try await TestStudio.withSheet().page
    let body = #"""
      {"now":1000,"actions":[{"action":"stroke","milliseconds":9e14,
      "strokes":[[[1,50,90],[1,50,20],[0,500,9e14]]]}]}
      """#
    let drawn = try await page.draw(body)
    #expect(drawn.number("events", 0, "milliseconds") == 1000)
    try await page.decided(0, as: nil, after: 10_000)
  }

  @Test("Too large bodies, too many points, strokes and actions are refused with 413")
  func tooLarge() async throws {
    let studio = try await TestStudio {
      $0.bodyBytes = 40_000
      $0.points = 100
      $0.strokes = 5
      $0.actions = 4
      $0.importBytes = 1000
    }
    let page = try await studio.page()
    let path = "/api/models/\(try await page.model)/classify"
    let canvas = #""canvas":{"width":9,"height":9}"#
    func reply(_ strokes: String) async throws -> Reply {
      try await page.post(path, "{\(canvas),\"strokes\":[\(strokes)]}")
    }
    let ones = Array(repeating: "1", count: 101).joined(separator: ",")
    let many = try await reply("[[\(ones)],[\(ones)]]")
    #expect(many.status == 413 && many.detail?.contains("101 points; the maximum is 100") == true)
    let six = Array(repeating: "[[1,2],[1,2]]", count: 6).joined(separator: ",")
    #expect(try await reply(six).detail?.contains("6 strokes; the maximum is 5") == true)
    let huge = String(repeating: " ", count: 50_000)
    #expect(try await page.post(path, huge).code == "tooLarge")
    try await page.openSheet()
    let begin = #"{"action":"begin","milliseconds":1}"#
    let five = Array(repeating: begin, count: 5).joined(separator: ",")
    let actions = try await page.act(#"{"actions":[\#(five)]}"#)
    #expect(actions.status == 413)
    let file = try await page.send(
      .post, "/api/import", huge, headers: ["Content-Type": "application/octet-stream"])
    #expect(file.status == 413)
  }

  @Test("HEAD is answered as GET, without a body")
  func head() async throws {
    let (_, page, model) = try await TestStudio.taught(1)
    try await page.openSheet()
    for path in [
      "/", "/app.js", "/api/state", "/api/models/\(model)/samples?limit=1", "/api/export",
      "/api/playgrounds/p/log", "/api/models/none/labels", "/api/none",
    ] {
      let (get, head) = (try await page.get(path), try await page.send(.head, path))
      #expect(head.status == get.status && head.text.isEmpty, "\(path)")
      #expect(head.headers[.contentType] == get.headers[.contentType], "\(path)")
    }
    let stream = try await page.send(.head, "/api/events")
    #expect(stream.status == 200 && stream.headers[.contentType] == "text/event-stream")
    #expect(try await page.send(.head, "/api/events?playground=none").status == 404)
  }

  @Test("null is refused where the description has none, and a query that is not as it says")
  func nullsAndQueries() async throws {
    let (studio, page, model) = try await TestStudio.taught(1)
    let path = "/api/models/\(model)"
    try await page.openSheet()
    let stroke = #"{"action":"stroke","milliseconds":1,"pen":0,"strokes":[[[10],[10]]]}"#
    for (method, address, body, key) in [
      (HTTPRequest.Method.patch, path, #"{"name":null,"isActive":true}"#, "name"),
      (.patch, path, #"{"refusalRate":null}"#, "refusalRate"),
      (.patch, "/api/settings", #"{"tracingLimit":null}"#, "tracingLimit"),
      (.post, "/api/models", #"{"name":"A","isEveryday":null}"#, "isEveryday"),
      (.post, "/api/playgrounds", #"{"model":null,"canvas":{"width":1,"height":1}}"#, "model"),
      (.post, "/api/playgrounds", #"{"id":null,"canvas":{"width":1,"height":1}}"#, "id"),
      (.post, "/api/playgrounds/p/actions", #"{"actions":[\#(stroke)],"run":null}"#, "run"),
      (.post, "/api/playgrounds/p/actions", #"{"actions":[\#(stroke)],"now":null}"#, "now"),
      (
        .post, "/api/playgrounds/p/actions",
        #"{"actions":[{"action":"begin","milliseconds":1,"x":null}]}"#, "x"
      ),
      (.post, path + "/samples", Shapes.body("ring", as: "a", more: #""id":null"#), "id"),
      (.post, path + "/classify", Shapes.body("ring", more: #""explain":null"#), "explain"),
      (.patch, path + "/labels/x", #"{"label":null,"name":"a"}"#, "label"),
    ] {
      let reply = try await page.send(method, address, body)
      #expect(reply.status == 400, "\(body): \(reply.text)")
      #expect(reply.detail?.contains("\(key) is null; leave it out") == true, "\(reply.text)")
    }
    // A sample may be sent as it is answered, with null where it was traced over nothing.
    let untraced = try await page.post(
      path + "/samples", Shapes.body("ring", as: "a", more: #""template":null"#))
    #expect(untraced.status == 201, "\(untraced.text)")
    // What is not described is ignored, and a label's name may be taken away.
    #expect(try await page.patch(path, #"{"x":null,"refusalRate":0.2}"#).status == 200)
    let label = try #require(
      try await studio.workspace.labels(of: model).first?.label.addingPercentEncoding(
        withAllowedCharacters: .urlPathAllowed))
    for name in ["null", "\"\""] {
      let named = try await page.patch(path + "/labels/\(label)", #"{"name":\#(name)}"#)
      #expect(named.status == 200, "\(named.text)")
    }
    #expect(try await page.patch(path + "/labels/\(label)", #"{"name":5}"#).status == 400)
    for query in [
      "/samples?limit=abc&id=a", "/samples?limit=%2B5", "/samples?limit=1&limit=2",
      "/samples?limit=",
      "/samples?label=a&label=b", "/certainty?refusalRate=0x1p-2", "/certainty?refusalRate=nan",
      "/certainty?refusalRate=.1", "/certainty?refusalRate=0.6", "/certainty?refusalRate=",
    ] {
      #expect(try await page.get(path + query).status == 400, "\(query)")
    }
    for query in ["/samples?limit=5&id=a&id=b", "/certainty?refusalRate=1e-1"] {
      #expect(try await page.get(path + query).status == 200, "\(query)")
    }
  }

  @Test("Another method than an address takes, and another address, are said to be so")
  func methods() async throws {
    let page = try await TestStudio().page()
    let put = try await page.send(.put, "/api/models", "{}")
    #expect(put.status == 405 && put.detail == "This address takes GET, HEAD, POST.")
    #expect(put.headers[.allow] == "GET, HEAD, POST")
    #expect(try await page.delete("/api/state").status == 405)
    for name in ["TRACE", "QUERY", "PROPFIND", "OPTIONS", "get"] {
      let method = try #require(HTTPRequest.Method(name))
      for (path, allowed) in [
        ("/api/models/a/labels/b/restore", "POST"), ("/api/events", "GET, HEAD"),
        ("/api/playgrounds/a/items", "GET, HEAD, DELETE"), ("/app.js", "GET, HEAD"),
        ("/", "GET, HEAD"),
      ] {
        let reply = try await page.send(method, path)
        #expect(reply.status == 405 && reply.headers[.allow] == allowed, "\(name) \(path)")
      }
    }
    for path in ["/api", "/api/", "/api/none", "/api/models/a/b/c/d", "/api/statex"] {
      let reply = try await page.get(path)
      #expect(reply.status == 404 && reply.code == "notFound", "\(path)")
    }
  }

  @Test("Random bytes in place of a body give 4xx, never 500")
  func random() async throws {
    let page = try await TestStudio.withSheet().page
    let model = try await page.model
    var generator = SeededGenerator(seed: 12)
    let valid = Array(strokeBody("ring", from: 0).utf8)
    let drawing = Array(Shapes.body("ring", as: "a").utf8)
    for round in 0..<300 {
      var bytes = round % 2 == 0 ? valid : drawing
      for _ in 0...generator.integer(below: 4) {
        let place = generator.integer(below: bytes.count)
        switch generator.integer(below: 3) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
        case 1: bytes.remove(at: place)
        default: bytes = Array(bytes[..<max(1, place)])
        }
      }
      let path =
        round % 2 == 0
        ? "/api/playgrounds/p/actions"
        : "/api/models/\(model)/\(round % 4 == 1 ? "samples" : "classify")"
      let reply = try await page.post(path, String(decoding: bytes, as: UTF8.self))
      #expect(reply.status < 500, "seed 12, round \(round)")
    }
  }

  @Test(
    "F-003: what the disk refuses has the requirements' words and a status that says what it is")
  func workspaceErrors() {
    for (reason, status) in [
      (WorkspaceError.Reason.diskFull, 507), (.readOnly, 500), (.busy, 503), (.damaged("x"), 500),
      (.newerSchema(found: 2, supported: 1), 500), (.unknownModel("m"), 404),
      (.tooMuch("points", limit: 1), 413), (.nameTaken("n"), 409), (.labelEmpty, 400),
    ] {
      let error = StudioError(WorkspaceError(.saveSample, reason))
      #expect(error.status.code == status, "\(reason)")
      #expect(error.code == reason.code.rawValue && error.detail == reason.description, "\(reason)")
      let words =
        reason == .labelEmpty ? "Please pick an emoji first." : "Couldn’t save sample."
      #expect(error.message == words)
    }
    #expect(StudioError(CancellationError()) == .stopping)
    #expect(StudioError(POSIXError(.EIO)) == nil)
    // Where the files are stays on this machine.
    for folder in ["/home/ann b/.local/share/drawml", "/ann\nb", "ann", "../ann b", "."] {
      let file = FileError("read", path: folder + "/models/1-3.drawml", reason: .checksum)
      for reason in [WorkspaceError.Reason.file(file), .model(file.description)] {
        let detail = StudioError(WorkspaceError(.classify, reason)).detail ?? ""
        #expect(!detail.contains("/") && detail.contains("read 1-3.drawml: its"), "\(detail)")
      }
    }
  }

  @Test("Of an error that nobody foresaw a client learns that there was one, and nothing else")
  func unforeseen() async throws {
    struct Leak: Error { var secret = "/home/ann/.ssh" }
    let studio = try await TestStudio()
    let router = studio.studio.router
    router.get("/api/leak") { _, _ -> Response in throw Leak() }
    let client = try await RouteClient(Application(router: router))
    let reply = try await Browser(client: client).send(.get, "/api/leak")
    #expect(reply.status == 500 && reply.code == "internalError")
    #expect(reply.message == "Something went wrong. Please try again." && reply.detail == nil)
    #expect(!reply.text.contains("Leak") && !reply.text.contains("ann"))
  }
}
