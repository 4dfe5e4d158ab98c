import CFetch
import Files
import Foundation
import Pictures
import Synchronization
import TestTools
import Testing

@testable import Remote

@Suite("Files of the web")
struct RemoteFilesTests {
  private static func reply(_ bytes: String) -> TestServer.Reply { .init(bytes) }

  private func message(
    mostBytes: Int = 100_000, seconds: Int = 10,
    _ answer: @escaping @Sendable (String) -> TestServer.Reply
  ) async throws -> String {
    var message = ""
    try await TestServer.run(answer) { server in
      let folder = try TemporaryFolder()
      let files = RemoteFiles(
        cache: RemoteCache(folder: folder.file("c")), mostBytes: mostBytes, seconds: seconds)
      do { try await files.use(RemoteAddress(file: server.address + "/a.png")) { _ in } } catch {
        message = "\(error)".replacing(server.address, with: "A")
      }
      #expect(!AtomicFile.exists(folder.file("c")), "nothing is kept")
    }
    return message
  }

  @Test("TR-032: a file is fetched once, then it comes from the cache; no cookies are sent")
  func cached() async throws {
    let folder = try TemporaryFolder()
    let files = RemoteFiles(cache: folder.file("cache/templates"), mostBytes: 1_000)
    try await TestServer.run({ head in
      .init(head.contains("/b.png?size=2") ? "two" : "one", headers: ["Set-Cookie: a=b; Path=/"])
    }) { server in
      let first = try RemoteAddress(file: server.address + "/a.png")
      let second = try RemoteAddress(file: server.address + "/b.png?size=2")
      for _ in 0..<3 {
        #expect(try await files.use(first) { $0 } == Array("one".utf8))
        #expect(try await files.use(second) { $0 } == Array("two".utf8))
      }
      #expect(
        server.requests.map { $0.prefix { $0 != "\r\n" } }
          == ["GET /a.png HTTP/1.1", "GET /b.png?size=2 HTTP/1.1"])
      #expect(!server.requests.contains { $0.lowercased().contains("cookie") })
    }
  }

  @Test("What is of no use is asked for again: a page to log in, nothing, an older cache's page")
  func uselessAnswers() async throws {
    struct Useless: Error {}
    let folder = try TemporaryFolder()
    let cache = RemoteCache(folder: folder.file("c"))
    let files = RemoteFiles(cache: cache, mostBytes: 1_000)
    let answers = ["<html>log in", "", "picture", "other"]
    let count = Mutex(0)
    try await TestServer.run({ _ in
      .init(
        answers[
          count.withLock {
            $0 += 1; return $0 - 1
          }])
    }) { server in
      let address = try RemoteAddress(file: server.address + "/a.png")
      @Sendable func use(_ bytes: [UInt8]) throws -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text == "picture" else { throw Useless() }
        return text
      }
      for _ in 0..<2 {
        await #expect(throws: Useless.self) { try await files.use(address, use) }
        #expect(try cache.bytes(of: address.description) == nil)
      }
      // As an older DrawML kept it.
      try cache.keep(Array("<html>log in".utf8), of: address.description)
      for _ in 0..<3 { #expect(try await files.use(address, use) == "picture") }
      #expect(server.requests.count == 3)
    }
  }

  @Test("A cache that cannot be written, or is locked, only means fetching again")
  func cacheOutOfUse() async throws {
    let folder = try TemporaryFolder()
    try AtomicFile.write("", to: folder.file("file"))
    let cache = folder.file("cache")
    try AtomicFile.makeFolder(cache)
    try AtomicFile.write("{}", to: cache + "/index.json")
    let lock = try FileLock(path: cache + "/lock", creating: true)
    try await TestServer.run({ _ in .init("one") }) { server in
      let address = try RemoteAddress(file: server.address + "/a.png")
      for path in [folder.file("file"), cache] {
        for _ in 0..<2 {
          let files = RemoteFiles(cache: path, mostBytes: 1_000)
          #expect(try await files.use(address) { $0 } == Array("one".utf8))
        }
      }
      #expect(server.requests.count == 4)
    }
    withExtendedLifetime(lock) {}
  }

  @Test("TR-032: at most so many bytes in so many seconds, and what else a server does wrong")
  func faults() async throws {
    let many = String(repeating: "a", count: 2 << 20)
    #expect(
      try await message(mostBytes: 1 << 20) { _ in .init(many) }
        == "A/a.png has more than 1 MB; give a smaller file")
    let endless = "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "a", count: 1 << 16)
    #expect(
      try await message(mostBytes: 1 << 20) { _ in .init(raw: endless, repeats: true) }
        == "A/a.png has more than 1 MB; give a smaller file")
    let slow = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"
    let late = "A/a.png did not arrive completely in 1 seconds; try again"
    #expect(try await message(seconds: 1) { _ in .init(raw: slow, staysOpen: true) } == late)
    #expect(try await message(seconds: 1) { _ in .init(raw: "HTTP/1.1 ", staysOpen: true) } == late)
    #expect(
      try await message { _ in .init(raw: slow) }
        == "the connection ended within A/a.png; try again")
    let endlessDigits = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nshort"
    #expect(
      try await message { _ in .init(raw: endlessDigits) }
        == "the connection ended within A/a.png; try again")
    for range in ["*/0", "*/5", "bytes */0"] {
      #expect(
        try await message { _ in
          .init("", status: "416 Range Not Satisfiable", headers: ["Content-Range: \(range)"])
        } == "the server answers 416 for A/a.png; check the address")
    }
    #expect(
      try await message { _ in .init("", status: "404 Not Found") }
        == "the server answers 404 for A/a.png; check the address")
    #expect(
      try await message { _ in
        .init("", status: "302 Found", headers: ["Location: http://10.0.0.1/a.png"])
      }.hasPrefix("A/a.png leads to http://10.0.0.1/a.png, another server"))
  }

  @Test("TR-032: a machine of the local network is not asked, by whatever name it goes")
  func localNetwork() async throws {
    let folder = try TemporaryFolder()
    let files = RemoteFiles(cache: folder.file("c"), mostBytes: 1_000)
    for host in ["10.0.0.1", "192.168.1.1:8443", "169.254.169.254", "0.0.0.0", "[fe80::1]", "[::]"]
    {
      let url = "https://\(host)/a.png"
      await #expect(throws: RemoteError.outOfReach(url: url), "\(host)") {
        try await files.use(RemoteAddress(file: url)) { _ in }
      }
    }
  }

  @Test(
    "TR-032: the blocks of addresses that are no part of the internet",
    arguments: [
      ("8.8.8.8", true), ("1.1.1.1", true), ("172.15.0.1", true), ("172.32.0.1", true),
      ("100.63.0.1", true), ("100.128.0.1", true), ("198.20.0.1", true), ("223.255.255.255", true),
      ("0.0.0.0", false), ("10.255.0.1", false), ("100.64.0.1", false), ("127.0.0.1", false),
      ("169.254.169.254", false), ("172.16.0.1", false), ("172.31.255.255", false),
      ("192.0.0.8", false), ("192.0.2.1", false), ("192.168.255.1", false), ("198.18.0.1", false),
      ("198.19.255.1", false), ("198.51.100.1", false), ("203.0.113.1", false),
      ("224.0.0.1", false), ("240.0.0.1", false), ("255.255.255.255", false),
      ("2606:4700::1111", true), ("2001:4860:4860::8888", true), ("64:ff9b::808:808", true),
      ("2002:808:808::1", true), ("::ffff:8.8.8.8", true), ("::", false), ("::1", false),
      ("::ffff:10.0.0.1", false), ("64:ff9b::a00:1", false), ("2002:c0a8:101::1", false),
      ("fe80::1", false), ("fc00::1", false), ("fd12::1", false), ("ff02::1", false),
      ("2001::1", false), ("2001:db8::1", false), ("3fff::1", false), ("4000::1", false),
      ("::8.8.8.8", false),
    ])
  func reach(text: String, isPublic: Bool) throws {
    func has(_ reach: drawml_reach) throws -> Bool {
      var (four, six) = (sockaddr_in(), sockaddr_in6())
      if unsafe inet_pton(AF_INET, text, &four.sin_addr) == 1 {
        four.sin_family = sa_family_t(AF_INET)
        return unsafe withUnsafePointer(to: &four) { pointer in
          unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe drawml_reach_has(reach, $0) != 0
          }
        }
      }
      try #require(unsafe inet_pton(AF_INET6, text, &six.sin6_addr) == 1)
      six.sin6_family = sa_family_t(AF_INET6)
      return unsafe withUnsafePointer(to: &six) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe drawml_reach_has(reach, $0) != 0
        }
      }
    }
    #expect(try has(drawml_reach_public) == isPublic)
    #expect(try has(drawml_reach_all))
    #expect(try has(drawml_reach_loopback) == ["127.0.0.1", "::1"].contains(text))
  }

  @Test("A file's address may have a query, and gives a name")
  func addresses() throws {
    #expect(
      try RemoteAddress(file: "https://example.org/b/castle.old.png?a#".dropLast().description)
        .name == "castle.old")
    #expect(try RemoteAddress(file: "https://example.org").name == nil)
    #expect(try RemoteAddress(file: "https://example.org/my%20cat.svg").name == "my cat")
    for text in ["http://example.org/a.png", "https://a:b@example.org/a.png", "https://x/#a"] {
      #expect(throws: RemoteError.self) { try RemoteAddress(file: text) }
    }
    let long = "https://example.org/" + String(repeating: "a", count: 2_048)
    #expect(throws: RemoteError.self) { try RemoteAddress(file: long) }
    #expect(RemoteAddress.isMeant(by: "HTTPS://a") && !RemoteAddress.isMeant(by: "https.png"))
  }
}

