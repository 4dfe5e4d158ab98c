internal import Files
internal import Foundation
internal import GRDB
internal import JSON
internal import Recognition

/// The result of an import.
public struct ImportReport: Hashable, Sendable, Encodable {
  /// The file's models as they are here now, in order of creation.
  public var models: [WorkspaceModel]
  /// The models that were added.
  public var added: [WorkspaceModel]
  /// The models that were here already and were not changed.
  public var unchanged: [WorkspaceModel]
  /// How many artworks were added.
  public var addedArtworks: Int
}

extension Workspace {
  /// Imports the models of a file written by `export`, atomically.
  ///
  /// A model is here already if one with the same creation time has the same labels, samples,
  /// taught samples and refusal rate: it stays as it is, whatever its name is. A model whose id is
  /// here with other contents gets a new id, and one whose name is taken gets a number appended. In
  /// a workspace that holds only its untouched first model, the file's active model replaces that;
  /// a workspace without settings takes the file's. Templates and artworks that are not here are
  /// added.
  ///
  /// - Parameters:
  ///   - path: The file. All of it is validated before use.
  ///   - waiting: Called if the import has to wait for a training.
  /// - Returns: The result for the file's models.
  /// - Throws: `WorkspaceError` for a file that is not an export, is damaged, or comes from a newer
  ///   DrawML; nothing has changed then.
  @discardableResult
  public func `import`(
    from path: String, waiting: @Sendable () -> Void = {}
  ) async throws -> ImportReport {
    try await mappingErrors(of: .import) {
      try files.requireWritable()
      // Validate a copy, which cannot change meanwhile and has no journal beside it. The model lock
      // stays free during validation.
      let folder = try files.temporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      let copy = folder.path + "/import"
      let bytes = try Self.copyBytes(of: path, to: copy, limit: WorkspaceLimits.exportBytes)
      let imported = try await withDeadline(ImportedFile.timeLimit(for: bytes)) {
        try await ImportedFile(at: copy, base: base(everyday:))
      }
      return try await withModelLock(waiting: waiting) {
        if imported.artworks.isEmpty { return try await take(imported) }
        return try await withArtworkLock(waiting: waiting) { try await take(imported) }
      }
    }
  }

  /// Imports a file as `import` does, into a workspace that is created if it is missing: a new one
  /// appears with all that the file brings, or not at all.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - folder: The workspace's folder.
  ///   - waiting: Called if the import has to wait for a training.
  ///   - open: Opens the workspace in a folder, and creates a missing one.
  /// - Returns: The workspace, and the result for the file's models.
  /// - Throws: `WorkspaceError` and `CancellationError`, as `import` and opening do.
  public static func importing(
    from path: String, into folder: String, waiting: @Sendable () -> Void = {},
    open: (String) throws -> Workspace = { try Workspace(folder: $0) }
  ) async throws -> (workspace: Workspace, report: ImportReport) {
    let files = WorkspaceFiles(folder: folder)
    if files.isMissing, let new = files.newFolder() {
      let workspace = try open(new.path)
      let report = try await workspace.import(from: path, waiting: waiting)
      try workspace.close()
      if new.finish() { return (try open(folder), report) }
      // Another program was faster: the models join those that it made.
    }
    let workspace = try open(folder)
    return (workspace, try await workspace.import(from: path, waiting: waiting))
  }

  /// Where to put a model or an artwork of the file.
  struct ImportTarget: Equatable, Sendable {
    var id: String
    /// Whether it is here already.
    var isHere: Bool
  }

  private func take(_ file: ImportedFile) async throws -> ImportReport {
    let newIDs = (
      models: file.models.map { _ in newID() }, artworks: file.artworks.map { _ in newID() }
    )
    let places = try await read(.import) { db in try Self.places(of: file, newIDs, in: db) }
    var written: [(kind: ReferencedFiles, name: String)] = []
    do {
      for (model, place) in zip(file.models, places.models)
      where !place.isHere && model.generation > 0 {
        let path = files.model(place.id, generation: model.generation)
        try files.requireWritable()
        written.append((files.modelFiles, WorkspaceFiles.name(place.id, model.generation)))
        try AtomicFile.write(try file.trainedFile(of: model.id), to: path, replacesLinks: true)
      }
      for (artwork, place) in zip(file.artworks, places.artworks) {
        var row = try file.artwork(artwork)
        row.id = place.id
        // A picture that is here, but lost or damaged, comes back.
        if place.isHere, (try? files.picture(of: row)) != nil { continue }
        written.append((files.artworkFiles, WorkspaceFiles.name(ofArtwork: place.id)))
        try files.write(try file.picture(ofArtwork: artwork), ofArtwork: place.id)
      }
      try Task.checkCancellation()
      // A separate task: once the files exist, cancellation must not come between the rows and the
      // result.
      return try await Task {
        try await change { db in
          guard try Self.places(of: file, newIDs, in: db) == places else {
            // A model or an artwork that is in the file was just deleted or changed.
            throw WorkspaceError.Reason.busy
          }
          try insert(file, at: places.models, in: db)
          try Self.insertArtworks(of: file, at: places.artworks, in: db)
          let models = try places.models.map { (try Self.model($0.id, in: db), $0.isHere) }
          return ImportReport(
            models: models.map(\.0), added: models.filter { !$0.1 }.map(\.0),
            unchanged: models.filter(\.1).map(\.0),
            addedArtworks: places.artworks.count { !$0.isHere })
        }
      }.value
    } catch {
      for file in written { file.kind.remove(file.name, unlessNamedIn: database) }
      throw error
    }
  }

