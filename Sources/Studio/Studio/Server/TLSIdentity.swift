internal import COpenSSL
public import Files

/// A certificate and its private key, which encrypt the studio's connections: TLS 1.2 or 1.3, by
/// OpenSSL.
@safe public final class TLSIdentity: Sendable, Hashable {
  private nonisolated(unsafe) let context: OpaquePointer

  /// Reads a certificate, with its chain, and its key.
  ///
  /// - Parameters:
  ///   - certificate: The path of a PEM file, the studio's own certificate first.
  ///   - key: The path of a PEM file without a passphrase.
  /// - Throws: `FileError` for a file that cannot be read or is not of this kind, and for a key
  ///   that does not match the certificate.
  public init(certificate: String, key: String) throws(FileError) {
    guard let context = unsafe SSL_CTX_new(TLS_server_method()) else {
      preconditionFailure("OpenSSL has no TLS")
    }
    unsafe self.context = context
    _ = unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
    // Without a cache, sessions are resumed by a ticket that the browser stores.
    _ = unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
    // OpenSSL would ask for a passphrase on the terminal.
    unsafe SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
    defer { ERR_clear_error() }
    for path in [certificate, key] { _ = try AtomicFile.read(path) }
    guard unsafe SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else {
      throw Self.malformed(certificate, "it has no certificate in PEM")
    }
    guard unsafe SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1 else {
      throw Self.malformed(
        key, "it has no private key in PEM without a passphrase that fits \(certificate)")
    }
  }

  deinit { unsafe SSL_CTX_free(context) }

  /// Whether both are the same object.
  public static func == (a: TLSIdentity, b: TLSIdentity) -> Bool { a === b }

  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The state of a new connection; nil if memory runs out.
  func session() -> TLSSession? { unsafe SSL_new(context).flatMap { unsafe TLSSession($0) } }

  private static func malformed(_ path: String, _ why: String) -> FileError {
    FileError("read", path: path, reason: .malformed(why))
  }
}

/// The state of an encrypted connection, without the connection: received bytes go in, bytes to
/// send come out. It belongs to one thread.
@safe final class TLSSession {
  private let session: OpaquePointer
  private let received: OpaquePointer
  private let toSend: OpaquePointer
  private let handshakes: UnsafeMutablePointer<Handshakes>

  /// The handshake messages received, which OpenSSL does not limit.
  @unsafe private struct Handshakes {
    var count = 0
    let received: OpaquePointer
  }

  /// Their maximum number on a connection. A handshake takes up to five; key updates (TLS 1.3) and
  /// renegotiations (TLS 1.2) cost the server more than the client.
  private static let mostHandshakes = 64

  /// What a step has led to.
  enum Outcome {
    /// It is done.
    case done
    /// More has to come first.
    case waits
    /// The other side will send no more.
    case ended
    /// The other side does what TLS forbids.
    case failed
  }

  /// Takes over a new `SSL`.
  fileprivate init?(_ session: OpaquePointer) {
    guard let received = unsafe BIO_new(BIO_s_mem()), let toSend = unsafe BIO_new(BIO_s_mem())
    else {
      unsafe SSL_free(session)
      return nil
    }
    unsafe (self.session, self.received, self.toSend) = (session, received, toSend)
    unsafe handshakes = .allocate(capacity: 1)
    unsafe handshakes.initialize(to: Handshakes(received: received))
    // It frees both.
    unsafe SSL_set_bio(session, received, toSend)
    unsafe SSL_set_accept_state(session)
    unsafe SSL_set_msg_callback(session) { isSent, _, kind, _, _, _, handshakes in
      guard isSent == 0, kind == SSL3_RT_HANDSHAKE,
        let handshakes = unsafe handshakes?.assumingMemoryBound(to: Handshakes.self)
      else { return }
      unsafe handshakes.pointee.count += 1
      if unsafe handshakes.pointee.count > TLSSession.mostHandshakes {
        // Thousands may have come at once: the rest is not looked at.
        _ = unsafe BIO_ctrl(handshakes.pointee.received, BIO_CTRL_RESET, 0, nil)
      }
    }
    _ = unsafe SSL_ctrl(session, SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, handshakes)
  }

  deinit {
    unsafe SSL_free(session)
    unsafe handshakes.deallocate()
  }

  /// Adds received bytes, at most 2³¹ - 1.
  func receive(_ bytes: UnsafeRawBufferPointer) {
    _ = unsafe BIO_write(received, bytes.baseAddress, Int32(bytes.count))
  }

  /// Agrees with the other side on keys.
  func handshake() -> Outcome { outcome { unsafe SSL_do_handshake(session) }.outcome }

  /// Reads decrypted bytes into the beginning of a buffer; returns their number.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> (outcome: Outcome, count: Int) {
    outcome { unsafe SSL_read(session, buffer.baseAddress, Int32(buffer.count)) }
  }

  /// Encrypts bytes to send, at most 2³¹ - 1.
  func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    unsafe bytes.isEmpty
      ? .done
      : outcome { unsafe SSL_write(session, bytes.baseAddress, Int32(bytes.count)) }.outcome
  }

  /// Says that no more will be sent.
  func end() { _ = outcome { unsafe SSL_shutdown(session) } }

  /// How many bytes are to be sent.
  var pending: Int { unsafe BIO_ctrl_pending(toSend) }

  /// Moves the bytes to send into the beginning of a buffer; returns their number.
  func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    max(0, Int(unsafe BIO_read(toSend, buffer.baseAddress, Int32(buffer.count))))
  }

  private func outcome(_ step: () -> Int32) -> (outcome: Outcome, count: Int) {
    // `SSL_get_error` looks at all errors of the thread.
    ERR_clear_error()
    let result = step()
    if unsafe handshakes.pointee.count > Self.mostHandshakes { return (.failed, 0) }
    if result > 0 { return (.done, Int(result)) }
    switch unsafe SSL_get_error(session, result) {
    case SSL_ERROR_WANT_READ: return (.waits, 0)
    case SSL_ERROR_ZERO_RETURN: return (.ended, 0)
    default: return (.failed, 0)
    }
  }
}
