internal import CLibrary

/// A file written under a temporary name and renamed to its path when finished, so that a large set
/// need not fit in memory and a killed process never leaves half a file.
///
/// The path is unchanged until `finish`, which waits for the lock of the file that it replaces. If
/// the path is a symbolic link, the link's target is replaced.
/// A replaced file keeps its mode and, where permitted, its owner. A device or a pipe cannot be
/// replaced and is written directly; so is what a descriptor such as /dev/stdout leads to, behind
/// what was written before.
public struct PendingFile: ~Copyable {
  private let path: String
  /// The path to replace, with links resolved; nil if the bytes go directly to a device.
  private let target: String?
  private let temporary: String
  let descriptor: Int32
  private var block: [UInt8] = []
  private var isFinished = false

  /// Bytes buffered before a write.
  private static let blockLength = 1 << 20

  /// Begins a file that will be at `path`.
  ///
  /// - Parameters:
  ///   - path: Where the file goes.
  ///   - replacesLinks: Whether a link or a pipe at `path` is replaced itself, as for a name that
  ///     the program, not the user, chose.
  /// - Throws: `FileError` when the folder is missing or not writable, or `path` is a folder.
  public init(path: String, replacesLinks: Bool = false) throws(FileError) {
    let place = replacesLinks ? try WriteTarget(replacing: path) : try WriteTarget(path)
    let (descriptor, temporary) = try Self.open(place, for: path)
    self.path = path
    self.descriptor = descriptor
    self.temporary = temporary
    target = place.isDevice ? nil : place.path
  }

  private static func open(
    _ place: WriteTarget, for path: String
  ) throws(FileError) -> (descriptor: Int32, temporary: String) {
    var (descriptor, name): (Int32, String) = (-1, "")
    if place.isDevice {
      descriptor =
        if let open = WriteTarget.descriptor(path) { fcntl(open, F_DUPFD_CLOEXEC, 0) } else {
          unsafe Glibc.open(path, O_WRONLY | O_CLOEXEC)
        }
    } else {
      (descriptor, name) = TemporaryFiles.make(in: folder(of: place.path)) {
        unsafe Glibc.open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      }
    }
    guard descriptor >= 0 else { throw .system("write", path: path) }
    if let old = place.replaced {
      // Without permission to change the owner, the file stays ours.
      _ = fchown(descriptor, old.owner, old.group)
      _ = fchmod(descriptor, old.mode)
    }
    return (descriptor, name)
  }

  deinit {
    close(descriptor)
    guard target != nil else { return }
    if !isFinished { unsafe unlink(temporary) }
    TemporaryFiles.close(temporary)
  }

  /// Removes all unfinished files and folders and ends the process; no new one can be created
  /// meanwhile.
  public static func abandonAll(_ end: () -> Never) -> Never { TemporaryFiles.abandonAll(end) }

  /// Adds `bytes` at the end.
  ///
  /// - Throws: `FileError`, as for a full disk.
  public mutating func append(_ bytes: some Sequence<UInt8>) throws(FileError) {
    block.append(contentsOf: bytes)
    if block.count >= Self.blockLength { try flush() }
  }

  /// Syncs the file to the disk and renames it to its path; without this call nothing is kept.
  ///
  /// - Parameter replacement: What the writer knows of the file that it replaces.
  /// - Returns: The file at the path as it is now; nil for a device.
  /// - Throws: `FileError`, also for a file that another program has changed meanwhile; the file at
  ///   the path is then unchanged.
  @discardableResult
  public consuming func finish(
    replacing replacement: Replacement = .any
  ) throws(FileError) -> FileVersion? {
    try flush()
    guard let target else { return nil }
    guard fsync(descriptor) == 0 else { throw .system("write", path: path) }
    try replace(target, replacement)
    isFinished = true
    syncFolder(folder(of: target))
    return FileVersion(of: descriptor)
  }

