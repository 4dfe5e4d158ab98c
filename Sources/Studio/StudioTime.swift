/// The time as the studio knows it: an argument, so that tests can let it pass.
public struct StudioTime: Sendable {
  /// Milliseconds from any start; never runs backwards.
  public var milliseconds: @Sendable () -> Double
  /// Waits until the given milliseconds, or throws `CancellationError`.
  public var sleep: @Sendable (_ until: Double) async throws -> Void

  /// A time of one's own.
  public init(
    milliseconds: @escaping @Sendable () -> Double,
    sleep: @escaping @Sendable (_ until: Double) async throws -> Void
  ) {
    (self.milliseconds, self.sleep) = (milliseconds, sleep)
  }

  /// The system's.
  public static var system: StudioTime {
    let start = ContinuousClock.now
    return StudioTime {
      (ContinuousClock.now - start) / .milliseconds(1)
    } sleep: { end in
      // What is out of a duration's range is as good as never, or now.
      let end = max(0, min(end, 4 * StudioLimits.latest))
      try await Task.sleep(
        until: start + .milliseconds(1) * end, tolerance: .zero, clock: .continuous)
    }
  }
}

/// Brings times of clients' clocks to the canvas's clock, which is that of the client who came
/// first.
///
/// A client says what its clock shows when it sends something. What the server's clock is ahead
/// then is the clocks' difference and the time on the way; the shortest way that was seen is taken
/// for none.
struct ClientClock: Sendable {
  /// What the server's clock is ahead of the canvas's, in milliseconds; nil before anyone came.
  private(set) var lead: Double?
  /// What the canvas's clock showed when it was left, until somebody comes.
  private var left: Double?

  /// A clock that differs by more than this is another one: another tab, or a page that was loaded
  /// again.
  private static let mostOnTheWay = 1000.0
  /// So much of a longer way is believed each time: clocks drift apart.
  private static let drift = 0.02

  /// Goes on at `received` with a canvas whose clock shows `milliseconds`. Whose clock it was is
  /// not known yet: whoever comes first with a clock that shows as much or more is taken for its
  /// owner, so that what was drawn meanwhile keeps its true pauses.
  mutating func resume(at milliseconds: Double, received: Double) {
    (lead, left) = (received - milliseconds, milliseconds)
  }

  /// Learns from a message.
  ///
  /// - Parameters:
  ///   - now: The client's clock at sending.
  ///   - received: The server's clock at receiving.
  /// - Returns: What is to be added to times of this client.
  mutating func shift(sentAt now: Double, received: Double) -> Double {
    let difference = received - now
    if let left, now >= left { lead = nil }
    left = nil
    guard let lead else {
      self.lead = difference
      return 0
    }
    guard abs(difference - lead) <= Self.mostOnTheWay else { return difference - lead }
    self.lead = difference < lead ? difference : lead + Self.drift * (difference - lead)
    return 0
  }
}
