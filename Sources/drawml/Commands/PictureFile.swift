internal import ArgumentParser
internal import Datasets

/// The one rule for files of pictures that commands write: they are PNG, and are named so.
enum PictureFile {
  /// - Parameters:
  ///   - path: What the option names; nil where it was not given. A device takes what comes.
  ///   - option: Such as "--picture".
  /// - Throws: `ValidationError` for another ending.
  static func check(_ path: String?, _ option: String) throws {
    guard let path, !path.hasPrefix("/dev/"), DatasetFormat(path: path) != .png else { return }
    throw ValidationError("\(option) is a .png file.")
  }
}
