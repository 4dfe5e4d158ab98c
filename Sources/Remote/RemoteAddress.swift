internal import Foundation

/// The folder of a server that the user permits to fetch from, by naming it.
///
/// It is HTTPS, or plain HTTP of this machine, without a user, a query or a fragment.
public struct RemoteAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address without a slash at its end.
  public let description: String

  /// An address such as "https://example.org/drawings".
  ///
  /// - Throws: `RemoteError.address` with what is wrong.
  public init(_ text: String) throws(RemoteError) {
    guard let parts = URLComponents(string: text), let origin = Self.origin(of: parts) else {
      throw .address(text, "it is not an address such as https://example.org/drawings")
    }
    guard parts.scheme?.lowercased() == "https" || Self.isLoopback(origin.host) else {
      throw .address(text, "give one that begins with https://; http:// is for this machine alone")
    }
    guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
      throw .address(text, "give it without a user, ? and #")
    }
    description = text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  /// The address of a file in the folder.
  func file(_ name: String) -> String {
    description + "/" + (name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name)
  }

  /// The address that a redirection of `url` leads to; nil if it is of another server.
  func target(of location: String, from url: String) -> String? {
    guard let base = URL(string: url),
      let found = URL(string: location, relativeTo: base)?.absoluteURL,
      let parts = URLComponents(url: found, resolvingAgainstBaseURL: true),
      let own = URLComponents(string: description),
      let origin = Self.origin(of: parts), origin == Self.origin(of: own)
    else { return nil }
    return found.absoluteString
  }

  private struct Origin: Equatable {
    var scheme: String
    var host: String
    var port: Int
  }

  /// Nil if the address is not one of HTTP or HTTPS.
  private static func origin(of parts: URLComponents) -> Origin? {
    guard let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http",
      let host = parts.host?.lowercased(), !host.isEmpty
    else { return nil }
    return Origin(
      scheme: scheme, host: host.filter { $0 != "[" && $0 != "]" },
      port: parts.port ?? (scheme == "https" ? 443 : 80))
  }

  /// Whether a host is this machine, whatever a name server says.
  private static func isLoopback(_ host: String) -> Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return host == "localhost" || host == "::1"
      || (numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil })
  }
}
