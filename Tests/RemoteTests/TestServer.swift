import NIOCore
import NIOPosix
import Synchronization

/// A server on this machine that sends exactly the bytes that a test gives.
final class TestServer: Sendable {
  /// What a request is answered with.
  struct Reply {
    /// The bytes of head and body.
    var bytes: [UInt8]
    /// Whether the connection stays open after that, without a word.
    var staysOpen = false
    /// Whether the last bytes are sent again and again.
    var repeats = false

    init(raw text: String, staysOpen: Bool = false, repeats: Bool = false) {
      (bytes, self.staysOpen, self.repeats) = (Array(text.utf8), staysOpen, repeats)
    }

    /// A whole answer with its length.
    init(
      _ body: String, status: String = "200 OK", length: Int? = nil, headers: [String] = []
    ) {
      let head =
        ["HTTP/1.1 \(status)", "Content-Length: \(length ?? body.utf8.count)"] + headers
        + ["Connection: close", "", ""]
      self.init(raw: head.joined(separator: "\r\n") + body)
    }
  }

  private let channel: any Channel
  private let heads = Mutex<[String]>([])

  /// The requests so far, each a head and perhaps a body.
  var requests: [String] { heads.withLock(\.self) }

  /// The address of the server.
  var address: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }

  private init(_ channel: any Channel) { self.channel = channel }

  /// Serves while `body` runs.
  static func run(
    _ answer: @escaping @Sendable (_ head: String) -> Reply,
    _ body: (TestServer) async throws -> Void
  ) async throws {
    let heads = Heads()
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Answerer(heads, answer))
        }
      }.bind(host: "127.0.0.1", port: 0).get()
    let server = TestServer(channel)
    heads.set { head in server.heads.withLock { $0.append(head) } }
    do {
      try await body(server)
      try await channel.close()
    } catch {
      try await channel.close()
      throw error
    }
  }

  private final class Heads: Sendable {
    private let note = Mutex<@Sendable (String) -> Void>({ _ in })

    func set(_ note: @escaping @Sendable (String) -> Void) { self.note.withLock { $0 = note } }

    func add(_ head: String) { note.withLock(\.self)(head) }
  }

  private final class Answerer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let heads: Heads
    private let answer: @Sendable (String) -> Reply
    private var text = ""

    init(_ heads: Heads, _ answer: @escaping @Sendable (String) -> Reply) {
      (self.heads, self.answer) = (heads, answer)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      text += String(buffer: unwrapInboundIn(data))
      guard isWhole else { return }
      heads.add(text)
      let reply = answer(text)
      text = ""
      send(reply, context)
    }

    /// Whether the head and as much of a body as it says are here.
    private var isWhole: Bool {
      guard let head = text.firstRange(of: "\r\n\r\n") else { return false }
      let length = text.firstMatch(of: #/(?i)content-length: (\d+)/#).flatMap { Int($0.1) } ?? 0
      return text[head.upperBound...].utf8.count >= length
    }

    private func send(_ reply: Reply, _ context: ChannelHandlerContext) {
      let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: reply.bytes)))
      let loop = NIOLoopBound(context, eventLoop: context.eventLoop)
      let own = NIOLoopBound(self, eventLoop: context.eventLoop)
      written.whenComplete { result in
        guard case .success = result else { return }
        if reply.repeats {
          var next = reply
          next.bytes = Array(reply.bytes.suffix(1 << 16))
          own.value.send(next, loop.value)
        } else if !reply.staysOpen {
          loop.value.close(promise: nil)
        }
      }
    }
  }
}
