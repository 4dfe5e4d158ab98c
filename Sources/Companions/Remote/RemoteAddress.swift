internal import Foundation

/// The folder or file of a server that the user permits to fetch from, by naming it.
///
/// It is HTTPS, or plain HTTP of this machine, without a user or a fragment, and has at most 2,048
/// characters; only that of a file has a query.
public struct RemoteAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address; that of a folder has no slash at its end.
  public let description: String
  /// Whether it is this machine's.
  let isLoopback: Bool
  /// The name of its file without the ending; nil if it has none.
  public let name: String?

  /// The address of a folder, such as "https://example.org/drawings".
  ///
  /// - Throws: `RemoteError.address` with what is wrong.
  public init(_ text: String) throws(RemoteError) { try self.init(text, mayHaveQuery: false) }

  /// The address of a file, such as "https://example.org/castle.png?size=400".
  ///
  /// - Throws: `RemoteError.address` with what is wrong.
  public init(file text: String) throws(RemoteError) { try self.init(text, mayHaveQuery: true) }

  /// Whether a text that may be a file's path is an address.
  public static func isMeant(by text: String) -> Bool {
    text.prefixMatch(of: /(?i)https?:\/\//) != nil
  }

  private init(_ text: String, mayHaveQuery: Bool) throws(RemoteError) {
    guard text.utf8.count <= 2_048, let parts = URLComponents(string: text),
      let origin = Self.origin(of: parts)
    else {
      throw .address(text, "it is not an address such as https://example.org/drawings")
    }
    isLoopback = Self.isLoopback(origin.host)
    guard parts.scheme?.lowercased() == "https" || isLoopback else {
      throw .address(text, "give one that begins with https://; http:// is for this machine alone")
    }
    guard parts.user == nil, parts.password == nil, parts.fragment == nil,
      mayHaveQuery || parts.query == nil
    else {
      throw .address(text, "give it without \(mayHaveQuery ? "a user and #" : "a user, ? and #")")
    }
    description = !mayHaveQuery && text.hasSuffix("/") ? String(text.dropLast()) : text
    name = parts.path.split(separator: "/").last.map { file in
      String(file.lastIndex(of: ".").map { file[..<$0] } ?? file)
    }
  }

  /// The address of a file in the folder.
  func file(_ name: String) -> String {
    description + "/" + (name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name)
  }

  /// A text as the value of a query's item (RFC 3986, section 2.3).
  static func escaped(_ text: String) -> String {
    let unreserved = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "!"..."~"))
      .union(CharacterSet(charactersIn: "-._~"))
    return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
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

  /// Whether a host is this machine, without asking a name server.
  private static func isLoopback(_ host: String) -> Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return host == "localhost" || host == "::1"
      || (numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil })
  }
}
