import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Studio

/// What passes the gate, without an HTTP parser behind it. The channel asks for more as one with
/// automatic reads does.
@Suite("What reaches the HTTP parser")
struct RequestGateTests {
  private static let head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
  private let heard = EventLog()
  private let channel: EmbeddedChannel

  init() {
    channel = EmbeddedChannel(handlers: [RequestGate(lingerTime: .seconds(30)), heard])
  }

  /// Sends bytes; returns what the parser gets of all so far, part by part.
  private func parts(after text: String = "") throws -> [String] {
    channel.read()
    if !text.isEmpty { _ = try channel.writeInbound(ByteBuffer(string: text)) }
    channel.embeddedEventLoop.run()
    var parts: [String] = []
    while let part = try channel.readInbound(as: ByteBuffer.self) {
      parts.append(String(buffer: part))
    }
    return parts
  }

  private func admit(_ visitor: Visitor) {
    channel.pipeline.fireUserInboundEventTriggered(RequestGate.Admitted(visitor: visitor))
    channel.embeddedEventLoop.run()
  }

  private func end(_ ending: RequestGate.Ending) throws {
    try channel.triggerUserOutboundEvent(ending).wait()
    channel.embeddedEventLoop.run()
  }

  @Test("What follows the first head waits for the verdict, and then comes a little at a time")
  func waits() throws {
    let body = String(repeating: "x", count: 20_000)
    #expect(try parts(after: Self.head + body) == [Self.head])
    #expect(try parts(after: "more") == [])
    admit(.guest(browser: ""))
    let rest = try parts()
    #expect(rest.joined() == body + "more")
    #expect(rest.map(\.count) == [8_192, 8_192, 3_616, 4])
    // Later requests don't wait.
    #expect(try parts(after: Self.head + "y") == [Self.head + "y"])
  }

  @Test("After the last answer nothing is parsed, and a client that still sends is heard out")
  func refused() throws {
    #expect(try parts(after: Self.head + "a body") == [Self.head])
    try end(.answers)
    #expect(try parts(after: "more of it") == [])
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1_100))
    #expect(try parts(after: "still more") == [])
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(2_200))
    #expect(throws: ChannelError.self) { try channel.finish() }
  }

  @Test("Nor is it heard for longer than half a minute, however it goes on")
  func lingers() throws {
    #expect(try parts(after: Self.head) == [Self.head])
    try end(.answers)
    for _ in 0..<29 {
      #expect(try parts(after: "more") == [])
      channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    }
    #expect(!heard.isRemoved)
    #expect(try parts(after: "more") == [])
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(heard.isRemoved)
  }

  @Test("Where the client has ended its side, the last answer ends the connection")
  func ends() throws {
    #expect(try parts(after: Self.head + Self.head) == [Self.head])
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    try end(.answers)
    #expect(throws: ChannelError.self) { try channel.finish() }
  }

  @Test("What follows the parser's end is dropped: it would be kept for ever")
  func parserEnds() throws {
    #expect(try parts(after: Self.head) == [Self.head])
    admit(.owner)
    try end(.parser)
    #expect(try parts(after: Self.head) == [])
  }

  @Test("The end of what a client sends is told after what it sent")
  func end() throws {
    #expect(try parts(after: Self.head + "body") == [Self.head])
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(heard.ends == 0)
    admit(.guest(browser: ""))
    #expect(try parts() == ["body"])
    #expect(heard.ends == 1)
  }

  @Test(
    "What was sent before the client ended its side is parsed whole",
    arguments: [.owner, .guest(browser: "")] as [Visitor])
  func ended(visitor: Visitor) throws {
    #expect(try parts(after: Self.head) == [Self.head])
    admit(visitor)
    // Nothing was asked for since the head.
    let body = String(repeating: "x", count: 2_000_000)
    channel.pipeline.fireChannelRead(ByteBuffer(string: body))
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(heard.ends == 0)
    #expect(try parts().joined() == body)
    #expect(heard.ends == 1)
  }

  @Test("The head of the first request ends at its empty line, in however many parts it comes")
  func headEnd() {
    let head = "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\r\n\r\n"
    var whole = HeadEnd()
    #expect(whole.length(in: Array((head + "GET").utf8)) == head.utf8.count)
    var parts = HeadEnd()
    let lengths = head.utf8.map { parts.length(in: [$0]) }
    #expect(lengths.dropLast().allSatisfy { $0 == nil } && lengths.last == 1)
    var open = HeadEnd()
    #expect(open.length(in: Array("\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n".utf8)) == nil)
  }
}

