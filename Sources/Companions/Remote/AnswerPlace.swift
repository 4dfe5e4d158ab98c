/// Which part of a file an answer has.
struct AnswerPlace {
  /// The offset in the file of the body's first byte.
  var offset: Int
  /// The length of the whole file, in bytes, if known.
  var length: Int?
  /// The offset in the file of the body's end; nil for what libcurl checks.
  var end: Int?
  /// The validator to send with the next request; nil if the server does not promise that the
  /// file's bytes stay the same.
  var tag: String?

  /// Whether an answer to a request for the bytes after `offset` says that the file ends there.
  static func isEnd(_ transfer: borrowing Transfer, at offset: Int) -> Bool {
    transfer.status == 416 && transfer.header("Content-Range") == "bytes */\(offset)"
  }

  init(of transfer: borrowing Transfer, from asked: Int, tag known: String?) throws(RemoteError) {
    tag = transfer.header("ETag").flatMap { $0.hasPrefix("\"") ? $0 : nil }
    switch transfer.status {
    case 200:
      offset = 0
      let digits = transfer.header("Content-Length").flatMap { $0.wholeMatch(of: /[0-9]+/)?.output }
      length = digits.map { Int($0) ?? .max }
      // libcurl treats a length that overflows as missing.
      if length == .max { end = .max }
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
