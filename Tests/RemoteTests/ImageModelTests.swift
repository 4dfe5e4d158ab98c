import Foundation
import Numbers
import Synchronization
import Testing

@testable import Remote

@Suite("Image models")
struct ImageModelTests {
  /// What the tests send, as if it were a PNG file.
  private static let png: [UInt8] = [1, 2, 3, 255]
  private static let key = "AIza-secret+/="
  /// What an answer has, as if it were a picture.
  private static let picture: [UInt8] = Array("picture".utf8)

  /// An answer with the parts of one candidate.
  private static func answer(_ parts: String, finish: String = "STOP") -> TestServer.Reply {
    .init(#"{"candidates":[{"content":{"parts":[\#(parts)]},"finishReason":"\#(finish)"}]}"#)
  }

  private static func part(_ bytes: [UInt8] = picture, type: String = "image/png") -> String {
    #"{"inline_data":{"mime_type":"\#(type)","data":"\#(Data(bytes).base64EncodedString())"}}"#
  }

  private static let good = answer(part())
  private static let none = answer(#"{"text":"Sorry."}"#)
  private static let silence = TestServer.Reply(raw: "", staysOpen: true)

  private static func model(
    _ server: TestServer, keyPlace: ImageModel.KeyPlace = .header
  ) throws -> ImageModel {
    try ImageModel(at: RemoteAddress(server.address), key: key, keyPlace: keyPlace)
  }

  /// What asking gives: the picture as text, or the error; and the requests.
  private func asked(
    _ replies: [TestServer.Reply], keyPlace: ImageModel.KeyPlace = .header, seconds: Int = 30
  ) async throws -> (answer: Result<String, ImageModelError>, requests: [String]) {
    var requests: [String] = []
    var answer = Result<String, ImageModelError>.failure(.slow)
    let count = Mutex(0)
    try await TestServer.run({ _ in
      count.withLock { count in
        count += 1
        return replies[min(count, replies.count) - 1]
      }
    }) { server in
      let model = try Self.model(server, keyPlace: keyPlace)
      do {
        let picture = try model.picture(of: Self.png, prompt: "P \"é\"", seconds: seconds)
        answer = .success(String(decoding: picture, as: UTF8.self))
      } catch let error as ImageModelError {
        #expect(!"\(error) \(error.localizedDescription)".contains("AIza"))
        answer = .failure(error)
      }
      requests = server.requests
    }
    return (answer, requests)
  }

  private static func body(_ request: String) throws -> NSDictionary {
    let start = try #require(request.firstRange(of: "\r\n\r\n"))
    let object = try JSONSerialization.jsonObject(with: Data(request[start.upperBound...].utf8))
    return try #require(object as? NSDictionary)
  }

  @Test("TF-020, TF-021: One POST with the picture, then the prompt, and nothing else")
  func request() async throws {
    let (answer, requests) = try await asked([Self.good])
    #expect(answer == .success("picture"))
    let request = try #require(requests.first)
    #expect(requests.count == 1)
    #expect(
      request.hasPrefix(
        "POST /v1beta/models/gemini-3.1-flash-image-preview:generateContent HTTP/1.1\r\n"))
    #expect(request.contains("\r\nx-goog-api-key: \(Self.key)\r\n"))
    let names = request.prefix { $0 != "{" }.split(separator: "\r\n").dropFirst()
      .map { $0.prefix { $0 != ":" }.lowercased() }
    #expect(
      Set(names) == [
        "host", "user-agent", "accept", "content-type", "content-length", "x-goog-api-key",
      ])
    let expected: NSDictionary = [
      "contents": [
        [
          "parts": [
            ["inline_data": ["mime_type": "image/png", "data": "AQID/w=="]],
            ["text": "P \"é\""],
          ] as [[String: Any]]
        ]
      ],
      "generationConfig": ["responseModalities": ["IMAGE", "TEXT"], "candidateCount": 1]
        as [String: Any],
    ]
    #expect(try Self.body(request) == expected)
  }

