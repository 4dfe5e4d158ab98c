import Files
import Foundation
import Ink
import Synchronization
import TestTools
import Testing

@testable import Remote

@Suite("Fetching Quick, Draw!")
struct QuickDrawFetchTests {
  /// Line `number`, from 1; every third drawing was not recognized.
  private static func line(_ number: Int, word: String = "cat") -> String {
    let recognized = !number.isMultiple(of: 3)
    return #"{"word":"\#(word)","key_id":"\#(number)","recognized":\#(recognized),"drawing":"#
      + "[[[0,\(number)],[1,2]]]}\n"
  }

  private static func lines(_ numbers: ClosedRange<Int>) -> String {
    numbers.map { line($0) }.joined()
  }

  private static let tag = "ETag: \"a\""

  private func fetch(
    _ server: TestServer, _ folder: borrowing TemporaryFolder, labels: [String] = ["cat"],
    limit: Int? = nil, all: Bool = false, _ limits: RemoteLimits = RemoteLimits()
  ) async throws -> [QuickDrawFetch.Result] {
    let address = try RemoteAddress(server.address)
    let fetch = try QuickDrawFetch(
      from: address, labels: labels, limit: limit, takesAll: all, folder: folder.file("d"),
      limits: limits)
    return try fetch.run()
  }

  /// The numbers of the drawings in a file of the folder.
  private func numbers(_ folder: borrowing TemporaryFolder, _ name: String = "cat.ndjson") throws
    -> [Int]
  {
    var reader = try DrawingReader(path: folder.file("d/" + name))
    var numbers: [Int] = []
    while let drawing = try reader.next() { numbers.append(Int(drawing.id) ?? -1) }
    return numbers
  }

  private func message(
    _ answer: @escaping @Sendable (String) -> TestServer.Reply, limit: Int? = nil,
    _ limits: RemoteLimits = RemoteLimits()
  ) async throws -> String {
    var message = ""
    try await TestServer.run(answer) { server in
      let folder = try TemporaryFolder()
      do {
        _ = try await fetch(server, folder, limit: limit, limits)
      } catch { message = "\(error)".replacing(server.address, with: "A") }
      #expect(!AtomicFile.exists(folder.file("d/cat.ndjson")))
    }
    return message
  }

  @Test("A label is fetched to its end: what the game recognized, as it came, with the license")
  func whole() async throws {
    try await TestServer.run({ _ in .init(Self.lines(1...7)) }) { server in
      let folder = try TemporaryFolder()
      let found = try await fetch(server, folder)
      #expect(found.map(\.drawings) == [5] && found.map(\.isNew) == [true])
      let text = try AtomicFile.read(folder.file("d/cat.ndjson"))
      #expect(text == [1, 2, 4, 5, 7].flatMap { Array(Self.line($0).utf8) })
      let license = try AtomicFile.read(folder.file("d/LICENSE-quickdraw.txt"))
      #expect(String(decoding: license, as: UTF8.self).contains("Attribution 4.0 International"))
      #expect(server.requests.count == 1)
      #expect(server.requests[0].hasPrefix("GET /cat.ndjson HTTP/1.1\r\n"))
      #expect(!server.requests[0].lowercased().contains("cookie"))
      // What is there is not asked for again.
      #expect(try await fetch(server, folder).map(\.isNew) == [false])
      #expect(server.requests.count == 1)
    }
  }

  @Test("Labels with spaces, all drawings, and a last line without its break")
  func labels() async throws {
    let word = "ice cream"
    let text = String((Self.line(3, word: word) + Self.line(4, word: word)).dropLast())
    try await TestServer.run({ _ in .init(text) }) { server in
      let folder = try TemporaryFolder()
      let found = try await fetch(server, folder, labels: [word, word], all: true)
      #expect(found.map(\.label) == [word])
      #expect(try numbers(folder, "ice cream.ndjson") == [3, 4])
      #expect(server.requests[0].hasPrefix("GET /ice%20cream.ndjson "))
    }
  }

