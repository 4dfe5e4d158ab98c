internal import Foundation
internal import GRDB

/// The tables of a workspace, and of an exported file, which has the same ones and the files of
/// models and artworks besides.
enum WorkspaceSchema {
  // A new column of `model` needs a migration here; `ModelRow`, `models(in:)` and `changeModel` in
  // WorkspaceModels.swift; `WorkspaceModel` and its encoding in WorkspaceValues.swift; `anonymous`
  // and `Core.check` in ModelContents.swift; `ModelChange` in ModelEndpoints.swift; `ModelRecord`
  // in drawml; docs/studio-api.yaml and docs/FORMATS.md. These need no change: StoredValues.swift,
  // if a flag has `CHECK (name IN (0, 1))`; `untouchedModel` in WorkspaceImport.swift and
  // `resetToSamples` in WorkspaceRescue.swift, which use the defaults of `ModelRow`.
  //
  // ALTER TABLE is fine: new databases run the same statements. Import and rescue read older
  // versions without migrating them, so each needs a default: rescue the column's own, and import
  // one in the decoding of `ModelRow`.

  /// The statements that each version added, by name, in order. Never edit a released migration;
  /// add a new one.
  private static let migrations = [
    (name: "models, labels, samples, predictions, playgrounds and settings", adds: firstTables),
    (name: "what the last training of each model brought", adds: [reportTable]),
    (
      name: "models that know everyday things",
      adds: [
        """
        ALTER TABLE model
        ADD COLUMN isEveryday INTEGER NOT NULL DEFAULT 0 CHECK (isEveryday IN (0, 1))
        """
      ]
    ),
    (
      name: "samples traced over a template, and how many drawings were traced today",
      adds: ["ALTER TABLE sample ADD COLUMN template TEXT", tracedTable]
    ),
    (name: "templates of the user's", adds: [templateTable]),
    (
      name: "pictures made of sketches, and when image models were asked",
      adds: [artworkTable, imageRequestTable]
    ),
  ]
  /// The highest version that this program reads, and the one that it writes.
  static let version = migrations.count
  /// "DrML" and "DrMX": the `application_id`s that identify these databases.
  static let workspaceID = 0x4472_4d4c
  static let exportID = 0x4472_4d58

