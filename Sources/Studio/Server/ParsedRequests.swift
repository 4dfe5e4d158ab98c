internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Comes after the HTTP parser: joins the parts of a body that were read together, ends connections
/// of guests whose bodies come in tiny chunks, and tells the gate when the parser ends.
final class ParsedRequests: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private var body = ByteBuffer()
  private var isLast = false
  private var isOwners = false
  private var parts = 0
  private var bytes = 0

  /// The parts that a guest's body may have: a chunk of a byte takes as long as one of thousands.
  /// Browsers send none that small, and networks some, now and then.
  private var mostParts: Int { isOwners ? .max : 1_024 + bytes / 512 }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let request):
      isLast = request.endsParsing
      (parts, bytes) = (0, 0)
      context.fireChannelRead(data)
      if request.method == .connect { endParsing(context) }
    case .body(let part):
      parts += 1
      bytes += part.readableBytes
      if parts > mostParts { return context.close(promise: nil) }
      body.writeImmutableBuffer(part)
    case .end:
      passBody(context)
      context.fireChannelRead(data)
      if isLast { endParsing(context) }
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    passBody(context)
    context.fireChannelReadComplete()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .admitted(let visitor)? = event as? RequestGate.Verdict {
      isOwners = isOwners || visitor == .owner
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  private func passBody(_ context: ChannelHandlerContext) {
    guard body.readableBytes > 0 else { return }
    context.fireChannelRead(wrapInboundOut(.body(body)))
    body = ByteBuffer()
  }

  private func endParsing(_ context: ChannelHandlerContext) {
    context.triggerUserOutboundEvent(RequestGate.ParserEnded(), promise: nil)
  }
}

extension HTTPRequest {
  /// Whether the client may go on in another protocol: the parser keeps what follows, for ever, for
  /// somebody who speaks that. The studio speaks none, and the request is a connection's last.
  var endsParsing: Bool { method == .connect || headerFields[.upgrade] != nil }
}
