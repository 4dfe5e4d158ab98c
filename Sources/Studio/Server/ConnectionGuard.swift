internal import NIOCore
internal import NIOHTTPTypes
internal import Support
internal import Synchronization

/// How many connections each other machine has, so that none takes them all. Programs on this
/// machine are not counted.
final class ConnectedMachines: Sendable {
  /// Whether an address is one of this machine's.
  let isThisMachine: @Sendable (String) -> Bool
  private let limit: Int
  private let counts = Mutex<[String: Int]>([:])

  /// - Parameters:
  ///   - limit: The most connections of one machine.
  ///   - isThisMachine: Whether an address is one of this machine's.
  init(limit: Int, isThisMachine: @escaping @Sendable (String) -> Bool) {
    (self.limit, self.isThisMachine) = (limit, isThisMachine)
  }

  /// Counts a connection; false where its machine has as many as it may.
  func add(_ machine: String) -> Bool {
    counts.withLock { counts in
      guard counts[machine, default: 0] < limit else { return false }
      counts[machine, default: 0] += 1
      return true
    }
  }

  /// Forgets a connection that was counted.
  func remove(_ machine: String) {
    counts.withLock { counts in
      guard let count = counts[machine] else { return }
      counts[machine] = count > 1 ? count - 1 : nil
    }
  }
}

/// Closes connections of machines that have too many, and lets the system ask from time to time
/// whether the other side is still there, as a tablet that has lost its network does not say that
/// it goes.
final class ConnectionGuard: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart

  /// After so many seconds without a word.
  private static let seconds = 300
  private let machines: ConnectedMachines
  /// The other machine, where it was counted.
  private var machine: String?

  init(_ machines: ConnectedMachines) { self.machines = machines }

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