  private borrowing func replace(
    _ target: String, _ replacement: Replacement
  ) throws(FileError) {
    let lock = Self.lock(target)
    defer { withExtendedLifetime(lock) {} }
    if case .only(let version) = replacement, let found = FileVersion(at: target),
      found != version
    {
      throw FileError(
        writing: path,
        "another program has changed it since it was read; read it again, or choose another name")
    }
    guard unsafe rename(temporary, target) == 0 else { throw .system("write", path: path) }
  }

  /// Locks the file at `target`; nil if it does not exist or cannot be locked.
  private static func lock(_ target: String) -> FileLock? {
    // A link or a pipe under a name that the program chose is replaced, not opened.
    guard FolderListing.isPlainFile(target), !FileLock.isHeld(target) else { return nil }
    return try? FileLock(replacing: target)
  }

  private mutating func flush() throws(FileError) {
    try write(block)
    block.removeAll(keepingCapacity: true)
  }

  /// Writes `bytes` immediately, ahead of anything that `append` has buffered.
  package mutating func write(_ bytes: [UInt8]) throws(FileError) {
    try writeAll(bytes, to: descriptor, path: path)
  }
}

/// What is at a path to be written.
struct WriteTarget {
  /// The path with links resolved.
  let path: String
  /// Whether the path is something that cannot be replaced, such as a terminal or a pipe.
  let isDevice: Bool
  /// The existing file's attributes; nil if no regular file is replaced.
  let replaced: (mode: mode_t, owner: uid_t, group: gid_t)?

  /// The open descriptor that a path names: 1 for /dev/stdout, wherever that leads.
  static func descriptor(_ path: String) -> Int32? {
    let number: Int32? =
      switch path {
      case "/dev/stdout": STDOUT_FILENO
      case "/dev/stderr": STDERR_FILENO
      default:
        ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix).flatMap {
          Int32(path.dropFirst($0.count))
        }
      }
    return number.flatMap { fcntl($0, F_GETFD) < 0 ? nil : $0 }
  }

  /// - Throws: `FileError` when the path cannot be written.
  init(_ path: String) throws(FileError) {
    guard !path.isEmpty else {
      throw FileError("write", path: path, reason: .system(code: ENOENT))
    }
    guard Self.descriptor(path) == nil else {
      (self.path, isDevice, replaced) = (path, true, nil)
      return
    }
    var information = stat()
    guard unsafe stat(path, &information) == 0 else {
      // For example, a link to itself.
      guard errno == ENOENT else { throw .system("write", path: path) }
      // A dangling link, such as /dev/stdout with standard output closed, would be replaced.
      guard unsafe lstat(path, &information) != 0 else {
        throw FileError(
          writing: path, "it is a broken link; remove it, or choose another name")
      }
      (self.path, isDevice, replaced) = (path, false, nil)
      return
    }
    guard information.st_mode & S_IFMT != S_IFDIR else {
      throw FileError("write", path: path, reason: .system(code: EISDIR))
    }
    guard information.st_mode & S_IFMT == S_IFREG, let resolved = unsafe realpath(path, nil) else {
      // Also an unlinked open file, to which /dev/stdout may point: otherwise the link would be
      // replaced.
      (self.path, isDevice, replaced) = (path, true, nil)
      return
    }
    self.path = unsafe String(cString: resolved)
    unsafe free(resolved)
    isDevice = false
    replaced = (information.st_mode & 0o777, information.st_uid, information.st_gid)
  }

  /// The place of `path` itself, without following links.
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

/// The folder that contains `path`, with a trailing slash; empty for the current one.
func folder(of path: String) -> String {
  path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
}

/// Syncs a folder, so that a rename in it survives a power failure; best effort. The current one
/// has an empty name.
func syncFolder(_ name: String) {
  let descriptor = unsafe open(name.isEmpty ? "." : name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard descriptor >= 0 else { return }
  fsync(descriptor)
  close(descriptor)
}
