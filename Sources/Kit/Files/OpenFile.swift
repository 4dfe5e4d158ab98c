internal import CLibrary

/// A file being read, with a bound on its length.
///
/// A regular file is read up to the length that it had when opened. A file of unknown length, such
/// as a pipe, a device or a /proc file, may never end: at most `mostOfUnknownLength` bytes are
/// read, unless it is read as a stream.
package struct OpenFile: ~Copyable {
  /// The maximum bytes read from a file of unknown length.
  static let mostOfUnknownLength = 64 << 20
  /// The maximum bytes read into memory at once.
  static let mostAtOnce = 2 << 30

  private let descriptor: Int32
  private let path: String
  private let isStream: Bool
  /// The size of a regular file when it was opened, in bytes; nil if unknown.
  package let size: Int?
  /// The number of bytes read so far.
  private var count = 0

  /// Opens the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The file; with `asStream`, "-" is standard input.
  ///   - asStream: Whether the caller does not keep the bytes, so that a pipe or a device may be
  ///     endless.
  /// - Throws: `FileError` when it cannot be opened or is a folder.
  package init(_ path: String, asStream: Bool = false) throws(FileError) {
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
    // Some virtual files, such as the kernel log, would block until there is more.
    if kind == S_IFREG { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    size = kind == S_IFREG && information.st_size > 0 ? Int(information.st_size) : nil
    isStream = asStream && kind != S_IFREG
    // What a killed process left beside it goes, whatever the next one does there.
    if size != nil { TemporaryFiles.sweepOnce(folder(of: path)) }
  }

  deinit {
    close(descriptor)
  }

  /// Reads available bytes, at most as many as fit in the buffer; returns the count, 0 at the end.
  ///
  /// - Throws: `FileError`, also when a file of unknown length exceeds the maximum.
  mutating func read(_ buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    let wanted = min(buffer.count, size.map { $0 - count } ?? .max)
    while true {
      let got = unsafe Glibc.read(descriptor, buffer.baseAddress, wanted)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw .system("read", path: path) }
      count += got
      guard size != nil || isStream || count <= Self.mostOfUnknownLength else {
        throw FileError(
          reading: path,
          "its length is unknown, and it is longer than \(Self.mostOfUnknownLength >> 20) MiB")
      }
      return got
    }
  }

  /// Reads the next `length` bytes, or all that are left if there are fewer.
  package mutating func read(first length: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: length)
    var filled = 0
    while filled < length {
      let count = try read(&bytes, from: filled)
      if count == 0 { break }
      filled += count
    }
    return Array(bytes[..<filled])
  }

  /// Reads available bytes into the block from `start` on, at most as many as fit; returns the
  /// count, 0 at the end.
  mutating func read(_ block: inout [UInt8], from start: Int = 0) throws(FileError) -> Int {
    try unsafe block.withUnsafeMutableBufferPointer { buffer throws(FileError) in
      try unsafe read(
        UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[start...])))
    }
  }

  /// The most of it that is kept in memory.
  var mostKept: Int { size == nil ? Self.mostOfUnknownLength : Self.mostAtOnce }

  /// Throws if the file is larger than the maximum read into memory at once.
  func requireFitsInMemory() throws(FileError) {
    guard let size, size > Self.mostAtOnce else { return }
    throw .tooLong("read", path: path, size, limit: Self.mostAtOnce)
  }
}
