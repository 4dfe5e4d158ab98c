internal import CLibrary

/// A folder that is filled under a temporary name beside its place and then renamed to it, so that
/// a killed process leaves no part of it.
package struct NewFolder: ~Copyable {
  /// Where it is until it is finished.
  package let path: String
  private let target: String
  /// Holds the lock of `path`.
  private let descriptor: Int32
  private var isFinished = false

  /// Begins a folder; nil where there is something already, or the folder that it is to lie in
  /// cannot be changed.
  ///
  /// - Parameters:
  ///   - path: The place: nothing, or an empty folder or a link to one, which it replaces.
  ///   - mode: Who may use it.
  package init?(at path: String, mode: UInt32 = 0o700) {
    var target = path
    while target.count > 1, target.hasSuffix("/") { target.removeLast() }
    if let resolved = unsafe realpath(path, nil) {
      target = unsafe String(cString: resolved)
      unsafe free(resolved)
      TemporaryFiles.sweepOnce(target)
      guard (try? FolderListing.names(in: target)) == [] else { return nil }
    } else if AtomicFile.isLink(target) {
      return nil
    }
    let (descriptor, temporary) = TemporaryFiles.makeFolder(in: folder(of: target), mode: mode)
    guard descriptor >= 0 else { return nil }
    (self.path, self.target, self.descriptor) = (temporary, target, descriptor)
  }

  deinit {
    if !isFinished { PrivateTemporaryFolder.remove(path) }
    TemporaryFiles.close(path)
    close(descriptor)
  }

  /// Renames the folder to its place; what is in it must be synced.
  ///
  /// - Returns: False where something has appeared there meanwhile, or it is a disk of its own.
  package consuming func finish() -> Bool {
    syncFolder(path)
    isFinished = unsafe rename(path, target) == 0
    if isFinished { syncFolder(folder(of: target)) }
    return isFinished
  }
}
