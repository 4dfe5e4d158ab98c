internal import NIOCore

/// Comes before the HTTP parser, which must not work on what nobody answers: what follows the first
/// head of a connection waits until that request is admitted, and after a refusal nothing is parsed.
final class RequestGate: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// What is decided about a request, as an event of its connection's pipeline.
  enum Verdict: Sendable {
    case admitted(Visitor)
    /// The response is written, and was the last one. A body that was announced may still come.
    case refused(hasBody: Bool)
  }

  private enum State {
    case inFirstHead(HeadEnd)
    /// The first request waits for its verdict, and here is what came behind its head.
    case waiting(ByteBuffer, isEnd: Bool)
    case open
    /// Whether something came since it was last looked after.
    case lingering(heard: Bool)
  }

  private let lingerTime: TimeAmount
  private var state = State.inFirstHead(HeadEnd())

  /// - Parameter lingerTime: The time to read on after a refusal.
  init(lingerTime: TimeAmount) { self.lingerTime = lingerTime }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch state {
    case .open: context.fireChannelRead(data)
    case .lingering: state = .lingering(heard: true)
    case .waiting(var behind, let isEnd):
      behind.writeImmutableBuffer(unwrapInboundIn(data))
      state = .waiting(behind, isEnd: isEnd)
    case .inFirstHead(var end):
      var bytes = unwrapInboundIn(data)
      guard let count = end.length(in: bytes.readableBytesView),
        let head = bytes.readSlice(length: count)
      else {
        state = .inFirstHead(end)
        return context.fireChannelRead(data)
      }
      state = .waiting(bytes, isEnd: false)
      context.fireChannelRead(wrapInboundOut(head))
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if case .lingering = state { context.read() } else { context.fireChannelReadComplete() }
  }

  func read(context: ChannelHandlerContext) {
    if case .waiting = state { return }
    context.read()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch (state, event) {
    case (.waiting(let behind, _), ChannelEvent.inputClosed):
      state = .waiting(behind, isEnd: true)
    case (.lingering, ChannelEvent.inputClosed): context.close(promise: nil)
    case (.waiting(let behind, let isEnd), Verdict.admitted):
      state = .open
      if behind.readableBytes > 0 {
        context.fireChannelRead(wrapInboundOut(behind))
        context.fireChannelReadComplete()
      }
      if isEnd { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
      context.read()
    case (_, Verdict.refused(hasBody: false)): context.close(promise: nil)
    case (.waiting(_, isEnd: true), Verdict.refused): context.close(promise: nil)
    case (.lingering, Verdict.refused): break
    case (_, Verdict.refused):
      linger(context, until: .now() + lingerTime)
      context.read()
    case (.inFirstHead, Verdict.admitted): state = .open
    case (_, Verdict.admitted): break
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  /// Reads on until the client closes, stops sending for a second, or the time is over: closing at
  /// once could discard the response while the client is still sending (RFC 9112, section 9.6).
  private func linger(_ context: ChannelHandlerContext, until end: NIODeadline) {
    state = .lingering(heard: false)
    context.eventLoop.assumeIsolated().scheduleTask(in: min(.seconds(1), lingerTime)) {
      if case .lingering(heard: true) = self.state, .now() < end {
        self.linger(context, until: end)
      } else {
        context.close(promise: nil)
      }
    }
  }
}

/// Finds the empty line that ends the head of a request. Empty lines before it don't count
/// (RFC 9112, section 2.2).
struct HeadEnd {
  private var hasBegun = false
  /// How many bytes of the end were the last ones.
  private var matched = 0
  private static let end = Array("\r\n\r\n".utf8)

  /// How many of the next bytes belong to the head if it ends with them; nil if it goes on.
  mutating func length(in bytes: some Collection<UInt8>) -> Int? {
    for (index, byte) in bytes.enumerated() {
      let isLineEnd = byte == Self.end[0] || byte == Self.end[1]
      hasBegun = hasBegun || !isLineEnd
      guard hasBegun else { continue }
      matched = byte == Self.end[matched] ? matched + 1 : byte == Self.end[0] ? 1 : 0
      if matched == Self.end.count { return index + 1 }
    }
    return nil
  }
}