  @Test("A limit ends the fetch; a higher one goes on where it ended")
  func limit() async throws {
    let text = Self.lines(1...30)
    try await TestServer.run({ head in
      guard let first = Self.offset(head) else { return .init(text, headers: [Self.tag]) }
      let rest = String(text.utf8.dropFirst(first)) ?? ""
      return .init(
        rest, status: "206 Partial Content",
        headers: [
          Self.tag, "Content-Range: bytes \(first)-\(text.utf8.count - 1)/\(text.utf8.count)",
        ])
    }) { server in
      let folder = try TemporaryFolder()
      #expect(try await fetch(server, folder, limit: 3).map(\.drawings) == [3])
      #expect(try numbers(folder) == [1, 2, 4])
      #expect(try await fetch(server, folder, limit: 5).map(\.drawings) == [5])
      #expect(try numbers(folder) == [1, 2, 4, 5, 7])
      let range = "Range: bytes=\((1...4).map { Self.line($0).utf8.count }.reduce(0, +))-"
      #expect(server.requests.count == 2 && server.requests[1].contains(range))
      #expect(server.requests[1].contains("If-Range: \"a\""))
      #expect(try await fetch(server, folder, limit: 2).map(\.isNew) == [false])
      #expect(try await fetch(server, folder).map(\.drawings) == [20])
      #expect(try folder.contents == ["d"])
    }
  }

  /// The first byte that a request asks for; nil without a range.
  private static func offset(_ head: String) -> Int? {
    head.firstMatch(of: /Range: bytes=([0-9]+)-/).flatMap { Int($0.1) }
  }

  @Test(
    "After a cut connection the same command goes on, also where the server begins again",
    arguments: [true, false])
  func cut(knowsRanges: Bool) async throws {
    let text = Self.lines(1...8)
    let half = Self.lines(1...4) + #"{"word":"ca"#
    try await TestServer.run({ head in
      if let first = Self.offset(head), knowsRanges {
        return .init(
          String(text.utf8.dropFirst(first)) ?? "", status: "206 Partial Content",
          headers: [Self.tag, "Content-Range: bytes \(first)-\(text.utf8.count - 1)/*"])
      }
      let isFirst = Self.offset(head) == nil
      return .init(isFirst ? half : text, length: text.utf8.count, headers: [Self.tag])
    }) { server in
      let folder = try TemporaryFolder()
      let error = await #expect(throws: RemoteError.self) { try await fetch(server, folder) }
      #expect(error?.description.contains("; try again") == true)
      #expect(try numbers(folder, "cat.ndjson.part") == [1, 2, 4])
      #expect(try await fetch(server, folder).map(\.drawings) == [6])
      #expect(try numbers(folder) == [1, 2, 4, 5, 7, 8])
      #expect(!AtomicFile.exists(folder.file("d/cat.ndjson.part")))
    }
  }

  @Test(
    "A rest that ends before the file is not taken for all of it",
    arguments: [
      "206 Partial Content\nContent-Range: bytes F-L/T",
      "206 Partial Content\nContent-Range: bytes F-L/*",
      "206 Partial Content\nContent-Range: bytes F-L/99999999", "416 Range Not Satisfiable",
      "416 Range Not Satisfiable\nContent-Range: bytes */T",
    ])
  func truncatedRest(answer: String) async throws {
    let text = Self.lines(1...30)
    let state = Mutex(0)
    try await TestServer.run({ head in
      guard let first = Self.offset(head) else { return .init(text, headers: [Self.tag]) }
      state.withLock { $0 += 1 }
      let lines = answer.replacing("F", with: "\(first)")
        .replacing("L", with: "\(text.utf8.count - 1)").replacing("T", with: "\(text.utf8.count)")
        .split(separator: "\n").map(String.init)
      return .init(
        Self.line(6), status: lines[0], headers: lines.dropFirst() + [Self.tag])
    }) { server in
      let folder = try TemporaryFolder()
      #expect(try await fetch(server, folder, limit: 4).map(\.drawings) == [4])
      if answer.hasPrefix("206") {
        let error = await #expect(throws: RemoteError.self) { try await fetch(server, folder) }
        #expect(error?.description.hasPrefix("the connection ended within") == true)
      } else {
        // Its file is another one, which is fetched from its start.
        #expect(try await fetch(server, folder).map(\.drawings) == [20])
      }
      #expect(state.withLock(\.self) == 1)
    }
  }

