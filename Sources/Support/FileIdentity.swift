/// The identity of a file while it exists: its device and inode numbers.
public struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t

  /// The file at `path`, or the link itself if `path` is a symbolic link; nil if there is no such
  /// file.
  public init?(at path: String) {
    var found = stat()
    guard unsafe lstat(path, &found) == 0 else { return nil }
    (device, number) = (found.st_dev, found.st_ino)
  }
}
