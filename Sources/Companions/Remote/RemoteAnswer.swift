/// What a server sends of a file.
struct RemoteAnswer: ~Copyable {
  let place: AnswerPlace

  private let transfer: Transfer
  private var first: [UInt8]?
  /// The offset in the file of the next byte.
  private var position: Int

  init(_ transfer: consuming Transfer, first: [UInt8]?, at place: AnswerPlace) {
    (self.place, position) = (place, place.offset)
    self.first = first
    self.transfer = transfer
  }

  /// The next bytes of the body; nil at its end.
  ///
  /// - Throws: `RemoteError`, or `CancellationError`.
  mutating func next() throws -> [UInt8]? {
    // There are no bytes after the offset: the body is not part of the file.
    if transfer.status == 416 { return nil }
    guard let bytes = try first ?? transfer.next() else {
      guard place.end == nil || place.end == position else {
        throw RemoteError.cut(url: transfer.url)
      }
      return nil
    }
    first = nil
    position += bytes.count
    return bytes
  }
}
