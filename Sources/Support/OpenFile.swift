/// A file that is being read, whose length has a bound.
///
/// A regular file gives the bytes that it had when it was opened. What says no length, such as a
/// pipe, a device or a file that the system makes up as it is read, may never end: it gives at most
/// `mostOfUnknownLength`, unless it is read as a stream.
struct OpenFile: ~Copyable {
  /// Bytes that are read of a file which does not say how many it has.
  static let mostOfUnknownLength = 64 << 20
  /// Bytes that are read into memory at once.
  static let mostAtOnce = 2 << 30

  private let descriptor: Int32
  private let path: String
  private let isStream: Bool
  /// The bytes of a regular file when it was opened; nil for what says no length.
  let size: Int?
  /// How many bytes were read.
  private var count = 0

  /// Opens the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The file; where it is read as a stream, "-" is standard input.
  ///   - asStream: Whether its bytes pass by, so that a pipe or a device may go on for ever.
  /// - Throws: `FileError` when it cannot be opened, and for a folder.
  init(_ path: String, asStream: Bool = false) throws(FileError) {
    let isInput = asStream && path == "-"
    let descriptor =
      unsafe isInput ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("read", path: path) }
    var information = stat()
    guard unsafe fstat(descriptor, &information) == 0 else {
      let problem = FileError.system("read", path: path)
      close(descriptor)
      throw problem
    }
    let kind = information.st_mode & S_IFMT
    guard kind != S_IFDIR else {
      close(descriptor)
      throw FileError("read", path: path, reason: .system(code: EISDIR))
    }
    self.descriptor = descriptor
    self.path = path
    // Some files that the system makes up, such as its log, would wait for what comes next.
    if kind == S_IFREG { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    size = kind == S_IFREG && information.st_size > 0 ? Int(information.st_size) : nil
    isStream = asStream && kind != S_IFREG
  }

  deinit {
    close(descriptor)
  }

  /// Reads what is there, at most as much as fits in the buffer; gives how much, 0 at the end.
  ///
  /// - Throws: `FileError`, also for what says no length and goes on.
  mutating func read(_ buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    let wanted = min(buffer.count, size.map { $0 - count } ?? .max)
    while true {
      let got = unsafe Glibc.read(descriptor, buffer.baseAddress, wanted)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw .system("read", path: path) }
      count += got
      guard size != nil || isStream || count <= Self.mostOfUnknownLength else {
        throw FileError(
          "read", path: path,
          reason: .malformed(
            "it does not say how long it is and goes on after \(Self.mostOfUnknownLength >> 20) MiB"
          ))
      }
      return got
    }
  }

  /// Reads the next bytes, `length` of them or all that are left.
  mutating func read(first length: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: length)
    var filled = 0
    while filled < length {
      let count = try read(&bytes, from: filled)
      if count == 0 { break }
      filled += count
    }
    return Array(bytes[..<filled])
  }

  /// Reads what is there into a block from `start` on, at most as much as fits; gives how much, 0
  /// at the end.
  mutating func read(_ block: inout [UInt8], from start: Int = 0) throws(FileError) -> Int {
    try unsafe block.withUnsafeMutableBufferPointer { buffer throws(FileError) in
      try unsafe read(
        UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[start...])))
    }
  }

  /// Throws where the file has more bytes than are read into memory at once.
  func requireFitsInMemory() throws(FileError) {
    guard let size, size > Self.mostAtOnce else { return }
    throw .tooLong("read", path: path, size, limit: Self.mostAtOnce)
  }
}
