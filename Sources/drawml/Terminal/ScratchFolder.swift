internal import Foundation

/// A folder for files that nobody keeps and nobody else reads; it goes with its last owner.
final class ScratchFolder: Sendable {
  /// Where it is.
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/drawml-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