  @Test("TF-021: The key may be in the query, escaped, and is in no header then and in no error")
  func query() async throws {
    let (answer, requests) = try await asked([Self.good], keyPlace: .query)
    #expect(answer == .success("picture"))
    let line = try #require(requests.first?.split(separator: "\r\n").first)
    #expect(line.hasSuffix(":generateContent?key=AIza-secret%2B%2F%3D HTTP/1.1"))
    #expect(requests[0].ranges(of: "AIza").count == 1)
    for (reply, seconds) in [
      (TestServer.Reply("{", length: 9), 30), (.init("{}", status: "500 Oops"), 30),
      (Self.silence, 1), (.init("", status: "302 Found", headers: ["Location: /?key=AIza"]), 30),
      (.init(raw: "no HTTP\r\n\r\n"), 30), (.init("AIza"), 30),
    ] {
      // The helper looks for the key in each error.
      let (answer, _) = try await asked([reply], keyPlace: .query, seconds: seconds)
      #expect(throws: ImageModelError.self) { try answer.get() }
    }
    let model = try ImageModel(
      at: RemoteAddress("http://127.0.0.1:1"), key: Self.key, keyPlace: .query)
    let error = #expect(throws: ImageModelError.self) {
      try model.picture(of: Self.png, prompt: "P")
    }
    guard case .unreachable(let why) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(why.contains("127.0.0.1:1/v1beta") && !why.contains("AIza"))
  }

  @Test("TF-022: The first part that is a picture counts, in either spelling")
  func spellings() async throws {
    let data = Data(Self.picture).base64EncodedString()
    for parts in [
      Self.part(), Self.part(type: "image/jpeg"),
      #"{"inlineData":{"mimeType":"image/png","data":"\#(data)"}}"#,
      #"{"text":"Hm."},{"thoughtSignature":"x"},"#
        + Self.part([1], type: "audio/wav") + "," + Self.part() + "," + Self.part([1]),
    ] {
      let (answer, requests) = try await asked([Self.answer(parts)])
      #expect(answer == .success("picture"), "\(parts)")
      #expect(requests.count == 1)
    }
  }

  @Test("TF-023: Without a picture it is asked once more, with the same body, and never again")
  func once() async throws {
    let (answer, requests) = try await asked([Self.none, Self.good])
    #expect(answer == .success("picture"))
    #expect(requests.count == 2)
    #expect(try Self.body(requests[0]) == Self.body(requests[1]))
    for reply in [
      Self.none, Self.answer(""), .init("{}"), .init(#"{"candidates":[]}"#),
      Self.answer(Self.part(type: "text/plain")),
      .init(#"{"candidates":[{"finishReason":"NO_IMAGE"}]}"#),
    ] {
      let (answer, requests) = try await asked([reply])
      #expect(answer == .failure(.noPicture))
      #expect(requests.count == 2)
    }
    // A fault of the second answer ends it, too.
    let (failed, three) = try await asked([Self.none, .init("{}", status: "500 Oops"), Self.good])
    #expect(failed == .failure(.status(500)))
    #expect(three.count == 2)
  }

  @Test(
    "TF-023: A status is told, and nothing is asked twice",
    arguments: [
      ("400 Bad Request", ImageModelError.status(400)), ("404 Not Found", .status(404)),
      ("429 Too Many Requests", .status(429)), ("500 Oops", .status(500)),
      ("503 Busy", .status(503)), ("302 Found", .status(302)), ("204 Nothing", .status(204)),
      ("401 Unauthorized", .keyRefused(401)), ("403 Forbidden", .keyRefused(403)),
    ])
  func statuses(status: String, error: ImageModelError) async throws {
    let (answer, requests) = try await asked([.init("{}", status: status), Self.good])
    #expect(answer == .failure(error))
    #expect(requests.count == 1)
  }

  @Test("TF-023: An unknown key is told, also where the server answers 400")
  func unknownKey() async throws {
    let body =
      #"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}"#
    let (answer, requests) = try await asked([.init(body, status: "400 Bad Request"), Self.good])
    #expect(answer == .failure(.keyRefused(400)))
    #expect(requests.count == 1)
  }

  @Test("TF-023: A refusal by policy is told, however it is sent, and nothing is asked twice")
  func blocked() async throws {
    for reply in [
      TestServer.Reply(#"{"promptFeedback":{"blockReason":"OTHER"}}"#),
      .init(#"{"candidates":[],"promptFeedback":{"blockReason":"SAFETY"}}"#),
      .init(#"{"candidates":[{"finishReason":"IMAGE_SAFETY"}]}"#),
      Self.answer("", finish: "PROHIBITED_CONTENT"), Self.answer(Self.part(), finish: "SAFETY"),
    ] {
      let (answer, requests) = try await asked([reply, Self.good])
      #expect(answer == .failure(.blocked))
      #expect(requests.count == 1)
    }
  }

  @Test("TF-023: What is not of the protocol, is cut off or comes too late is told, and asked once")
  func faults() async throws {
    let cut = TestServer.Reply(#"{"candidates":"#, length: 999)
    let late = TestServer.Reply(
      raw: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", staysOpen: true)
    let broken = Self.answer(#"{"inlineData":{"mimeType":"image/png","data":"%%%"}}"#)
    let empty = Self.answer(#"{"inlineData":{"mimeType":"image/png"}}"#)
    for (reply, seconds, error) in [
      (TestServer.Reply("<html>"), 30, "it is not JSON"), (.init("[1]"), 30, "it is no object"),
      (broken, 30, "its picture is not in base64"), (empty, 30, "its picture is not in base64"),
      (cut, 30, "the connection ended within http://127.0.0.1:"),
      (late, 1, "the image model took too long"),
      (Self.silence, 1, "the image model took too long"),
    ] {
      let (answer, requests) = try await asked([reply, Self.good], seconds: seconds)
      let found = #expect(throws: ImageModelError.self) { try answer.get() }
      #expect(found?.description.contains(error) == true, "\(String(describing: found))")
      #expect(requests.count == 1)
    }
  }

  @Test("TF-022: An answer of more than 32 MB of picture is not read to its end")
  func tooLarge() async throws {
    let endless = TestServer.Reply(
      raw: "HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n"
        + String(repeating: " ", count: 1 << 16), repeats: true)
    let (answer, requests) = try await asked([endless, Self.good])
    let error = #expect(throws: ImageModelError.self) { try answer.get() }
    guard case .tooLarge = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(requests.count == 1)
    // The whole body is short enough, and its picture is not.
    let slightly = Self.answer(Self.part([UInt8](repeating: 7, count: 32 << 20 + 1)))
    #expect(try await asked([slightly, Self.good]).answer == .failure(.tooLarge(32 << 20)))
  }

  /// When a request is canceled.
  enum Moment: CaseIterable {
    case before, whileItWaits, whileItReads, betweenTwo
  }

  @Test("TF-025: Canceling ends a request at each moment", arguments: Moment.allCases)
  func canceling(moment: Moment) async throws {
    let (begin, beginning) = AsyncStream.makeStream(of: Void.self)
    let asking = Mutex<Task<[UInt8], any Error>?>(nil)
    try await TestServer.run({ _ in
      asking.withLock { $0?.cancel() }
      return switch moment {
      case .before, .whileItWaits: Self.silence
      case .whileItReads:
        .init(raw: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", staysOpen: true)
      case .betweenTwo: Self.none
      }
    }) { server in
      let model = try Self.model(server)
      let task = Task {
        for await _ in begin {}
        return try model.picture(of: Self.png, prompt: "P")
      }
      asking.withLock { $0 = task }
      if moment == .before { task.cancel() }
      let started = ContinuousClock.now
      beginning.finish()
      await #expect(throws: CancellationError.self) { try await task.value }
      // Far below the 30 seconds that it would wait.
      #expect(ContinuousClock.now - started < .seconds(25))
      #expect(server.requests.count == (moment == .before ? 0 : 1))
    }
  }

  @Test("Two at once get each its own picture")
  func twoAtOnce() async throws {
    try await TestServer.run({ head in
      Self.answer(Self.part(Array((head.contains("\"first\"") ? "1" : "2").utf8)))
    }) { server in
      let model = try Self.model(server)
      async let first = model.picture(of: Self.png, prompt: "first")
      async let second = model.picture(of: Self.png, prompt: "second")
      let (one, two) = try await (first, second)
      #expect(one == Array("1".utf8) && two == Array("2".utf8))
      #expect(server.requests.count == 2)
    }
  }

  @Test("TF-027: Of 200 runs with faults in 5 % of the answers, at least 95 % end in a picture")
  func mixed() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("TF-027: seed \(seed)")
    let faults = [
      Self.none, .init("{}", status: "500 Oops"), .init("{}", status: "429 Busy"),
      .init("{", length: 99), Self.answer("", finish: "SAFETY"), .init("<html>"),
    ]
    let state = Mutex((generator: SeededGenerator(seed: seed), asked: 0, fault: 0))
    // One of each 20 answers is a fault, at any place.
    let answer: @Sendable (String) -> TestServer.Reply = { _ in
      state.withLock { state in
        if state.asked.isMultiple(of: 20) {
          state.fault = state.asked + Int.random(in: 0..<20, using: &state.generator)
        }
        defer { state.asked += 1 }
        return state.asked == state.fault
          ? faults[state.asked / 20 % faults.count] : Self.good
      }
    }
    try await TestServer.run(answer) { server in
      let model = try Self.model(server)
      var (pictures, noPictures) = (0, 0)
      for _ in 0..<200 {
        do {
          pictures += try model.picture(of: Self.png, prompt: "P") == Self.picture ? 1 : 0
        } catch is ImageModelError {
          noPictures += 1
        }
      }
      #expect(pictures + noPictures == 200)
      #expect(pictures >= 190 && noPictures > 0, "seed \(seed): \(pictures)")
      // Only answers without a picture were followed by another request.
      #expect((201...203).contains(server.requests.count), "seed \(seed)")
    }
  }

  @Test("TF-021: A key that would add a header is refused", arguments: ["", "a\nX: y", "a b", "ä"])
  func keys(key: String) throws {
    let address = try RemoteAddress("https://example.org")
    #expect(throws: ImageModelError.key) { try ImageModel(at: address, key: key) }
  }

  @Test(
    "TF-020: A name that would change the path is refused",
    arguments: ["", "../x", "a/b", "a?b", "a#b", "a b", "a:b", "ä", "a%2fb", "a\n"])
  func names(name: String) throws {
    let address = try RemoteAddress("https://example.org")
    #expect(throws: ImageModelError.name(name)) {
      try ImageModel(at: address, key: "k", name: name)
    }
  }
}
