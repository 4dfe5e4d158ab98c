internal import CLibrary
internal import Synchronization

/// Keeps other processes from changing a file between its reading and its writing.
///
/// The lock is on the file itself, without a separate lock file: `AtomicFile` replaces the file, so
/// a process that waited for the old file's lock checks the path again. A process that writes the
/// file without this waits for the lock, too; one that holds it writes at once. The kernel releases
/// the lock when the process exits.
public struct FileLock: ~Copyable {
  private let descriptor: Int32
  /// Of a lock that is for more than one write.
  private let identity: FileIdentity?

  /// The files that this process holds the lock of.
  private static let held = Mutex<Set<FileIdentity>>([])

  /// Whether this process holds the lock of the file at `path`.
  static func isHeld(_ path: String) -> Bool {
    FileIdentity(at: path).map { identity in held.withLock { $0.contains(identity) } } ?? false
  }

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    identity = FileIdentity(of: descriptor)
    if let identity { Self.held.withLock { _ = $0.insert(identity) } }
  }

  /// Takes the lock of the file at `path` for the moment in which it is replaced.
  init(replacing path: String) throws(FileError) {
    guard let descriptor = try Self.take(path, creating: false, waiting: true) else {
      throw .system("lock", path: path)
    }
    (self.descriptor, identity) = (descriptor, nil)
  }

  /// Takes the lock of the file at `path`, waiting until it is free.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - creating: Whether a missing file is created, empty; symbolic links are then not followed.
  ///   - waiting: Called once if the lock is not free.
  /// - Throws: `FileError` when the file cannot be opened or its file system has no locks.
  public init(
    path: String, creating: Bool = false, waiting: () -> Void = {}
  ) throws(FileError) {
    if let descriptor = try Self.take(path, creating: creating, waiting: false) {
      self.init(descriptor)
      return
    }
    waiting()
    guard let descriptor = try Self.take(path, creating: creating, waiting: true) else {
      throw .system("lock", path: path)
    }
    self.init(descriptor)
  }

  /// Takes the lock of the file at `path` if it is free; nil otherwise.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - creating: Whether a missing file is created, empty; symbolic links are then not followed.
  /// - Throws: `FileError` when the file cannot be opened or its file system has no locks.
  public init?(ifFree path: String, creating: Bool = false) throws(FileError) {
    guard let descriptor = try Self.take(path, creating: creating, waiting: false) else {
      return nil
    }
    self.init(descriptor)
  }

  /// The locked file's descriptor; nil if the lock is held elsewhere and `waiting` is false.
  private static func take(
    _ path: String, creating: Bool, waiting: Bool
  ) throws(FileError) -> Int32? {
    while true {
      // Without O_NONBLOCK, opening a pipe would wait for a writer. Without O_NOFOLLOW, a link
      // could make us create a file in an unexpected place.
      let descriptor = unsafe open(
        path, (creating ? O_RDWR | O_CREAT | O_NOFOLLOW : O_RDONLY) | O_NONBLOCK | O_CLOEXEC,
        0o644)
      guard descriptor >= 0 else { throw .system("read", path: path) }
      var (held, current) = (stat(), stat())
      guard unsafe fstat(descriptor, &held) == 0,
        [S_IFREG, S_IFDIR].contains(held.st_mode & S_IFMT)
      else {
        close(descriptor)
        throw FileError(
          "change", path: path, reason: .malformed("it is a pipe or a device, not a file"))
      }
      while flock(descriptor, waiting ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
        if errno == EINTR { continue }
        let error = FileError.system("lock", path: path)
        close(descriptor)
        guard !waiting, error.reason == .system(code: EWOULDBLOCK) else { throw error }
        return nil
      }
      if unsafe stat(path, &current) == 0, held.st_ino == current.st_ino,
        held.st_dev == current.st_dev
      {
        return descriptor
      }
      close(descriptor)
    }
  }

  deinit {
    if let identity { Self.held.withLock { _ = $0.remove(identity) } }
    close(descriptor)
  }
}
