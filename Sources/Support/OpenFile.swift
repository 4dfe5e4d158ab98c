internal import Glibc

/// A file that is being read.
struct OpenFile: ~Copyable {
  private let descriptor: Int32
  private let path: String
  /// What the file says it has, so that it can be read into its place at once. It may claim to be
  /// larger than memory; then reading it fails, not asking for the room.
  let claimedSize: Int

  init(_ path: String) throws(FileError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("read", path: path) }
    var information = stat()
    guard unsafe fstat(descriptor, &information) == 0 else {
      let problem = FileError.system("read", path: path)
      close(descriptor)
      throw problem
    }
    guard information.st_mode & S_IFMT != S_IFDIR else {
      close(descriptor)
      throw FileError("read", path: path, reason: .system(code: EISDIR))
    }
    self.descriptor = descriptor
    self.path = path
    claimedSize = max(0, min(Int(information.st_size), 1 << 28))
  }

  deinit {
    close(descriptor)
  }

  /// Reads what is there, at most as much as fits; gives how much, 0 at the end.
  func read(_ buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    while true {
      let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system("read", path: path) }
      return count
    }
  }
}
