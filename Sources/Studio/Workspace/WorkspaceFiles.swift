internal import Files
internal import Foundation
internal import GRDB

/// The paths of a workspace's files.
struct WorkspaceFiles: Sendable {
  let folder: String
  /// The folder of a copy of the database, used instead if the workspace is read-only; nil
  /// otherwise.
  var copy: PrivateTemporaryFolder?

  /// The identities of the opened files by path; empty before opening.
  var opened: [String: FileIdentity] = [:]

  init(folder: String) { self.folder = folder }

  var database: String { "\(copy?.path ?? folder)/workspace.sqlite" }
  var models: String { "\(folder)/models" }
  /// The folder of the pictures of artworks, which is made with the first one.
  var artworks: String { "\(folder)/artworks" }
  var modelFiles: ReferencedFiles {
    ReferencedFiles(
      folder: models, ending: Self.modelEnding, table: "model",
      names: """
        SELECT id || '-' || generation || '\(Self.modelEnding)' FROM model WHERE generation > 0
        """)
  }
  var artworkFiles: ReferencedFiles {
    ReferencedFiles(
      folder: artworks, ending: Self.pictureEnding, table: "artwork",
      names: "SELECT id || '\(Self.pictureEnding)' FROM artwork")
  }
  private static let (modelEnding, pictureEnding) = (".drawml", ".png")
  /// Whether there is a database; an empty file does not count.
  var hasDatabase: Bool { isFilled(database) }
  /// Whether the folder holds no workspace; false if that cannot be determined.
  var isMissing: Bool {
    guard AtomicFile.exists(folder) else { return true }
    return (try? FileManager.default.contentsOfDirectory(atPath: folder)) != nil && !hasDatabase
      && lost == nil
  }
  /// The write-ahead log or journal beside the database, which may hold its latest changes; nil
  /// without one.
  var log: String? { [database + "-wal", database + "-journal"].first(where: isFilled) }
  /// The lock that is held while the database is opened.
  var openingLock: String { "\(copy?.path ?? folder)/opening.lock" }

  /// The path of the file of a model's generation.
  func model(_ id: String, generation: Int) -> String {
    "\(models)/\(Self.name(id, generation))"
  }

  /// The name of an artwork's picture.
  static func name(ofArtwork id: String) -> String { id + pictureEnding }

  /// The folder of the workspace whose file of a trained model lies at `path`; nil for other files.
  static func workspace(ofModelAt path: String) -> String? {
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let models = file.deletingLastPathComponent()
    let files = WorkspaceFiles(folder: models.deletingLastPathComponent().path)
    let isManaged =
      models.path == files.models && files.modelFiles.isOwn(file.lastPathComponent)
    return isManaged && files.hasDatabase ? files.folder : nil
  }

  /// The name of the file of a model's generation.
  static func name(_ id: String, _ generation: Int) -> String {
    "\(id)-\(generation)\(modelEnding)"
  }

  private func isFilled(_ path: String) -> Bool { size(path) > 0 }

  /// The size of a file in bytes; 0 if it does not exist.
  func size(_ path: String) -> Int {
    let found = try? FileManager.default.attributesOfItem(atPath: path)
    return (found?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Creates missing folders, accessible only to the user, and checks that files can be created in
  /// them.
  func makeFolders() throws(FileError) {
    try Self.makeParents(of: models)
    try AtomicFile.makeFolder(models, mode: 0o700)
    try AtomicFile.requireWritableFolder(models)
  }

  /// Creates the missing folders that a path lies in, accessible only to the user.
  static func makeParents(of path: String) throws(FileError) {
    var parents: [String] = []
    var missing = URL(fileURLWithPath: path)
    while !AtomicFile.exists(missing.path) {
      missing.deleteLastPathComponent()
      parents.append(missing.path)
    }
    for path in parents.reversed() { try AtomicFile.makeFolder(path, mode: 0o700) }
    // A new folder survives a power cut when the one that it lies in is synced.
    for path in parents { try? FileHandle(forReadingAtPath: path)?.synchronize() }
  }

  /// Removes what killed programs left: temporary files, and files that no row refers to.
  func sweep(keeping database: DatabasePool) {
    guard copy == nil else { return }
    TemporaryFiles.sweep(folder)
    for kind in [modelFiles, artworkFiles] { kind.sweep(self, keeping: database) }
  }

  /// Whether there are any files of trained models.
  var hasModel: Bool { !modelFiles.isEmpty }

  /// Why there is no database where other files of a workspace are; nil without any.
  var lost: WorkspaceError.Reason? {
    let (hasModels, hasArtworks) = (hasModel, !artworkFiles.isEmpty)
    guard log != nil || hasModels || hasArtworks else { return nil }
    return .lost(log: log, hasModels: hasModels, hasArtworks: hasArtworks)
  }
}
