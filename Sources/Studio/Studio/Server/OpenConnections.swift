internal import Synchronization

/// The connections to the studio. Each other machine is limited to a share of them. At the total
/// limit, a new connection closes the oldest one that is not the owner's, so a client that holds
/// connections open cannot block others.
final class OpenConnections: Sendable {
  private struct Connection {
    /// The address that it comes from; nil for this machine.
    let machine: String?
    var isOwners = false
    let close: @Sendable () -> Void
  }

  /// What another machine has.
  private struct Machine {
    /// Its connections.
    var open = 0
    /// Those that came in the current second.
    var new = 0
  }

  private struct State {
    var number = 0
    var machines: [String: Machine] = [:]
    /// When the current second began.
    var second = ContinuousClock.now
    /// By their numbers, in order of arrival.
    var connections: [Int: Connection] = [:]

    mutating func remove(_ number: Int) -> Connection? {
      let connection = connections.removeValue(forKey: number)
      if let machine = connection?.machine { machines[machine, default: Machine()].open -= 1 }
      return connection
    }
  }

  /// Whether an address is this machine's.
  private let isThisMachine: @Sendable (String) -> Bool
  private let limit: Int
  private let share: Int
  private let perSecond: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: The maximum number of connections.
  ///   - share: That of another machine.
  ///   - perSecond: How many another machine opens in a second.
  ///   - isThisMachine: Whether an address is this machine's.
  init(
    limit: Int, share: Int, perSecond: Int, isThisMachine: @escaping @Sendable (String) -> Bool
  ) {
    (self.limit, self.share, self.perSecond) = (limit, share, perSecond)
    self.isThisMachine = isThisMachine
  }

  /// Whether a new connection is admitted: setting one up takes longer than refusing it.
  func mayOpen(from address: String?, at now: ContinuousClock.Instant = .now) -> Bool {
    guard let address, !isThisMachine(address) else { return true }
    return state.withLock { state in
      if now - state.second >= .seconds(1) {
        state.second = now
        state.machines = state.machines.filter { $0.value.open > 0 }
          .mapValues { Machine(open: $0.open) }
      }
      state.machines[address, default: Machine()].new += 1
      return state.machines[address, default: Machine()].new <= perSecond
    }
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
      if let machine, state.machines[machine, default: Machine()].open >= share {
        return (nil, nil)
      }
      var displaced: Connection?
      if state.connections.count >= limit {
        guard let oldest = state.connections.lazy.filter({ !$0.value.isOwners }).map(\.key).min()
        else { return (nil, nil) }
        displaced = state.remove(oldest)
      }
      state.number += 1
      state.connections[state.number] = Connection(machine: machine, close: close)
      if let machine { state.machines[machine, default: Machine()].open += 1 }
      return (state.number, displaced)
    }
    displaced?.close()
    return number
  }

  /// Notes that the owner asked on a connection.
  func keep(_ number: Int) { state.withLock { $0.connections[number]?.isOwners = true } }

  /// Removes a connection that has ended.
  func remove(_ number: Int) { _ = state.withLock { $0.remove(number) } }
}
