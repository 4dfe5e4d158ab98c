/// What a server sends of a file.
struct RemoteAnswer: ~Copyable {
  /// The offset in the file of the body's first byte.
  let offset: Int
  /// What to tell the server with the next request; nil if it does not promise that the bytes of
  /// the file stay the same.
  let tag: String?
  /// The length of the whole file, in bytes, if known.
  let length: Int?

  private let transfer: Transfer
  private var first: [UInt8]?
  /// The offset in the file of the next byte, and of its end; nil for what libcurl checks.
  private var position: Int
  private let end: Int?
  /// Whether there is nothing behind the offset, so that the body is not of the file.
  private let isEmpty: Bool

  init(
    _ transfer: consuming Transfer, first: [UInt8]?, at place: Place
  ) {
    (offset, length, tag) = (place.offset, place.length, place.tag)
    (position, end) = (place.offset, place.end)
    isEmpty = transfer.status == 416
    self.first = first
    self.transfer = transfer
  }

  /// The next bytes of the body; nil at its end.
  ///
  /// - Throws: `RemoteError`, or `CancellationError`.
  mutating func next() throws -> [UInt8]? {
    if isEmpty { return nil }
    guard let bytes = try first ?? transfer.next() else {
      guard end.map({ $0 == position }) ?? true else { throw RemoteError.cut(url: transfer.url) }
      return nil
    }
    first = nil
    position += bytes.count
    return bytes
  }
}

/// Which part of a file an answer has.
struct Place {
  var offset: Int
  var length: Int?
  /// Where the body has to end; nil where its length says so.
  var end: Int?
  var tag: String?

  /// Whether an answer to a request for what follows `offset` says that this is the file's end.
  static func isEnd(_ transfer: borrowing Transfer, at offset: Int) -> Bool {
    transfer.status == 416 && transfer.header("Content-Range") == "bytes */\(offset)"
  }

  init(of transfer: borrowing Transfer, from asked: Int, tag known: String?) throws(RemoteError) {
    tag = transfer.header("ETag").flatMap { $0.hasPrefix("\"") ? $0 : nil }
    switch transfer.status {
    case 200:
      (offset, length) = (0, transfer.header("Content-Length").flatMap { Int($0) })
    case 206:
      // "bytes 5-9/10", where the length may be "*".
      let range = transfer.header("Content-Range") ?? ""
      guard let match = range.wholeMatch(of: /bytes ([0-9]+)-([0-9]{1,15})\/([0-9]+|\*)/),
        Int(match.1) == asked, let last = Int(match.2), tag == nil || tag == known
      else { throw .status(206, url: transfer.url) }
      (offset, length) = (asked, Int(match.3))
      end = length ?? last + 1
    case 416: (offset, length) = (asked, nil)
    case let status: throw .status(status, url: transfer.url)
    }
  }
}
