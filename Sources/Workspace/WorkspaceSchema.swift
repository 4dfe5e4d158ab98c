internal import Foundation
internal import GRDB

/// The tables of a workspace, and of an exported file, which has the same ones and the model files
/// besides.
enum WorkspaceSchema {
  /// The highest version that this program reads, and the one that it writes.
  static let version = 2
  /// "DrML" and "DrMX": what tells these databases from those of other programs.
  static let workspaceID = 0x4472_4d4c
  static let exportID = 0x4472_4d58

  /// Makes a database that nobody else sees yet. Half of it is worth nothing to anyone, so nothing
  /// of it is synced before it is put in its place.
  static func makeDatabase(
    at path: String, of program: Int, tables: [String]
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.journalMode = .default
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
    }
    let database = try DatabaseQueue(path: path, configuration: configuration)
    try database.write { db in
      for statement in tables { try db.execute(sql: statement) }
      try db.execute(
        sql: "PRAGMA application_id = \(program); PRAGMA user_version = \(version)")
    }
    return database
  }

  /// Brings a database of an older version to this one, all or nothing; what is in it stays as it
  /// is.
  ///
  /// - Throws: `WorkspaceError.Reason.newerSchema` for one of a newer version.
  static func migrate(_ database: some DatabaseWriter) throws {
    func version(of db: Database) throws -> Int {
      try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    }
    let found = try database.read(version)
    guard found <= Self.version else {
      throw WorkspaceError.Reason.newerSchema(found: found, supported: Self.version)
    }
    guard found < Self.version else { return }
    try database.write { db in
      // Another program may have done it meanwhile.
      guard try version(of: db) < Self.version else { return }
      try db.execute(sql: reportTable)
      try db.execute(sql: "PRAGMA user_version = \(Self.version)")
    }
  }

  /// The name of a table that a workspace has and `db` has not, as after its first page was
  /// damaged.
  static func missingTable(in db: Database) throws -> String? {
    try [
      "model", "label", "sample", "taught", "prediction", "playground", "playgroundItem",
      "settings", "report",
    ].first { try !db.tableExists($0) }
  }

  /// The name of a trigger or view, of which no DrawML makes any; nil where there is none.
  static func triggerOrView(in db: Database) throws -> String? {
    try String.fetchOne(
      db, sql: "SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view')")
  }

  /// Whether a database has these tables to the letter: no trigger, no view, nothing more and
  /// nothing less.
  static func isExactly(_ tables: [String], in db: Database) throws -> Bool {
    // As bytes: texts end for SQLite at a zero, and what stands behind it counts here.
    func schema(of db: Database) throws -> Set<[Data?]> {
      let columns = ["type", "name", "tbl_name", "sql"].map { "CAST(\($0) AS BLOB)" }
      return Set(
        try Row.fetchAll(
          db, sql: "SELECT \(columns.joined(separator: ", ")) FROM sqlite_schema"
        ).map { row in (0..<4).map { row[$0] } })
    }
    let expected = try DatabaseQueue().write { db in
      for statement in tables { try db.execute(sql: statement) }
      return try schema(of: db)
    }
    return try schema(of: db) == expected
  }

  /// The tables of a version.
  static func tables(of version: Int) -> [String] {
    version == 1 ? tables.filter { $0 != reportTable } : tables
  }

  /// Strict tables: SQLite keeps no text where a number is due. Times are milliseconds since 1970,
  /// drawings stroke JSON without id and label.
  static let tables = [
    """
    CREATE TABLE model (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      created INTEGER NOT NULL,
      lastTrained INTEGER,
      isActive INTEGER NOT NULL CHECK (isActive IN (0, 1)),
      refusalRate REAL NOT NULL CHECK (refusalRate BETWEEN 0 AND 0.5),
      generation INTEGER NOT NULL CHECK (generation >= 0),
      base TEXT,
      CHECK ((generation = 0) = (lastTrained IS NULL)),
      CHECK ((generation = 0) = (base IS NULL))
    ) STRICT
    """,
    "CREATE UNIQUE INDEX activeModel ON model (isActive) WHERE isActive = 1",
    """
    CREATE TABLE label (
      model TEXT NOT NULL REFERENCES model (id) ON DELETE CASCADE,
      label TEXT NOT NULL,
      name TEXT,
      PRIMARY KEY (model, label)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE sample (
      model TEXT NOT NULL,
      id TEXT NOT NULL,
      label TEXT NOT NULL,
      created INTEGER NOT NULL,
      digest TEXT NOT NULL,
      drawing TEXT NOT NULL,
      PRIMARY KEY (model, id),
      FOREIGN KEY (model, label) REFERENCES label (model, label)
        ON UPDATE CASCADE ON DELETE CASCADE
    ) STRICT
    """,
    "CREATE INDEX sampleByTime ON sample (model, created, id)",
    "CREATE INDEX sampleByLabel ON sample (model, label, created, id)",
    """
    CREATE TABLE taught (
      model TEXT NOT NULL REFERENCES model (id) ON DELETE CASCADE,
      id TEXT NOT NULL,
      label TEXT NOT NULL,
      digest TEXT NOT NULL,
      PRIMARY KEY (model, id)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE prediction (
      number INTEGER PRIMARY KEY,
      model TEXT NOT NULL REFERENCES model (id) ON DELETE CASCADE,
      id TEXT NOT NULL,
      label TEXT,
      confidence REAL,
      isRecognized INTEGER NOT NULL CHECK (isRecognized IN (0, 1)),
      created INTEGER NOT NULL,
      drawing TEXT NOT NULL,
      UNIQUE (model, id)
    ) STRICT
    """,
    """
    CREATE TABLE playground (
      id TEXT NOT NULL PRIMARY KEY,
      model TEXT NOT NULL REFERENCES model (id) ON DELETE CASCADE,
      width REAL NOT NULL,
      height REAL NOT NULL
    ) STRICT
    """,
    "CREATE INDEX playgroundByModel ON playground (model)",
    """
    CREATE TABLE playgroundItem (
      playground TEXT NOT NULL REFERENCES playground (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      number INTEGER NOT NULL,
      label TEXT,
      confidence REAL,
      x REAL NOT NULL,
      y REAL NOT NULL,
      side REAL NOT NULL,
      strokes TEXT NOT NULL,
      PRIMARY KEY (playground, place),
      UNIQUE (playground, number)
    ) STRICT
    """,
    """
    CREATE TABLE settings (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      json TEXT NOT NULL
    ) STRICT
    """,
    reportTable,
  ]

  /// What the last training of each model brought, since version 2; it counts for the generation
  /// that it names.
  private static let reportTable = """
    CREATE TABLE report (
      model TEXT NOT NULL PRIMARY KEY REFERENCES model (id) ON DELETE CASCADE,
      generation INTEGER NOT NULL,
      json TEXT NOT NULL
    ) STRICT
    """

  /// What an exported file has besides: the bytes of each trained model's file.
  static let exportTable = """
    CREATE TABLE modelFile (
      model TEXT NOT NULL PRIMARY KEY REFERENCES model (id) ON DELETE CASCADE,
      bytes BLOB NOT NULL
    ) STRICT
    """
}
