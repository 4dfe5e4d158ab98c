internal import Files
internal import Foundation
internal import Recognition

/// Checks before a file in a workspace's folder is opened: the folder may come from an untrusted
/// source, with links, pipes or devices in place of files.
extension WorkspaceFiles {
  /// Throws if something in the folder would make SQLite or DrawML write or remove files elsewhere:
  /// a link, a pipe, or a super-journal name in the journal, which SQLite deletes on rollback.
  func requirePlainFiles() throws(WorkspaceError.Reason) {
    for ending in ["", "-wal", "-shm", "-journal"] {
      try requirePlain("\(folder)/workspace.sqlite\(ending)")
    }
    for kind in [modelFiles, artworkFiles] {
      try requirePlain(kind.folder, type: .typeDirectory)
      try requirePlain(kind.lock)
    }
    try requirePlain("\(folder)/opening.lock")
    guard let journal = FileHandle(forReadingAtPath: "\(folder)/workspace.sqlite-journal") else {
      return
    }
    defer { try? journal.close() }
    // https://www.sqlite.org/fileformat.html, section 3: a super-journal name ends in this magic
    // number.
    let mark: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    guard let length = try? journal.seekToEnd(), length >= 8 else { return }
    try? journal.seek(toOffset: length - 8)
    guard let end = try? journal.readToEnd(), Array(end) == mark else { return }
    throw .foreignFile("workspace.sqlite-journal", .journalOfOthers)
  }

  /// Throws if the file at `path` has another type; a missing file is fine.
  func requirePlain(
    _ path: String, type: FileAttributeType = .typeRegular
  ) throws(WorkspaceError.Reason) {
    // Does not follow links.
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
  /// - Throws: `FileError` for a file that is not the workspace's own.
  func ownModel(_ id: String, generation: Int) throws(FileError) -> String {
    let path = model(id, generation: generation)
    func refused(_ why: String) -> FileError {
      FileError("read", path: path, reason: .malformed(why))
    }
    do throws(WorkspaceError.Reason) { try requirePlain(path) } catch {
      throw refused("it is a link, or nothing that DrawML makes")
    }
    guard size(path) <= WorkspaceLimits.modelFileBytes else {
      throw refused("it has more than \(WorkspaceLimits.modelFileBytes >> 20) MiB")
    }
    return path
  }

  /// The picture of an artwork.
  ///
  /// - Parameter row: Its row, which was checked.
  /// - Returns: The bytes of the PNG file.
  /// - Throws: `WorkspaceError.Reason.lostArtwork` if it is not the one that was kept.
  func picture(of row: ArtworkRow) throws(WorkspaceError.Reason) -> [UInt8] {
    let path = "\(artworks)/\(Self.name(ofArtwork: row.id))"
    guard AtomicFile.exists(path) else { throw .lostArtwork(row.shown, "its file is missing") }
    do throws(WorkspaceError.Reason) { try requirePlain(path) } catch {
      throw .lostArtwork(row.shown, "its file is a link, or nothing that DrawML makes")
    }
    // Not a byte of a file of another length is read: it may be very long.
    guard size(path) == row.bytes, let bytes = try? AtomicFile.read(path),
      Fingerprint.sha256(bytes) == row.digest
    else { throw .lostArtwork(row.shown, "its file is damaged") }
    return bytes
  }

  /// The recognizer of a model's last training.
  ///
  /// - Throws: `FileError`, as `ModelFile.read` does, and for a file that is not the workspace's
  ///   own.
  func recognizer(of id: String, generation: Int) throws -> Recognizer {
    try ModelFile.read(ownModel(id, generation: generation))
  }
}
