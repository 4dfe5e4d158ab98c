public import Files

/// A file format with a header that identifies the kind of file and detects corruption.
///
/// The first 512 bytes are text: the kind, the format version, the payload's length and its
/// SHA-256, padded with zero bytes. 512 is where HDF5 looks for its own signature next, so a
/// payload that is an HDF5 image stays readable by every HDF5 tool.
public struct SealedFile: Sendable {
  /// What the file holds, such as "DrawML model".
  public let kind: String
  /// The format version that this program writes, and the highest that it reads.
  public let version: Int
  /// The name of such a file in error messages, after "a".
  private let name: String
  /// The maximum size in bytes: a longer file is neither written nor read.
  private let limit: Int

  /// The header's length in bytes.
  public static let headerLength = 512

  /// A kind of file.
  public init(kind: String, version: Int, called name: String? = nil, limit: Int = 2 << 30) {
    self.kind = kind
    self.version = version
    self.name = name ?? kind
    self.limit = limit
  }

  /// The bytes of the file: header and `payload`.
  public func seal(_ payload: [UInt8]) -> [UInt8] { header(of: payload) + payload }

  private func header(of payload: [UInt8]) -> [UInt8] {
    let lines = [
      kind, "version \(version)", "length \(payload.count)",
      "sha256 \(Fingerprint.sha256(payload))", "",
    ]
    var bytes = Array(lines.joined(separator: "\n").utf8)
    bytes.append(contentsOf: repeatElement(0, count: Self.headerLength - bytes.count))
    return bytes
  }

  /// Writes `payload` with its header to `path` atomically, as `PendingFile` does.
  ///
  /// - Returns: The file as it is now; nil for a device.
  @discardableResult
  public func write(
    _ payload: [UInt8], to path: String, replacesLinks: Bool = false,
    replacing replacement: Replacement = .any
  ) throws(FileError) -> FileVersion? {
    let length = Self.headerLength + payload.count
    guard length <= limit else { throw .tooLong("write", path: path, length, limit: limit) }
    var file = try PendingFile(path: path, replacesLinks: replacesLinks)
    try file.write(header(of: payload))
    try file.write(payload)
    return try file.finish(replacing: replacement)
  }

  /// The payload of the file at `path` after every check.
  ///
  /// - Throws: `FileError`, which distinguishes a foreign, truncated, corrupted or newer file.
  public func read(_ path: String) throws(FileError) -> [UInt8] {
    try open(path).array(from: Self.headerLength)
  }

  /// The whole file at `path` after every check; its payload begins at `headerLength`.
  ///
  /// The header and the length are checked before anything else is read: the file may be longer
  /// than memory.
  ///
  /// - Throws: `FileError`, which distinguishes a foreign, truncated, corrupted or newer file.
  public func open(_ path: String) throws(FileError) -> PinnedBytes {
    var file = try OpenFile(path)
    let beginning = try file.read(first: Self.headerLength)
    let header = try header(beginning, of: file.size, named: path)
    return try checked(PinnedBytes(beginning, then: &file), header, named: path)
  }

  /// A file whose bytes are known, after every check; its payload begins at `headerLength`.
  ///
  /// - Parameters:
  ///   - bytes: All bytes of the file.
  ///   - path: The file's name in error messages.
  /// - Returns: The same bytes.
  /// - Throws: `FileError`, which distinguishes a foreign, truncated, corrupted or newer file.
  public func open(_ bytes: [UInt8], named path: String) throws(FileError) -> PinnedBytes {
    let header = try header(bytes, of: bytes.count, named: path)
    return try checked(PinnedBytes(bytes), header, named: path)
  }

  /// Refuses a file that `open` would refuse.
  ///
  /// - Throws: `FileError`, as `open`.
  public func check(_ file: borrowing PinnedBytes, named path: String) throws(FileError) {
    try check(file, header(of: file, named: path), named: path)
  }

  /// What a file's header says of it.
  public struct Header: Hashable, Sendable {
    /// The version of the format, at least 1.
    public let version: Int
    /// The length of the payload in bytes.
    public let length: Int
    /// The SHA-256 of the payload, 64 hexadecimal digits if it was checked.
    public let digest: String
  }

  /// The header of a file that `open` gave.
  ///
  /// - Parameters:
  ///   - file: The whole file.
  ///   - path: The file's name in error messages.
  /// - Returns: The header.
  /// - Throws: `FileError` for what `open` would have refused.
  public func header(of file: borrowing PinnedBytes, named path: String) throws(FileError) -> Header
  {
    let beginning = unsafe [UInt8](file.bytes.prefix(Self.headerLength))
    return try header(beginning, of: file.count, named: path)
  }

  /// Parses the header of a file of `size` bytes; `size` is nil if it is not known yet.
  private func header(
    _ beginning: [UInt8], of size: Int?, named path: String
  ) throws(FileError) -> Header {
    func fail(_ reason: FileError.Reason) -> FileError {
      FileError("read", path: path, reason: reason)
    }
    let text = beginning.prefix(Self.headerLength).prefix { $0 != 0 }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    guard lines.first == kind[...] else { throw fail(.foreign(expected: name)) }
    func value(_ key: String) throws(FileError) -> Substring {
      guard let line = lines.first(where: { $0.hasPrefix(key + " ") }) else {
        throw fail(.malformed("its header has no \(key)"))
      }
      return line.dropFirst(key.utf8.count + 1)
    }
    guard let found = Int(try value("version")), let length = Int(try value("length")),
      (0...(Int.max - Self.headerLength)).contains(length)
    else { throw fail(.malformed("its header lacks a number")) }
    guard found >= 1 else { throw fail(.malformed("its header has format version \(found)")) }
    guard found <= version else {
      throw fail(.newerVersion(found: found, supported: version))
    }
    let expected = Self.headerLength + length
    if let size, size != expected {
      throw fail(.wrongLength(expected: expected, actual: size))
    }
    guard expected <= limit else { throw .tooLong("read", path: path, expected, limit: limit) }
    return Header(version: found, length: length, digest: String(try value("sha256")))
  }

  private func checked(
    _ file: consuming PinnedBytes, _ header: Header, named path: String
  ) throws(FileError) -> PinnedBytes {
    try check(file, header, named: path)
    return file
  }

  private func check(
    _ file: borrowing PinnedBytes, _ header: Header, named path: String
  ) throws(FileError) {
    let expected = Self.headerLength + header.length
    guard file.count == expected else {
      throw FileError(
        "read", path: path, reason: .wrongLength(expected: expected, actual: file.count))
    }
    let payload = unsafe UnsafeRawBufferPointer(rebasing: file.bytes[Self.headerLength...])
    guard unsafe header.digest == Fingerprint.sha256(payload) else {
      throw FileError("read", path: path, reason: .checksum)
    }
  }
}
