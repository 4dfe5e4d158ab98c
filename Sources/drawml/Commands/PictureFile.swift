internal import ArgumentParser
internal import Datasets
internal import Support

/// The one rule for files of pictures that commands write: they are PNG, and are named so.
enum PictureFile {
  /// - Parameters:
  ///   - path: What the option names; nil where it was not given. A device or a pipe takes what
  ///     comes.
  ///   - option: Such as "--picture".
  /// - Throws: `ValidationError` for another ending.
  static func check(_ path: String?, _ option: String) throws {
    guard let path, DatasetFormat(path: path) != .png, !AtomicFile.isDevice(path) else { return }
    throw ValidationError("\(option) is a .png file.")
  }
}
