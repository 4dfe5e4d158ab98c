internal import Files
internal import Foundation
internal import Text

/// Where the key of a model's server comes from: never an argument, which others on this machine
/// see in the list of processes.
struct KeySource {
  /// The environment variable of the key.
  let variable: String
  /// The option that names a file whose first line is the key.
  let option: String

  /// Where another key is given.
  var advice: String {
    "The key is in \(variable) or in the file of \(option); start again with another one."
  }

  /// The key in a file, or else in the environment; nil if there is none.
  ///
  /// - Throws: `FileError` for a file without a key, or one that others may read.
  func read(file path: String?) throws(FileError) -> String? {
    guard let path else {
      return ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    if let mode = attributes?[.posixPermissions] as? Int, mode & 0o077 != 0 {
      throw FileError(
        reading: path, "others may read the key in it; run: chmod 600 \(path.shellWord)")
    }
    var lines = try LineReader(path: path, limit: 1 << 12)
    let key = String(decoding: try lines.next() ?? [], as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard !key.isEmpty else { throw FileError(reading: path, "its first line, the key, is empty") }
    return key
  }
}
