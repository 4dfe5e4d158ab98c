internal import Foundation

/// The first bytes of a database file, to look at before SQLite opens it: it would begin to change
/// what is not ours.
///
/// The format: https://www.sqlite.org/fileformat.html, section 1.3.
struct DatabaseHeader {
  /// Whether changes go to a write-ahead log beside it.
  let isLogged: Bool
  /// The version of its tables.
  let version: Int
  /// The mark of the program that it belongs to.
  let program: Int
  /// The bytes that there are.
  let length: Int
  /// The bytes that there should be; 0 where the file does not say.
  let fullLength: Int

  /// Nil for a file that is no database, or none that can be read.
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
    // The number of pages counts where it was written with the last change.
    let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
    let isCounted = number(at: 24) == number(at: 92)
    fullLength = isCounted ? (pageSize == 1 ? 65536 : pageSize) * number(at: 28) : 0
  }
}
