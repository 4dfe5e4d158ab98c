/// Limits of what is taken from a server.
package struct RemoteLimits: Sendable {
  /// For a connection.
  package var connectSeconds = 10
  /// For the next bytes.
  package var silenceSeconds = 30
  /// For a whole file; nil for any time.
  package var seconds: Int?
  /// For a file, in bytes.
  package var fileBytes = 1 << 30
  /// For a line, in bytes; those of Quick, Draw! have a few thousand.
  package var lineBytes = 1 << 20
  /// Whether machines of the local network are not asked.
  package var isPublic = false

  package init() {}
}