  @Test("A server without a tag is asked for the whole file again")
  func untagged() async throws {
    try await TestServer.run({ _ in .init(Self.lines(1...8)) }) { server in
      let folder = try TemporaryFolder()
      _ = try await fetch(server, folder, limit: 2)
      _ = try await fetch(server, folder, limit: 4)
      #expect(try numbers(folder) == [1, 2, 4, 5])
      #expect(server.requests.allSatisfy { !$0.contains("Range") })
    }
  }

  @Test("Files that the command did not write so are left alone")
  func foreign() async throws {
    try await TestServer.run({ _ in .init(Self.lines(1...8)) }) { server in
      let folder = try TemporaryFolder()
      try folder.put("mine\n", "d/cat.ndjson")
      let error = await #expect(throws: RemoteError.self) { try await fetch(server, folder) }
      #expect(error == .foreign(path: folder.file("d/cat.ndjson")))
      #expect(try AtomicFile.read(folder.file("d/cat.ndjson")) == Array("mine\n".utf8))
      #expect(server.requests.isEmpty)
    }
  }

  @Test("What a server does wrong is said in a sentence, and no file is left that looks complete")
  func faults() async throws {
    #expect(
      try await message({ _ in .init("no", status: "404 Not Found") })
        == "there is no label \"cat\" at A/cat.ndjson; labels are written as in the game, such as "
        + "cat or ice cream")
    try await TestServer.run({ _ in .init("no", status: "404 Not Found") }) { server in
      let folder = try TemporaryFolder()
      await #expect(throws: RemoteError.self) { try await fetch(server, folder) }
      let names = try FolderListing.names(in: folder.file("d")) ?? []
      #expect(!names.contains { $0.hasPrefix("cat") })
    }
    #expect(
      try await message({ _ in .init("no", status: "416 Range Not Satisfiable") })
        == "the server answers 416 for A/cat.ndjson; check the address")
    #expect(
      try await message({ _ in .init("no", status: "503 Service Unavailable") })
        == "the server answers 503 for A/cat.ndjson; try again")
    #expect(
      try await message({ _ in .init(Self.line(1) + "garbage\n") }).hasPrefix(
        "line 2 of A/cat.ndjson: "))
    #expect(
      try await message({ _ in .init(Self.line(1, word: "dog")) })
        == "line 1 of A/cat.ndjson: it is a drawing of \"dog\", not of \"cat\"; what came before "
        + "it is kept")
    #expect(
      try await message({ _ in
        .init("", status: "302 Found", headers: ["Location: http://127.0.0.2/cat.ndjson"])
      }).hasPrefix("A/cat.ndjson leads to http://127.0.0.2/cat.ndjson, another server"))
    #expect(
      try await message({ _ in .init("", status: "302 Found", headers: ["Location: /cat.ndjson"]) })
        == "A/cat.ndjson redirects too often; check the address")
    #expect(try await message({ _ in .init(raw: "no HTTP\r\n\r\n") }).contains("A/cat.ndjson"))
  }

  @Test("An endless line, an endless file and a silent server are given up")
  func endless() async throws {
    var limits = RemoteLimits()
    limits.lineBytes = 100_000
    let head = "HTTP/1.1 200 OK\r\n\r\n"
    let line = head + String(repeating: "[", count: 1 << 16)
    #expect(
      try await message({ _ in .init(raw: line, repeats: true) }, limits)
        == "line 1 of A/cat.ndjson: it is longer than 100000 bytes; what came before it is kept")
    limits.fileBytes = 3 << 20
    let blank = head + String(repeating: "\n", count: 1 << 16)
    #expect(
      try await message({ _ in .init(raw: blank, repeats: true) }, limits)
        == "A/cat.ndjson has more than 3 MiB; name fewer drawings with --limit")
    // Trailers are kept by libcurl, so there are 256 KiB at most.
    let chunk = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\n\r\n0\r\n"
    let trailers = chunk + String(repeating: "X-A: a\r\n", count: 1 << 14)
    #expect(
      try await message({ _ in .init(raw: trailers, repeats: true) }, limits)
        == "the connection ended within A/cat.ndjson; try again")
    limits.silenceSeconds = 1
    #expect(
      try await message({ _ in .init(raw: head + Self.line(1), staysOpen: true) }, limits)
        == "nothing came from A/cat.ndjson for 1 seconds; try again")
  }

  @Test("A redirection on the same server is followed")
  func redirection() async throws {
    try await TestServer.run({ head in
      head.hasPrefix("GET /cat.ndjson")
        ? .init("", status: "301 Moved Permanently", headers: ["Location: /new/cat.ndjson"])
        : .init(Self.lines(1...2))
    }) { server in
      let folder = try TemporaryFolder()
      #expect(try await fetch(server, folder).map(\.drawings) == [2])
      #expect(server.requests.last?.hasPrefix("GET /new/cat.ndjson ") == true)
    }
  }

  @Test(
    "A pipe in the place of one of its files is not waited for",
    arguments: ["quickdraw.fetch", "LICENSE-quickdraw.txt", "cat.ndjson", "cat.ndjson.part"])
  func pipe(name: String) async throws {
    try await TestServer.run({ _ in .init(Self.lines(1...2)) }) { server in
      let folder = try TemporaryFolder()
      try AtomicFile.makeFolder(folder.file("d"))
      #expect(unsafe mkfifo(folder.file("d/\(name)"), 0o600) == 0)
      await #expect(throws: RemoteError.self) { try await fetch(server, folder) }
    }
  }

  @Test("Without a server the address and what to do are said")
  func unreachable() throws {
    let folder = try TemporaryFolder()
    // Port 1 is privileged, and nothing listens.
    let fetch = try QuickDrawFetch(
      from: RemoteAddress("http://127.0.0.1:1"), labels: ["cat"], limit: nil, takesAll: false,
      folder: folder.file("d"))
    let error = #expect(throws: RemoteError.self) { try fetch.run() }
    let message = error?.description ?? ""
    #expect(message.contains("cannot reach the server of http://127.0.0.1:1/"), "\(message)")
  }

  @Test("A canceled fetch leaves a state to go on from")
  func cancellation() async throws {
    let reply = "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\(Self.tag)\r\n\r\n" + Self.lines(1...4)
    try await TestServer.run({ _ in .init(raw: reply, staysOpen: true) }) { server in
      let folder = try TemporaryFolder()
      let path = folder.file("d")
      let address = try RemoteAddress(server.address)
      let task = Task {
        let fetch = try QuickDrawFetch(
          from: address, labels: ["cat"], limit: nil, takesAll: false, folder: path)
        _ = try fetch.run { _ in withUnsafeCurrentTask { $0?.cancel() } }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try numbers(folder, "cat.ndjson.part") == [1, 2, 4])
      let state = try FetchState(folder: path)
      #expect(state.labels["cat"]?.drawings == 3 && state.labels["cat"]?.tag == "\"a\"")
    }
  }

  @Test(
    "Names that are no labels are refused",
    arguments: ["", "../cat", "a/b", ".hidden", "cat\n", "cat?x", "🐧"])
  func names(label: String) throws {
    let address = try RemoteAddress(QuickDrawFetch.publicAddress)
    #expect(throws: RemoteError.label(label)) {
      try QuickDrawFetch(
        from: address, labels: [label], limit: nil, takesAll: false, folder: "d")
    }
  }
}

@Suite("Addresses to fetch from")
struct RemoteAddressTests {
  @Test(
    "HTTPS and this machine are taken",
    arguments: [
      "https://example.org/a/", "HTTPS://example.org", "http://127.0.0.1:80/x", "http://[::1]:8",
      "http://localhost/a",
    ])
  func taken(text: String) throws { _ = try RemoteAddress(text) }

  @Test(
    "Others are not",
    arguments: [
      "", "example.org", "http://example.org", "http://127.0.0.1.example.org", "ftp://127.0.0.1",
      "file:///etc/passwd", "https://user:word@example.org", "https://example.org/?a",
      "https://example.org/#a", "http://127.1.evil", "unix:/x",
    ])
  func refused(text: String) {
    #expect(throws: RemoteError.self) { try RemoteAddress(text) }
  }
}
