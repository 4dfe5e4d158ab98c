internal import COpenSSL
internal import Foundation

/// The studio's token, which only the owner knows, and that of guests.
struct Tokens: Hashable, Sendable {
  /// The owner's token; not empty.
  let owner: String
  /// The guests' token, 32 hexadecimal digits. It is derived from the owner's token, so it changes
  /// only with that. It does not help to find the owner's token except by brute force.
  let guest: String

  init(owner: String) {
    self.owner = owner
    guest = Self.hexadecimal(Self.code(of: "drawml guest", key: owner).prefix(16))
  }

  /// The visitor with a token; nil for an unknown token.
  ///
  /// A guest's may be followed by a dot and the id of their browser.
  func visitor(showing token: String) -> Visitor? {
    if Self.isEqual(token, owner) { return .owner }
    let parts = token.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, Self.isEqual(String(first), guest) else { return nil }
    let browser = parts.count > 1 ? String(parts[1]) : ""
    return .guest(browser: browser.utf8.count <= 64 ? browser : "")
  }

  /// The value of a guest's cookie, with a new id for their browser. It is signed instead of having
  /// the guests' token in it, as browsers send it to every port of the host.
  func guestCookie() -> String {
    let browser = UUID().uuidString.lowercased()
    return "\(signature(of: browser)).\(browser)"
  }

  /// The guest with a cookie; nil if this studio's tokens did not make it.
  func guest(withCookie value: String) -> Visitor? {
    let parts = value.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 36 else { return nil }
    let browser = String(parts[1])
    return Self.isEqual(String(parts[0]), signature(of: browser))
      ? .guest(browser: browser) : nil
  }

  private func signature(of browser: String) -> String {
    Self.hexadecimal(Self.code(of: "drawml guest " + browser, key: owner).prefix(16))
  }

  /// HMAC-SHA256 (RFC 2104), 32 bytes.
  private static func code(of text: String, key: String) -> [UInt8] {
    let (text, key) = (Array(text.utf8), Array(key.utf8))
    var code = [UInt8](repeating: 0, count: 32)
    let isMade =
      unsafe EVP_Q_mac(
        nil, "HMAC", nil, "SHA256", nil, key, key.count, text, text.count, &code, code.count, nil)
      != nil
    precondition(isMade, "libcrypto has no HMAC-SHA256")
    return code
  }

  /// The bytes in hexadecimal.
  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Compares in constant time; `b` is not empty.
  static func isEqual(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    var difference = a.count ^ b.count
    for index in a.indices { difference |= Int(a[index] ^ b[index % b.count]) }
    return difference == 0
  }
}
