internal import Glibc
internal import Support

/// A file that grows beside its place and takes it when finished, so that a large set never lies whole
/// in memory and a killed process never leaves half a file. Holds all of the module's pointers.
struct PendingFile: ~Copyable {
  private let path: String
  private let temporary: String
  private let descriptor: Int32
  private var block: [UInt8] = []
  private var isFinished = false

  /// Bytes that are gathered before a write.
  private static let blockLength = 1 << 20

  init(path: String) throws(FileError) {
    self.path = path
    temporary = "\(path).\(getpid()).tmp"
    descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Self.fault(path) }
  }

  deinit {
    close(descriptor)
    if !isFinished { unsafe unlink(temporary) }
  }

  /// Adds `bytes` at the end.
  mutating func append(_ bytes: some Sequence<UInt8>) throws(FileError) {
    block.append(contentsOf: bytes)
    if block.count >= Self.blockLength { try flush() }
  }

  /// Puts the file in its place; without this call nothing stays.
  consuming func finish() throws(FileError) {
    try flush()
    guard fsync(descriptor) == 0, unsafe rename(temporary, path) == 0 else {
      throw Self.fault(path)
    }
    isFinished = true
    syncFolder()
  }

  private mutating func flush() throws(FileError) {
    var written = 0
    while written < block.count {
      let count = unsafe block.withUnsafeBytes { buffer in
        unsafe write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.fault(path) }
      written += count
    }
    block.removeAll(keepingCapacity: true)
  }

  /// Makes the rename itself survive a power cut; a file system that cannot do it loses nothing.
  private borrowing func syncFolder() {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let folderDescriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folderDescriptor >= 0 else { return }
    fsync(folderDescriptor)
    close(folderDescriptor)
  }

  private static func fault(_ path: String) -> FileError {
    FileError("write", path: path, reason: .system(code: errno))
  }
}
