import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import Testing
import Workspace

@testable import Studio

@Suite("Nobody gets in: each attack is tried")
struct AccessTests {
  private func rules(_ host: String = "127.0.0.1", token: String? = nil) async throws -> AccessRules
  {
    try await TestStudio(token: token, host: host).studio.rules
  }

  private func request(
    _ authority: String?, _ path: String = "/api/state", _ method: HTTPRequest.Method = .get,
    _ headers: HTTPFields = [:]
  ) -> HTTPRequest {
    HTTPRequest(
      method: method, scheme: "http", authority: authority, path: path, headerFields: headers)
  }

  /// What the rules say: the word of the error, "cookie" where one is set, or nil.
  private func verdict(_ rules: AccessRules, _ request: HTTPRequest) -> String? {
    do {
      return try rules.admit(.init(head: request, body: .init(buffer: .init()))).cookie == nil
        ? nil : "cookie"
    } catch { return (error as? StudioError)?.code }
  }

  @Test("DNS rebinding: a name that somebody lets point here is not ours")
  func rebinding() async throws {
    let rules = try await rules()
    for ours in ["127.0.0.1:8080", "localhost:8080", "localhost", "LOCALHOST:1", "[::1]:8080"] {
      #expect(verdict(rules, request(ours)) == nil, "\(ours)")
    }
    for foreign in [
      "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example",
      "127.0.0.1@evil.example", "[::1].evil.example", "[::1", "192.168.0.9", "", "127.0.0.2:8080",
      "localhost.", "127.0.0.1:8080@evil.example", "127.0.0.1:8080, evil.example", "localhost:",
      "localhost:x", "[::1]x:8080", "localhost:8080:8080",
    ] {
      #expect(verdict(rules, request(foreign)) == "foreignHost", "\(foreign)")
      #expect(verdict(rules, request(foreign, "/")) == "foreignHost", "\(foreign)")
    }
    #expect(verdict(rules, request(nil)) == "foreignHost")
  }