  /// Where to put all that has files of its own.
  private struct Places: Equatable, Sendable {
    var models: [ImportTarget]
    var artworks: [ImportTarget]
  }

  private static func places(
    of file: ImportedFile, _ newIDs: (models: [String], artworks: [String]), in db: Database
  ) throws -> Places {
    Places(
      models: try modelPlaces(of: file, newIDs.models, in: db),
      artworks: try artworkPlaces(of: file, newIDs.artworks, in: db))
  }

  private static func modelPlaces(
    of file: ImportedFile, _ newIDs: [String], in db: Database
  ) throws -> [ImportTarget] {
    let untouched = try untouchedModel(in: db)
    let rows = try ModelRow.fetchAll(db, sql: "SELECT * FROM model ORDER BY id")
    let (ids, rowsByTime) = (Set(rows.map(\.id)), Dictionary(grouping: rows, by: \.created))
    // Cached, so that each model here is read once: many may have the same creation time.
    var hashes: [Int64: [Int: [ModelRow]]] = [:]
    return try zip(file.models, newIDs).map { model, newID in
      // Most models are new, and need not be read while the lock is held.
      if let rows = rowsByTime[model.created] {
        if hashes[model.created] == nil {
          hashes[model.created] = try Dictionary(grouping: rows) {
            try ModelContents.Core($0, in: db).anonymous.hashValue
          }
        }
        let contents = try file.contents(of: model.id).core.anonymous
        let alike = hashes[model.created]?[contents.hashValue] ?? []
        let own = alike.filter { $0.id == model.id }
        for row in own + alike where try ModelContents.Core(row, in: db).anonymous == contents {
          return ImportTarget(id: row.id, isHere: true)
        }
      }
      let isFree = model.id == untouched || !ids.contains(model.id)
      return ImportTarget(id: isFree ? model.id : newID, isHere: false)
    }
  }

  /// The id of a workspace's only model if the workspace was never used; otherwise nil.
  private static func untouchedModel(in db: Database) throws -> String? {
    guard try models(in: db).count == 1, let first = try ModelRow.fetchOne(db),
      first
        == ModelRow(
          id: first.id, name: firstName, created: first.created, isActive: first.isActive)
    else { return nil }
    let isTouched = try ["label", "prediction", "playground"].contains { table in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE model = ?)", arguments: [first.id])
        == true
    }
    return isTouched ? nil : first.id
  }

  private func insert(
    _ file: ImportedFile, at places: [ImportTarget], in db: Database
  ) throws {
    // Delete the untouched model, unless it is in the file itself.
    var replacedUntouched = false
    if let untouched = try Self.untouchedModel(in: db),
      !places.contains(where: { $0.id == untouched && $0.isHere }), !places.isEmpty
    {
      try db.execute(sql: "DELETE FROM model WHERE id = ?", arguments: [untouched])
      replacedUntouched = true
    }
    let active = file.models.firstIndex(where: \.isActive) ?? 0
    var names = try ModelNames(in: db)
    for (index, (entry, place)) in zip(file.models, places).enumerated() where !place.isHere {
      var model = try file.contents(of: entry.id)
      model.core.id = place.id
      model.core.isActive = replacedUntouched && index == active
      model.core.name = names.take(like: model.core.name)
      for index in model.playgrounds.indices {
        let id = model.playgrounds[index].id
        let isTaken = try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM playground WHERE id = ?)", arguments: [id])
        if isTaken == true { model.playgrounds[index].id = newID() }
      }
      try model.insert(into: db)
    }
    let hasSettings = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM settings)") ?? false
    if let settings = file.settings, !hasSettings { try Self.save(settings.forTransfer, in: db) }
    try insertTemplates(of: file, in: db)
  }
}

