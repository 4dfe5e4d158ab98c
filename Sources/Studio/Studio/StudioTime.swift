/// The studio's clock; a parameter, so that tests can control it.
public struct StudioTime: Sendable {
  /// Milliseconds from an arbitrary start; monotonic.
  public var milliseconds: @Sendable () -> Double
  /// Sleeps until the given milliseconds, or throws `CancellationError`.
  public var sleep: @Sendable (_ until: Double) async throws -> Void

  /// Creates a clock from its functions.
  public init(
    milliseconds: @escaping @Sendable () -> Double,
    sleep: @escaping @Sendable (_ until: Double) async throws -> Void
  ) {
    (self.milliseconds, self.sleep) = (milliseconds, sleep)
  }

  /// The system's clock.
  public static var system: StudioTime {
    let start = ContinuousClock.now
    return StudioTime {
      (ContinuousClock.now - start) / .milliseconds(1)
    } sleep: { end in
      // Clamp to the range of `Duration`: values beyond it mean never, or now.
      let end = max(0, min(end, 4 * StudioLimits.latest))
      try await Task.sleep(
        until: start + .milliseconds(1) * end, tolerance: .zero, clock: .continuous)
    }
  }
}

/// Converts times of clients' clocks to the canvas's clock, which is that of the first client.
///
/// A client sends its clock's time with each message. The server's lead over it is the clocks'
/// offset plus the network delay; the smallest delay seen is taken for 0.
struct ClientClock: Sendable {
  /// The server clock's lead over the canvas's clock, in milliseconds; nil before the first
  /// message.
  private(set) var lead: Double?
  /// The time of a restored canvas's clock, until the first message.
  private var left: Double?

  /// A clock that differs by more than this, in milliseconds, is another one: another tab, or a
  /// reloaded page.
  private static let mostTransit = 1000.0
  /// The share of a larger difference that is adopted per message, since clocks drift.
  private static let drift = 0.02

  /// Resumes at `received` a canvas whose clock shows `milliseconds`. The clock's owner is not
  /// known: the first client is taken for it if its clock shows at least as much, so that strokes
  /// drawn meanwhile keep their true pauses.
  mutating func resume(at milliseconds: Double, received: Double) {
    (lead, left) = (received - milliseconds, milliseconds)
  }

  /// Updates the offset from a message.
  ///
  /// - Parameters:
  ///   - now: The client's clock at sending.
  ///   - received: The server's clock at receiving.
  /// - Returns: The number of milliseconds to add to this client's times.
  mutating func shift(sentAt now: Double, received: Double) -> Double {
    let difference = received - now
    if let left, now >= left { lead = nil }
    left = nil
    guard let lead else {
      self.lead = difference
      return 0
    }
    guard abs(difference - lead) <= Self.mostTransit else { return difference - lead }
    self.lead = difference < lead ? difference : lead + Self.drift * (difference - lead)
    return 0
  }
}
