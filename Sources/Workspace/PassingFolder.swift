internal import Foundation
internal import Support

/// A folder for what passes through: no other user may enter it, no request has a say in its name,
/// and it is gone with all that is in it when it is let go.
package final class PassingFolder: Sendable {
  /// Where it is.
  package let path: String

  /// The names of such folders begin with this, then the number of the process.
  private static let prefix = "drawml-passing-"

  /// Makes a folder.
  package init() throws {
    let process = ProcessInfo.processInfo.processIdentifier
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(Self.prefix)\(process)-\(UUID().uuidString.lowercased())")
    path = folder.path
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Removes the folders of processes that were killed before they could.
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