  @Test("Cross-site requests: another page can link to the studio, and do nothing else")
  func crossSite() async throws {
    let rules = try await rules()
    let own = "127.0.0.1:8080"
    for site in ["cross-site", "same-site", "anything"] {
      for method in [HTTPRequest.Method.get, .post, .patch, .delete] {
        let headers: HTTPFields = [.secFetchSite: site]
        #expect(verdict(rules, request(own, "/api/models", method, headers)) == "crossSite")
        // No way around by another spelling of the path.
        #expect(verdict(rules, request(own, "//api/models", method, headers)) == "crossSite")
        #expect(verdict(rules, request(own, "/x", method, headers)) == "crossSite")
      }
      #expect(verdict(rules, request(own, "/", .get, [.secFetchSite: site])) == nil)
      #expect(verdict(rules, request(own, "/", .post, [.secFetchSite: site])) == "crossSite")
    }
    for origin in [
      "http://evil.example", "null", "https://127.0.0.1:8080", "http://127.0.0.1:8081",
      "http://localhost:8080", "http://127.0.0.1:8080.evil.example", "",
    ] {
      let headers: HTTPFields = [.origin: origin]
      #expect(
        verdict(rules, request(own, "/api/models", .post, headers)) == "crossSite", "\(origin)")
    }
    let good: HTTPFields = [.origin: "http://127.0.0.1:8080", .secFetchSite: "same-origin"]
    #expect(verdict(rules, request(own, "/api/models", .post, good)) == nil)
    #expect(verdict(rules, request(own, "/api/models", .post)) == nil)
  }

  @Test("A cross-site post reaches nothing, and no answer lets another page read it")
  func crossSitePost() async throws {
    let studio = try await TestStudio()
    let page = try await studio.page()
    let refused = try await page.send(
      .post, "/api/models", #"{"name":"Gift"}"#, headers: ["Origin": "http://evil.example"])
    #expect(refused.status == 403 && refused.code == "crossSite")
    // The form trick: a text/plain body needs no permission of the browser's.
    let form = try await page.send(
      .post, "/api/models", #"{"name":"Gift"}"#, headers: ["Content-Type": "text/plain"])
    #expect(form.status == 415 && form.code == "wrongContentType")
    #expect(try await studio.workspace.models().count == 1)
    let preflight = try await page.send(
      .options, "/api/models", headers: ["Origin": "http://evil.example"])
    #expect(preflight.status == 403)
    let answer = try await page.get("/api/models")
    #expect(!answer.headers.contains { $0.name.rawName.lowercased().hasPrefix("access-control") })
  }

  @Test("A studio that others can reach asks for the token, in the address once, then in a cookie")
  func token() async throws {
    let token = "0123456789abcdef0123"
    let studio = try await TestStudio(token: token, host: "0.0.0.0")
    let page = try await studio.page()
    for path in [
      "/", "/app.js", "/api/state", "/api/events", "/api/state?token=\(token)", "/api/state/",
      "/nothing/",
    ] {
      let refused = try await page.get(path)
      #expect(refused.status == 401, "\(path)")
      #expect(refused.text.contains("drawml studio"))
      #expect(refused.headers[.cacheControl] == "no-store")
    }
    for wrong in ["", "x", token + "0", String(token.dropLast()), token.uppercased()] {
      #expect(try await page.get("/?token=\(wrong)").status == 401, "\(wrong)")
      #expect(try await page.showing(wrong).get("/api/state").status == 401)
    }
    let opened = try await page.get("/?token=\(token)")
    #expect(opened.status == 200)
    // The browser is not to write down an address with the token.
    #expect(opened.headers[.cacheControl] == "no-store")
    let cookie = try #require(opened.headers[.setCookie])
    #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    let pair = try #require(cookie.split(separator: ";").first.map(String.init))
    // Browsers send it to the other servers of the host: it is not the token, and no more than this
    // run's.
    #expect(!cookie.contains(token) && pair.wholeMatch(of: /drawml_80=[0-9a-f]{64}/) != nil)
    let value = String(pair.dropFirst("drawml_80=".count))
    #expect(try await page.showing(value).get("/api/state").status == 401)
    #expect(try await page.get("/?token=\(value)").status == 401)
    for cookie in ["drawml_80=\(token)", "drawml_81=\(value)", "drawml_80=\(value)0"] {
      let refused = try await page.send(.get, "/api/state", headers: ["Cookie": cookie])
      #expect(refused.status == 401, "\(cookie)")
    }
    let restarted = try await TestStudio(token: token, host: "0.0.0.0").page()
    #expect(try await restarted.send(.get, "/", headers: ["Cookie": pair]).status == 401)
    let inside = try await page.send(.get, "/api/state", headers: ["Cookie": pair])
    #expect(inside.status == 200 && inside.headers[.setCookie] == nil)
    #expect(try await page.showing(token).get("/api/state").status == 200)
    // The token does not make another page's request ours.
    let other = try await page.send(
      .get, "/api/state", headers: ["Cookie": pair, "Sec-Fetch-Site": "cross-site"])
    #expect(other.status == 403)
  }

  @Test(
    "Open to others it goes by its addresses, and by no name that somebody could let point here")
  func openHosts() async throws {
    let rules = try await rules("0.0.0.0", token: "0123456789abcdef")
    let bearer: HTTPFields = [.authorization: "Bearer 0123456789abcdef"]
    for host in ["192.168.0.9:8080", "[fe80::1]:8080", "localhost"] {
      #expect(verdict(rules, request(host, "/api/state", .get, bearer)) == nil, "\(host)")
    }
    for host in ["evil.example", "1.2.3.4.evil.example", "256.1.1.1", "[evil.example]"] {
      #expect(verdict(rules, request(host, "/api/state", .get, bearer)) == "foreignHost", "\(host)")
    }
    #expect(Studio.Address(host: "0.0.0.0").isOpenToOthers)
    #expect(Studio.Address(host: "192.168.0.9").isOpenToOthers)
    #expect(Studio.Address(host: "::").isOpenToOthers)
    for host in ["127.0.0.1", "127.1.2.3", "localhost", "::1"] {
      #expect(!Studio.Address(host: host).isOpenToOthers)
    }
    // Names may lead anywhere.
    for host in ["127.example.org", "127.0.0.1.nip.io", "127.", "127.0.0.256", "localhost.org"] {
      #expect(Studio.Address(host: host).isOpenToOthers, "\(host)")
    }
    let urls = Studio.Address(host: "0.0.0.0", token: "abc").urls(port: 8080).owner
    #expect(urls.first == "http://127.0.0.1:8080/?token=abc")
    #expect(urls.count(where: { $0.hasPrefix("http://127.") }) == 1)
    #expect(
      urls.allSatisfy { $0.wholeMatch(of: /http:\/\/[0-9.]+:8080\/\?token=abc/) != nil }, "\(urls)")
    #expect(Studio.Address(host: "::1").urls(port: 9).owner == ["http://[::1]:9"])
  }

  @Test("No path of a request reaches the file system")
  func traversal() async throws {
    let page = try await TestStudio().page()
    for path in [
      "/../Package.swift", "/..%2fPackage.swift", "/%2e%2e/%2e%2e/etc/passwd", "/etc/passwd",
      "//etc/passwd", "/./index.html", "/app.js/../../../etc/passwd", "/app.js%00.html",
      "/..\\..\\etc\\passwd", "/Page/app.js", "/workspace.sqlite", "/models/", "/api/../app.js",
      "/api/models/..%2f..%2fworkspace.sqlite", "/api/models/%2e%2e/samples",
      "/api/playgrounds/..%2f..%2fetc%2fpasswd", "/api/export/../../etc/passwd",
      "/api/export?model=../../etc/passwd", "/app.js?file=/etc/passwd",
    ] {
      let reply = try await page.get(path)
      #expect(!reply.text.contains("root:"), "\(path)")
      if path.hasPrefix("/app.js?") {
        #expect(reply.status == 200)
      } else {
        #expect([400, 404, 405].contains(reply.status), "\(path): \(reply.status)")
      }
    }
  }

  @Test("Names and labels are text: what looks like a page comes back as JSON and nothing else")
  func markup() async throws {
    let page = try await TestStudio().page()
    let name = "<script>alert(1)</script>"
    let made = try await page.post("/api/models", #"{"name":"\#(name)"}"#)
    #expect(made.text("name") == name)
    let id = try #require(made.text("id"))
    let label = "<img src=x onerror=a()>"
    let added = try await page.post("/api/models/\(id)/samples", Shapes.body("ring", as: label))
    #expect(added.text("label") == label)
    for reply in [made, added, try await page.get("/api/models/\(id)/labels")] {
      #expect(reply.headers[.contentType] == "application/json")
      #expect(reply.headers[.xContentTypeOptions] == "nosniff")
    }
    // Right-to-left overrides, that make a name look like another, are refused.
    let turned = try await page.post("/api/models", #"{"name":"a\#u{202e}b"}"#)
    #expect(turned.code == "nameInvalid")
    // An unknown address does not come back as markup either.
    let odd = try await page.get("/%3Cscript%3Ealert(1)%3C/script%3E")
    #expect(!odd.text.contains("<script>"))
  }

  @Test("X-003: every answer says what the page may do: nothing but its own")
  func headers() async throws {
    let page = try await TestStudio().page()
    for path in ["/", "/app.js", "/api/state", "/nothing", "/api/models/none/labels"] {
      let headers = try await page.get(path).headers
      let policy = try #require(headers[.contentSecurityPolicy])
      #expect(
        policy
          == "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
          + "img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action "
          + "'none'; frame-ancestors 'none'")
      #expect(headers[.permissionsPolicy]?.contains("camera=(), ") == true)
      #expect(headers[.permissionsPolicy]?.contains("microphone=()") == true)
      #expect(headers[.permissionsPolicy]?.contains("geolocation=()") == true)
      #expect(headers[.permissionsPolicy]?.contains("*") == false)
      #expect(headers[.xContentTypeOptions] == "nosniff")
      #expect(headers[.referrerPolicy] == "no-referrer")
      #expect(headers[.crossOriginOpenerPolicy] == "same-origin")
      #expect(headers[.crossOriginResourcePolicy] == "same-origin")
      #expect(headers[.server] == nil)
    }
    #expect(try await page.get("/api/state").headers[.cacheControl] == "no-store")
  }
}
