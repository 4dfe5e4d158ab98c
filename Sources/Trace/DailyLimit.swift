public import Foundation

/// How many drawings a day are allowed, and how many were made today.
///
/// A day ends at midnight of the given time zone.
public struct DailyLimit: Hashable, Sendable, Codable {
  /// The number of drawings a day; 0 for no limit.
  public let limit: Int
  /// The day that `used` counts, such as "2026-11-25"; nil before the first drawing.
  public let day: String?
  /// The number of drawings made on `day`.
  public let used: Int

  /// A limit.
  ///
  /// - Parameters:
  ///   - limit: The number of drawings a day, 0 or more; 0 for no limit.
  ///   - day: The day that `used` counts.
  ///   - used: The number of drawings made on it, 0 or more.
  public init(limit: Int = 0, day: String? = nil, used: Int = 0) {
    precondition(limit >= 0 && used >= 0, "a number of drawings is 0 or more")
    (self.limit, self.day, self.used) = (limit, day, used)
  }

  /// The number of drawings that are left at `time`; nil without a limit.
  public func left(at time: Date, in zone: TimeZone) -> Int? {
    guard limit > 0 else { return nil }
    return max(0, limit - (day == Self.day(of: time, in: zone) ? used : 0))
  }

  /// The limit after one more drawing at `time`; nil if none is left.
  public func counting(at time: Date, in zone: TimeZone) -> DailyLimit? {
    guard left(at: time, in: zone) != 0 else { return nil }
    let today = Self.day(of: time, in: zone)
    return DailyLimit(limit: limit, day: today, used: day == today ? used + 1 : 1)
  }

  private static func day(of time: Date, in zone: TimeZone) -> String {
    time.formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day())
  }
}
