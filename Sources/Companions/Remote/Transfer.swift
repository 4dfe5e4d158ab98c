internal import CFetch
internal import Text

/// A transfer of libcurl's.
@safe struct Transfer: ~Copyable {
  /// The address, as errors name it.
  let url: String
  private let limits: RemoteLimits
  private let deadline: ContinuousClock.Instant?
  private let pointer: OpaquePointer

  /// - Parameters:
  ///   - url: The address.
  ///   - offset: The first byte to ask for.
  ///   - tag: The tag of the file whose bytes before that are here; nil asks for the whole file.
  ///   - reach: The machines that may be asked.
  ///   - limits: The limits.
  ///   - deadline: When the file must be here.
  /// - Throws: `RemoteError.noClient`.
  init(
    _ url: String, from offset: Int, tag: String?, reach: drawml_reach, limits: RemoteLimits,
    deadline: ContinuousClock.Instant?
  ) throws(RemoteError) {
    (self.url, self.limits, self.deadline) = (url, limits, deadline)
    let known = offset > 0 ? tag : nil
    let range = known.map { _ in "\(offset)-" }
    let condition = known.map { "If-Range: \($0)" }
    guard
      let pointer = unsafe drawml_transfer_start(
        url, Self.agent, range, condition, nil, 0, reach, limits.connectSeconds,
        limits.silenceSeconds)
    else { throw .noClient }
    unsafe self.pointer = pointer
  }

  private static let agent = "drawml/\(Version.text)"

  /// Sends something.
  ///
  /// - Parameters:
  ///   - url: The address.
  ///   - query: What follows it after "?", which no error has; empty for nothing.
  ///   - body: What is sent.
  ///   - headers: Lines such as "Content-Type: application/json", without line breaks.
  ///   - reach: The machines that may be asked.
  ///   - limits: The limits.
  /// - Throws: `RemoteError.noClient`.
  init(
    _ url: String, query: String, posting body: [UInt8], headers: [String],
    reach: drawml_reach, limits: RemoteLimits
  ) throws(RemoteError) {
    self.url = url
    self.limits = limits
    deadline = limits.seconds.map { ContinuousClock.now + .seconds($0) }
    guard
      let pointer = unsafe drawml_transfer_start(
        query.isEmpty ? url : "\(url)?\(query)", Self.agent, nil,
        headers.joined(separator: "\n"), body, body.count, reach, limits.connectSeconds,
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
      if let deadline, .now > deadline {
        throw RemoteError.slow(url: url, seconds: limits.seconds ?? 0)
      }
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
    case drawml_transfer_out_of_reach: .outOfReach(url: url)
    case drawml_transfer_unreachable:
      .unreachable(url: url, unsafe String(cString: drawml_transfer_error(pointer)))
    case drawml_transfer_silent: .silent(url: url, seconds: limits.silenceSeconds)
    default: .cut(url: url)
    }
  }
}
