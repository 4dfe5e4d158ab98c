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
  /// The tokens; each request needs one of them. Nil if none is needed: everybody is the owner.
  var tokens: Tokens?
  /// The owner's cookies.
  var owners = OwnerCookies()
  /// The scheme of the studio's own addresses.
  var scheme = "http"

  /// A request that is allowed.
  struct Admission: Equatable {
    /// Who sends it.
    var visitor: Visitor
    /// The cookie to set if the request has a token in its URL.
    var cookie: String?
  }

  /// The loopback names of this machine.
  static let loopback: Set<String> = ["127.0.0.1", "localhost", "[::1]"]

  /// Checks a request.
  ///
  /// - Throws: `StudioError` if the request is rejected.
  func admit(_ request: Request) throws -> Admission {
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
    let admission = try checkToken(of: request, authority: authority)
    // The router drops a trailing slash, and browsers turn "models/<id>/samples/.." into
    // "models/<id>/", which would then address the model.
    guard request.uri.path == "/" || !request.uri.path.hasSuffix("/") else {
      throw StudioError.notFound("An address must not end in a slash.")
    }
    return admission
  }

  /// Whether `authority`, a name with or without port, is one of the studio's.
  private func isOwnHost(_ authority: String) -> Bool {
    let host = Self.host(of: authority)
    return hosts.contains(host) || acceptsNumericAddresses && Self.isAddress(host)
  }

  /// The host of an authority: without its port.
  static func host(of authority: String) -> String {
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
      && origin.map { $0.lowercased() == "\(scheme)://\(authority)" } ?? true
    guard isSameOrigin else {
      throw StudioError(
        .forbidden, "crossSite", "Another web page asked for this, and was refused.",
        detail: "Origin or Sec-Fetch-Site is not that of the studio’s own page.")
    }
  }

  /// Returns the sender of a request, by the token with the most rights.
  private func checkToken(of request: Request, authority: String) throws -> Admission {
    guard let tokens else { return Admission(visitor: .owner) }
    let name = cookieName(authority)
    func admission(byCookie value: String, _ visitor: Visitor) -> Admission {
      Admission(
        visitor: visitor,
        cookie: "\(name)=\(value); Path=/; HttpOnly; SameSite=Strict"
          + (scheme == "https" ? "; Secure" : ""))
    }
    let bearer = request.headers[.authorization].flatMap { header in
      header.hasPrefix("Bearer ") ? String(header.dropFirst("Bearer ".count)) : nil
    }
    let cookie = request.cookies[name]?.value
    let known = [
      cookie.flatMap { owners.has($0) ? .owner : tokens.guest(withCookie: $0) },
      bearer.flatMap(tokens.visitor(showing:)),
    ].compactMap(\.self)
    if known.contains(.owner) { return Admission(visitor: .owner) }
    let given = request.isForPage ? request.uri.queryParameters["token"] : nil
    switch (given.flatMap { tokens.visitor(showing: String($0)) }, known.first) {
    case (.owner, _): return admission(byCookie: owners.make(), .owner)
    case (_, let guest?): return Admission(visitor: guest)
    case (let guest?, nil): return admission(byCookie: tokens.guestCookie(), guest)
    case (nil, nil): break
    }
    throw StudioError(
      .unauthorized, "missingToken",
      "Please open the address that “drawml studio” has printed: it ends in ?token=…")
  }

  /// Cookies ignore ports, so each studio of a machine has its own name.
  private func cookieName(_ authority: String) -> String {
    let port = authority.hasSuffix("]") ? nil : authority.split(separator: ":").last
    let usual = scheme == "https" ? "443" : "80"
    return "drawml_" + (port.flatMap { UInt16($0) }.map(String.init) ?? usual)
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
