internal import CDispatch
internal import Foundation
internal import Synchronization

/// The temporary files and folders of this process: what is written under a name of its own until
/// it is whole.
///
/// The process holds a lock (flock) on each, which the kernel releases when the process ends. So a
/// sweep can tell what a killed process left from what another one still writes, also where the two
/// are in different containers, whose process ids mean nothing to each other.
package enum TemporaryFiles {
  private struct State {
    /// The number created so far, which makes names unique.
    var count = 0
    /// Those not yet renamed to their targets.
    var open: Set<String> = []
    /// The folders that this process has swept.
    var swept: Set<String> = []
  }

  private static let state = Mutex(State())

  /// Creates and locks a file, or a folder, of a new name; sweeps its folder first.
  ///
  /// - Parameters:
  ///   - folder: Where, with a trailing slash; empty for the current folder.
  ///   - prefix: The beginning of the name: one that `isName` knows.
  ///   - create: Creates what it is given the path of and opens it; negative, with `errno`, if that
  ///     fails.
  /// - Returns: The descriptor of `create`, which holds the lock until it is closed, and the path.
  static func make(
    in folder: String, prefix: String = ".drawml-", _ create: (String) -> Int32
  ) -> (descriptor: Int32, path: String) {
    sweepOnce(folder)
    return state.withLock { state in
      while true {
        // A short name, not the target's plus a suffix: that could exceed the file system's limit.
        // A file that already has this name is of another process, dead or on another machine.
        state.count += 1
        let path = "\(folder)\(prefix)\(getpid())-\(state.count).tmp"
        let descriptor = create(path)
        if descriptor < 0 {
          if errno == EEXIST { continue }
          return (descriptor, path)
        }
        guard lock(descriptor, at: path) else {
          Glibc.close(descriptor)
          continue
        }
        state.open.insert(path)
        return (descriptor, path)
      }
    }
  }

  /// The same for a folder.
  static func makeFolder(
    in folder: String, prefix: String = ".drawml-", mode: UInt32
  ) -> (descriptor: Int32, path: String) {
    make(in: folder, prefix: prefix) { path in
      guard unsafe mkdir(path, mode) == 0 else { return -1 }
      let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      // A sweep took it: try the next name.
      if descriptor < 0, errno == ENOENT { errno = EEXIST }
      return descriptor
    }
  }

  /// Locks what was just made; false if a sweep was faster.
  private static func lock(_ descriptor: Int32, at path: String) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      // Where the file system has no locks, nothing is swept either.
      return errno != EWOULDBLOCK
    }
    return FileIdentity(at: path) == FileIdentity(of: descriptor)
  }

  /// Forgets one that was renamed or removed.
  static func close(_ path: String) {
    state.withLock { _ = $0.open.remove(path) }
  }

  /// Runs what must not be interrupted by the end of the process.
  static func withoutInterruption<Result>(_ body: () -> Result) -> Result {
    state.withLock { _ in body() }
  }

  /// Removes all and ends the process; none can be created meanwhile.
  static func abandonAll(_ end: () -> Never) -> Never {
    state.withLock { state in
      for path in state.open {
        // Under another name nothing is put into a folder while it is emptied.
        let gone = "\(path)-gone.tmp"
        if unsafe rename(path, gone) == 0 { try? FileManager.default.removeItem(atPath: gone) }
      }
      end()
    }
  }

  // MARK: What killed processes left

  /// Removes what killed processes left directly in a folder; what a process still writes stays,
  /// and so do links and files of other users. Does nothing where the folder cannot be changed.
  ///
  /// - Parameter folder: The folder; empty for the current one.
  package static func sweep(_ folder: String) {
    let folder = folder.isEmpty ? "." : folder
    // Read name by name: the folder of a file that is only read may hold very many others.
    guard let names = unsafe opendir(folder) else { return }
    defer { unsafe closedir(names) }
    while let entry = unsafe readdir(names) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if isName(name) { remove("\(folder)/\(name)") }
    }
  }

  /// The same, but only the first time that this process comes to the folder.
  package static func sweepOnce(_ folder: String) {
    guard state.withLock({ $0.swept.insert(folder).inserted }) else { return }
    sweep(folder)
  }

  private static func remove(_ path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { Glibc.close(descriptor) }
    var found = stat()
    guard unsafe fstat(descriptor, &found) == 0, found.st_uid == geteuid(),
      [S_IFREG, S_IFDIR].contains(found.st_mode & S_IFMT),
      flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      // It may have been renamed to its target meanwhile.
      FileIdentity(at: path) == FileIdentity(of: descriptor)
    else { return }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Whether a file of this name is a temporary one, of this process or another; SQLite's files
  /// beside a temporary database are, too.
  package static func isName(_ name: String) -> Bool {
    name.hasPrefix(PrivateTemporaryFolder.prefix)
      || name.hasPrefix(".drawml-")
        && [".tmp", ".tmp-journal", ".tmp-wal", ".tmp-shm"].contains(where: name.hasSuffix)
  }
}
