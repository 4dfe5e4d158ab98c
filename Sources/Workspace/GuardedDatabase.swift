internal import GRDB
internal import GRDBSQLite

/// How databases are opened whose bytes may be anyone's: what SQLite would do because a file says
/// so, it does not do.
///
/// What SQLite advises for such files (https://www.sqlite.org/security.html), as far as it is a
/// pragma or a limit. What is left, triggers, views and defensive mode, is without meaning here:
/// files that have more than our tables are refused before anything is asked of them, and nothing
/// is written to them.
extension Configuration {
  /// A configuration for the workspace's own database, which may be damaged.
  static var guarded: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      // Functions in a schema are not called, and each cell is looked at before it is used.
      try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    }
    return configuration
  }

  /// A configuration for a file of somebody else, which is only read.
  ///
  /// - Parameter bytes: The longest value that is taken out of it.
  /// - Returns: The configuration.
  static func guardedReader(longest bytes: Int) -> Configuration {
    var configuration = guarded
    configuration.readonly = true
    configuration.prepareDatabase { db in
      // A mapped file that becomes shorter meanwhile would end the program.
      try db.execute(sql: "PRAGMA mmap_size = 0; PRAGMA query_only = ON")
      let limits: [(Int32, Int)] = [
        (SQLITE_LIMIT_LENGTH, bytes),
        // Our own statements and descriptions of tables are far below all of these.
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
  /// A path as SQLite takes it: a relative one that begins with "file:" would be an address, which
  /// may lead anywhere.
  var forSQLite: String { hasPrefix("file:") ? "./" + self : self }
}
