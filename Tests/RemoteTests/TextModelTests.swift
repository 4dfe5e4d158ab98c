import Foundation
import Testing

@testable import Remote

@Suite("Text models")
struct TextModelTests {
  private static func completion(_ content: String, finish: String = "stop") -> String {
    #"{"choices":[{"message":{"role":"assistant","content":"\#(content)"},"#
      + #""finish_reason":"\#(finish)"}]}"#
  }

  /// What asking gives: the content, or the error's words.
  private func asked(
    _ reply: TestServer.Reply, seconds: Int = 8
  ) async throws -> (answer: String, requests: [String]) {
    var result = ("", [String]())
    try await TestServer.run({ _ in reply }) { server in
      let model = try TextModel(at: RemoteAddress(server.address), key: "sk-secret")
      do { result.0 = try model.complete(system: "S", user: "U \"é\"", seconds: seconds) } catch {
        result.0 = "\(error)".replacing(server.address, with: "A")
      }
      result.1 = server.requests
    }
    return result
  }

  @Test("CA-031: One POST with the model, the prompts and the settings that were asked for")
  func request() async throws {
    let (answer, requests) = try await asked(.init(Self.completion("[1]")))
    #expect(answer == "[1]")
    let request = try #require(requests.first)
    #expect(requests.count == 1)
    #expect(request.hasPrefix("POST /v1/chat/completions HTTP/1.1\r\n"))
    #expect(request.contains("\r\nAuthorization: Bearer sk-secret\r\n"))
    #expect(request.contains("\r\nContent-Type: application/json\r\n"))
    let start = try #require(request.firstRange(of: "\r\n\r\n"))
    let body = try #require(
      JSONSerialization.jsonObject(with: Data(request[start.upperBound...].utf8))
        as? [String: Any])
    #expect(body["model"] as? String == "gpt-4o-mini")
    #expect(body["temperature"] as? Double == 0.8)
    #expect(body["top_p"] as? Double == 0.9)
    #expect(body["max_tokens"] as? Int == 1600)
    #expect(body["response_format"] as? [String: String] == ["type": "json_object"])
    #expect(
      body["messages"] as? [[String: String]] == [
        ["role": "system", "content": "S"], ["role": "user", "content": "U \"é\""],
      ])
    #expect(body.count == 6)
  }

  @Test(
    "CA-035: A status is told, and nothing is asked twice",
    arguments: ["401 Unauthorized", "408 Request Timeout", "429 Too Many Requests", "500 Oops"])
  func statuses(status: String) async throws {
    let (answer, requests) = try await asked(.init("{}", status: status))
    #expect(answer == "the text model's server answers \(status.prefix(3))")
    #expect(requests.count == 1)
  }

  @Test("CA-035: A refusal by policy is told, however it is sent")
  func refusals() async throws {
    let refusal = #"{"choices":[{"message":{"content":null,"refusal":"No."}}]}"#
    let code = #"{"error":{"code":"content_policy_violation","message":"No."}}"#
    for reply in [
      TestServer.Reply(refusal), .init(code, status: "400 Bad Request"),
      .init(Self.completion("", finish: "content_filter")),
    ] {
      #expect(try await asked(reply).answer == "the text model refuses the text")
    }
  }

  @Test("CA-035: What is not of the protocol, redirects, or comes too late is told")
  func faults() async throws {
    #expect(try await asked(.init("<html>")).answer.contains("not one of its protocol"))
    #expect(try await asked(.init(#"{"choices":[]}"#)).answer.hasSuffix("it has no choice"))
    let moved = TestServer.Reply(
      "", status: "302 Found", headers: ["Location: http://127.0.0.1:1/"])
    #expect(try await asked(moved).answer == "the text model's server answers 302")
    let silent = TestServer.Reply(
      raw: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", staysOpen: true)
    #expect(try await asked(silent, seconds: 1).answer == "the text model took too long")
    let endless = TestServer.Reply(
      raw: "HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n"
        + String(repeating: " ", count: 1 << 16), repeats: true)
    #expect(try await asked(endless).answer.contains("has more than 1 MB"))
  }

  @Test("CA-035: Without a server the network is to be checked")
  func unreachable() throws {
    let model = try TextModel(at: RemoteAddress("http://127.0.0.1:1"), key: "k")
    let error = #expect(throws: TextModelError.self) { try model.complete(system: "", user: "") }
    guard case .unreachable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("CA-031: A key that would add a header is refused", arguments: ["", "a\nX: y", "a b", "ä"])
  func keys(key: String) throws {
    let address = try RemoteAddress("https://example.org")
    #expect(throws: TextModelError.key) { try TextModel(at: address, key: key) }
  }
}
