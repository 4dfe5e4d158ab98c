internal import COpenSSL

/// An incremental SHA-256 digest, used to name data and to detect changed bytes.
@safe public struct Fingerprint: ~Copyable {
  private let context: OpaquePointer

  /// The digest of no bytes.
  public init() {
    guard let context = unsafe EVP_MD_CTX_new(),
      unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
    else { preconditionFailure("libcrypto has no SHA-256") }
    unsafe self.context = context
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
  }

  /// Adds `bytes` at the end.
  public mutating func update(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { buffer in unsafe update(buffer) }
  }

  private mutating func update(_ bytes: UnsafeRawBufferPointer) {
    _ = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
  }

  /// Adds the UTF-8 of `text` and a zero byte, so that ("ab", "c") and ("a", "bc") differ.
  public mutating func update(_ text: String) {
    update(Array(text.utf8) + [0])
  }

  /// The digest of all added bytes, 32 bytes.
  public consuming func digest() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe digest.withUnsafeMutableBytes { buffer in
      _ = unsafe EVP_DigestFinal_ex(
        context, buffer.bindMemory(to: UInt8.self).baseAddress, nil)
    }
    return digest
  }

  /// The digest of all added bytes, as 64 hexadecimal digits.
  public consuming func hexadecimal() -> String {
    let digits = Array("0123456789abcdef")
    return String(digest().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  /// The SHA-256 of `bytes` as 64 hexadecimal digits.
  public static func sha256(_ bytes: [UInt8]) -> String {
    var fingerprint = Fingerprint()
    fingerprint.update(bytes)
    return fingerprint.hexadecimal()
  }

  package static func sha256(_ bytes: UnsafeRawBufferPointer) -> String {
    var fingerprint = Fingerprint()
    unsafe fingerprint.update(bytes)
    return fingerprint.hexadecimal()
  }
}
