import Foundation
import Testing

/// A folder that goes with its last owner.
final class TestFolder: Sendable {
  /// Where it is.
  let path: String
  /// A folder beside it for what processes write, so that the folder itself shows only what they
  /// leave.
  let logs: String

  init() throws {
    let name = FileManager.default.temporaryDirectory.path + "/drawml-" + UUID().uuidString
    (path, logs) = (name + "/work", name + "/logs")
    for folder in [path, logs] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
  }

  deinit {
    try? FileManager.default.removeItem(
      at: URL(fileURLWithPath: path).deletingLastPathComponent())
  }

  /// Writes `text` to a file in it.
  func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

  /// Writes `data` to a file in it, in a folder of it if the name has one.
  func write(_ data: Data, to name: String) throws {
    let url = URL(fileURLWithPath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  /// The bytes of a file in it.
  func read(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
  }

  /// Whether a file of this name is in it.
  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }

  /// The names of all that is in a folder of it; none where there is no such folder.
  func names(in name: String) throws -> [String] {
    guard has(name) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)").sorted()
  }

  /// The names of all that is in it.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
