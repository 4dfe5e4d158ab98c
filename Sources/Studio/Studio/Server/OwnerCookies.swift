internal import Files
internal import Synchronization

/// The owner's cookies of one run of the studio: random values; only their digests are stored.
///
/// Browsers send a cookie to every port of its host, so other servers there see it. The value is
/// useless after this run, and is not the token.
final class OwnerCookies: Sendable {
  private let digests = Mutex<[String]>([])

  /// The maximum number of browsers; those that signed in first sign in again.
  private static let most = 64

  /// A new value, for a browser whose user has shown the owner's token: 256 random bits.
  func make() -> String {
    var generator = SystemRandomNumberGenerator()
    let value = (0..<32).map { _ in generator.next() as UInt8 }
    let text = Tokens.hexadecimal(value)
    digests.withLock { digests in
      digests.append(Self.digest(text))
      if digests.count > Self.most { digests.removeFirst() }
    }
    return text
  }

  /// Whether a value is one of these, compared in constant time.
  func has(_ value: String) -> Bool {
    let digest = Self.digest(value)
    return digests.withLock { digests in
      digests.reduce(false) { Tokens.isEqual(digest, $1) || $0 }
    }
  }

  private static func digest(_ value: String) -> String { Fingerprint.sha256(Array(value.utf8)) }
}
