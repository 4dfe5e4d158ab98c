internal import GRDB
internal import GRDBSQLite

/// Configurations for opening untrusted databases, so that SQLite does not act on a file's
/// contents.
///
/// Follows SQLite's advice for such files (https://www.sqlite.org/security.html) where it is a
/// pragma or a limit. The rest (triggers, views, defensive mode) does not apply: files with more
/// than our tables are rejected before they are queried, and nothing is written to them.
extension Configuration {
  /// A configuration for the workspace's own database, which may be damaged.
  static var guarded: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      // Do not call functions in a schema, and check each cell before use.
      try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    }
    return configuration
  }

  /// A read-only configuration for an untrusted file.
  ///
  /// - Parameter bytes: The longest value to read, in bytes.
  /// - Returns: The configuration.
  static func guardedReader(longest bytes: Int) -> Configuration {
    var configuration = guarded
    configuration.readonly = true
    configuration.prepareDatabase { db in
      // A memory-mapped file that is truncated meanwhile would crash the program.
      try db.execute(sql: "PRAGMA mmap_size = 0; PRAGMA query_only = ON")
      let limits: [(Int32, Int)] = [
        (SQLITE_LIMIT_LENGTH, bytes),
        // Our own statements and schema are far below all of these.
        (SQLITE_LIMIT_SQL_LENGTH, 16 << 10), (SQLITE_LIMIT_EXPR_DEPTH, 50),
        (SQLITE_LIMIT_COLUMN, 100), (SQLITE_LIMIT_ATTACHED, 0),
      ]
      for (name, limit) in limits {
        unsafe sqlite3_limit(db.sqliteConnection, name, Int32(clamping: limit))
      }
    }
    return configuration
  }
}

extension String {
  /// The path as SQLite takes it: a relative one that begins with "file:" would be parsed as a URI,
  /// which may point anywhere.
  var forSQLite: String { hasPrefix("file:") ? "./" + self : self }
}
