internal import Foundation

/// A folder for files that nobody keeps; it goes with its last owner.
final class ScratchFolder: Sendable {
  /// Where it is.
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/drawml-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
