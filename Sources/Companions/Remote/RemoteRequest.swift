internal import CFetch

extension RemoteAddress {
  private static let mostRedirections = 5

  /// Asks the server for a file; nothing else in the program opens a connection to another machine.
  /// Blocks its thread.
  ///
  /// It sends no cookies, takes none, uses no proxy, and follows a redirection only on the same
  /// server. A loopback address leads to this machine only.
  ///
  /// - Parameters:
  ///   - file: Its address, on the server of this one.
  ///   - offset: How many bytes of it are here.
  ///   - tag: The tag of the file that these are of. Without one all is asked for.
  ///   - limits: What is taken at most.
  /// - Returns: The answer, whose body is read with `next`.
  /// - Throws: `RemoteError`, or `CancellationError`.
  func get(
    _ file: String, from offset: Int = 0, tag: String? = nil, limits: RemoteLimits
  ) throws -> RemoteAnswer {
    let deadline = limits.seconds.map { ContinuousClock.now + .seconds($0) }
    let reach = reach(limits)
    var (url, offset, tag) = (file, offset, tag)
    for _ in 0...Self.mostRedirections {
      let transfer = try Transfer(
        url, from: offset, tag: tag, reach: reach, limits: limits, deadline: deadline)
      let first = try transfer.next()
      let status = transfer.status
      // The server's file differs from the one whose bytes are here. Without any bytes here, the
      // request was for a range that every file has.
      if status == 416, offset == 0 || !AnswerPlace.isEnd(transfer, at: offset) {
        guard offset > 0 else { throw RemoteError.status(status, url: url) }
        (url, offset, tag) = (file, 0, nil)
        continue
      }
      guard [301, 302, 303, 307, 308].contains(status) else {
        let place = try AnswerPlace(of: transfer, from: offset, tag: tag)
        return RemoteAnswer(transfer, first: first, at: place)
      }
      let location = transfer.header("Location") ?? ""
      guard let target = target(of: location, from: url) else {
        throw RemoteError.redirect(url: url, to: location)
      }
      url = target
    }
    throw RemoteError.redirectedTooOften(url: file)
  }

  /// The machines that a request may lead to.
  private func reach(_ limits: RemoteLimits) -> drawml_reach {
    isLoopback
      ? drawml_reach_loopback : limits.isPublic ? drawml_reach_public : drawml_reach_all
  }

  /// Sends something to a path of the server, once, and takes the whole answer; no redirection is
  /// followed. Blocks its thread.
  ///
  /// - Parameters:
  ///   - body: What is sent.
  ///   - path: Where, below this address.
  ///   - query: Items of the address's query. They may be secret: no error has them.
  ///   - headers: Lines such as "Content-Type: application/json", without line breaks.
  ///   - limits: What is taken at most.
  /// - Returns: The status of the answer, and its body.
  /// - Throws: `RemoteError`, or `CancellationError`.
  func post(
    _ body: [UInt8], to path: String, query: [(name: String, value: String)] = [],
    headers: [String], limits: RemoteLimits
  ) throws -> (status: Int, body: [UInt8]) {
    let url = file(path)
    let items = query.map { "\($0.name)=\(Self.escaped($0.value))" }.joined(separator: "&")
    let transfer = try Transfer(
      url, query: items, posting: body, headers: headers, reach: reach(limits), limits: limits)
    var answer: [UInt8] = []
    while let next = try transfer.next() {
      guard answer.count + next.count <= limits.fileBytes else {
        throw RemoteError.tooLarge(url: url, limit: limits.fileBytes)
      }
      answer += next
    }
    return (transfer.status, answer)
  }
}
