internal import HTTPTypes
internal import Hummingbird

/// The rules for which requests are allowed.
///
/// The studio serves the person at this machine, but not other web pages open in the same browser:
/// these could send requests to the studio's own name (cross-site requests) or to a name of theirs
/// that resolves to this machine (DNS rebinding). The rules check `Host`, `Origin` and
/// `Sec-Fetch-Site`, which browsers set.
struct AccessRules: Sendable {
  /// The accepted host names, in lower case, without port.
  var hosts: Set<String>
  /// Whether any numeric address is accepted as a host: true if other machines can reach the
  /// studio.
  var acceptsNumericAddresses = false
  /// The token that all requests need; nil for none.
  var token: String?

  /// The loopback names of this machine.
  static let loopback: Set<String> = ["127.0.0.1", "localhost", "[::1]"]

  /// Checks a request.
  ///
  /// - Returns: The cookie to set if the request has the token in its URL.
  /// - Throws: `StudioError` if the request is rejected.
  func admit(_ request: Request) throws -> String? {
    // The first Host becomes the authority; a second one stays among the fields. A request with two
    // hosts is ambiguous and must be rejected (RFC 9112, section 3.2).
    guard request.headers[.secondHost] == nil else {
      throw StudioError.malformed("The request has more than one Host.")
    }
    let authority = (request.head.authority ?? "").lowercased()
    guard isOwnHost(authority) else {
      throw StudioError(
        .misdirectedRequest, "foreignHost", "This address is not the studio’s.",
        detail: "The request’s Host is not one of the studio’s names.")
    }
    // Any site may link to the page; everything else is only for the page itself.
    if !request.isForPage { try checkOrigin(of: request, authority: authority) }
    let cookie = try checkToken(of: request, authority: authority)
    // The router drops a trailing slash, and browsers turn "models/<id>/samples/.." into
    // "models/<id>/", which would then address the model.
    guard request.uri.path == "/" || !request.uri.path.hasSuffix("/") else {
      throw StudioError.notFound("An address does not end in a slash.")
    }
    return cookie
  }

  /// Whether `authority`, a name with or without port, is one of the studio's.
  private func isOwnHost(_ authority: String) -> Bool {
    let host = Self.host(of: authority)
    return hosts.contains(host) || acceptsNumericAddresses && Self.isAddress(host)
  }

  private static func host(of authority: String) -> String {
    let port = /:[0-9]{1,5}$/
    return authority.replacing(port, with: "")
  }

  /// Whether a host is an IPv4 address, or an IPv6 address in brackets: not a name that DNS could
  /// resolve to this machine.
  static func isAddress(_ host: String) -> Bool {
    if host.hasPrefix("["), host.hasSuffix("]") {
      return host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Throws unless a request to the API comes from our own page or from no page.
  private func checkOrigin(of request: Request, authority: String) throws {
    let site = request.headers[.secFetchSite]
    let origin = request.headers[.origin]
    let isSameOrigin =
      site.map { $0 == "same-origin" || $0 == "none" } ?? true
      && origin.map { $0.lowercased() == "http://" + authority } ?? true
    guard isSameOrigin else {
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

  /// Cookies ignore ports, so each studio of a machine has its own name.
  private static func cookieName(_ authority: String) -> String {
    let port = authority.hasSuffix("]") ? nil : authority.split(separator: ":").last
    return "drawml_" + (port.flatMap { UInt16($0) }.map(String.init) ?? "80")
  }

  /// Compares in constant time.
  private static func isEqual(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    var difference = a.count ^ b.count
    for index in a.indices { difference |= Int(a[index] ^ b[index % b.count]) }
    return difference == 0
  }
}

extension Request {
  /// Whether it requests a file of the page; everything else belongs to the API, known or not.
  var isForPage: Bool { (method == .get || method == .head) && PageFile.paths.contains(uri.path) }
}

extension HTTPField.Name {
  /// Where a request comes from, according to the browser: `same-origin`, `same-site`, `cross-site`
  /// or `none`.
  static var secFetchSite: HTTPField.Name { known("Sec-Fetch-Site") }
  fileprivate static var secondHost: HTTPField.Name { known("Host") }
  static var permissionsPolicy: HTTPField.Name { known("Permissions-Policy") }
  static var referrerPolicy: HTTPField.Name { known("Referrer-Policy") }
  static var crossOriginOpenerPolicy: HTTPField.Name { known("Cross-Origin-Opener-Policy") }

  /// A header name that is known to be valid.
  private static func known(_ name: String) -> HTTPField.Name {
    guard let field = HTTPField.Name(name) else {
      preconditionFailure("\(name) cannot be the name of a header")
    }
    return field
  }
}
