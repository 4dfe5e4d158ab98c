internal import Files
public import Foundation
internal import GRDB

/// The user's models, labels, samples, settings, history and playgrounds (D-001 … D-007), and the
/// pictures made of sketches, in one folder.
///
/// The folder holds `workspace.sqlite`, in `models/` a file for each trained model and in
/// `artworks/` one for each picture. Any number of programs may use it at the same time. Changes are
/// durable when a method returns, and atomic: a crash or power failure loses nothing that was
/// acknowledged and leaves nothing half done. There is always exactly one active model.
///
/// All methods throw `WorkspaceError`, or `CancellationError` when their task is canceled; nothing
/// has changed then.
public struct Workspace: Sendable {
  /// The folder, as passed to `init`.
  public let folder: String
  let files: WorkspaceFiles
  let database: DatabasePool
  let base: BaseModel
  let everyday: BaseModel
  let now: @Sendable () -> Date
  let newID: @Sendable () -> String

  /// How long to wait for another program's transaction.
  static let busyTime: Duration = .seconds(10)
  /// The name of a new workspace's model.
  static let firstName = "My first model"

  /// Opens the workspace in `folder`.
  ///
  /// - Parameters:
  ///   - folder: See `standardFolder`. Missing folders are created.
  ///   - creating: Whether to create a missing workspace. Otherwise opening changes nothing but the
  ///     database's version, and removes what killed programs left and what was
  ///     deleted for good; a read-only folder is opened
  ///     for reading, and changes to it are rejected.
  ///   - base: The untrained starting point of models.
  ///   - everyday: The starting point of models that know everyday things.
  ///   - now: The clock.
  ///   - newID: Returns a new unique id.
  /// - Throws: `WorkspaceError` for a folder that cannot be written, a damaged database, and one
  ///   made by a newer DrawML or another program; `noWorkspace` if it is missing and `creating` is
  ///   false.
  public init(
    folder: String = Workspace.standardFolder(), creating: Bool = true,
    base: BaseModel = .released, everyday: BaseModel = .everyday,
    now: @escaping @Sendable () -> Date = { Date() },
    newID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
  ) throws(WorkspaceError) {
    try self.init(
      folder: folder, creating: creating, base: base, everyday: everyday, now: now, newID: newID,
      busyTime: Self.busyTime)
  }

  init(
    folder: String, creating: Bool = true, base: BaseModel, everyday: BaseModel = .everyday,
    now: @escaping @Sendable () -> Date, newID: @escaping @Sendable () -> String, busyTime: Duration
  ) throws(WorkspaceError) {
    self.folder = folder
    (self.base, self.everyday) = (base, everyday)
    self.now = now
    self.newID = newID
    var files = WorkspaceFiles(folder: folder)
    do {
      do throws(FileError) { try FolderListing.requireReadable(folder) } catch {
        throw WorkspaceError.Reason.file(error)
      }
      // An import into a new workspace is made beside its folder.
      TemporaryFiles.sweepOnce(URL(fileURLWithPath: folder).deletingLastPathComponent().path)
      guard creating || !files.isMissing else { throw WorkspaceError.Reason.noWorkspace(folder) }
      let opened: (database: DatabasePool, isNew: Bool)
      do {
        try files.requirePlainFiles()
        try files.makeFolders()
        opened = try Self.open(files, busyTime: busyTime)
      } catch  where !creating && WorkspaceError.Reason(error, in: files) == .readOnly {
        files = try files.copyingDatabase()
        opened = try Self.open(files, busyTime: busyTime)
      }
      let isNew = opened.isNew
      (database, self.files) = (opened.database, files.copy == nil ? files.withIdentities() : files)
      try createFirstModel(isNew: isNew, creating: creating)
      purgeArtworks()
      files.sweep(keeping: database)
    } catch {
      throw WorkspaceError(.open, error, in: files)
    }
  }

  /// The folder of the workspace that a model's file belongs to; nil for other files.
  ///
  /// Its database says what the model was taught, so nothing else may change the file.
  public static func folder(ofModelAt path: String) -> String? {
    WorkspaceFiles.workspace(ofModelAt: path)
  }

  /// `drawml` in `$XDG_DATA_HOME`, or in `~/.local/share` if that is not an absolute path.
  ///
  /// - Parameter environment: The environment variables; nil for the process's.
  /// - Returns: The path of the folder, which need not exist.
  public static func standardFolder(environment: [String: String]? = nil) -> String {
    UserFolder.data.path(environment: environment)
  }

