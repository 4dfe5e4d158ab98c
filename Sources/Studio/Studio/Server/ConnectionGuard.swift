internal import CLibrary
internal import NIOCore

/// Keeps connections within their limits, and turns on TCP keep-alive, since a tablet that loses
/// its network does not close its connections.
final class ConnectionGuard: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  /// Seconds of silence before the first keep-alive probe.
  private static let seconds = 300
  private let connections: OpenConnections
  private var number: Int?

  init(_ connections: OpenConnections) { self.connections = connections }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    _ = channel.setOption(.socketOption(.so_keepalive), value: 1)
    _ = channel.setOption(.tcpOption(.init(rawValue: TCP_KEEPIDLE)), value: Self.seconds)
    number = connections.add(from: context.remoteAddress?.ipAddress) {
      channel.close(promise: nil)
    }
    if number == nil { context.close(promise: nil) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if (event as? RequestGate.Admitted)?.visitor == .owner, let number {
      connections.keep(number)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    if let number { connections.remove(number) }
    number = nil
  }
}
