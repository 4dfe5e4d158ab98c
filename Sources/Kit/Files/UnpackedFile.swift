internal import CLibrary
internal import CZlib

extension String {
  /// The file's name without the ".gz" of a gzip file, in upper or lower case.
  package var unpackedName: String {
    lowercased().hasSuffix(".gz") ? String(dropLast(3)) : self
  }
}

/// A file being read, unpacked on the way if it is gzip (RFC 1952), which its first bytes tell.
///
/// It may unpack to as much as `Deflate.mostUnpacked(from:)` says.
@safe struct UnpackedFile: ~Copyable {
  private var file: OpenFile
  private let path: String
  /// The bytes read ahead, of which those in `ahead` are not yet used.
  private var block = [UInt8](repeating: 0, count: 1 << 16)
  private var ahead = 0..<0
  /// zlib's state, allocated because it must not move; nil if the file is not gzip.
  private let stream: UnsafeMutablePointer<z_stream>?
  /// Whether a member has begun and not ended.
  private var isInMember = true
  private var packedCount = 0
  private var unpackedCount = 0

  /// Opens the file at `path`: see `OpenFile`.
  init(_ path: String, asStream: Bool = false) throws(FileError) {
    self.path = path
    var file = try OpenFile(path, asStream: asStream)
    var count = 0
    // A pipe may give one byte at a time.
    while count < 2 {
      let more = try file.read(&block, from: count)
      if more == 0 { break }
      count += more
    }
    ahead = 0..<count
    packedCount = count
    if count >= 2, block[0] == 0x1f, block[1] == 0x8b {
      let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
      guard unsafe drawml_gunzip_begin(state) == Z_OK else {
        unsafe state.deallocate()
        throw FileError("read", path: path, reason: .system(code: ENOMEM))
      }
      unsafe stream = state
    } else {
      unsafe stream = nil
    }
    self.file = file
  }

  deinit {
    if let stream = unsafe stream {
      unsafe inflateEnd(stream)
      unsafe stream.deallocate()
    }
  }

  /// The most of it, as it unpacks, that is kept in memory.
  var mostKept: Int { file.mostKept }

  /// Throws if the file is larger than the maximum read into memory at once.
  func requireFitsInMemory() throws(FileError) { try file.requireFitsInMemory() }

  /// Reads available bytes into `bytes` from `start` on, at most as many as fit; returns the count,
  /// 0 at the end.
  ///
  /// - Throws: `FileError`, also for gzip data that are damaged or cut off, or unpack to too much.
  mutating func read(_ bytes: inout [UInt8], from start: Int) throws(FileError) -> Int {
    if let stream = unsafe stream { return try unsafe unpack(stream, into: &bytes, from: start) }
    guard !ahead.isEmpty else { return try file.read(&bytes, from: start) }
    let count = min(ahead.count, bytes.count - start)
    bytes.replaceSubrange(start..<(start + count), with: block[ahead.prefix(count)])
    ahead = ahead.dropFirst(count)
    return count
  }

  private mutating func unpack(
    _ stream: UnsafeMutablePointer<z_stream>, into bytes: inout [UInt8], from start: Int
  ) throws(FileError) -> Int {
    while true {
      if ahead.isEmpty {
        ahead = 0..<(try file.read(&block, from: 0))
        packedCount += ahead.count
        if ahead.isEmpty {
          guard !isInMember else { throw fault("its gzip data are cut off; copy it again") }
          return 0
        }
      }
      if !isInMember {
        // Members follow one another (RFC 1952, 2.2); some tools fill up with zeros.
        while let byte = ahead.first, block[byte] == 0 { ahead = ahead.dropFirst() }
        if ahead.isEmpty { continue }
        guard unsafe inflateReset(stream) == Z_OK else { throw fault("its gzip state is lost") }
        isInMember = true
      }
      let (count, state) = unsafe inflate(stream, into: &bytes, from: start)
      unpackedCount += count
      guard state == Z_OK || state == Z_STREAM_END || state == Z_BUF_ERROR else {
        throw fault("its gzip data are damaged after \(unpackedCount) bytes; copy it again")
      }
      guard unpackedCount <= Deflate.mostUnpacked(from: packedCount) else {
        throw fault("its gzip data \(Deflate.tooMuch); unpack it with gunzip first")
      }
      if state == Z_STREAM_END { isInMember = false }
      if count > 0 { return count }
    }
  }

  /// Inflates from the bytes read ahead; returns how many bytes that gave, and zlib's answer.
  private mutating func inflate(
    _ stream: UnsafeMutablePointer<z_stream>, into bytes: inout [UInt8], from start: Int
  ) -> (count: Int, state: Int32) {
    let (first, available) = (ahead.lowerBound, ahead.count)
    let (unused, count, state) = unsafe block.withUnsafeMutableBufferPointer { input in
      unsafe bytes.withUnsafeMutableBufferPointer { output in
        let room = output.count - start
        unsafe stream.pointee.next_in = input.baseAddress.map { unsafe $0 + first }
        unsafe stream.pointee.avail_in = UInt32(available)
        unsafe stream.pointee.next_out = output.baseAddress.map { unsafe $0 + start }
        unsafe stream.pointee.avail_out = UInt32(clamping: room)
        let state = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        return unsafe (
          Int(stream.pointee.avail_in), room - Int(stream.pointee.avail_out), state
        )
      }
    }
    ahead = (ahead.upperBound - unused)..<ahead.upperBound
    return (count, state)
  }

  private func fault(_ what: String) -> FileError {
    FileError(reading: path, what)
  }
}
