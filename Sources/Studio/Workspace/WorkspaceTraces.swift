public import Foundation
internal import GRDB
public import Trace

/// Templates of labels, and how many drawings are left to trace today.
extension Workspace {
  /// The most typical drawing of each label of a model, ascending by label.
  ///
  /// It is found among the newest, as many as a label's share of `WorkspaceLimits.pageBytes` holds;
  /// where long drawings use it up, the last labels have none.
  ///
  /// - Throws: `WorkspaceError` for an unknown model.
  public func prototypes(of model: String) async throws -> [Template] {
    var templates: [Template] = []
    var left = WorkspaceLimits.pageBytes
    let labels = try await labels(of: model).filter { $0.sampleCount > 0 }
    for (index, label) in labels.enumerated() where left > 0 {
      try Task.checkCancellation()
      let share = left / (labels.count - index)
      let page = try await read(.read) { db in
        try Self.page(of: model, label.label, Template.mostCompared, bytes: share, db)
      }
      left -= page.bytes
      guard
        let template = try Template.prototype(
          of: label.label, named: label.name, among: page.samples.map(\.drawing))
      else { continue }
      templates.append(template)
    }
    return templates
  }

  /// How many drawings may still be traced today.
  ///
  /// - Parameter zone: Where the day ends at midnight.
  /// - Returns: The number; nil for any number.
  /// - Throws: `WorkspaceError` for a damaged database.
  public func tracesLeft(in zone: TimeZone = .current) async throws -> Int? {
    let day = now().day(in: zone)
    return try await read(.read) { db in try Self.traces(on: day, in: db).left }
  }

  /// Counts a drawing that is begun over a template.
  ///
  /// - Parameter zone: Where the day ends at midnight.
  /// - Returns: Whether one was left for it, and how many are now; nil for any number.
  /// - Throws: `WorkspaceError` for a damaged database, and one that cannot be written.
  public func countTrace(
    in zone: TimeZone = .current
  ) async throws -> (isCounted: Bool, left: Int?) {
    let day = now().day(in: zone)
    return try await write(.saveSettings) { db in
      let (made, left) = try Self.traces(on: day, in: db)
      guard left != 0 else { return (false, 0) }
      try db.execute(
        sql: """
          INSERT INTO traced (id, day, used) VALUES (1, ?, ?)
          ON CONFLICT DO UPDATE SET day = excluded.day, used = excluded.used
          """, arguments: [day, made + 1])
      return (true, left.map { $0 - 1 })
    }
  }

  /// How many drawings can be traced on a day.
  private static let traces = 1...1_000_000_000

  /// How many drawings were traced on a day, and how many are left of it; nil for any number.
  private static func traces(
    on day: String, in db: Database
  ) throws -> (made: Int, left: Int?) {
    let limit = try settings(in: db).tracingLimit
    var made = 0
    if let row = try Row.fetchOne(db, sql: "SELECT day, used FROM traced") {
      let used: Int = try row.decode(forColumn: "used")
      guard traces.contains(used) else {
        throw WorkspaceError.Reason.damaged("the number of traces is \(used)")
      }
      if try row.decode(String?.self, forColumn: "day") == day { made = used }
    }
    return (made, limit > 0 ? max(0, limit - made) : nil)
  }
}

extension Date {
  /// The day in a zone, such as "2026-11-25".
  func day(in zone: TimeZone) -> String {
    formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day())
  }
}
