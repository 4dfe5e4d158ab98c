internal import Files

/// A shard: a file of blocks, each the records of some drawings.
///
/// | part | bytes |
/// |---|---|
/// | mark | "DrawML shard" and the version, unsigned, 4 bytes |
/// | each block: head | 40: length and number of drawings, unsigned, 4 bytes each; SHA-256 |
/// | … records | each its length and its label's number, as varints, then a `ShardRecord` |
/// | index | the heads of all blocks again |
///
/// All numbers are little-endian. The manifest has the SHA-256 of the index.
struct ShardFile {
  /// The length of a mark.
  static let markLength = 16
  /// The length of a block's head.
  static let headLength = 40
  /// The usual length of a block's records.
  static let blockLength = 1 << 16
  /// The most bytes of a block, which may be one long drawing.
  static let longestBlock = 1 << 26

  /// The bytes that a file begins with.
  static var mark: [UInt8] {
    var bytes = Array("DrawML shard".utf8)
    bytes.append(littleEndian: UInt32(ShardManifest.version))
    return bytes
  }

  /// A block's head.
  struct Head {
    var length: Int
    var drawings: Int
    var digest: [UInt8]

    /// The head of records.
    init(_ records: [UInt8], drawings: Int) {
      (length, self.drawings) = (records.count, drawings)
      digest = Self.digest(records)
    }

    /// A head that was read; nil if it cannot be one.
    init?(_ bytes: ArraySlice<UInt8>) {
      var cursor = ByteCursor(Array(bytes))
      guard let length = cursor.next(UInt32.self), let drawings = cursor.next(UInt32.self),
        let digest = cursor.next(32), (1...ShardFile.longestBlock).contains(Int(length)),
        // A record takes at least eight bytes.
        (1...(length / 8 + 1)).contains(drawings)
      else { return nil }
      (self.length, self.drawings, self.digest) = (Int(length), Int(drawings), Array(digest))
    }

    var bytes: [UInt8] {
      var bytes: [UInt8] = []
      bytes.append(littleEndian: UInt32(length))
      bytes.append(littleEndian: UInt32(drawings))
      return bytes + digest
    }

    static func digest(_ records: [UInt8]) -> [UInt8] {
      var fingerprint = Fingerprint()
      fingerprint.update(records)
      return fingerprint.digest()
    }
  }

  private let file: RandomAccessFile
  /// The heads of the blocks, and where their records begin.
  private(set) var blocks: [(head: Head, offset: Int)] = []

  /// Opens a finished shard.
  ///
  /// - Throws: `FileError` for one that is missing, cut off, changed, or of another version.
  init(path: String, _ shard: ShardManifest.Shard) throws(FileError) {
    file = try Self.open(path)
    guard file.size == shard.bytes else {
      throw FileError(
        "read", path: path, reason: .wrongLength(expected: shard.bytes, actual: file.size))
    }
    let length = shard.blocks * Self.headLength
    guard length <= file.size - Self.markLength else {
      throw FileError(reading: path, "it has no room for \(shard.blocks) blocks; pack it again")
    }
    let index = try file.read(length, at: file.size - length)
    guard Fingerprint.sha256(index) == shard.index else {
      throw FileError("read", path: path, reason: .checksum)
    }
    blocks.reserveCapacity(shard.blocks)
    var end = Self.markLength
    for start in stride(from: 0, to: length, by: Self.headLength) {
      guard let head = Head(index[start..<(start + Self.headLength)]) else {
        throw FileError(reading: path, "its index has an invalid block; pack it again")
      }
      blocks.append((head, end + Self.headLength))
      end += Self.headLength + head.length
    }
    guard end == file.size - length else {
      throw FileError(reading: path, "its index does not match its length; pack it again")
    }
  }

  /// Opens the file at `path`, checking its mark.
  static func open(_ path: String) throws(FileError) -> RandomAccessFile {
    let file = try RandomAccessFile(path)
    var cursor = ByteCursor(try file.read(min(markLength, file.size), at: 0))
    guard let name = cursor.next(markLength - 4), Array(name) == mark.dropLast(4),
      let version = cursor.next(UInt32.self)
    else { throw FileError("read", path: path, reason: .foreign(expected: "shard of drawings")) }
    guard version <= ShardManifest.version else {
      throw FileError(
        "read", path: path,
        reason: .newerVersion(found: Int(version), supported: ShardManifest.version))
    }
    return file
  }

  /// The records of a block, after checking its digest.
  ///
  /// - Throws: `FileError` for bytes that changed.
  func records(ofBlock number: Int) throws(FileError) -> [UInt8] {
    let (head, offset) = blocks[number]
    let records = try file.read(head.length, at: offset)
    guard Head.digest(records) == head.digest else { throw damaged(number) }
    return records
  }

  /// An error about a block that is damaged.
  func damaged(_ number: Int, _ what: String = "some bytes changed") -> FileError {
    FileError(
      reading: file.path,
      "block \(number), from byte \(blocks[number].offset): \(what); "
        + "copy the file again, or pack the drawings again")
  }

  /// The heads of all blocks of a shard that is not finished, one after the other.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - length: Where the last block ends.
  ///   - checking: Whether the digests of all blocks are checked.
  /// - Returns: The bytes of the index.
  /// - Throws: `FileError` for blocks that are not as they were written.
  static func index(
    of path: String, upTo length: Int, checking: Bool
  ) throws(FileError) -> [UInt8] {
    let file = try open(path)
    var index: [UInt8] = []
    var offset = markLength
    while offset < length {
      let bytes = try file.read(headLength, at: offset)
      let changed = FileError(
        reading: path,
        "from byte \(offset) on it is not as it was written; remove the folder and pack again")
      guard let head = Head(bytes[...]), offset + headLength + head.length <= length else {
        throw changed
      }
      if checking {
        let records = try file.read(head.length, at: offset + headLength)
        guard Head.digest(records) == head.digest else { throw changed }
      }
      index += bytes
      offset += headLength + head.length
    }
    return index
  }
}
