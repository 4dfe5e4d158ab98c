internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Follows the HTTP parser: it passes on one request at a time, joins the parts of a body that were
/// read together, closes guests' connections whose bodies arrive in tiny chunks, and notifies the
/// gate when there is nothing more to parse or to answer.
final class ParsedRequests: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private enum Arrival {
    case part(HTTPRequestPart)
    case end
    case failure(any Error)
  }

  /// What follows the request that is being answered.
  private var waiting = CircularBuffer<Arrival>()
  /// Whether more was asked for meanwhile.
  private var isAsked = false
  /// Whether that request is complete, and whether its response is written.
  private var (isWhole, isAnswered) = (false, false)
  /// Whether that response is the connection's last.
  private var isLastAnswer = false
  private var isLastParsed = false
  private var isOwners = false
  private var body = ByteBuffer()
  private var parts = 0
  private var bytes = 0

  /// The maximum number of parts of a guest's body: a chunk of one byte takes as long as one of
  /// thousands. Browsers do not send such chunks, and networks rarely make them.
  private var mostParts: Int { isOwners ? .max : 1_024 + bytes / 512 }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    arrive(.part(unwrapInboundIn(data)), context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    arrive(.failure(error), context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let admitted = event as? RequestGate.Admitted {
      isOwners = isOwners || admitted.visitor == .owner
    } else if case ChannelEvent.inputClosed? = event as? ChannelEvent {
      arrive(.end, context)
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    passBody(context)
    context.fireChannelReadComplete()
  }

  func read(context: ChannelHandlerContext) {
    if waiting.isEmpty { context.read() } else { isAsked = true }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    context.write(data, promise: promise)
    switch unwrapOutboundIn(data) {
    case .head(let response): isLastAnswer = response.headerFields[.connection] == "close"
    case .body: break
    case .end:
      isAnswered = true
      if isLastAnswer {
        waiting.removeAll()
        tell(.answers, context)
      } else if isWhole {
        passNext(context)
      }
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { waiting.removeAll() }

  private func arrive(_ arrival: Arrival, _ context: ChannelHandlerContext) {
    if waiting.isEmpty, !mustWait(arrival) {
      pass(arrival, context)
    } else if !(isAnswered && isLastAnswer) {
      waiting.append(arrival)
    }
  }

  /// Whether it belongs to another request than the one being answered. The client's end is passed
  /// on at once: on disconnect, no response is sent.
  private func mustWait(_ arrival: Arrival) -> Bool {
    if case .part = arrival { isWhole } else { false }
  }

  private func passNext(_ context: ChannelHandlerContext) {
    (isWhole, isAnswered) = (false, false)
    guard !waiting.isEmpty else { return }
    while let first = waiting.first, !mustWait(first) {
      waiting.removeFirst()
      pass(first, context)
    }
    channelReadComplete(context: context)
    guard waiting.isEmpty, isAsked else { return }
    isAsked = false
    context.read()
  }

  private func pass(_ arrival: Arrival, _ context: ChannelHandlerContext) {
    switch arrival {
    case .part(let part): pass(part, context)
    case .end: context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    case .failure(let error): context.fireErrorCaught(error)
    }
  }

  private func pass(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
    switch part {
    case .head(let request):
      isLastParsed = request.endsParsing
      (parts, bytes) = (0, 0)
      context.fireChannelRead(wrapInboundOut(part))
      if request.method == .connect { tell(.parser, context) }
    case .body(let some):
      parts += 1
      bytes += some.readableBytes
      if parts > mostParts { return context.close(promise: nil) }
      body.writeImmutableBuffer(some)
    case .end:
      passBody(context)
      context.fireChannelRead(wrapInboundOut(part))
      if isLastParsed { tell(.parser, context) }
      isWhole = true
      if isAnswered { passNext(context) }
    }
  }

  private func passBody(_ context: ChannelHandlerContext) {
    guard body.readableBytes > 0 else { return }
    context.fireChannelRead(wrapInboundOut(.body(body)))
    body = ByteBuffer()
  }

  private func tell(_ ending: RequestGate.Ending, _ context: ChannelHandlerContext) {
    context.triggerUserOutboundEvent(ending, promise: nil)
  }
}

extension HTTPRequest {
  /// Whether the client asks for another protocol: the parser would then keep all following bytes
  /// for its handler. The studio supports none, so the request is the connection's last.
  var endsParsing: Bool { method == .connect || headerFields[.upgrade] != nil }
}
