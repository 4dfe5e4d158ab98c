/// Which file a path leads to, for as long as it exists: its device and its number there.
public struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t

  /// The file at `path`, or the link itself where the path ends in one; nil where there is none.
  public init?(at path: String) {
    var found = stat()
    guard unsafe lstat(path, &found) == 0 else { return nil }
    (device, number) = (found.st_dev, found.st_ino)
  }
}
