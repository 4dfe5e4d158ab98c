/// Keeps other processes from changing a file between its reading and its writing.
///
/// The lock is on the file itself and needs no second one beside it: since `AtomicFile` puts a new
/// file in the old one's place, who waited for the old one's lock looks again. The system takes the
/// lock back when the process ends, however it ends.
public struct FileLock: ~Copyable {
  private let descriptor: Int32

  /// Waits until no one else holds the lock of the file at `path`, and takes it.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - creating: Whether an empty file is made where there is none; a link is not followed then.
  /// - Throws: `FileError` when the file cannot be opened or its file system knows no locks.
  public init(path: String, creating: Bool = false) throws(FileError) {
    guard let descriptor = try Self.take(path, creating: creating, waiting: true) else {
      throw .system("lock", path: path)
    }
    self.descriptor = descriptor
  }

  /// Takes the lock of the file at `path` if no one else holds it; nil where someone does.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - creating: Whether an empty file is made where there is none; a link is not followed then.
  /// - Throws: `FileError` when the file cannot be opened or its file system knows no locks.
  public init?(ifFree path: String, creating: Bool = false) throws(FileError) {
    guard let descriptor = try Self.take(path, creating: creating, waiting: false) else {
      return nil
    }
    self.descriptor = descriptor
  }

  /// The locked file; nil where someone else holds the lock and there is no time to wait.
  private static func take(
    _ path: String, creating: Bool, waiting: Bool
  ) throws(FileError) -> Int32? {
    while true {
      // Without O_NONBLOCK, opening a pipe would wait for somebody to write to it. Through a link,
      // a file would be made where nobody wants one.
      let descriptor = unsafe open(
        path, (creating ? O_RDWR | O_CREAT | O_NOFOLLOW : O_RDONLY) | O_NONBLOCK | O_CLOEXEC,
        0o644)
      guard descriptor >= 0 else { throw .system("read", path: path) }
      while flock(descriptor, waiting ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
        if errno == EINTR { continue }
        let error = FileError.system("lock", path: path)
        close(descriptor)
        guard !waiting, error.reason == .system(code: EWOULDBLOCK) else { throw error }
        return nil
      }
      var (held, current) = (stat(), stat())
      if unsafe fstat(descriptor, &held) == 0, unsafe stat(path, &current) == 0,
        held.st_ino == current.st_ino, held.st_dev == current.st_dev
      {
        return descriptor
      }
      close(descriptor)
    }
  }

  deinit { close(descriptor) }
}
