internal import Foundation

/// A folder that goes away with the test.
public struct TemporaryFolder: ~Copyable {
  /// Where it is.
  public let path: String

  /// Makes an empty folder.
  public init() throws {
    path = NSTemporaryDirectory() + "/drawml-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it, which need not be there.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of what is in it, in ascending order.
  public var contents: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// Puts a text into a file, which may lie in folders of its own.
  ///
  /// - Returns: The path of the file.
  @discardableResult
  public func put(_ text: String, _ name: String) throws -> String {
    try put(Array(text.utf8), name)
  }

  /// Puts bytes into a file, which may lie in folders of its own.
  ///
  /// - Returns: The path of the file.
  @discardableResult
  public func put(_ bytes: [UInt8], _ name: String) throws -> String {
    let file = file(name)
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }
}
