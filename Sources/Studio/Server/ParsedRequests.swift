internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Comes after the HTTP parser: joins the parts of a body that were read together, since a chunk may
/// have one byte, and tells the gate when the parser ends.
final class ParsedRequests: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private var body = ByteBuffer()
  private var isLast = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let request):
      isLast = request.endsParsing
      context.fireChannelRead(data)
      if request.method == .connect { endParsing(context) }
    case .body(let bytes): body.writeImmutableBuffer(bytes)
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