  /// Closes the database. No method may be called afterwards; without this call it is closed with
  /// the last copy.
  public func close() throws {
    // The last connection to close may be a reader, which leaves the log. If another program blocks
    // the checkpoint, that program makes it when it closes: no reason to wait for it.
    _ = try? database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA busy_timeout = 0")
      try db.checkpoint(.truncate)
    }
    try database.close()
  }

  // MARK: Opening

  private static func open(
    _ files: WorkspaceFiles, busyTime: Duration
  ) throws -> (database: DatabasePool, isNew: Bool) {
    // Two programs may open a new folder at once; the lock serializes them.
    let lock = try FileLock(path: files.openingLock, creating: true)
    defer { withExtendedLifetime(lock) {} }
    let isNew = !files.hasDatabase
    if isNew {
      try make(files)
    } else if let header = DatabaseHeader(of: files.database), files.log == nil,
      header.program != WorkspaceSchema.workspaceID
    {
      throw WorkspaceError.Reason.foreign(files.database)
    }
    var configuration = Configuration.guarded
    configuration.label = "workspace"
    configuration.busyMode = .timeout(busyTime / .seconds(1))
    let pool = try DatabasePool(path: files.database.forSQLite, configuration: configuration)
    // GRDB sets NORMAL, which may lose acknowledged changes in a power failure.
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    try pool.read { db in
      guard
        try Int.fetchOne(db, sql: "PRAGMA application_id") == WorkspaceSchema.workspaceID
      else { throw WorkspaceError.Reason.foreign(files.database) }
    }
    try WorkspaceSchema.migrate(pool)
    return (pool, isNew)
  }

  /// Creates the database with its tables and application id, atomically.
  private static func make(_ files: WorkspaceFiles) throws {
    // SQLite would apply the log of a missing database to the new one. Models may be all that is
    // left of a lost one, and a new one would not refer to them.
    if let lost = files.lost { throw lost }
    let folder = try files.temporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let new = folder.path + "/new"
    try WorkspaceSchema.makeDatabase(
      at: new, of: WorkspaceSchema.workspaceID, statements: WorkspaceSchema.statements()
    ).close()
    _ = try copy(new, to: files.database)
  }

  /// Ensures that a model is active; writes nothing if models are lost, or if `creating` is false.
  private func createFirstModel(isNew: Bool, creating: Bool) throws {
    let (hasModel, hasActive) = try database.read { db in
      func isThere(_ condition: String) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM model WHERE \(condition))") == true
      }
      let hasActive = try isThere("isActive = 1")
      // A damaged page may hide them.
      if !hasActive, !isNew, let fault = try Self.fault(of: "model", in: db) {
        throw WorkspaceError.Reason.damaged(fault)
      }
      return (try isThere("TRUE"), hasActive)
    }
    guard !hasActive else { return }
    if !hasModel, !isNew {
      guard !files.hasModel else {
        throw WorkspaceError.Reason.damaged(
          "it has no model, though there are files of trained ones")
      }
      guard creating else { throw WorkspaceError.Reason.noWorkspace(folder) }
    }
    guard creating else { return }
    let (id, created) = (newID(), now())
    _ = try database.write { db in try Self.activateOne(db, orMake: id, created: created) }
  }

  // MARK: Transactions

  /// Runs `body` in a read transaction, which sees one snapshot.
  func read<T: Sendable>(
    _ operation: WorkspaceError.Operation, _ body: @Sendable (Database) throws -> T
  ) async throws -> T {
    try await mappingErrors(of: operation) { try await database.read(body) }
  }

  /// Runs `body` in a write transaction.
  func write<T: Sendable>(
    _ operation: WorkspaceError.Operation, _ body: @Sendable (Database) throws -> T
  ) async throws -> T {
    try await mappingErrors(of: operation) { try await change(body) }
  }

  /// Runs `body` and maps its errors, except `CancellationError`, to a `WorkspaceError` of
  /// `operation`.
  func mappingErrors<T: Sendable>(
    of operation: WorkspaceError.Operation, _ body: () async throws -> T
  ) async throws -> T {
    do { return try await body() } catch let error where !(error is CancellationError) {
      throw WorkspaceError(operation, error, in: files)
    }
  }

  /// Runs `body` in a write transaction, if the opened files are still in place and of a supported
  /// version.
  func change<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws -> T {
    try files.requireWritable()
    return try await database.write { db in
      try WorkspaceSchema.requireDrawMLDatabase(db)
      return try body(db)
    }
  }
}