  /// Creates a temporary database. A partial one is worthless, so nothing is synced before it is
  /// moved into place.
  static func makeDatabase(
    at path: String, of program: Int, statements: [String]
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.journalMode = .default
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
    }
    // SQLite would apply a leftover journal to the new database, and might delete the file that the
    // journal names.
    WorkspaceFiles.removeDatabase(path)
    let database = try DatabaseQueue(path: path.forSQLite, configuration: configuration)
    try database.write { db in
      for statement in statements { try db.execute(sql: statement) }
      try db.execute(
        sql: "PRAGMA application_id = \(program); PRAGMA user_version = \(version)")
    }
    return database
  }

  /// The version of a database.
  ///
  /// - Throws: `WorkspaceError.Reason.newerSchema` if it is newer than this program supports.
  @discardableResult
  static func requireDrawMLDatabase(_ db: Database) throws -> Int {
    let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard found <= version else {
      throw WorkspaceError.Reason.newerSchema(found: found, supported: version)
    }
    return found
  }

  /// Migrates an older database to the current version in one transaction; its data is kept.
  ///
  /// - Throws: `WorkspaceError.Reason.newerSchema` if its version is newer, `damaged` if its tables
  ///   are not those of its version.
  static func migrate(_ database: some DatabaseWriter) throws {
    func version(of db: Database) throws -> Int {
      let found = try requireDrawMLDatabase(db)
      guard found >= 1 else { throw WorkspaceError.Reason.damaged("its version is \(found)") }
      return found
    }
    let found = try database.read { db in
      let found = try version(of: db)
      if let difference = try difference(
        from: statements(upTo: found), orBesides: migrationsTable, in: db)
      {
        throw WorkspaceError.Reason.damaged(difference)
      }
      return found
    }
    guard found < Self.version else { return }
    try database.write { db in
      // Another program may have migrated it meanwhile.
      for statement in migrations[try version(of: db)...].flatMap(\.adds) {
        try db.execute(sql: statement)
      }
      try db.execute(sql: "PRAGMA user_version = \(Self.version)")
    }
  }

  /// How a database's schema differs from the one that `statements` create; nil if it is the same,
  /// apart from the table that `optional` creates, which may exist.
  ///
  /// A foreign trigger would run on every change; a view or a generated column could produce any
  /// amount of data when read.
  static func difference(
    from statements: [String], orBesides optional: String? = nil, in db: Database
  ) throws -> String? {
    let (expected, allowed) = try DatabaseQueue().write { db in
      for statement in statements { try db.execute(sql: statement) }
      let expected = try descriptions(in: db)
      if let optional { try db.execute(sql: optional) }
      return (expected, try descriptions(in: db))
    }
    let found = try descriptions(in: db)
    func shown(_ name: Data) -> String { String(decoding: name, as: UTF8.self) }
    for (name, description) in expected.sorted(by: { shown($0.key) < shown($1.key) })
    where found[name] != description {
      return found[name] == nil
        ? "it has no table \(shown(name))" : "its table \(shown(name)) is not one of DrawML"
    }
    return found.filter { allowed[$0.key] != $0.value }.keys.map(shown).min().map {
      "it has something that DrawML does not make: \($0)"
    }
  }

  /// The schema's entries for tables and indices, by name.
  ///
  /// As bytes, because a text may be cut at a zero byte, and what follows it must be compared too.
  private static func descriptions(in db: Database) throws -> [Data: [Data]] {
    let columns = ["name", "type", "tbl_name", "ifnull(sql, '')"].map { "CAST(\($0) AS BLOB)" }
    let rows = try Row.fetchAll(
      db, sql: "SELECT \(columns.joined(separator: ", ")) FROM sqlite_schema")
    return Dictionary(
      rows.map { row in
        let values = (0..<4).map { row[$0] as Data? ?? Data() }
        return (values[0], Array(values[1...]))
      }, uniquingKeysWith: +)
  }

  /// What a library kept in workspaces that were made when the version was 1.
  private static let migrationsTable =
    "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"

  /// The SQL that makes an empty database of a version: all migrations up to it.
  static func statements(upTo version: Int = Self.version) -> [String] {
    migrations.prefix(version).flatMap(\.adds)
  }

  /// Strict tables: SQLite keeps no text where a number is due. Times are milliseconds since 1970,
  /// drawings stroke JSON without id and label.
  private static let firstTables = [
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
  ]

  /// A report is valid only for the generation in its row.
  private static let reportTable = """
    CREATE TABLE report (
      model TEXT NOT NULL PRIMARY KEY REFERENCES model (id) ON DELETE CASCADE,
      generation INTEGER NOT NULL,
      json TEXT NOT NULL
    ) STRICT
    """

  /// The day of the last traced drawing, such as "2026-11-25", and how many were traced on it.
  private static let tracedTable = """
    CREATE TABLE traced (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      day TEXT NOT NULL,
      used INTEGER NOT NULL CHECK (used > 0)
    ) STRICT
    """

  /// Imported templates: a picture, PNG of that size in pixels, or a drawing.
  private static let templateTable = """
    CREATE TABLE template (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      created INTEGER NOT NULL,
      picture BLOB,
      width INTEGER,
      height INTEGER,
      drawing TEXT,
      CHECK ((picture IS NULL) <> (drawing IS NULL)),
      CHECK ((picture IS NULL) = (width IS NULL)),
      CHECK ((picture IS NULL) = (height IS NULL))
    ) STRICT
    """

  /// Pictures made of sketches: rows of the files `artworks/<id>.png`, which have that many bytes and
  /// that SHA-256. The sketch comes last, because it may be long and is seldom read.
  private static let artworkTable = """
    CREATE TABLE artwork (
      id TEXT NOT NULL PRIMARY KEY,
      created INTEGER NOT NULL,
      style TEXT NOT NULL,
      maker TEXT,
      labels TEXT NOT NULL,
      isFavorite INTEGER NOT NULL CHECK (isFavorite IN (0, 1)),
      stars INTEGER CHECK (stars BETWEEN 1 AND 5),
      deleted INTEGER,
      bytes INTEGER NOT NULL CHECK (bytes > 0),
      digest TEXT NOT NULL,
      sketch TEXT NOT NULL
    ) STRICT
    """

  /// When an image model was asked for a picture, and of which day's number that is one, such as
  /// "2026-11-25"; of none if no picture came: "".
  private static let imageRequestTable = """
    CREATE TABLE imageRequest (
      made INTEGER NOT NULL,
      day TEXT NOT NULL
    ) STRICT
    """

  /// The SQL that makes an empty exported file of a version.
  static func exportStatements(of version: Int = Self.version) -> [String] {
    statements(upTo: version) + [exportTable] + (version < 6 ? [] : [artworkFileTable])
  }

  /// The additional table of an exported file: the bytes of each artwork's picture.
  private static let artworkFileTable = """
    CREATE TABLE artworkFile (
      artwork TEXT NOT NULL PRIMARY KEY REFERENCES artwork (id) ON DELETE CASCADE,
      bytes BLOB NOT NULL
    ) STRICT
    """

  /// The additional table of an exported file: the bytes of each trained model's file.
  static let exportTable = """
    CREATE TABLE modelFile (
      model TEXT NOT NULL PRIMARY KEY REFERENCES model (id) ON DELETE CASCADE,
      bytes BLOB NOT NULL
    ) STRICT
    """
}
