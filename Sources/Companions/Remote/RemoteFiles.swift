/// Fetches files that the user names by their addresses, such as pictures to draw over (TR-032).
///
/// A file arrives within 10 seconds, from this machine or the internet, or comes from a cache of
/// 200 MB: a usable file is not fetched again.
public struct RemoteFiles: Sendable {
  private let cache: RemoteCache
  private let limits: RemoteLimits

  /// Files of a length.
  ///
  /// - Parameters:
  ///   - folder: Where the cache is; it is made with the first file.
  ///   - mostBytes: The most bytes that a file may have.
  public init(cache folder: String, mostBytes: Int) {
    self.init(cache: RemoteCache(folder: folder), mostBytes: mostBytes)
  }

  init(cache: RemoteCache, mostBytes: Int, seconds: Int = 10) {
    self.cache = cache
    var limits = RemoteLimits()
    (limits.fileBytes, limits.seconds, limits.isPublic) = (mostBytes, seconds, true)
    self.limits = limits
  }

  /// Uses a file, and caches it if that succeeds, so that a login page that a server sends in its
  /// place is not kept. Blocks its thread while the file comes; cancelling its task ends it.
  ///
  /// - Parameters:
  ///   - address: The file's.
  ///   - use: What to do with its bytes; if it throws for cached bytes, it is called again with the
  ///     server's.
  /// - Returns: What `use` returns.
  /// - Throws: `RemoteError`, `CancellationError`, and what `use` throws.
  public func use<Result: Sendable>(
    _ address: RemoteAddress, _ use: @Sendable ([UInt8]) async throws -> Result
  ) async throws -> Result {
    let url = address.description
    // A cache that cannot be used takes nothing but time.
    if let kept = try? cache.bytes(of: url), let result = try? await use(kept) { return result }
    let bytes = try bytes(at: address)
    let result = try await use(bytes)
    try? cache.keep(bytes, of: url)
    return result
  }

  /// The bytes of a file as the server sends it.
  private func bytes(at address: RemoteAddress) throws -> [UInt8] {
    let url = address.description
    var answer = try address.get(url, limits: limits)
    var bytes: [UInt8] = []
    while let next = try answer.next() {
      guard bytes.count + next.count <= limits.fileBytes else {
        throw RemoteError.tooLarge(url: url, limit: limits.fileBytes)
      }
      bytes += next
    }
    return bytes
  }
}
