internal import NIOCore
internal import NIOHTTPTypes
internal import Support
internal import Synchronization

/// Counts the connections of each other machine, so that none uses up the limit. Those of this
/// machine are not counted.
final class ConnectionCounts: Sendable {
  /// Whether an address is this machine's.
  let isThisMachine: @Sendable (String) -> Bool
  private let limit: Int
  private let counts = Mutex<[String: Int]>([:])

  /// - Parameters:
  ///   - limit: The maximum number of connections of one machine.
  ///   - isThisMachine: Whether an address is this machine's.
  init(limit: Int, isThisMachine: @escaping @Sendable (String) -> Bool) {
    (self.limit, self.isThisMachine) = (limit, isThisMachine)
  }

  /// Counts a connection; returns false if its machine is at the limit.
  func add(_ machine: String) -> Bool {
    counts.withLock { counts in
      guard counts[machine, default: 0] < limit else { return false }
      counts[machine, default: 0] += 1
      return true
    }
  }

  /// Removes a counted connection.
  func remove(_ machine: String) {
    counts.withLock { counts in
      guard let count = counts[machine] else { return }
      counts[machine] = count > 1 ? count - 1 : nil
    }
  }
}

/// Closes connections of machines that have too many, and turns on TCP keep-alive, since a tablet
/// that loses its network does not close its connections.
final class ConnectionGuard: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart

  /// Seconds of silence before the first keep-alive probe.
  private static let seconds = 300
  private let machines: ConnectionCounts
  /// The other machine's address if it was counted.
  private var machine: String?

  init(_ machines: ConnectionCounts) { self.machines = machines }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    _ = channel.setOption(.socketOption(.so_keepalive), value: 1)
    _ = channel.setOption(.tcpOption(.init(rawValue: TCP_KEEPIDLE)), value: Self.seconds)
    guard let address = context.remoteAddress?.ipAddress, !machines.isThisMachine(address) else {
      return
    }
    if machines.add(address) { machine = address } else { context.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    if let machine { machines.remove(machine) }
    machine = nil
  }
}
