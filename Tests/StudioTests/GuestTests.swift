import Foundation
import HTTPTypes
import NIOCore
import Testing
import Workspace

@testable import Studio

private let guestToken = "2d4a02af2c92094c94a146a4a96c6555"

extension Reply {
  /// Whether it says that only the owner may do that.
  fileprivate var isRefusal: Bool { status == 403 && code == "ownerOnly" }
}

@Suite("A class on one server: what guests may do")
struct GuestTests {
  /// A studio that others can reach, with its owner's browser and a guest's.
  private func studio(
    guestsMayTeach: Bool = false, change: (inout StudioLimits) -> Void = { _ in }
  ) async throws -> (studio: TestStudio, owner: Browser, guest: Browser) {
    let studio = try await TestStudio(token: token, host: "0.0.0.0", change: change)
    if guestsMayTeach {
      var patch = WorkspaceSettings.Patch()
      patch.guestsMayTeach = true
      try await studio.workspace.update(patch)
    }
    let page = try await studio.page()
    return (studio, page.showing(token), page.showing(guestToken))
  }

  private let sheet = "guest-01234567-89ab-cdef-0123-456789abcdef"
  private let nameless = #"{"canvas":{"width":400,"height":400}}"#

  @Test("The guests' token is HMAC-SHA256 of the owner's: the same as long as that is")
  func tokens() {
    let tokens = Tokens(owner: token)
    #expect(tokens.guest == guestToken)
    #expect(Tokens(owner: "0123456789abcdef0124").guest != guestToken)
    #expect(tokens.visitor(showing: token) == .owner)
    #expect(tokens.visitor(showing: guestToken) == .guest(browser: ""))
    #expect(tokens.visitor(showing: guestToken + ".a.b") == .guest(browser: "a.b"))
    let long = guestToken + "." + String(repeating: "x", count: 65)
    #expect(tokens.visitor(showing: long) == .guest(browser: ""))
    for wrong in ["", ".", "x", token + ".x", "x." + token, guestToken + "0", "." + guestToken] {
      #expect(tokens.visitor(showing: wrong) == nil, "\(wrong)")
    }
    let cookies = (0..<2).map { _ in tokens.guestCookie() }
    #expect(cookies[0] != cookies[1])
    for cookie in cookies {
      // Other servers of the host see it, too.
      #expect(!cookie.contains(guestToken) && !cookie.contains(token))
      #expect(tokens.guest(withCookie: cookie) == .guest(browser: String(cookie.suffix(36))))
      #expect(tokens.visitor(showing: cookie) == nil)
      #expect(Tokens(owner: token + "x").guest(withCookie: cookie) == nil)
    }
    let mixed = cookies[0].prefix(33) + cookies[1].suffix(36)
    let cut = String(cookies[0].dropLast())
    for wrong in ["", ".", cut, "0" + cookies[0], String(mixed), guestToken + ".anna"] {
      #expect(tokens.guest(withCookie: wrong) == nil, "\(wrong)")
    }
  }

