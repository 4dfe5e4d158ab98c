public import Foundation
internal import GRDB

/// Whether an image model may be asked for a picture (TF-024).
public enum ImageRequestPermission: Equatable, Sendable {
  /// It may, and so often more today; nil for any number.
  case granted(leftToday: Int?)
  /// Not now, because it was asked too often within a minute: again in so many seconds, ≥ 1.
  case minuteLimit(wait: Int)
  /// Not today.
  case dayLimit
}

/// How often image models are asked: `WorkspaceLimits.imageRequestsAMinute`, and `picturesADay` of
/// the settings.
extension Workspace {
  /// Counts a request to an image model that is about to be made; one that is refused is not
  /// counted.
  ///
  /// - Parameter zone: Where the day ends at midnight.
  /// - Returns: Whether it may be made.
  /// - Throws: `WorkspaceError` for a damaged database, and one that cannot be written.
  public func countImageRequest(
    in zone: TimeZone = .current
  ) async throws -> ImageRequestPermission {
    let now = now()
    let (time, day) = (now.milliseconds, now.day(in: zone))
    return try await write(.requestImage) { db in
      let left = try Self.imageRequestsLeft(on: day, in: db)
      guard left != 0 else { return .dayLimit }
      if let wait = try Self.imageRequestWait(at: time, in: db) {
        return .minuteLimit(wait: wait)
      }
      try db.execute(
        sql: "DELETE FROM imageRequest WHERE day <> ? AND made NOT BETWEEN ? AND ?",
        arguments: [day, time - Self.keptRequests, time + Self.keptRequests])
      try db.execute(
        sql: "INSERT INTO imageRequest (made, day) VALUES (?, ?)", arguments: [time, day])
      return .granted(leftToday: left.map { $0 - 1 })
    }
  }

  /// Takes the last counted request out of its day, because no picture came of it; it still counts
  /// for the minute.
  ///
  /// - Throws: `WorkspaceError` for a damaged database, and one that cannot be written.
  public func giveBackImageRequest() async throws {
    try await write(.requestImage) { db in
      try db.execute(
        sql: """
          UPDATE imageRequest SET day = '' WHERE rowid =
            (SELECT rowid FROM imageRequest WHERE day <> '' ORDER BY rowid DESC LIMIT 1)
          """)
    }
  }

  /// How often an image model may still be asked today.
  ///
  /// - Parameter zone: Where the day ends at midnight.
  /// - Returns: The number; nil for any number.
  /// - Throws: `WorkspaceError` for a damaged database.
  public func imageRequestsLeft(in zone: TimeZone = .current) async throws -> Int? {
    let day = now().day(in: zone)
    return try await read(.read) { db in try Self.imageRequestsLeft(on: day, in: db) }
  }

  /// A minute, in milliseconds.
  private static let minute: Int64 = 60_000
  /// How far from now, in milliseconds, a request of another day is kept: the clock or the zone may
  /// be set to that day.
  private static let keptRequests: Int64 = 48 * 60 * minute

  /// How many requests are left of a day; nil for any number.
  private static func imageRequestsLeft(on day: String, in db: Database) throws -> Int? {
    let limit = try settings(in: db).picturesADay
    guard limit > 0 else { return nil }
    let made =
      try Int.fetchOne(
        db, sql: "SELECT COUNT(*) FROM imageRequest WHERE day = ?", arguments: [day]) ?? 0
    return max(0, limit - made)
  }

  /// How many seconds to wait before the next request; nil for none.
  ///
  /// A request that seems to be still to come was made before the clock was set back; one that is
  /// farther ahead tells nothing about the last minute.
  private static func imageRequestWait(at time: Int64, in db: Database) throws -> Int? {
    // As many seconds as it takes until one less than the limit is left of the last minute.
    let limiting = try Int64.fetchOne(
      db,
      sql: """
        SELECT made FROM imageRequest WHERE made > ? AND made < ?
        ORDER BY made DESC LIMIT 1 OFFSET ?
        """,
      arguments: [time - minute, time + minute, WorkspaceLimits.imageRequestsAMinute - 1])
    return limiting.map { Int(($0 + minute - time + 999) / 1000) }
  }
}
