internal import Foundation
internal import GRDB
internal import Ink
internal import JSON

/// Stored playgrounds (D-007).
extension Workspace {
  /// The playground with the given id.
  ///
  /// - Throws: `WorkspaceError` of `unknownPlayground`.
  public func playground(_ id: String) async throws -> Playground {
    try await read(.read) { db in
      guard let playground = try Self.playground(id, in: db) else {
        throw WorkspaceError.Reason.unknownPlayground(id)
      }
      return playground
    }
  }

  /// Whether there is a playground with the given id.
  public func hasPlayground(_ id: String) async throws -> Bool {
    try await read(.read) { try PlaygroundRow.exists($0, key: id) }
  }

  /// Stores a playground, replacing the one stored under its id.
  ///
  /// - Throws: `WorkspaceError` for an unknown model, and for invalid or too many items.
  public func save(_ playground: Playground) async throws {
    // Checked and encoded before the write lock is taken.
    let rows = try await mappingErrors(of: .savePlayground) { try PlaygroundRows(playground) }
    try await write(.savePlayground) { db in
      try Self.requireModel(playground.model, in: db)
      try rows.save(in: db)
    }
  }

  /// Deletes playgrounds until at most `most` of some are left: first those without items, then
  /// those that were made first.
  ///
  /// - Parameters:
  ///   - most: How many stay.
  ///   - isCounted: Whether a playground with that id is one of those.
  ///   - areEmptyOnly: Whether those with items stay, however many they are.
  /// - Returns: How many are left.
  /// - Throws: `WorkspaceError` for a database that cannot be written.
  @discardableResult
  public func deleteOldestPlaygrounds(
    butFor most: Int, of isCounted: @Sendable (String) -> Bool, areEmptyOnly: Bool = false
  ) async throws -> Int {
    @Sendable func oldest(_ db: Database) throws -> (leaving: [String], left: Int) {
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT id, EXISTS (SELECT 1 FROM playgroundItem WHERE playground = id) AS hasItems
          FROM playground ORDER BY hasItems DESC, rowid DESC
          """
      ).map { (id: try $0.decode(String.self, forColumn: "id"), hasItems: $0["hasItems"] as Bool) }
      let counted = rows.filter { isCounted($0.id) }
      let leaving = counted.dropFirst(most).filter { !areEmptyOnly || !$0.hasItems }
      return (leaving.map(\.id), counted.count - leaving.count)
    }
    // Usually nothing is deleted; then this does not wait for another program's lock.
    let (leaving, left) = try await read(.read, oldest)
    if leaving.isEmpty { return left }
    return try await write(.savePlayground) { db in
      let (leaving, left) = try oldest(db)
      for id in leaving {
        try db.execute(sql: "DELETE FROM playground WHERE id = ?", arguments: [id])
      }
      return left
    }
  }

  static func playgrounds(of model: String, _ db: Database) throws -> [Playground] {
    try String.fetchAll(
      db, sql: "SELECT id FROM playground WHERE model = ? ORDER BY id", arguments: [model]
    ).compactMap { try playground($0, in: db) }
  }

  static func playground(_ id: String, in db: Database) throws -> Playground? {
    guard let row = try PlaygroundRow.fetchOne(db, key: id) else { return nil }
    let items = try ItemRow.fetchAll(db, sql: ItemRow.allOfPlayground, arguments: [id])
    let playground = Playground(
      id: id, model: row.model, canvas: .init(width: row.width, height: row.height),
      items: try items.map { try $0.item })
    guard isValid(playground) else {
      throw WorkspaceError.Reason.damaged("the playground \(id) is invalid")
    }
    return playground
  }

  /// Whether the playground is valid as it is.
  private static func isValid(_ playground: Playground) -> Bool {
    (try? Checked.id(playground.id)) != nil && (try? Checked.canvas(playground.canvas)) != nil
      && (try? checked(playground.items)) == playground.items
      && playground.items.allSatisfy { $0.label.map(Checked.isLabel) ?? true }
  }

  /// The validated and normalized items.
  fileprivate static func checked(
    _ items: [PlaygroundItem]
  ) throws(WorkspaceError.Reason) -> [PlaygroundItem] {
    let limit = WorkspaceLimits.items
    guard items.count <= limit else { throw .tooMuch("items", limit: limit) }
    guard Set(items.map(\.number)).count == items.count else {
      throw .invalidNumber("two items of a playground have the same number")
    }
    guard items.allSatisfy({ WorkspaceLimits.itemNumbers.contains($0.number) }) else {
      throw .invalidNumber(
        "an item's number must be from 0 to \(WorkspaceLimits.itemNumbers.upperBound - 1)")
    }
    let places = -WorkspaceLimits.farthest...WorkspaceLimits.farthest
    var points = 0
    return try items.map { item throws(WorkspaceError.Reason) in
      points += item.strokes.reduce(0) { $0 + $1.points.count }
      // A shape may have more points than a training sample: the limit is for the whole canvas.
      try Checked.strokes(item.strokes, points: WorkspaceLimits.playgroundPoints)
      guard points <= WorkspaceLimits.playgroundPoints else {
        throw .tooMuch("points", limit: WorkspaceLimits.playgroundPoints)
      }
      guard places.contains(item.x), places.contains(item.y),
        (0...WorkspaceLimits.farthest).contains(item.side)
      else { throw .invalidNumber("the place of item \(item.number) is invalid") }
      guard item.ids.count <= WorkspaceLimits.strokes,
        item.ids.allSatisfy({ $0.map(PlaygroundItem.isStrokeID) ?? true }),
        item.ids.isEmpty || item.label != nil || item.ids.count == item.strokes.count
      else { throw .invalidNumber("the ids of item \(item.number) are not those of its strokes") }
      var item = item
      item.strokes.removeAll { $0.points.isEmpty }
      if let label = item.label { item.label = try Checked.label(label) }
      if let confidence = item.confidence { item.confidence = try share(confidence) }
      return item
    }
  }
}

/// The rows of a playground.
struct PlaygroundRows: Sendable {
  private let row: PlaygroundRow
  private let items: [ItemRow]

  /// Throws if the playground is invalid.
  init(_ playground: Playground) throws(WorkspaceError.Reason) {
    let (id, canvas) = (try Checked.id(playground.id), playground.canvas)
    // What is drawn on a sheet without width would have no place.
    try Checked.canvas(canvas, from: 1)
    row = PlaygroundRow(
      id: id, model: playground.model, width: canvas.width, height: canvas.height)
    items = try Workspace.checked(playground.items).enumerated().map {
      ItemRow($1, at: $0, of: id)
    }
  }

  /// Writes the rows, replacing those under the same id.
  func save(in db: Database) throws {
    try row.upsert(db)
    // Only changed rows are written. Others go first, since a number may have moved to a new place.
    var kept: Set<Int> = []
    for old in try Row.fetchAll(db, sql: ItemRow.allOfPlayground, arguments: [row.id]) {
      if let item = try? ItemRow(row: old), items.indices.contains(item.place),
        items[item.place] == item
      {
        kept.insert(item.place)
      } else {
        let id: Int64 = old["rowid"]
        try db.execute(sql: "DELETE FROM playgroundItem WHERE rowid = ?", arguments: [id])
      }
    }
    for item in items where !kept.contains(item.place) { try item.insert(db) }
  }
}

private struct PlaygroundRow: Codable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "playground"

  let id: String
  let model: String
  let width: Double
  let height: Double
}

/// A row of an item of a playground.
private struct ItemRow: Codable, Equatable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "playgroundItem"
  static let allOfPlayground =
    "SELECT rowid, * FROM playgroundItem WHERE playground = ? ORDER BY place"

  let playground: String
  let place: Int
  let number: Int
  let label: String?
  let confidence: Double?
  let x: Double
  let y: Double
  let side: Double
  /// Stroke JSON; empty if there are no strokes. If some ids are known, preceded by a line with the
  /// strokes' ids, a JSON array of strings and nulls.
  let strokes: String

  init(_ item: PlaygroundItem, at place: Int, of playground: String) {
    (self.playground, self.place) = (playground, place)
    (number, label, confidence) = (item.number, item.label, item.confidence)
    (x, y, side) = (item.x, item.y, item.side)
    let ids = item.ids.isEmpty ? "" : Self.text(of: item.ids) + "\n"
    strokes =
      ids + (item.strokes.isEmpty ? "" : SampleRow.text(of: Drawing(strokes: item.strokes)))
  }

  /// The item, not validated.
  var item: PlaygroundItem {
    get throws {
      let lines = strokes.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let (ids, ink) = lines.count == 2 ? (lines[0], String(lines[1])) : ("[]", strokes)
      return PlaygroundItem(
        number: number, label: label, confidence: confidence, x: x, y: y, side: side,
        strokes: ink.isEmpty
          ? [] : try Workspace.drawing(ink, id: playground, label: nil).strokes,
        ids: try Self.ids(ids, of: playground))
    }
  }

  private static func text(of ids: [String?]) -> String {
    (try? jsonText(ids)) ?? "[]"
  }

  private static func ids(_ text: Substring, of playground: String) throws -> [String?] {
    guard text.utf8.count <= mostIDBytes else {
      throw WorkspaceError.Reason.damaged("the ids of strokes of \(playground) are too long")
    }
    do throws(JSONFault) {
      return try JSONDocument.decode([String?].self, from: Array(text.utf8))
    } catch {
      throw WorkspaceError.Reason.damaged("the ids of strokes of \(playground): \(error)")
    }
  }

  /// An upper bound on the JSON of the maximum number of ids, in bytes.
  private static let mostIDBytes = WorkspaceLimits.strokes * 512
}
