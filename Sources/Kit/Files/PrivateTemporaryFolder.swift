internal import Foundation

/// A private temporary folder: only the user can access it, its name does not depend on requests,
/// and it is deleted with its contents when the instance is deallocated. What a killed process
/// leaves of it is swept, as `TemporaryFiles` says.
package final class PrivateTemporaryFolder: Sendable {
  /// The folder's path.
  package let path: String
  /// Holds the lock.
  private let descriptor: Int32

  /// The prefix of the names of those in the system's folder for temporary files. They are not
  /// hidden: some browsers open no page in a hidden folder.
  static let prefix = "drawml-passing-"

  /// Creates a folder in the system's folder for temporary files.
  ///
  /// - Throws: `FileError` when it cannot be created.
  package convenience init() throws(FileError) {
    try self.init(in: FileManager.default.temporaryDirectory.path, prefix: Self.prefix)
  }

  /// Creates a folder in another one, on the same disk.
  ///
  /// - Throws: `FileError` when it cannot be created.
  package convenience init(in folder: String) throws(FileError) {
    try self.init(in: folder, prefix: ".drawml-")
  }

  private init(in folder: String, prefix: String) throws(FileError) {
    (descriptor, path) = TemporaryFiles.makeFolder(in: folder + "/", prefix: prefix, mode: 0o700)
    guard descriptor >= 0 else { throw .system("write", path: folder) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    Self.remove(path)
    TemporaryFiles.close(path)
    close(descriptor)
  }

  /// Removes a folder with its contents.
  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

  /// Removes folders left by processes that no longer run.
  package static func sweep() {
    TemporaryFiles.sweep(FileManager.default.temporaryDirectory.path)
  }
}
