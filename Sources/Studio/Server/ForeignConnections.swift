internal import Synchronization

/// The connections of other machines. None has more than its share; where all together are at their
/// limit, a new one takes the place of the oldest on which the owner did not ask, so that nobody is
/// locked out. Those of this machine are not counted.
final class ForeignConnections: Sendable {
  private struct Connection {
    let machine: String
    var isOwners = false
    let close: @Sendable () -> Void
  }

  private struct Open {
    var number = 0
    /// By their numbers, which ascend in the order in which they came.
    var connections: [Int: Connection] = [:]
  }

  /// Whether an address is this machine's.
  let isThisMachine: @Sendable (String) -> Bool
  private let limit: Int
  private let share: Int
  private let open = Mutex(Open())

  /// - Parameters:
  ///   - limit: The maximum number of connections of all other machines.
  ///   - share: That of one machine.
  ///   - isThisMachine: Whether an address is this machine's.
  init(limit: Int, share: Int, isThisMachine: @escaping @Sendable (String) -> Bool) {
    (self.limit, self.share, self.isThisMachine) = (limit, share, isThisMachine)
  }

  /// Counts a connection, and closes another one for it if there are too many.
  ///
  /// - Parameters:
  ///   - machine: The address that it comes from.
  ///   - close: Closes it.
  /// - Returns: Its number; nil if there is no place for it.
  func add(_ machine: String, close: @escaping @Sendable () -> Void) -> Int? {
    let (number, displaced) = open.withLock { open -> (Int?, Connection?) in
      guard open.connections.values.count(where: { $0.machine == machine }) < share else {
        return (nil, nil)
      }
      var displaced: Connection?
      if open.connections.count >= limit {
        guard let oldest = open.connections.lazy.filter({ !$0.value.isOwners }).map(\.key).min()
        else { return (nil, nil) }
        displaced = open.connections.removeValue(forKey: oldest)
      }
      open.number += 1
      open.connections[open.number] = Connection(machine: machine, close: close)
      return (open.number, displaced)
    }
    displaced?.close()
    return number
  }

  /// Notes that the owner asked on a connection.
  func keep(_ number: Int) { open.withLock { $0.connections[number]?.isOwners = true } }

  /// Removes a counted connection.
  func remove(_ number: Int) { _ = open.withLock { $0.connections.removeValue(forKey: number) } }
}
