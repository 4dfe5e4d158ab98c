internal import Files

/// A zip file, as numpy makes them, with whatever a test wants to be wrong.
public struct ZipFile {
  /// An entry; by default it is stored.
  public struct Entry {
    /// What it is called.
    public var name: String
    /// What is in the file, packed or not.
    public var data: [UInt8]
    /// How many bytes the directory says that it unpacks to.
    public var size: Int
    /// The CRC-32 that the directory gives.
    public var checksum: UInt32
    /// 0 for stored, 8 for deflated.
    public var method: UInt16 = 0
    /// 1 for encrypted.
    public var flags: UInt16 = 0

    /// An entry that is stored.
    public init(_ name: String, _ data: [UInt8]) {
      (self.name, self.data, size) = (name, data, data.count)
      checksum = Deflate.crc32(data)
    }

    /// An entry that is deflated.
    public init(deflating data: [UInt8], as name: String) {
      self.init(name, data)
      // Without zlib's header and checksum.
      self.data = Array(Deflate.compressed(data).dropFirst(2).dropLast(4))
      method = 8
    }
  }

  /// The bytes of a zip file.
  public static func bytes(_ entries: [Entry]) -> [UInt8] {
    var (file, directory): ([UInt8], [UInt8]) = ([], [])
    for entry in entries {
      let name = Array(entry.name.utf8)
      let fields =
        number(entry.flags) + number(entry.method) + number(UInt32(0)) + number(entry.checksum)
        + number(UInt32(entry.data.count)) + number(UInt32(entry.size)) + number(UInt16(name.count))
        + number(UInt16(0))
      directory += [0x50, 0x4b, 1, 2, 20, 0, 20, 0] + fields + [UInt8](repeating: 0, count: 10)
      directory += number(UInt32(file.count)) + name
      file += [0x50, 0x4b, 3, 4, 20, 0] + fields + name + entry.data
    }
    let count = number(UInt16(entries.count))
    return file + directory + [0x50, 0x4b, 5, 6, 0, 0, 0, 0] + count + count
      + number(UInt32(directory.count)) + number(UInt32(file.count)) + [0, 0]
  }

  private static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<(value.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