  @Test("Of every endpoint, guests may use these, and all else is the owner's")
  func endpoints() async throws {
    let (studio, owner, guest) = try await studio()
    let all = studio.services.endpoints
    let open = all.filter { $0.access == .guest }.map { "\($0.method) \($0.path)" }
    #expect(
      open.sorted() == [
        "DELETE /models/{model}/samples/{sample}",
        "DELETE /playgrounds/{playground}/items",
        "GET /events",
        "GET /models",
        "GET /models/{model}/labels",
        "GET /models/{model}/report",
        "GET /models/{model}/samples",
        "GET /models/{model}/templates",
        "GET /playgrounds/{playground}",
        "GET /playgrounds/{playground}/items",
        "GET /playgrounds/{playground}/log",
        "GET /playgrounds/{playground}/shapes/{shape}",
        "GET /state",
        "GET /templates",
        "GET /templates/imported/{template}/picture",
        "GET /traces",
        "PATCH /models/{model}/samples/{sample}",
        "POST /models/{model}/classify",
        "POST /models/{model}/samples",
        "POST /models/{model}/samples/{sample}/restore",
        "POST /playgrounds",
        "POST /playgrounds/{playground}/actions",
        "POST /traces",
        "POST /traces/score",
      ])
    for endpoint in all where endpoint.access == .owner {
      let path = "/api" + endpoint.path.replacing(/\{[a-z]+\}/, with: "x")
      let json = endpoint.method == .get ? nil : "{}"
      let refused = try await guest.send(endpoint.method, path, json)
      #expect(refused.isRefusal, "\(path)")
      #expect(refused.message == "Only the owner of this studio can do that.")
      #expect(refused.detail == nil)
      let taken = try await owner.send(endpoint.method, path, json)
      #expect(taken.code != "ownerOnly" && taken.status != 401, "\(path): \(taken.text)")
    }
    #expect(try await guest.get("/api/state")["isGuest"] as? Bool == true)
    #expect(try await owner.get("/api/state")["isGuest"] as? Bool == false)
  }

  @Test("Without a token everybody is the owner, as before")
  func withoutToken() async throws {
    let page = try await TestStudio().page()
    let state = try await page.get("/api/state")
    #expect(state["isGuest"] as? Bool == false)
    #expect(try await page.post("/api/models", #"{"name":"Mine"}"#).status == 201)
    #expect(try await page.get("/api/invitation").count("addresses") == 0)
  }

  @Test("Where no other machine reaches it, the invitation has the command that changes that")
  func commandForOthers() async throws {
    let told: Studio.CommandForOthers = { "drawml studio --host 0.0.0.0 --port \($0)" }
    let closed = try await TestStudio(commandForOthers: told).page()
    let reply = try await closed.get("/api/invitation")
    #expect(reply.text("command") == "drawml studio --host 0.0.0.0 --port 0")
    let open = try await TestStudio(token: token, host: "0.0.0.0", commandForOthers: told)
    let answer = try await open.page().send(
      .get, "/api/invitation", headers: ["Authorization": "Bearer \(token)"])
    #expect(answer.status == 200 && answer.text("command") == nil)
  }

  @Test("The address for guests sets a cookie of its own; of two tokens the owner's counts")
  func cookies() async throws {
    let page = try await studio().studio.page()
    func pair(_ reply: Reply) throws -> String {
      try #require(reply.headers[.setCookie]?.split(separator: ";").first.map(String.init))
    }
    let guest = try pair(try await page.get("/?token=\(guestToken)"))
    #expect(guest.wholeMatch(of: /drawml_80=[0-9a-f]{32}\.[0-9a-f-]{36}/) != nil, "\(guest)")
    #expect(try pair(try await page.get("/?token=\(guestToken)")) != guest, "each has its own id")
    let state = try await page.send(.get, "/api/state", headers: ["Cookie": guest])
    #expect(state["isGuest"] as? Bool == true)
    // Seen again it stays, and the owner's address makes an owner of it.
    let again = try await page.send(.get, "/?token=\(guestToken)", headers: ["Cookie": guest])
    #expect(again.status == 200 && again.headers[.setCookie] == nil)
    let owner = try pair(try await page.send(.get, "/?token=\(token)", headers: ["Cookie": guest]))
    #expect(owner.wholeMatch(of: /drawml_80=[0-9a-f]{64}/) != nil, "\(owner)")
    // An owner who looks at the address for guests stays the owner.
    let looks = try await page.send(.get, "/?token=\(guestToken)", headers: ["Cookie": owner])
    #expect(looks.status == 200 && looks.headers[.setCookie] == nil)
  }

  @Test("A guest has sheets of their own, and reaches no others")
  func sheets() async throws {
    let (studio, owner, guest) = try await studio()
    try await studio.teach()
    try await owner.openSheet()
    #expect(try await guest.openSheet(sheet).status == 201)
    #expect(try await guest.act(strokeBody("ring", from: 0), on: sheet).status == 200)
    let own = "/api/playgrounds/" + sheet
    for path in [own, own + "/items", own + "/log", own + "/shapes/0"] {
      #expect(try await guest.get(path).status == 200, "\(path)")
    }
    #expect(try await guest.delete(own + "/items").status == 204)
    #expect(try await owner.get(own).status == 200, "the owner sees it")
    // Without an id it gets one.
    let id = try #require(try await guest.post("/api/playgrounds", nameless).text("id"))
    #expect(Visitor.guest(browser: "").mayUse(playground: id))
    for id in ["p", "guest-p", "q", sheet + "0", sheet.uppercased()] {
      let path = "/api/playgrounds/" + id
      for (method, path, json) in [
        (HTTPRequest.Method.post, "/api/playgrounds", openBody(id)), (.get, path, nil),
        (.post, path + "/actions", strokeBody("ring", from: 0)), (.get, path + "/items", nil),
        (.get, path + "/log", nil), (.get, path + "/shapes/0", nil),
        (.delete, path + "/items", nil), (.get, "/api/events?playground=\(id)", nil),
      ] as [(HTTPRequest.Method, String, String?)] {
        #expect(try await guest.send(method, path, json).isRefusal, "\(method) \(path)")
      }
    }
  }

  @Test("Guests teach the active model while the owner lets them, and take back what is theirs")
  func teaching() async throws {
    let (studio, owner, guest) = try await studio()
    let model = try await studio.workspace.activeModel().id
    let other = try await studio.workspace.createModel(named: "Other").id
    let (samples, others) = ("/api/models/\(model)/samples", "/api/models/\(other)/samples")
    func body(_ id: String) -> String { Shapes.body("ring", id: id, as: "⭕") }
    let (anna, ben) = (guest.showing(guestToken + ".anna"), guest.showing(guestToken + ".ben"))
    #expect(try await anna.post(samples, body("a")).isRefusal)
    #expect(try await studio.workspace.samples(of: model, limit: 9).isEmpty)
    let switched = try await owner.patch("/api/settings", #"{"guestsMayTeach":true}"#)
    #expect(switched["guestsMayTeach"] as? Bool == true)
    let state = try await anna.get("/api/state")
    #expect(state["settings", "guestsMayTeach"] as? Bool == true)

    // Two at once.
    async let first = anna.post(samples, body("a"))
    async let second = ben.post(samples, body("b"))
    #expect(try await first.status == 201)
    #expect(try await second.status == 201)
    #expect(try await anna.post(others, body("a")).isRefusal, "it is not the active one")
    // Everybody sees them; only who added one changes it.
    #expect(try await ben.get(samples).count("samples") == 2)
    for (method, json) in [
      (HTTPRequest.Method.delete, nil), (.patch, #"{"label":"⚡"}"#),
    ] as [(HTTPRequest.Method, String?)] {
      #expect(try await ben.send(method, samples + "/a", json).isRefusal)
      #expect(try await guest.send(method, samples + "/a", json).isRefusal, "no browser's id")
      #expect(try await ben.send(method, samples + "/none", json).isRefusal)
    }
    let renamed = try await anna.patch(samples + "/a", #"{"label":"⚡"}"#)
    #expect(renamed.text("label") == "⚡")
    #expect(try await anna.delete(samples + "/a").status == 204)
    // Only who could delete it brings it back.
    #expect(try await ben.post(samples + "/a/restore", "{}").isRefusal)
    let back = try await anna.post(samples + "/a/restore", "{}")
    #expect(back.text("label") == "⚡")
    #expect(try await anna.delete(samples + "/a").status == 204)
    // What the owner has deleted, nobody else brings back.
    #expect(try await anna.post(samples, body("c")).status == 201)
    #expect(try await owner.delete(samples + "/c").status == 204)
    #expect(try await anna.post(samples + "/c/restore", "{}").isRefusal)
    #expect(try await owner.post(samples + "/c/restore", "{}").status == 200)
    #expect(try await anna.delete(samples + "/c").status == 204)
    #expect(try await anna.post(samples + "/c/restore", "{}").status == 200)
    #expect(try await anna.delete(samples + "/c").status == 204)
    // What another one adds with that id is theirs.
    #expect(try await ben.post(samples, body("a")).status == 201)
    #expect(try await anna.delete(samples + "/a").isRefusal)
    #expect(try await ben.delete(samples + "/a").status == 204)
    // Sent again it stays whose it was.
    #expect(try await anna.post(samples, body("b")).status == 200)
    #expect(try await anna.delete(samples + "/b").isRefusal)

    // The right goes with the active model, and ends with the switch.
    try await studio.workspace.changeModel(other, activating: true)
    #expect(try await anna.post(samples, body("c")).isRefusal)
    #expect(try await anna.post(others, body("c")).status == 201)
    _ = try await owner.patch("/api/settings", #"{"guestsMayTeach":false}"#)
    #expect(try await anna.post(others, body("d")).isRefusal)
    #expect(try await anna.delete(others + "/c").isRefusal)
    #expect(try await owner.delete(others + "/c").status == 204)
  }

  @Test("What guests read comes one after another, in order, and of too many the last are refused")
  func turns() async throws {
    let limiter = ConcurrencyLimiter(most: 1, mostWaiting: 2)
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let (entered, enter) = AsyncStream.makeStream(of: Int.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { open.finish() }
      group.addTask { try await limiter.run { for await _ in gate {} } }
      try await eventually("one is in") { await !limiter.isFree }
      for number in 1...2 {
        group.addTask { try await limiter.run { _ = enter.yield(number) } }
        try await eventually("it waits") { await limiter.waitingCount == number }
      }
      await #expect(throws: StudioError.busy) { try await limiter.run {} }
      open.finish()
      try await group.waitForAll()
    }
    enter.finish()
    #expect(await entered.reduce(into: []) { $0.append($1) } == [1, 2])
    // One who fails leaves, too.
    await #expect(throws: StudioError.busy) {
      try await limiter.run { throw StudioError.busy }
    }
    #expect(await limiter.isFree)
  }

  @Test("Guests do not take all streams of events: some stay for the owner")
  func streams() async throws {
    let (studio, _, guest) = try await studio {
      ($0.listeners, $0.guestListeners) = (3, 2)
    }
    let hub = studio.services.hub
    let guests = (0..<2).map { _ in EventListener() }
    for guest in guests { #expect(hub.join(guest, isGuest: true)) }
    #expect(!hub.join(EventListener(), isGuest: true))
    let refused = try await guest.get("/api/events")
    #expect(refused.status == 503 && refused.code == "tooManyStreams")
    #expect(hub.hasRoom(isGuest: false) && hub.join(EventListener()))
    hub.leave(guests[0])
    #expect(hub.join(EventListener(), isGuest: true) && !hub.hasRoom(isGuest: false))
  }

  @Test("Who is canceled while it waits leaves the queue")
  func canceledTurn() async throws {
    let limiter = ConcurrencyLimiter(most: 1, mostWaiting: 1)
    try await limiter.run {
      let waiting = Task { try await limiter.run {} }
      try await eventually("it waits") { await limiter.waitingCount == 1 }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
    #expect(await limiter.isFree)
  }

  @Test("Guests leave room for the owner: for labels, samples and points")
  func room() async throws {
    let (studio, owner, guest) = try await studio(guestsMayTeach: true) {
      ($0.guestLabels, $0.guestSamples, $0.guestSamplePoints) = (2, 4, 40)
      $0.guestPlaygroundPoints = 40
    }
    let samples = "/api/models/\(try await studio.workspace.activeModel().id)/samples"
    let anna = guest.showing(guestToken + ".anna")
    func add(
      _ id: String, _ label: String, points: Int = 20, by browser: Browser
    ) async throws -> String {
      let (xs, ys) = (Array(0..<points), (0..<points).map { $0 % 7 })
      let canvas = #""canvas":{"width":80,"height":80}"#
      let reply = try await browser.post(
        samples, #"{"id":"\#(id)","label":"\#(label)",\#(canvas),"strokes":[[\#(xs),\#(ys)]]}"#)
      return reply.code ?? "\(reply.status)"
    }
    #expect(try await add("a", "⭕", points: 41, by: anna) == "tooLarge")
    #expect(try await add("a", "⭕", points: 40, by: anna) == "201")
    #expect(try await add("b", "⭐", by: anna) == "201")
    #expect(try await add("c", "⚡", by: anna) == "tooManyLabels")
    let renamed = try await anna.patch(samples + "/b", #"{"label":"⚡"}"#)
    #expect(renamed.code == "tooManyLabels")
    #expect(try await add("c", "", by: anna) == "labelEmpty", "the true reason")
    #expect(try await add("c", "⭐\u{fe0f}", by: anna) == "201", "another spelling")
    #expect(try await add("d", "⚡", by: owner) == "201")
    #expect(try await add("e", "⭐", by: anna) == "tooManySamples")
    #expect(try await add("e", "🌙", points: 50, by: owner) == "201")

    // Sheets, by whose they are.
    for (id, browser, status) in [(sheet, guest, 413), ("mine", owner, 200)] {
      try await browser.openSheet(id)
      var drawn = try await browser.act(strokeBody("ring", from: 0), on: id)
      for start in [1000, 2000] as [Double] where drawn.status == 200 {
        drawn = try await browser.act(strokeBody("ring", from: start), on: id)
      }
      #expect(drawn.status == status, "\(id)")
    }
    await studio.services.playgrounds.close()
  }

  @Test("An id that the owner uses again is the owner's, however the guest's sample went")
  func idsUsedAgain() async throws {
    let (studio, owner, guest) = try await studio(guestsMayTeach: true)
    let anna = guest.showing(guestToken + ".anna")
    let model = try await studio.workspace.activeModel().id
    let samples = "/api/models/\(model)/samples"
    for end in ["label", "sample", "command line"] {
      let body = Shapes.body("ring", id: "a", as: "⭕")
      #expect(try await anna.post(samples, body).status == 201)
      switch end {
      case "label": _ = try await owner.delete("/api/models/\(model)/labels/%E2%AD%95")
      case "sample": _ = try await owner.delete(samples + "/a")
      default: try await studio.workspace.deleteSamples(["a"], of: model)
      }
      try await Task.sleep(for: .milliseconds(2))
      #expect(try await owner.post(samples, body).status == 201)
      let refused = try await anna.delete(samples + "/a")
      #expect(refused.status == 403, "\(end)")
      #expect(try await owner.delete(samples + "/a").status == 204)
    }
  }

  @Test("What guests ask and draw is not in the owner's history, and does not fill the workspace")
  func traceless() async throws {
    let (studio, owner, guest) = try await studio { $0.guestPlaygrounds = 3 }
    let model = try await studio.teach()
    let path = "/api/models/\(model)"
    let record = Shapes.body("ring", more: #""record":true"#)
    #expect(try await guest.post(path + "/classify", record).status == 200)
    #expect(try await owner.get(path + "/history").count("predictions") == 0)
    _ = try await owner.post(path + "/classify", record)
    #expect(try await owner.get(path + "/history").count("predictions") == 1)

    let mine = try await owner.post("/api/playgrounds", nameless)
    var sheets = [try #require(mine.text("id")), sheet]
    try await guest.openSheet(sheet)
    #expect(try await guest.act(strokeBody("ring", from: 0), on: sheet).status == 200)
    studio.time.advance(by: 8000)
    try await eventually("the guest's ring has become an emoji") {
      try await studio.workspace.playground(sheet).items.first?.label == "ring"
    }
    for _ in 0..<7 {
      let opened = try await guest.post("/api/playgrounds", nameless)
      sheets.append(try #require(opened.text("id")))
    }
    var kept: [String] = []
    for id in sheets where (try? await studio.workspace.playground(id)) != nil { kept.append(id) }
    // The owner's, the one with an emoji, and the newest of the empty ones.
    #expect(kept == sheets.prefix(2) + sheets.suffix(2))
    // Three with drawings push none out, and let no fourth in.
    for number in 1...2 {
      var other = try await studio.workspace.playground(sheet)
      other.id = String(sheet.dropLast()) + "\(number)"
      try await studio.workspace.save(other)
    }
    let full = try await guest.post("/api/playgrounds", nameless)
    #expect(full.status == 503 && full.code == "tooManySheets")
    #expect(try await studio.workspace.playground(sheet).items.count == 1)
    // A start keeps the newest.
    let left = try await studio.workspace.deleteOldestPlaygrounds(butFor: 1, of: Visitor.isGuests)
    #expect(left == 1)
    let newest = String(sheet.dropLast()) + "2"
    #expect(try await studio.workspace.playground(newest).items.count == 1)
    await studio.services.playgrounds.close()
    #expect(try await studio.workspace.history(of: model, limit: 9).count == 1)
  }

  @Test("The owner turns the switch, and open pages hear of it; a restart keeps it")
  func events() async throws {
    let (studio, owner, _) = try await studio()
    let listener = try studio.listener()
    _ = try await owner.patch("/api/settings", #"{"guestsMayTeach":true}"#)
    listener.finish()
    var told: [String] = []
    try await listener.forEach { told.append(String(buffer: $0)) }
    #expect(told == ["event: changed\ndata: {\"what\":\"settings\"}\n\n"])
    let again = try await TestStudio(again: studio)
    #expect(try await again.workspace.settings().guestsMayTeach)
  }

  @Test("The invitation has an address for each network, the one that is in use first")
  func invitation() async throws {
    let (studio, owner, _) = try await studio()
    let urls = studio.studio.address.urls(port: 8080, seenAt: "10.0.0.7:9090")
    #expect(urls.guests.first == "http://10.0.0.7:9090/?token=\(guestToken)")
    #expect(urls.owner.first == "http://127.0.0.1:8080/?token=\(token)")
    let local = studio.studio.address.urls(port: 8080, seenAt: "localhost:8080")
    #expect(local.guests.allSatisfy { !$0.contains("localhost") && !$0.contains("//127.") })
    #expect(local.guests.allSatisfy { $0.hasSuffix(":8080/?token=\(guestToken)") })
    let one = Studio.Address(host: "fe80::1", port: 8080, token: token).urls(port: 8080)
    #expect(one.guests == ["http://[fe80::1]:8080/?token=\(guestToken)"])
    #expect(Studio.Address(token: token).urls(port: 8080, seenAt: "10.0.0.7:80").guests == [])
    let reply = try await owner.get("/api/invitation")
    #expect(reply.status == 200 && !reply.text.contains(token))
    for index in 0..<(reply.count("addresses") ?? 0) {
      let url = try #require(reply.text("addresses", index, "url"))
      #expect(reply.text("addresses", index, "code", "path") == QRCode(url)?.path)
    }
  }
}

@Suite("QR codes")
struct QRCodeTests {
  @Test("A code has its finder patterns, and a light border on the terminal")
  func code() throws {
    let code = try #require(QRCode("http://192.168.1.20:8080/?token=\(guestToken)"))
    #expect(code.size == 37)
    let finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]
    for (left, top) in [(0, 0), (code.size - 7, 0), (0, code.size - 7)] {
      let seen = (0..<7).map { y in
        String((0..<7).map { x in code.isDark(x: left + x, y: top + y) ? "#" : "." })
      }
      #expect(seen == finder)
    }
    #expect(!code.isDark(x: -1, y: 0) && !code.isDark(x: 0, y: code.size))
    #expect(code.path.hasPrefix("M0 0h7v1h-7z"))
    let lines = code.terminalLines
    #expect(lines.count == (37 + 2 * QRCode.quietZone + 1) / 2)
    let blank = String(repeating: " ", count: 37 + 2 * QRCode.quietZone)
    for line in lines.prefix(2) + lines.suffix(2) {
      #expect(line == "\u{1b}[38;5;16;48;5;231m\(blank)\u{1b}[0m")
    }
  }

  @Test("A text that is too long has no code")
  func long() {
    #expect(QRCode(String(repeating: "x", count: 2331))?.size == 177)
    #expect(QRCode(String(repeating: "x", count: 2332)) == nil)
  }
}
