internal import NIOCore

/// Closes connections that arrive too fast from one machine, before any resources are allocated, so
/// that a flood of them does not fill the queue that the owner's connections share.
final class AcceptGuard: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private let connections: OpenConnections

  init(_ connections: OpenConnections) { self.connections = connections }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = unwrapInboundIn(data)
    if connections.mayOpen(from: channel.remoteAddress?.ipAddress) {
      context.fireChannelRead(data)
    } else {
      channel.close(promise: nil)
    }
  }
}