/// A validated file of exported models.
struct ImportedFile: Sendable {
  /// A model of the file. Its contents stay in the file, because those of all models may not fit
  /// into memory.
  struct Entry: Sendable {
    let id: String
    let isActive: Bool
    let generation: Int
    let created: Int64
  }

  /// The models, oldest first.
  let models: [Entry]
  let settings: WorkspaceSettings?
  /// The ids of the templates, oldest first.
  let templates: [String]
  /// The ids of the artworks, oldest first.
  let artworks: [String]
  private let database: DatabaseQueue

  /// Reads and validates the file at `path`.
  ///
  /// - Parameters:
  ///   - path: A file that does not change meanwhile.
  ///   - base: Returns the base of models; the argument tells whether they know everyday things.
  /// - Throws: `WorkspaceError.Reason` of `notImportable` and why; `CancellationError` when the
  ///   task is canceled.
  init(at path: String, base: @escaping @Sendable (Bool) -> BaseModel) async throws {
    let version = try Self.checkHeader(of: path)
    do {
      database = try DatabaseQueue(
        path: path.forSQLite,
        configuration: .guardedReader(
          longest: WorkspaceLimits.modelFileBytes + StoredValues.longestText))
      (models, settings, templates, artworks) = try await database.read { db in
        try Self.checkTables(of: version, in: db)
        let ids = try String.fetchAll(db, sql: "SELECT id FROM model ORDER BY created, id")
        let models = try ids.map { id in
          let model = try ModelContents(of: id, in: db)
          try Self.checkFile(of: model, base: base(model.core.isEveryday), in: db)
          return Entry(
            id: id, isActive: model.core.isActive, generation: model.core.generation,
            created: model.core.created)
        }
        // Files before version 5 have no templates.
        let templates = version < 5 ? [] : try TemplateRow.ids(in: db)
        for id in templates { _ = try TemplateRow.checked(id, in: db) }
        if !templates.isEmpty { try TemplateRow.checkRoom(in: db) }
        // Files before version 6 have no artworks.
        let artworks = version < 6 ? [] : try ArtworkRow.checkedIDs(ofExport: db)
        return (models, try Workspace.storedSettings(in: db), templates, artworks)
      }
    } catch let reason as WorkspaceError.Reason {
      // The reason is about the file, not about the workspace's own database.
      throw WorkspaceError.Reason.notImportable(reason.importWords)
    } catch let error as DatabaseError {
      throw WorkspaceError.Reason.notImportable(
        "it is damaged (\(error.message ?? "no reason given"))")
    }
    guard !models.isEmpty else { throw WorkspaceError.Reason.notImportable("it has no models") }
  }

  /// The time limit for validating `bytes` bytes: far more than it takes, even on a slow machine.
  static func timeLimit(for bytes: Int) -> Duration { .seconds(60 + Double(bytes) / 1e6) }

  /// Checks the header before SQLite opens the file.
  ///
  /// - Returns: The schema version.
  private static func checkHeader(of path: String) throws -> Int {
    // In WAL mode the latest changes may be in a log that the file lacks.
    guard let header = DatabaseHeader(of: path), !header.isLogged,
      header.program == WorkspaceSchema.exportID
    else {
      let kind =
        switch try? FileKind(of: path, among: FileKind.ofImports) {
        case nil, .export, .json, .other: ""
        case let found?: "\(found.name), "
        }
      throw WorkspaceError.Reason.notImportable("it is \(kind)not an export of DrawML")
    }
    let version = header.version
    guard version <= WorkspaceSchema.version else {
      throw WorkspaceError.Reason.notImportable(
        "it was made by a newer DrawML (its version is \(version), and this one reads up to "
          + "\(WorkspaceSchema.version)); update this one")
    }
    guard version >= 1 else {
      throw WorkspaceError.Reason.notImportable("it has the version \(version)")
    }
    guard header.length >= header.fullLength else {
      throw WorkspaceError.Reason.notImportable(
        "it is cut off: of \(header.fullLength) bytes there are \(header.length)")
    }
    return version
  }

