internal import Foundation

/// The header of a database file, read before SQLite opens it, which might modify a file that is
/// not ours.
///
/// The format: https://www.sqlite.org/fileformat.html, section 1.3.
struct DatabaseHeader {
  /// Whether changes go to a write-ahead log beside it.
  let isLogged: Bool
  /// The schema version (`user_version`).
  let version: Int
  /// The `application_id` of the program that it belongs to.
  let program: Int
  /// The file's length in bytes.
  let length: Int
  /// The length in bytes according to the header; 0 if it does not say.
  let fullLength: Int
  private let pageSize: Int
  /// The file change counter.
  private let changes: ArraySlice<UInt8>

  /// Nil if the file is not a database or cannot be read.
  init?(of path: String) {
    let handle = FileHandle(forReadingAtPath: path)
    defer { try? handle?.close() }
    guard let data = try? handle?.read(upToCount: 100), data.count == 100,
      data.starts(with: Array("SQLite format 3\0".utf8))
    else { return nil }
    let bytes = [UInt8](data)
    func number(at place: Int) -> Int {
      bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    isLogged = bytes[18] != 1 || bytes[19] != 1
    version = Int(Int32(truncatingIfNeeded: number(at: 60)))
    program = number(at: 68)
    length = (try? handle?.seekToEnd()).map { Int(clamping: $0) } ?? 0
    // The page count is valid only if it was written with the last change.
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = size == 1 ? 65536 : size
    changes = bytes[24..<28]
    let isCounted = number(at: 24) == number(at: 92)
    fullLength = isCounted ? pageSize * number(at: 28) : 0
  }

  /// Whether the header's page count matches the file's length.
  var hasItsLength: Bool { fullLength == 0 || fullLength == length }

  /// Sets the page count of the file at `path` to its actual length: SQLite refuses to read a
  /// truncated file.
  func nameLength(in path: String) throws {
    guard pageSize > 0, let handle = FileHandle(forUpdatingAtPath: path) else { return }
    defer { try? handle.close() }
    let pages = length / pageSize
    try handle.seek(toOffset: 28)
    try handle.write(
      contentsOf: Data((0..<4).map { UInt8(truncatingIfNeeded: pages >> (24 - 8 * $0)) }))
    try handle.seek(toOffset: 92)
    try handle.write(contentsOf: Data(changes))
  }
}
