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

  init(_ transfer: consuming Transfer, first: [UInt8]?, at place: AnswerPlace) {
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
