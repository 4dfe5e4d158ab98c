import Foundation
import TestTools
import Testing

@Suite("Only the room Remote opens connections to other machines")
struct WallTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: Repository.path + "/" + path, encoding: .utf8)
  }

  @Test("Package.swift gives the client to Remote, and Remote to the program alone")
  func package() throws {
    let text = try Self.text("Package.swift")
    // The target, its user, and the tests of that.
    #expect(text.ranges(of: "\"CFetch\"").count == 3)
    let declarations = text.split(separator: #/\n    (?=[.A-Za-z]+\()/#)
    let users = declarations.filter { $0.contains("\"Remote\"") }
    #expect(
      users.map { $0.filter { !$0.isWhitespace }.prefix(22) }
        == [
          "Ring.companions.room(\"", ".executableTarget(name", "tests(of:\"Remote\",with",
        ])
  }

  @Test("No other source names a way to connect")
  func sources() throws {
    let ways = [
      "AsyncHTTPClient", "libcurl", "FoundationNetworking", "URLSession", "ClientBootstrap",
      "DatagramBootstrap", "HTTPClient", "getaddrinfo", "socket(", "contentsOf: URL(string",
    ]
    let files = try #require(
      FileManager.default.enumerator(atPath: Repository.path + "/Sources"))
    for case let file as String in files
    where [".swift", ".c", ".h"].contains(where: file.hasSuffix)
      && !["Companions/Remote/", "Companions/CFetch/"].contains(where: file.hasPrefix)
    {
      let text = try Self.text("Sources/" + file)
      #expect(ways.filter(text.contains) == [], "\(file)")
    }
  }
}