@Suite("The cache of files of the web")
struct RemoteCacheTests {
  @Test("TR-032: files are named by their SHA-256; the least recently used go first")
  func leastRecentlyUsed() throws {
    let folder = try TemporaryFolder()
    let cache = RemoteCache(folder: folder.file("c"), mostBytes: 10, mostAddresses: 3)
    #expect(try cache.bytes(of: "a") == nil)
    try cache.keep([1, 2, 3, 4], of: "a")
    try cache.keep([5, 6, 7, 8], of: "b")
    #expect(try cache.bytes(of: "a") == [1, 2, 3, 4])
    try cache.keep([9, 9, 9], of: "c")
    #expect(try cache.bytes(of: "b") == nil, "it was not used since")
    #expect(try cache.bytes(of: "a") == [1, 2, 3, 4])
    let names = [[1, 2, 3, 4], [9, 9, 9]].map { Fingerprint.sha256($0) }
    #expect(
      try FolderListing.names(in: folder.file("c")) == (names + ["index.json", "lock"]).sorted())
    // The same bytes from elsewhere take no more room; more addresses than three do not stay.
    try cache.keep([9, 9, 9], of: "d")
    #expect(try cache.bytes(of: "a") != nil && cache.bytes(of: "c") != nil)
    try cache.keep([1, 2, 3, 4], of: "e")
    #expect(try cache.bytes(of: "d") == nil && cache.bytes(of: "e") == [1, 2, 3, 4])
    #expect(try cache.bytes(of: "c") == [9, 9, 9])
    try cache.keep([UInt8](repeating: 0, count: 11), of: "f")
    #expect(try cache.bytes(of: "f") == nil && cache.bytes(of: "e") != nil, "it would not fit")
  }

  @Test("What is damaged counts as missing, and what a killed process left goes")
  func damage() throws {
    let folder = try TemporaryFolder()
    let cache = RemoteCache(folder: folder.file("c"))
    try cache.keep([1, 2, 3], of: "a")
    let file = folder.file("c/" + Fingerprint.sha256([1, 2, 3]))
    try AtomicFile.write([1, 2, 4], to: file)
    #expect(try cache.bytes(of: "a") == nil)
    try cache.keep([1, 2, 3], of: "a")
    #expect(try cache.bytes(of: "a") == [1, 2, 3])
    AtomicFile.remove(file)
    #expect(mkfifo(file, 0o600) == 0)
    #expect(try cache.bytes(of: "a") == nil, "a pipe is not waited for")
    AtomicFile.remove(file)
    for index in [
      "", "{}", #"{"format":"drawml-cache-2","entries":[]}"#,
      #"{"format":"drawml-cache-1","entries":[{"address":"a","bytes":3,"sha256":"../../x"}]}"#,
    ] {
      try AtomicFile.write(index, to: folder.file("c/index.json"))
      #expect(try cache.bytes(of: "a") == nil)
    }
    try AtomicFile.write([7], to: folder.file("c/" + Fingerprint.sha256([7])))
    try cache.keep([8], of: "b")
    #expect(!AtomicFile.exists(folder.file("c/" + Fingerprint.sha256([7]))))
    #expect(try cache.bytes(of: "b") == [8])
  }
}
