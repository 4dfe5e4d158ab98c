internal import Synchronization

/// The connections to the studio. Another machine has no more than its share. When all together are
/// at their limit, a new one closes the oldest on which the owner did not ask: a client that holds
/// connections open cannot block others.
final class OpenConnections: Sendable {
  private struct Connection {
    /// The address that it comes from; nil for this machine.
    let machine: String?
    var isOwners = false
    let close: @Sendable () -> Void
  }

  private struct State {
    var number = 0
    /// By their numbers, which ascend in the order in which they came.
    var connections: [Int: Connection] = [:]
  }

  /// Whether an address is this machine's.
  private let isThisMachine: @Sendable (String) -> Bool
  private let limit: Int
  private let share: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: The maximum number of connections.
  ///   - share: That of another machine.
  ///   - isThisMachine: Whether an address is this machine's.
  init(limit: Int, share: Int, isThisMachine: @escaping @Sendable (String) -> Bool) {
    (self.limit, self.share, self.isThisMachine) = (limit, share, isThisMachine)
  }

  /// Adds a connection, and closes another one for it if there are too many.
  ///
  /// - Parameters:
  ///   - address: The address that it comes from, if known.
  ///   - close: Closes it.
  /// - Returns: Its number; nil if there is no place for it.
  func add(from address: String?, close: @escaping @Sendable () -> Void) -> Int? {
    let machine = address.flatMap { isThisMachine($0) ? nil : $0 }
    let (number, displaced) = state.withLock { state -> (Int?, Connection?) in
      if let machine,
        state.connections.values.count(where: { $0.machine == machine }) >= share
      {
        return (nil, nil)
      }
      var displaced: Connection?
      if state.connections.count >= limit {
        guard let oldest = state.connections.lazy.filter({ !$0.value.isOwners }).map(\.key).min()
        else { return (nil, nil) }
        displaced = state.connections.removeValue(forKey: oldest)
      }
      state.number += 1
      state.connections[state.number] = Connection(machine: machine, close: close)
      return (state.number, displaced)
    }
    displaced?.close()
    return number
  }

  /// Notes that the owner asked on a connection.
  func keep(_ number: Int) { state.withLock { $0.connections[number]?.isOwners = true } }

  /// Removes a connection that has ended.
  func remove(_ number: Int) { _ = state.withLock { $0.connections.removeValue(forKey: number) } }
}
