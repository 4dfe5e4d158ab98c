internal import CLibrary

/// The identity of a file while it exists: its device and inode numbers.
public struct FileIdentity: Hashable, Sendable {
  private let device: dev_t
  private let number: ino_t

  /// The file at `path`, or the link itself if `path` is a symbolic link; nil if there is no such
  /// file.
  public init?(at path: String) {
    var found = stat()
    guard unsafe lstat(path, &found) == 0 else { return nil }
    self.init(found)
  }

  /// The file of an open descriptor; nil if it is not open.
  init?(of descriptor: Int32) {
    var found = stat()
    guard unsafe fstat(descriptor, &found) == 0 else { return nil }
    self.init(found)
  }

  fileprivate init(_ found: stat) { (device, number) = (found.st_dev, found.st_ino) }
}

/// A file as it is at some time: another one after every change and every replacement.
public struct FileVersion: Hashable, Sendable {
  private let identity: FileIdentity
  /// Its length in bytes.
  package let size: Int
  /// When it was changed last, in seconds and nanoseconds: its contents, and its name or mode.
  private let times: [Int]

  /// When its contents were changed last, in nanoseconds since 1970.
  package var modified: Int { times[0] &* 1_000_000_000 &+ times[1] }

  /// The version of the file at `path`, following links; nil if there is no file.
  public init?(at path: String) {
    var found = stat()
    guard unsafe stat(path, &found) == 0 else { return nil }
    self.init(found)
  }

  /// The file of an open descriptor; nil if it is not open.
  init?(of descriptor: Int32) {
    var found = stat()
    guard unsafe fstat(descriptor, &found) == 0 else { return nil }
    self.init(found)
  }

  private init(_ found: stat) {
    identity = FileIdentity(found)
    size = Int(found.st_size)
    times = [found.st_mtim, found.st_ctim].flatMap { [$0.tv_sec, $0.tv_nsec] }
  }
}

/// What a writer knows of the file that it replaces.
///
/// Two programs that read, change and write one file would otherwise lose what one of them wrote.
public enum Replacement: Hashable, Sendable {
  /// Nothing: any file.
  case any
  /// It is the file that the writer has read, in this version: any other one is refused.
  case only(FileVersion)

  /// The replacement of a file that may be one of those that are read for it; call it before these
  /// are read.
  public init(of path: String, reading inputs: [String]) {
    self = FileVersion(at: path).flatMap { $0.isOf(inputs) ? .only($0) : nil } ?? .any
  }
}

extension FileVersion {
  /// Whether one of the paths leads to this file.
  fileprivate func isOf(_ paths: [String]) -> Bool {
    paths.contains { FileVersion(at: $0)?.identity == identity }
  }
}
