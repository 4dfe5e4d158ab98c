internal import Files

/// The entries of a zip file, such as numpy's `.npz`: stored or deflated, in one part, not
/// encrypted, below 4 GiB.
///
/// Sizes come from the directory at the end; the sizes in the entries' own headers are ignored.
/// Source: PKWARE, ".ZIP File Format Specification", version 6.3.10, sections 4.3 and 4.4.
struct ZipArchive {
  private let bytes: [UInt8]
  private let path: String
  private var entries: [Entry] = []
  /// Where the directory begins, behind all entries.
  private let directory: Int

  private struct Entry {
    var name: String
    var flags: UInt16
    var method: UInt16
    var checksum: UInt32
    var packedSize: UInt32
    var size: UInt32
    var offset: UInt32
  }

  /// The names of the entries, in the order of the directory.
  var names: [String] { entries.map(\.name) }

  /// Reads the directory of a file; errors name `path`.
  ///
  /// - Throws: `FileError` for another kind of file, and for an archive of another form.
  init(_ bytes: [UInt8], path: String) throws(FileError) {
    func fault(_ what: String) -> FileError {
      FileError(reading: path, what)
    }
    guard bytes.starts(with: Array("PK".utf8)) else {
      throw FileError("read", path: path, reason: .foreign(expected: "zip file of numpy arrays"))
    }
    guard let end = Self.end(of: bytes) else {
      throw fault("it ends without a zip file's directory; it is truncated; copy it again")
    }
    var cursor = ByteCursor(bytes, at: end + 4)
    guard let disk = cursor.next(UInt16.self), let first = cursor.next(UInt16.self),
      let here = cursor.next(UInt16.self), let count = cursor.next(UInt16.self),
      let length = cursor.next(UInt32.self), let start = cursor.next(UInt32.self)
    else { throw fault("its directory is damaged; copy it again") }
    guard count < .max, length < .max, start < .max else {
      throw fault("it is a zip64 file, which is not read; save fewer drawings in each file")
    }
    guard disk == 0, first == 0, here == count else {
      throw fault("it is one part of a multi-part zip file")
    }
    guard Int(start) + Int(length) <= end else {
      throw fault("its directory is damaged; copy it again")
    }
    (self.bytes, self.path, directory) = (bytes, path, Int(start))
    cursor = ByteCursor(bytes, at: directory)
    for index in 0..<count {
      guard let entry = Self.entry(&cursor), cursor.offset <= end else {
        throw fault("entry \(index) of its directory is damaged; copy it again")
      }
      entries.append(entry)
    }
  }

  /// The offset of the record that ends the archive: the last whose comment reaches the file's end.
  private static func end(of bytes: [UInt8]) -> Int? {
    let length = 22
    guard bytes.count >= length else { return nil }
    let last = bytes.count - length
    for start in (max(0, last - Int(UInt16.max))...last).reversed()
    where bytes[start] == 0x50 && bytes[start + 1] == 0x4b && bytes[start + 2] == 5
      && bytes[start + 3] == 6
      && Int(bytes[start + 20]) | Int(bytes[start + 21]) << 8 == last - start
    {
      return start
    }
    return nil
  }

  /// The next entry of the directory; nil if there is none.
  private static func entry(_ cursor: inout ByteCursor) -> Entry? {
    guard cursor.next(UInt32.self) == 0x0201_4b50, cursor.next(4) != nil,
      let flags = cursor.next(UInt16.self), let method = cursor.next(UInt16.self),
      cursor.next(4) != nil, let checksum = cursor.next(UInt32.self),
      let packedSize = cursor.next(UInt32.self), let size = cursor.next(UInt32.self),
      let nameLength = cursor.next(UInt16.self), let extra = cursor.next(UInt16.self),
      let comment = cursor.next(UInt16.self), cursor.next(8) != nil,
      let offset = cursor.next(UInt32.self), let name = cursor.next(Int(nameLength)),
      cursor.next(Int(extra) + Int(comment)) != nil
    else { return nil }
    return Entry(
      name: String(decoding: name, as: UTF8.self), flags: flags, method: method,
      checksum: checksum, packedSize: packedSize, size: size, offset: offset)
  }

  /// Unpacks the entries of the given names that there are, in this order.
  ///
  /// - Throws: `FileError` for a damaged entry, and before any is unpacked if together they unpack
  ///   to too much.
  func unpacked(_ wanted: [String]) throws(FileError) -> [(name: String, bytes: [UInt8])] {
    var found: [Entry] = []
    for name in wanted {
      let same = entries.filter { $0.name == name }
      guard same.count < 2 else { throw fault("it has \(name) twice") }
      found += same
    }
    let size = found.reduce(0) { $0 + Int($1.size) }
    guard size <= Deflate.mostUnpacked(from: bytes.count) else {
      throw fault("its entries \(Deflate.tooMuch); unpack it and save it without compression")
    }
    return try found.map { entry throws(FileError) in (entry.name, try unpacked(entry)) }
  }

  private func unpacked(_ entry: Entry) throws(FileError) -> [UInt8] {
    guard entry.flags & 1 == 0 else { throw fault("its \(entry.name) is encrypted") }
    guard entry.method == 0 || entry.method == 8 else {
      throw fault(
        "its \(entry.name) is packed by method \(entry.method); only deflate (8) is read")
    }
    guard entry.size < .max, entry.packedSize < .max, entry.offset < .max else {
      throw fault("its \(entry.name) needs zip64, which is not read")
    }
    var cursor = ByteCursor(bytes, at: Int(entry.offset))
    guard cursor.next(UInt32.self) == 0x0403_4b50, cursor.next(22) != nil,
      let nameLength = cursor.next(UInt16.self), let extra = cursor.next(UInt16.self)
    else { throw damage(entry) }
    let start = cursor.offset + Int(nameLength) + Int(extra)
    let end = start + Int(entry.packedSize)
    guard end <= directory, entry.method == 8 || entry.packedSize == entry.size else {
      throw damage(entry)
    }
    let data =
      entry.method == 8
      ? Deflate.unpacked(bytes, at: start..<end, count: Int(entry.size)) : Array(bytes[start..<end])
    guard let data, Deflate.crc32(data) == entry.checksum else { throw damage(entry) }
    return data
  }

  private func damage(_ entry: Entry) -> FileError {
    fault("its \(entry.name) is damaged; copy it again")
  }

  private func fault(_ what: String) -> FileError {
    FileError(reading: path, what)
  }
}
