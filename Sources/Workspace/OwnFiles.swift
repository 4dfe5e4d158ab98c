internal import Foundation
internal import Recognition
internal import Support

/// What is looked at before a file in a workspace's folder is opened: the folder may have come from
/// somebody else, with links, pipes or devices in the places of files.
extension WorkspaceFiles {
  /// Throws where something in the folder would have SQLite or us write or remove what lies
  /// elsewhere: a link, a pipe, or a journal that names another file, which SQLite removes when it
  /// plays the journal back.
  func requireOwn() throws(WorkspaceError.Reason) {
    for ending in ["", "-wal", "-shm", "-journal"] {
      try requireOwn("\(folder)/workspace.sqlite\(ending)")
    }
    try requireOwn(models, type: .typeDirectory)
    for lock in ["\(folder)/opening.lock", makingLock] { try requireOwn(lock) }
    guard let journal = FileHandle(forReadingAtPath: "\(folder)/workspace.sqlite-journal") else {
      return
    }
    defer { try? journal.close() }
    // https://www.sqlite.org/fileformat.html, section 3: the name of another file ends in this
    // mark.
    let mark: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    guard let length = try? journal.seekToEnd(), length >= 8 else { return }
    try? journal.seek(toOffset: length - 8)
    guard let end = try? journal.readToEnd(), Array(end) == mark else { return }
    throw .foreignFile("workspace.sqlite-journal", .journalOfOthers)
  }

  /// Throws where a path leads to something of another type; nothing at all will do.
  func requireOwn(
    _ path: String, type: FileAttributeType = .typeRegular
  ) throws(WorkspaceError.Reason) {
    // Of a link this says that it is one.
    let found = try? FileManager.default.attributesOfItem(atPath: path)
    guard let found, let kind = found[.type] as? FileAttributeType else { return }
    let name = path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
    guard kind == type else {
      throw .foreignFile(name, kind == .typeSymbolicLink ? .link : .anotherKind)
    }
    let names = (found[.referenceCount] as? NSNumber)?.intValue ?? 1
    guard type != .typeRegular || names == 1 else { throw .foreignFile(name, .hardLink) }
  }

  /// The path of a model's trained file, which may be missing.
  ///
  /// - Throws: `FileError` for what is no file of a workspace.
  func ownModel(_ id: String, generation: Int) throws(FileError) -> String {
    let path = model(id, generation: generation)
    func refused(_ why: String) -> FileError {
      FileError("read", path: path, reason: .malformed(why))
    }
    do throws(WorkspaceError.Reason) { try requireOwn(path) } catch {
      throw refused("it is a link, or nothing that DrawML makes")
    }
    guard size(path) <= WorkspaceLimits.modelFileBytes else {
      throw refused("it has more than \(WorkspaceLimits.modelFileBytes >> 20) MiB")
    }
    return path
  }

  /// A model as it was trained last.
  ///
  /// - Throws: `FileError`, as `ModelFile.read` does, and for what is no file of a workspace.
  func recognizer(of id: String, generation: Int) throws -> Recognizer {
    try ModelFile.read(ownModel(id, generation: generation))
  }
}
