internal import Foundation
internal import GRDB

/// Whether values in a database are of the kinds that its tables ask for.
///
/// SQLite sees to that when it writes; a file that something else wrote may hold anything, and its
/// own check of constraints lets some of it pass. Of a file that is imported, numbers and texts are
/// only taken out where this found nothing. A workspace would take too long to check at each
/// opening; its rows are read as records or with `Row.decode`, which throw, where the subscript
/// would end the program.
enum StoredValues {
  /// Throws `WorkspaceError.Reason.damaged` where a table has a value of another kind than it
  /// should.
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
        // What typeof gives is not derived from what the table promises.
        var wrong = "typeof([\(name)]) NOT IN (\(allowed))"
        if sql.contains("CHECK (\(name) IN (0, 1))") {
          wrong += " OR [\(name)] NOT IN (0, 1)"
        }
        let isWrong = try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM [\(table)] WHERE \(wrong))")
        if isWrong == true {
          throw WorkspaceError.Reason.damaged("the table \(table) has a \(name) that is none")
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
        // Of a blob this is known without reading it.
        let bytes = kind == "blob" ? "length([\(name)])" : "length(CAST([\(name)] AS BLOB))"
        try check(
          bytes: Int.fetchOne(db, sql: "SELECT max(\(bytes)) FROM [\(table)]"), of: name, in: table)
        // Where bytes are no characters, two names would be read as the same.
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

  /// Throws for a value that is longer than any that its column may hold: a name of megabytes would
  /// take a terminal or a page as many times longer.
  static func check(bytes: Int?, of column: String, in table: String) throws {
    guard bytes ?? 0 <= longest(column, of: table) else {
      throw WorkspaceError.Reason.damaged("the table \(table) has a \(column) that is too long")
    }
  }

  /// The most bytes that a column may hold.
  private static func longest(_ name: String, of table: String) -> Int {
    if table == "playgroundItem", name == "strokes" { return longestInk }
    if table == "modelFile", name == "bytes" { return WorkspaceLimits.modelFileBytes }
    return long.contains(name) ? longestText : longestName
  }

  /// Columns that hold drawings or settings; the others hold names and ids.
  private static let long: Set = ["drawing", "strokes", "json"]
  /// The most bytes of a drawing's text: far more than its points need.
  static let longestText = 8 << 20
  /// The most bytes of the ink of one shape on a playground, which may have all points that there
  /// can be: three numbers of up to 24 characters each, and what parts them.
  private static let longestInk = 80 * WorkspaceLimits.playgroundPoints
  /// The most bytes of a name, a label or an id: more than any may have.
  private static let longestName = 1024
  private static let kinds = [
    "TEXT": "text", "INTEGER": "integer", "REAL": "real", "BLOB": "blob",
  ]
}