@Suite("What the HTTP parser passes on")
struct ParsedRequestsTests {
  @Test(
    "Parts that were read together are one; a guest's may not be tiny, the owner's may",
    arguments: [true, false])
  func parts(isOwner: Bool) throws {
    let channel = EmbeddedChannel(handler: ParsedRequests())
    channel.pipeline.fireUserInboundEventTriggered(
      RequestGate.Admitted(visitor: isOwner ? .owner : .guest(browser: "")))
    func pass(_ part: HTTPRequestPart) { channel.pipeline.fireChannelRead(part) }
    pass(.head(HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/")))
    // Of 1,027 bytes a guest's body may have 1,024 parts, and one for each 512 bytes.
    for _ in 0..<1_027 { pass(.body(ByteBuffer(string: "x"))) }
    channel.pipeline.fireChannelReadComplete()
    guard case .head? = try channel.readInbound(as: HTTPRequestPart.self) else {
      Issue.record("no head")
      return
    }
    let text = String(repeating: "x", count: 1_027)
    if isOwner {
      #expect(try channel.readInbound(as: HTTPRequestPart.self) == .body(ByteBuffer(string: text)))
      pass(.body(ByteBuffer(string: "y")))
      pass(.end(nil))
      #expect(try channel.readInbound(as: HTTPRequestPart.self) == .body(ByteBuffer(string: "y")))
      #expect(try channel.readInbound(as: HTTPRequestPart.self) == .end(nil))
      #expect(try channel.finish().isClean)
    } else {
      #expect(throws: ChannelError.self) { try channel.finish() }
    }
  }

  private static func request(_ path: String) -> [HTTPRequestPart] {
    [.head(HTTPRequest(method: .get, scheme: nil, authority: nil, path: path)), .end(nil)]
  }

  private static func answer(_ fields: HTTPFields = [:]) -> [HTTPResponsePart] {
    [.head(HTTPResponse(status: .ok, headerFields: fields)), .end(nil)]
  }

  @Test("A request waits until the one before is answered, and the client's end for all of them")
  func oneAtATime() throws {
    let heard = EventLog()
    let channel = EmbeddedChannel(handlers: [ParsedRequests(), heard])
    func next() throws -> [HTTPRequestPart] {
      var parts: [HTTPRequestPart] = []
      while let part = try channel.readInbound(as: HTTPRequestPart.self) { parts.append(part) }
      return parts
    }
    for path in ["/a", "/b", "/c"] {
      for part in Self.request(path) { channel.pipeline.fireChannelRead(part) }
    }
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(try next() == Self.request("/a"))
    for part in Self.answer() { try channel.writeOutbound(part) }
    #expect(try next() == Self.request("/b"))
    #expect(heard.ends == 0)
    for part in Self.answer() { try channel.writeOutbound(part) }
    #expect(try next() == Self.request("/c"))
    #expect(heard.ends == 1)
  }

  @Test("After an answer that is the last nothing comes; who hangs up meanwhile is heard at once")
  func last() throws {
    let heard = EventLog()
    let channel = EmbeddedChannel(handlers: [ParsedRequests(), heard])
    for part in Self.request("/a") { channel.pipeline.fireChannelRead(part) }
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(heard.ends == 1)
    for part in Self.request("/b") { channel.pipeline.fireChannelRead(part) }
    for part in Self.answer([.connection: "close"]) { try channel.writeOutbound(part) }
    for part in Self.request("/c") { channel.pipeline.fireChannelRead(part) }
    #expect(try channel.readInbound(as: HTTPRequestPart.self) == Self.request("/a")[0])
    #expect(try channel.readInbound(as: HTTPRequestPart.self) == .end(nil))
    #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil)
  }
}

/// Counts how often the end of what comes is told, and notes the end of the connection.
private final class EventLog: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  var ends = 0
  var isRemoved = false

  func handlerRemoved(context: ChannelHandlerContext) { isRemoved = true }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent { ends += 1 }
    context.fireUserInboundEventTriggered(event)
  }
}
