internal import HTTPTypes
internal import Hummingbird

/// Who may ask for what.
///
/// The studio is for the person at this machine. Other web pages that this person has open are not:
/// they could send requests to it, under its own name (cross-site requests) or under a name of
/// theirs that they let point here (DNS rebinding). Browsers say in `Host`, `Origin` and
/// `Sec-Fetch-Site` where a request goes and comes from.
struct AccessRules: Sendable {
  /// The names that the studio goes by, in lower case, without port.
  var hosts: Set<String>
  /// Whether numeric addresses of any kind are names of the studio too: where it listens on all of
  /// them.
  var takesAddresses = false
  /// What all requests must know; nil where the studio listens to this machine alone.
  var token: String?

  /// The names of this machine for itself.
  static let loopback: Set<String> = ["127.0.0.1", "localhost", "[::1]"]

  /// Checks a request.
  ///
  /// - Returns: The cookie to set, for one that brings the token in its address.
  /// - Throws: `StudioError` for one that is refused.
  func admit(_ request: Request) throws -> String? {
    // The first Host is the authority; a second one is left among the fields. What two parts of a
    // path take for different hosts is not to be believed (RFC 9112, section 3.2).
    guard request.headers[.secondHost] == nil else {
      throw StudioError.malformed("The request has more than one Host.")
    }
    let authority = (request.head.authority ?? "").lowercased()
    guard isOurs(authority) else {
      throw StudioError(
        .misdirectedRequest, "foreignHost", "This address is not the studio’s.",
        detail: "The request’s Host is none of the names that the studio goes by.")
    }
    // A link may lead to the page; all else is for the page itself.
    if !request.isForPage { try checkOrigin(of: request, authority: authority) }
    let cookie = try checkToken(of: request, authority: authority)
    // The router drops a slash at the end, so that "samples/.." would be the model: browsers make
    // "models/<id>/" of it.
    guard request.uri.path == "/" || !request.uri.path.hasSuffix("/") else {
      throw StudioError.notFound("An address does not end in a slash.")
    }
    return cookie
  }

  /// Whether `authority`, a name with or without port, is one of the studio's.
  private func isOurs(_ authority: String) -> Bool {
    let host = Self.host(of: authority)
    return hosts.contains(host) || takesAddresses && Self.isAddress(host)
  }

  private static func host(of authority: String) -> String {
    let port = /:[0-9]{1,5}$/
    return authority.replacing(port, with: "")
  }

  /// Whether a name is four numbers, or hexadecimal ones in brackets: no name that somebody could
  /// let point here.
  static func isAddress(_ host: String) -> Bool {
    if host.hasPrefix("["), host.hasSuffix("]") {
      return host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Requests to the interface come from our own page or from no page.
  private func checkOrigin(of request: Request, authority: String) throws {
    let site = request.headers[.secFetchSite]
    let origin = request.headers[.origin]
    let isOurs =
      site.map { $0 == "same-origin" || $0 == "none" } ?? true
      && origin.map { $0.lowercased() == "http://" + authority } ?? true
    guard isOurs else {
      throw StudioError(
        .forbidden, "crossSite", "Another web page asked for this, and was refused.",
        detail: "Origin or Sec-Fetch-Site is not that of the studio’s own page.")
    }
  }

  private func checkToken(of request: Request, authority: String) throws -> String? {
    guard let token else { return nil }
    let name = Self.cookieName(authority)
    if let cookie = request.cookies[name]?.value, Self.isEqual(cookie, token) { return nil }
    if let header = request.headers[.authorization], header.hasPrefix("Bearer "),
      Self.isEqual(String(header.dropFirst("Bearer ".count)), token)
    {
      return nil
    }
    if request.isForPage,
      let given = request.uri.queryParameters["token"], Self.isEqual(String(given), token)
    {
      return "\(name)=\(token); Path=/; HttpOnly; SameSite=Strict"
    }
    throw StudioError(
      .unauthorized, "missingToken",
      "Please open the address that “drawml studio” has printed: it ends in ?token=…")
  }

  /// Cookies do not look at ports: each studio of a machine has its own.
  private static func cookieName(_ authority: String) -> String {
    let port = authority.hasSuffix("]") ? nil : authority.split(separator: ":").last
    return "drawml_" + (port.flatMap { UInt16($0) }.map(String.init) ?? "80")
  }

  /// Compares in a time that does not tell how much was right.
  private static func isEqual(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    var difference = a.count ^ b.count
    for index in a.indices { difference |= Int(a[index] ^ b[index % b.count]) }
    return difference == 0
  }
}

extension Request {
  /// Whether it asks for a file of the page; everything else is the interface's, known or not.
  var isForPage: Bool { (method == .get || method == .head) && PageFile.paths.contains(uri.path) }
}

extension HTTPField.Name {
  /// Where a request comes from, as browsers say it: `same-origin`, `same-site`, `cross-site` or
  /// `none`.
  static var secFetchSite: HTTPField.Name { known("Sec-Fetch-Site") }
  fileprivate static var secondHost: HTTPField.Name { known("Host") }
  static var permissionsPolicy: HTTPField.Name { known("Permissions-Policy") }
  static var referrerPolicy: HTTPField.Name { known("Referrer-Policy") }
  static var crossOriginOpenerPolicy: HTTPField.Name { known("Cross-Origin-Opener-Policy") }

  /// A name that is right.
  private static func known(_ name: String) -> HTTPField.Name {
    guard let field = HTTPField.Name(name) else {
      preconditionFailure("\(name) cannot be the name of a header")
    }
    return field
  }
}
