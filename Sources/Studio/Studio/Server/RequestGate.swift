internal import NIOCore

/// Precedes the HTTP parser, so that refused requests are not parsed. The bytes after a
/// connection's first head wait until that request is admitted; after its last response nothing is
/// parsed. The parser gets a few bytes at a time, on demand, so that no connection delays others.
final class RequestGate: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// A pipeline event: a visitor's request is admitted.
  struct Admitted: Sendable {
    let visitor: Visitor
  }

  /// An outbound event: what ends on a connection.
  enum Ending: Sendable {
    /// Parsing: the parser takes nothing more.
    case parser
    /// Answering: the last response is written.
    case answers
  }

  private enum State {
    case inFirstHead(HeadEnd)
    /// The first request waits for its verdict.
    case waiting
    case open
    /// What comes is dropped.
    case dropping
    /// Like that after the last response, for a limited time; records whether bytes arrived.
    case lingering(heard: Bool)
  }

  /// The maximum number of a guest's bytes that are parsed before other connections have their
  /// turn.
  private static let turnBytes = 8 << 10
  private let lingerTime: TimeAmount
  private var state = State.inFirstHead(HeadEnd())
  /// The received bytes that are not parsed yet: at a connection's end the system delivers all its
  /// bytes.
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

  /// Passes the next bytes to the parser if it asked for them, or reads more.
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

  /// Removes the parser's next bytes from the buffer.
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
    case (_, let admitted as Admitted):
      isOwners = isOwners || admitted.visitor == .owner
      context.fireUserInboundEventTriggered(event)
      switch state {
      case .inFirstHead, .waiting:
        state = .open
        passOn(context)
      case .open, .dropping, .lingering: break
      }
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    guard let ending = event as? Ending else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    held.removeAll()
    state = .dropping
    promise?.succeed()
    guard ending == .answers else { return }
    afterSending(context) {
      if self.isEnd { return context.close(promise: nil) }
      self.linger(context, until: context.eventLoop.now + self.lingerTime)
      context.read()
    }
  }

  /// Closing for writing waits for pending writes; if the client has closed its side, the channel
  /// would discard them.
  func close(
    context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
  ) {
    guard mode == .output else { return context.close(mode: mode, promise: promise) }
    afterSending(context) { context.close(mode: mode, promise: promise) }
  }

  private func afterSending(
    _ context: ChannelHandlerContext, _ action: @escaping () -> Void
  ) {
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { _ in action() }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: sent)
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
