internal import Foundation
internal import GRDB
internal import Ink
internal import Trace

/// Checks that the values in a database have their columns' types.
///
/// SQLite enforces that when it writes; a file from elsewhere may hold anything, and SQLite's own
/// constraint check misses some of it. An imported file's values are read only after this check. A
/// workspace would take too long to check each time it is opened, so its rows are read as records
/// or with `Row.decode`, which throw; the subscript would crash.
enum StoredValues {
  /// Throws `WorkspaceError.Reason.damaged` if a value does not have its column's type.
  static func check(in db: Database) throws {
    for found in try Row.fetchAll(
      db, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    {
      let table: String = try found.decode(forColumn: "name")
      let sql: String = try found.decode(forColumn: "sql")
      let columns = try Row.fetchAll(
        db, sql: "SELECT name, type, [notnull] AS isRequired FROM pragma_table_info(?)",
        arguments: [table])
      for column in columns {
        let (name, type): (String, String) = (column["name"], column["type"])
        guard let kind = kinds[type] else { continue }
        let allowed = column["isRequired"] ? "'\(kind)'" : "'\(kind)', 'null'"
        // The optimizer does not infer `typeof` from the declared column type.
        var wrong = "typeof([\(name)]) NOT IN (\(allowed))"
        if sql.contains("CHECK (\(name) IN (0, 1))") {
          wrong += " OR [\(name)] NOT IN (0, 1)"
        }
        let isWrong = try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM [\(table)] WHERE \(wrong))")
        if isWrong == true {
          throw WorkspaceError.Reason.damaged("the table \(table) has an invalid \(name)")
        }
        guard kind == "text" || kind == "blob" else { continue }
        if kind == "text" {
          let hasZero = try Bool.fetchOne(
            db,
            sql: "SELECT EXISTS (SELECT 1 FROM [\(table)] "
              + "WHERE instr(CAST([\(name)] AS BLOB), X'00'))")
          if hasZero == true {
            throw WorkspaceError.Reason.damaged("the table \(table) has a \(name) with a zero byte")
          }
        }
        // A blob's length is known without reading it.
        let bytes = kind == "blob" ? "length([\(name)])" : "length(CAST([\(name)] AS BLOB))"
        try check(
          bytes: Int.fetchOne(db, sql: "SELECT max(\(bytes)) FROM [\(table)]"), of: name, in: table)
        // Invalid UTF-8 could decode two different names to the same text.
        guard kind == "text", !long.contains(name) else { continue }
        let texts = try Data.fetchCursor(
          db,
          sql: "SELECT CAST([\(name)] AS BLOB) FROM [\(table)] WHERE [\(name)] IS NOT NULL")
        while let text = try texts.next() {
          guard String(validating: text, as: UTF8.self) != nil else {
            throw WorkspaceError.Reason.damaged("the table \(table) has a \(name) that is no text")
          }
        }
      }
    }
  }

  /// Throws if a value is longer than its column allows: a name of megabytes would stall a terminal
  /// or a page.
  static func check(bytes: Int?, of column: String, in table: String) throws {
    guard bytes ?? 0 <= longest(column, of: table) else {
      throw WorkspaceError.Reason.damaged("the table \(table) has a \(column) that is too long")
    }
  }

  /// The maximum length of a column's values, in bytes.
  private static func longest(_ name: String, of table: String) -> Int {
    if table == "playgroundItem", name == "strokes" { return longestInk }
    if table == "modelFile", name == "bytes" { return WorkspaceLimits.modelFileBytes }
    if table == "template", name == "picture" { return TemplatePicture.mostBytes }
    if table == "artwork", name == "labels" { return longestLabels }
    if table == "artworkFile", name == "bytes" { return WorkspaceLimits.artworkPictureBytes }
    return long.contains(name) ? longestText : longestName
  }

  /// Columns that hold drawings or settings; the others hold names and ids.
  private static let long: Set = ["drawing", "strokes", "json", "sketch"]
  /// The maximum length of a drawing's text in bytes: far more than its points need.
  static let longestText = 8 << 20
  /// The maximum length of one playground shape's ink in bytes. The shape may hold all of the
  /// playground's points: three numbers of up to 24 characters each, plus separators.
  private static let longestInk = 80 * WorkspaceLimits.playgroundPoints
  /// The maximum length of an artwork's labels in bytes, which may have an escape for each.
  private static let longestLabels =
    WorkspaceLimits.artworkLabels * (2 * LabelRule.maxBytes + 3) + 2
  /// The maximum length of the values of a row of a workspace's own database in bytes: one long
  /// text, and one picture or one shape's ink.
  static let longestRow = longestText + max(TemplatePicture.mostBytes, longestInk)
  /// The maximum length of a name, a label or an id in bytes: more than any may have.
  private static let longestName = 1024
  private static let kinds = [
    "TEXT": "text", "INTEGER": "integer", "REAL": "real", "BLOB": "blob",
  ]
}
