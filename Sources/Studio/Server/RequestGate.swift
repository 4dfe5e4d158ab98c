internal import NIOCore

/// Stands before the HTTP parser, so that refused requests cost no parsing. What follows the first
/// head of a connection waits until that request is admitted; after its last response nothing is
/// parsed. The parser gets a little at a time, when it asks, so that no connection holds up others.
final class RequestGate: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// What is decided about a request, as an event of its connection's pipeline.
  enum Verdict: Sendable {
    case admitted(Visitor)
    /// Its response is written, and was the connection's last, as after each refusal.
    case last(isClientSending: Bool)
  }

  /// What the gate hears, as an outbound event, when the parser takes nothing more.
  struct ParserEnded: Sendable {}

  private enum State {
    case inFirstHead(HeadEnd)
    /// The first request waits for its verdict.
    case waiting
    case open
    /// What comes is dropped.
    case dropping
    /// The same after the last response, for a while; whether something came is noted.
    case lingering(heard: Bool)
  }

  /// The most bytes of others than the owner that are parsed before other connections have their
  /// turn.
  private static let turnBytes = 8 << 10
  private let lingerTime: TimeAmount
  private var state = State.inFirstHead(HeadEnd())
  /// What came and is not parsed: at the end of a connection the system gives all that it has.
  private var held = CircularBuffer<ByteBuffer>()
  private var isOwners = false
  /// Whether nothing comes after that.
  private var isEnd = false
  /// Whether the parser asked for more.
  private var isAsked = false

  /// - Parameter lingerTime: The time to read on after the last response.
  init(lingerTime: TimeAmount) { self.lingerTime = lingerTime }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch state {
    case .dropping: break
    case .lingering: state = .lingering(heard: true)
    case .inFirstHead, .waiting, .open: held.append(unwrapInboundIn(data))
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    passOn(context)
  }

  func read(context: ChannelHandlerContext) {
    isAsked = true
    if held.isEmpty {
      passOn(context)
    } else {
      context.eventLoop.assumeIsolated().execute {
        if !self.held.isEmpty { self.passOn(context) }
      }
    }
  }

  /// Gives the parser the next bytes if it asked for them, or asks for some.
  private func passOn(_ context: ChannelHandlerContext) {
    switch state {
    case .dropping, .lingering: return context.read()
    case .waiting: return
    case .inFirstHead, .open: guard isAsked else { return }
    }
    guard let bytes = next() else {
      guard isEnd else { return context.read() }
      isEnd = false
      return context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
    isAsked = false
    context.fireChannelRead(wrapInboundOut(bytes))
    context.fireChannelReadComplete()
    // As a channel does that reads by itself.
    context.channel.read()
  }

  /// Takes the next bytes for the parser from what is held.
  private func next() -> ByteBuffer? {
    guard var first = held.popFirst() else { return nil }
    var count = isOwners ? first.readableBytes : min(first.readableBytes, Self.turnBytes)
    if case .inFirstHead(var end) = state {
      let head = end.length(in: first.readableBytesView.prefix(count))
      state = head == nil ? .inFirstHead(end) : .waiting
      count = head ?? count
    }
    let bytes = first.readSlice(length: count)
    if first.readableBytes > 0 { held.prepend(first) }
    return bytes
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch (state, event) {
    case (.lingering, ChannelEvent.inputClosed): context.close(promise: nil)
    case (.waiting, ChannelEvent.inputClosed): isEnd = true
    case (_, ChannelEvent.inputClosed) where !held.isEmpty: isEnd = true
    case (_, Verdict.admitted(let visitor)):
      isOwners = isOwners || visitor == .owner
      switch state {
      case .inFirstHead, .waiting:
        state = .open
        context.fireUserInboundEventTriggered(event)
        passOn(context)
      case .open, .dropping, .lingering: context.fireUserInboundEventTriggered(event)
      }
    case (.lingering, Verdict.last): break
    case (_, Verdict.last(let isClientSending)):
      held.removeAll()
      if isClientSending, !isEnd {
        linger(context, until: context.eventLoop.now + lingerTime)
        context.read()
      } else {
        context.close(promise: nil)
      }
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    guard event is ParserEnded else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    held.removeAll()
    state = .dropping
    promise?.succeed()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    held.removeAll()
    state = .dropping
  }

  /// Reads on until the client closes, stops sending for a second, or the time is over: closing at
  /// once could discard the response while the client is still sending (RFC 9112, section 9.6).
  private func linger(_ context: ChannelHandlerContext, until end: NIODeadline) {
    state = .lingering(heard: false)
    context.eventLoop.assumeIsolated().scheduleTask(in: min(.seconds(1), lingerTime)) {
      if case .lingering(heard: true) = self.state, context.eventLoop.now < end {
        self.linger(context, until: end)
      } else {
        context.close(promise: nil)
      }
    }
  }
}
