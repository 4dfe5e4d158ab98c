internal import COpenSSL
internal import Foundation

/// An adult's passphrase as it is kept: a salt, and the hash that scrypt makes of both (Percival
/// and Josefsson 2016, RFC 7914, doi:10.17487/RFC7914), with N = 2¹⁵, r = 8, p = 1, which takes
/// 32 MB.
public struct Passphrase: Hashable, Sendable, Codable {
  /// 16 random bytes.
  private let salt: [UInt8]
  /// 32 bytes.
  private let hash: [UInt8]

  /// The numbers of characters that a passphrase may have.
  public static let lengths = 4...200
  /// A character can be any number of accents.
  private static let mostBytes = 4 * lengths.upperBound

  private static let (cost, blockSize, lanes): (UInt64, UInt64, UInt64) = (1 << 15, 8, 1)
  /// What scrypt needs, 128 × N × r bytes, and some more.
  private static let memory: UInt64 = 64 << 20

  /// Whether a text is no longer than a passphrase may be.
  public static func isShortEnough(_ text: String) -> Bool {
    text.utf8.count <= mostBytes && text.count <= lengths.upperBound
  }

  /// A new passphrase with a salt of its own.
  ///
  /// - Parameter text: The passphrase; its number of characters must be in `lengths`.
  public init(_ text: String) {
    precondition(
      Self.isShortEnough(text) && text.count >= Self.lengths.lowerBound,
      "a passphrase has \(Self.lengths) characters")
    var random = SystemRandomNumberGenerator()
    self.init(text, salt: (0..<16).map { _ in random.next() })
  }

  init(_ text: String, salt: [UInt8]) {
    (self.salt, hash) = (salt, Self.hash(of: text, salt: salt))
  }

  /// Whether a text is the passphrase. It takes as long for any other text.
  public func matches(_ text: String) -> Bool {
    let other = Self.hash(of: text, salt: salt)
    guard other.count == hash.count else { return false }
    return unsafe CRYPTO_memcmp(other, hash, hash.count) == 0
  }

  private static func hash(of text: String, salt: [UInt8]) -> [UInt8] {
    // Keyboards differ in whether an accent is part of its letter.
    let text = Array(text.precomposedStringWithCanonicalMapping.utf8)
    var hash = [UInt8](repeating: 0, count: 32)
    let isMade = unsafe text.withUnsafeBytes { bytes in
      unsafe EVP_PBE_scrypt(
        bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, salt, salt.count, cost,
        blockSize, lanes, memory, &hash, hash.count)
    }
    precondition(isMade == 1, "libcrypto has no scrypt")
    return hash
  }
}
