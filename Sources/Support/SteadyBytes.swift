internal import Glibc

/// Bytes in memory that does not move, so that a C library may read them where they are.
@safe public struct SteadyBytes: ~Copyable {
  private let room: UnsafeMutableRawBufferPointer
  /// How many there are.
  public let count: Int

  /// A copy of `bytes`.
  public init(_ bytes: [UInt8]) {
    unsafe room = Self.room(for: bytes.count)
    count = bytes.count
    unsafe room.copyBytes(from: bytes)
  }

  /// The bytes of the file at `path`, read to where they stay.
  ///
  /// - Throws: `FileError` when the file cannot be read.
  public init(of path: String) throws(FileError) {
    let file = try OpenFile(path)
    // One more than the file says it has: that it has no more is known without a larger room.
    var room = unsafe Self.room(for: file.claimedSize + 1)
    var filled = 0
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

  /// The bytes themselves, good as long as the value lives.
  var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: room[..<count]) }
}
