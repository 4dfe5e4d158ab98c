internal import Glibc

/// Keeps other processes from changing a file between its reading and its writing.
///
/// The lock is on the file itself and needs no second one beside it: since `AtomicFile` puts a new file
/// in the old one's place, who waited for the old one's lock looks again. The system takes the lock
/// back when the process ends, however it ends.
public struct FileLock: ~Copyable {
  private let descriptor: Int32

  /// Waits until no one else holds the lock of the file at `path`, and takes it.
  ///
  /// - Throws: `FileError` when the file cannot be opened or its file system knows no locks.
  public init(path: String) throws(FileError) {
    while true {
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .system("read", path: path) }
      while flock(descriptor, LOCK_EX) != 0 {
        guard errno == EINTR else {
          let error = FileError.system("lock", path: path)
          close(descriptor)
          throw error
        }
      }
      var (held, current) = (stat(), stat())
      if unsafe fstat(descriptor, &held) == 0, unsafe stat(path, &current) == 0,
        held.st_ino == current.st_ino, held.st_dev == current.st_dev
      {
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
  }

  deinit { close(descriptor) }
}