  /// Checks the schema, then the row counts, pages, foreign keys and values.
  private static func checkTables(of version: Int, in db: Database) throws {
    let statements = WorkspaceSchema.exportStatements(of: version)
    guard try WorkspaceSchema.difference(from: statements, in: db) == nil else {
      throw WorkspaceError.Reason.notImportable("its tables are not the tables of an export")
    }
    if let exceededLimit = try WorkspaceLimits.exceededLimit(in: db) {
      throw WorkspaceError.Reason.notImportable(
        "it has more than \(exceededLimit.limit) rows of \(exceededLimit.table)")
    }
    let found = try String.fetchAll(db, sql: "PRAGMA integrity_check(1)")
    guard found == ["ok"] else {
      throw WorkspaceError.Reason.damaged(found.first ?? "its pages")
    }
    guard try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil else {
      throw WorkspaceError.Reason.damaged("a row refers to a missing row")
    }
    try StoredValues.check(in: db)
  }

  /// The contents of a model of the file.
  func contents(of model: String) throws -> ModelContents {
    try database.read { db in try ModelContents(of: model, in: db, isChecked: true) }
  }

  /// A template of the file, which was validated before.
  func template(_ id: String) throws -> TemplateRow {
    try database.read { db in
      guard let row = try TemplateRow.fetchOne(db, key: id) else {
        throw WorkspaceError.Reason.unknownTemplate(id)
      }
      return row
    }
  }

  /// An artwork of the file, which was validated before.
  func artwork(_ id: String) throws -> ArtworkRow {
    try database.read { db in try ArtworkRow.row(id, columns: "*", in: db) }
  }

  /// The bytes of an artwork's picture.
  func picture(ofArtwork id: String) throws -> [UInt8] {
    try database.read { db in try ArtworkRow.picture(id, in: db) ?? [] }
  }

  /// The bytes of a trained model's file.
  func trainedFile(of model: String) throws -> [UInt8] {
    try database.read { db in try Self.trainedFile(of: model, in: db) ?? [] }
  }

  private static func trainedFile(of model: String, in db: Database) throws -> [UInt8]? {
    try Data.fetchOne(
      db, sql: "SELECT bytes FROM modelFile WHERE model = ?", arguments: [model]
    ).map { [UInt8]($0) }
  }

  /// Throws unless a trained model's file is consistent with the tables.
  private static func checkFile(
    of model: ModelContents, base: BaseModel, in db: Database
  ) throws {
    let bytes = try trainedFile(of: model.id, in: db)
    guard model.core.generation > 0 else {
      guard bytes == nil, model.core.taught.isEmpty else {
        throw WorkspaceError.Reason.notImportable("a model that was never trained has a file")
      }
      return
    }
    guard let bytes else {
      throw WorkspaceError.Reason.notImportable("a trained model has no file")
    }
    let recognizer: Recognizer
    do {
      recognizer = try ModelFile.read(bytes, named: "“\(model.core.name)”")
    } catch {
      throw WorkspaceError.Reason.notImportable("\(error)")
    }
    var plain = recognizer
    let taught = plain.forget(where: \.isOwn)
    guard taught == model.core.taught, model.core.isEveryday || plain.labels.isEmpty else {
      throw WorkspaceError.Reason.notImportable(
        "a trained model's file and rows have different samples")
    }
    if model.core.base == (try base.fingerprint()) {
      plain.policy = try base.recognizer().policy
      guard try ModelFile.fingerprint(of: plain) == model.core.base else {
        throw WorkspaceError.Reason.notImportable(
          "a trained model's file and row name different bases")
      }
    }
  }
}

extension WorkspaceFiles {
  /// A folder that becomes the workspace's once it is filled; nil where that cannot be, such as in
  /// a folder with other things in it.
  fileprivate func newFolder() -> NewFolder? {
    // The path of a folder, not of a file in it, ends without a slash.
    try? Self.makeParents(of: URL(fileURLWithPath: folder).path)
    return NewFolder(at: folder)
  }
}

extension WorkspaceError.Reason {
  /// The problem with a file, as a part of a sentence.
  fileprivate var importWords: String {
    switch code {
    case .notImportable: cause ?? ""
    case .damaged: "it is damaged (\(cause ?? ""))"
    case .tooManyTemplates: "its templates have more bytes than a workspace takes"
    case .tooManyArtworks: "its pictures have more bytes than a workspace takes"
    default: "it is damaged (\(description.trimmingCharacters(in: ["."])))"
    }
  }
}

/// Runs `body`, and cancels it after `limit`.
///
/// - Throws: What `body` throws, or `WorkspaceError.Reason.notImportable` after a timeout.
func withDeadline<Value: Sendable>(
  _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    defer { group.cancelAll() }
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: limit)
      throw WorkspaceError.Reason.notImportable("checking it takes too long")
    }
    guard let value = try await group.next() else { throw CancellationError() }
    return value
  }
}
