internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// A connection: HTTP, over TLS if there is an identity, within the limits of connections.
struct StudioChannel: ServerChildChannel {
  let http: HTTP1Channel
  let identity: TLSIdentity?
  let connections: OpenConnections
  /// The time to read on after the last response.
  let lingerTime: TimeAmount

  func setup(
    channel: any Channel, logger: Logger
  ) -> EventLoopFuture<HTTP1Channel.Value> {
    channel.eventLoop.makeCompletedFuture {
      let handlers = channel.pipeline.syncOperations
      if let identity {
        guard let session = identity.session() else { throw ChannelError.alreadyClosed }
        try handlers.addHandler(TLSHandler(session))
      }
      try handlers.addHandler(ConnectionGuard(connections))
      try handlers.addHandler(RequestGate(lingerTime: lingerTime))
    }.flatMap { http.setup(channel: channel, logger: logger) }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await http.handle(value: value, logger: logger)
  }
}
