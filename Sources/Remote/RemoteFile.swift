internal import CFetch
internal import Support

/// Limits of what is taken from a server.
package struct RemoteLimits: Sendable {
  /// For a connection.
  package var connectSeconds = 10
  /// For the next bytes.
  package var silenceSeconds = 30
  /// For a file, in bytes.
  package var fileBytes = 1 << 30
  /// For a line, in bytes; those of Quick, Draw! have a few thousand.
  package var lineBytes = 1 << 20

  package init() {}
}

/// Asks servers for files, each named by its address; nothing else in the program opens a
/// connection to another machine.
///
/// It sends no cookies, takes none, uses no proxy, and follows a redirection only on the same
/// server.
struct RemoteFile {
  let address: RemoteAddress
  let limits: RemoteLimits

  private static let mostRedirections = 5

  /// Asks for a file. Blocks its thread.
  ///
  /// - Parameters:
  ///   - name: The file.
  ///   - offset: How many bytes of it are here.
  ///   - tag: The tag of the file that these are of. Without one all is asked for.
  /// - Returns: The answer, whose body is read with `next`.
  /// - Throws: `RemoteError`, or `CancellationError`.
  func get(_ name: String, from offset: Int, tag: String?) throws -> RemoteAnswer {
    var url = address.file(name)
    for _ in 0...Self.mostRedirections {
      let transfer = try Transfer(url, from: offset, tag: tag, limits)
      let first = try transfer.next()
      let status = transfer.status
      guard [301, 302, 303, 307, 308].contains(status) else {
        let place = try Place(of: transfer, from: offset, tag: tag)
        return RemoteAnswer(transfer, first: first, at: place)
      }
      let location = transfer.header("Location") ?? ""
      guard let target = address.target(of: location, from: url) else {
        throw RemoteError.redirect(url: url, to: location)
      }
      url = target
    }
    throw RemoteError.redirect(url: address.file(name), to: url)
  }
}

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
  /// Whether there is nothing behind the offset, so that the body is not of the file.
  private let isEmpty: Bool

  fileprivate init(
    _ transfer: consuming Transfer, first: [UInt8]?, at place: Place
  ) {
    (offset, length, tag) = (place.offset, place.length, place.tag)
    isEmpty = transfer.status == 416
    self.first = first
    self.transfer = transfer
  }

  /// The next bytes of the body; nil at its end.
  ///
  /// - Throws: `RemoteError`, or `CancellationError`.
  mutating func next() throws -> [UInt8]? {
    if isEmpty { return nil }
    guard let bytes = first else { return try transfer.next() }
    first = nil
    return bytes
  }
}

/// Which part of a file an answer has.
private struct Place {
  var offset: Int
  var length: Int?
  var tag: String?

  init(of transfer: borrowing Transfer, from asked: Int, tag known: String?) throws(RemoteError) {
    tag = transfer.header("ETag").flatMap { $0.hasPrefix("\"") ? $0 : nil }
    switch transfer.status {
    case 200:
      (offset, length) = (0, transfer.header("Content-Length").flatMap { Int($0) })
    case 206:
      // "bytes 5-9/10", where the length may be "*".
      let range = transfer.header("Content-Range") ?? ""
      guard let match = range.wholeMatch(of: /bytes ([0-9]+)-[0-9]+\/([0-9]+|\*)/),
        Int(match.1) == asked, tag == nil || tag == known
      else { throw .status(206, url: transfer.url) }
      (offset, length) = (asked, Int(match.2))
    case 416: (offset, length) = (asked, nil)
    case let status: throw .status(status, url: transfer.url)
    }
  }
}

/// A transfer of libcurl's.
@safe private struct Transfer: ~Copyable {
  let url: String
  private let limits: RemoteLimits
  private let pointer: OpaquePointer

  init(
    _ url: String, from offset: Int, tag: String?, _ limits: RemoteLimits
  ) throws(RemoteError) {
    (self.url, self.limits) = (url, limits)
    let known = offset > 0 ? tag : nil
    let range = known.map { _ in "\(offset)-" }
    let condition = known.map { "If-Range: \($0)" }
    guard
      let pointer = unsafe drawml_transfer_start(
        url, "drawml/\(Version.text)", range, condition, limits.connectSeconds,
        limits.silenceSeconds)
    else { throw .noClient }
    unsafe self.pointer = pointer
  }

  deinit { unsafe drawml_transfer_close(pointer) }

  /// The status of the answer.
  var status: Int { unsafe drawml_transfer_status(pointer) }

  func header(_ name: String) -> String? {
    unsafe drawml_transfer_header(pointer, name).map { unsafe String(cString: $0) }
  }

  /// The next bytes of the body; nil at its end.
  func next() throws -> [UInt8]? {
    while true {
      try Task.checkCancellation()
      var (bytes, count): (UnsafePointer<UInt8>?, Int) = (nil, 0)
      switch unsafe drawml_transfer_next(pointer, &bytes, &count) {
      case drawml_transfer_bytes:
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
      case drawml_transfer_end: return nil
      case drawml_transfer_failed: throw failure
      default: continue
      }
    }
  }

  private var failure: RemoteError {
    switch unsafe drawml_transfer_failure(pointer) {
    case drawml_transfer_unreachable:
      .unreachable(url: url, unsafe String(cString: drawml_transfer_error(pointer)))
    case drawml_transfer_silent: .silent(url: url, seconds: limits.silenceSeconds)
    default: .cut(url: url)
    }
  }
}
