/// Bytes at a fixed address in memory, read in place.
@safe public struct PinnedBytes: ~Copyable {
  private let room: UnsafeMutableRawBufferPointer
  /// The number of bytes.
  public let count: Int

  /// A copy of `bytes`.
  public init(_ bytes: [UInt8]) {
    unsafe room = Self.room(for: bytes.count)
    count = bytes.count
    unsafe room.copyBytes(from: bytes)
  }

  /// The bytes of the file at `path`.
  ///
  /// - Throws: `FileError` when it cannot be read, or is longer than files are read at once.
  package init(path: String) throws(FileError) {
    var file = try OpenFile(path)
    try file.requireFitsInMemory()
    try self.init([], then: &file)
  }

  /// The bytes already read from a file followed by the rest of it, read in place.
  ///
  /// - Throws: `FileError` when the file cannot be read.
  package init(_ beginning: [UInt8], then file: inout OpenFile) throws(FileError) {
    // One byte more than the file's size, so that the end is detected without growing the buffer.
    // The initial size is capped: a file may claim to be larger than memory.
    var room = unsafe Self.room(
      for: max(beginning.count, min(file.size ?? 1 << 16, 1 << 28)) + 1)
    unsafe room.copyBytes(from: beginning)
    var filled = beginning.count
    do throws(FileError) {
      while true {
        let count = try unsafe file.read(UnsafeMutableRawBufferPointer(rebasing: room[filled...]))
        if count == 0 { break }
        filled += count
        guard filled == room.count else { continue }
        let larger = unsafe Self.room(for: 2 * filled)
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(room))
        unsafe room.deallocate()
        unsafe room = larger
      }
    } catch {
      unsafe room.deallocate()
      throw error
    }
    unsafe self.room = room
    count = filled
  }

  deinit {
    unsafe room.deallocate()
  }

  private static func room(for count: Int) -> UnsafeMutableRawBufferPointer {
    .allocate(byteCount: max(1, count), alignment: 64)
  }

  /// A copy of the bytes from `start` on.
  public func array(from start: Int = 0) -> [UInt8] {
    precondition((0...count).contains(start), "\(count) bytes have none from \(start) on")
    return unsafe [UInt8](bytes[start...])
  }

  /// A copy of the bytes in `range`, which must be within bounds.
  package func array(in range: Range<Int>) -> [UInt8] {
    precondition(has(range.count, at: range.lowerBound), "\(count) bytes have none at \(range)")
    return unsafe [UInt8](bytes[range])
  }

  // MARK: Looking without trust

  /// The little-endian number of `width` bytes, 1...8, at `offset`; nil if it is out of bounds.
  package func number(at offset: Int, width: Int) -> UInt64? {
    guard has(width, at: offset) else { return nil }
    var number: UInt64 = 0
    for index in (0..<width).reversed() {
      number = number << 8 | UInt64(unsafe room[offset + index])
    }
    return number
  }

  /// Whether the bytes at `offset` are `expected`.
  package func matches(_ expected: [UInt8], at offset: Int) -> Bool {
    guard has(expected.count, at: offset) else { return false }
    return expected.indices.allSatisfy { unsafe room[offset + $0] == expected[$0] }
  }

  /// The UTF-8 text at `offset` up to a zero byte, at most `limit` bytes; nil if it is not UTF-8 or
  /// out of bounds.
  package func text(at offset: Int, limit: Int) -> String? {
    guard has(limit, at: offset) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: room[offset..<(offset + limit)])
    return unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Fills `values` with the bytes from `offset` on, which must be within bounds.
  package func copy<Value: BitwiseCopyable>(from offset: Int, into values: inout [Value]) {
    let count = values.count * MemoryLayout<Value>.stride
    precondition(has(count, at: offset), "\(self.count) bytes have no \(count) at \(offset)")
    unsafe values.withUnsafeMutableBytes { buffer in
      unsafe buffer.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: room[offset..<(offset + count)]))
    }
  }

  private func has(_ length: Int, at offset: Int) -> Bool {
    offset >= 0 && length >= 0 && offset <= count && length <= count - offset
  }

  /// The bytes, valid for the lifetime of this value.
  package var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: room[..<count])
  }
}
