internal import Foundation

/// A private temporary folder: only the user can access it, its name does not depend on requests,
/// and it is deleted with its contents when the instance is deallocated.
package final class PrivateTemporaryFolder: Sendable {
  /// The folder's path.
  package let path: String

  /// The prefix of such folders' names; the process id follows.
  private static let prefix = "drawml-passing-"

  /// Creates a folder.
  package init() throws {
    let process = ProcessInfo.processInfo.processIdentifier
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(Self.prefix)\(process)-\(UUID().uuidString.lowercased())")
    path = folder.path
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Removes folders left by processes that no longer run.
  package static func sweep() {
    let all = FileManager.default.temporaryDirectory
    for name in (try? FileManager.default.contentsOfDirectory(atPath: all.path)) ?? []
    where name.hasPrefix(prefix) {
      let number = name.dropFirst(prefix.count).prefix { $0.isNumber }
      guard let process = pid_t(number), kill(process, 0) != 0, errno == ESRCH else { continue }
      try? FileManager.default.removeItem(at: all.appendingPathComponent(name))
    }
  }
}
