internal import Synchronization

/// The temporary files of this process.
private let temporaryFiles = Mutex(TemporaryFiles())

private struct TemporaryFiles {
  /// How many there ever were: tells them apart.
  var count = 0
  /// Those that are not yet in their places.
  var open: Set<String> = []
}

/// A file that grows beside its place and takes it when finished, so that a large set never lies
/// whole in memory and a killed process never leaves half a file.
///
/// What is at the path stays as it was until `finish()`. A symbolic link goes on pointing to the
/// file that is then replaced, and a replaced file keeps its mode and, where allowed, its owner. A
/// device or a pipe, such as /dev/stdout, cannot be replaced: it is written as the bytes come.
public struct PendingFile: ~Copyable {
  private let path: String
  /// What is replaced in the end, with its links followed; nil where the bytes go straight to a
  /// device.
  private let target: String?
  private let temporary: String
  let descriptor: Int32
  private var block: [UInt8] = []
  private var isFinished = false

  /// Bytes that are gathered before a write.
  private static let blockLength = 1 << 20

  /// A file that will be at `path`.
  ///
  /// - Parameters:
  ///   - path: Where the file goes.
  ///   - isMadeUp: Whether the program made the name up: a link or a pipe that is there is then
  ///     replaced by the file, for nobody named what it leads to.
  /// - Throws: `FileError` when the folder is missing or not writable, or `path` is a folder.
  public init(path: String, isMadeUp: Bool = false) throws(FileError) {
    let place = isMadeUp ? try Place(replacing: path) : try Place(path)
    let (descriptor, temporary) = try Self.open(place, for: path)
    self.path = path
    self.descriptor = descriptor
    self.temporary = temporary
    target = place.isDevice ? nil : place.path
  }

  private static func open(
    _ place: Place, for path: String
  ) throws(FileError) -> (descriptor: Int32, temporary: String) {
    var (descriptor, name): (Int32, String) = (-1, "")
    if place.isDevice {
      descriptor = unsafe Glibc.open(path, O_WRONLY | O_CLOEXEC)
    } else {
      temporaryFiles.withLock { files in
        repeat {
          // A short name of its own: the target's may be as long as the file system allows already.
          // An old file of this name is one that another process, now dead or elsewhere, left.
          files.count += 1
          name = folder(of: place.path) + ".drawml-\(getpid())-\(files.count).tmp"
          descriptor = unsafe Glibc.open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        } while descriptor < 0 && errno == EEXIST
        if descriptor >= 0 { files.open.insert(name) }
      }
    }
    guard descriptor >= 0 else { throw .system("write", path: path) }
    if let old = place.replaced {
      // Without the right to give a file away it becomes ours, as every new file is.
      _ = fchown(descriptor, old.owner, old.group)
      _ = fchmod(descriptor, old.mode)
    }
    return (descriptor, name)
  }

  deinit {
    close(descriptor)
    guard target != nil else { return }
    if !isFinished { unsafe unlink(temporary) }
    temporaryFiles.withLock { _ = $0.open.remove(temporary) }
  }

  /// Removes all files that are not finished, and ends the process; none is begun meanwhile.
  public static func abandonAll(_ end: () -> Never) -> Never {
    temporaryFiles.withLock { files in
      for file in files.open { unsafe unlink(file) }
      end()
    }
  }

  /// Adds `bytes` at the end.
  ///
  /// - Throws: `FileError`, as for a full disk.
  public mutating func append(_ bytes: some Sequence<UInt8>) throws(FileError) {
    block.append(contentsOf: bytes)
    if block.count >= Self.blockLength { try flush() }
  }

  /// Syncs the file to the disk and puts it in its place; without this call nothing stays.
  ///
  /// - Throws: `FileError`; the file at the path is then as it was.
  public consuming func finish() throws(FileError) {
    try flush()
    guard let target else { return }
    guard fsync(descriptor) == 0, unsafe rename(temporary, target) == 0 else {
      throw .system("write", path: path)
    }
    isFinished = true
    syncFolder(of: target)
  }

  private mutating func flush() throws(FileError) {
    try write(block)
    block.removeAll(keepingCapacity: true)
  }

  /// Writes `bytes` at once, behind nothing that `append` has gathered.
  mutating func write(_ bytes: [UInt8]) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system("write", path: path) }
      written += count
    }
  }
}

/// What is at a path that shall be written.
struct Place {
  /// The path, behind all links.
  let path: String
  /// Whether there is something that cannot be replaced, such as a terminal or a pipe.
  let isDevice: Bool
  /// The file that is there.
  let replaced: (mode: mode_t, owner: uid_t, group: gid_t)?

  /// - Throws: `FileError` when nothing can be written there.
  init(_ path: String) throws(FileError) {
    guard !path.isEmpty else {
      throw FileError("write", path: path, reason: .system(code: ENOENT))
    }
    var information = stat()
    guard unsafe stat(path, &information) == 0 else {
      // Such as a link that leads to itself.
      guard errno == ENOENT else { throw .system("write", path: path) }
      // Such as /dev/stdout where there is no standard output: the link would be replaced.
      guard unsafe lstat(path, &information) != 0 else {
        throw FileError(
          "write", path: path,
          reason: .malformed("it is a link that leads nowhere; remove it, or choose another name"))
      }
      (self.path, isDevice, replaced) = (path, false, nil)
      return
    }
    guard information.st_mode & S_IFMT != S_IFDIR else {
      throw FileError("write", path: path, reason: .system(code: EISDIR))
    }
    guard information.st_mode & S_IFMT == S_IFREG, let resolved = unsafe realpath(path, nil) else {
      // Also an open file without a name, such as /dev/stdout may lead to: the link would be
      // replaced in its place.
      (self.path, isDevice, replaced) = (path, true, nil)
      return
    }
    self.path = unsafe String(cString: resolved)
    unsafe free(resolved)
    isDevice = false
    replaced = (information.st_mode & 0o777, information.st_uid, information.st_gid)
  }

  /// The place of the name itself, whatever it leads to.
  ///
  /// - Throws: `FileError` for a folder.
  init(replacing path: String) throws(FileError) {
    var information = stat()
    let isThere = unsafe lstat(path, &information) == 0
    let kind = isThere ? information.st_mode & S_IFMT : 0
    guard kind != S_IFDIR else {
      throw FileError("write", path: path, reason: .system(code: EISDIR))
    }
    (self.path, isDevice) = (path, false)
    replaced =
      kind == S_IFREG
      ? (information.st_mode & 0o777, information.st_uid, information.st_gid) : nil
  }
}

/// The folder that `path` lies in, with a slash at its end; empty for the current one.
private func folder(of path: String) -> String {
  path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
}

/// Makes a rename itself survive a power cut; a file system that cannot do it loses nothing.
private func syncFolder(of path: String) {
  let name = folder(of: path)
  let descriptor = unsafe open(name.isEmpty ? "." : name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard descriptor >= 0 else { return }
  fsync(descriptor)
  close(descriptor)
}
