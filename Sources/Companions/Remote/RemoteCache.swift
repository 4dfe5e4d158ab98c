internal import Files
internal import Foundation
internal import JSON

/// Files that were fetched, in a folder: each is named by its SHA-256, and `index.json` says which
/// addresses it came from. The least recently used go first.
///
/// The cache can be lost, so damaged files count as missing, and all files do while another process
/// has the folder's lock.
struct RemoteCache: Sendable {
  let folder: String
  /// The maximum number of bytes of all files.
  var mostBytes = 200_000_000
  /// The maximum number of addresses.
  var mostAddresses = 1_000

  private struct Entry: Codable {
    var address: String
    var sha256: String
    var bytes: Int
  }

  private struct Index: Codable {
    static let format = "drawml-cache-1"
    var format = Self.format
    /// The least recently used first.
    var entries: [Entry] = []

    /// The bytes of all files, of which several addresses may have the same.
    var bytes: Int {
      Dictionary(entries.map { ($0.sha256, $0.bytes) }) { first, _ in first }.values.reduce(0, +)
    }
  }

  private var indexPath: String { "\(folder)/index.json" }
  private var lockPath: String { "\(folder)/lock" }

  /// The file of an address; nil if it is not here, or not as it came.
  ///
  /// - Throws: `FileError` if the folder cannot be used.
  func bytes(of address: String) throws(FileError) -> [UInt8]? {
    guard AtomicFile.exists(indexPath),
      let lock = try FileLock(ifFree: lockPath, creating: true)
    else { return nil }
    defer { withExtendedLifetime(lock) {} }
    var index = index()
    guard let place = index.entries.firstIndex(where: { $0.address == address }) else { return nil }
    let entry = index.entries.remove(at: place)
    let path = "\(folder)/\(entry.sha256)"
    guard !AtomicFile.isDevice(path), let bytes = try? AtomicFile.read(path),
      Fingerprint.sha256(bytes) == entry.sha256
    else { return nil }
    index.entries.append(entry)
    try AtomicFile.write(json: index, to: indexPath)
    return bytes
  }

  /// Stores the file of an address, unless it exceeds the cache's limit or the folder is locked.
  ///
  /// - Throws: `FileError` if it cannot be written.
  func keep(_ bytes: [UInt8], of address: String) throws(FileError) {
    guard bytes.count <= mostBytes else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch { try AtomicFile.requireWritableFolder(folder) }
    guard let lock = try lock() else { return }
    defer { withExtendedLifetime(lock) {} }
    var index = index()
    let entry = Entry(
      address: address, sha256: Fingerprint.sha256(bytes), bytes: bytes.count)
    index.entries.removeAll { $0.address == address }
    index.entries.append(entry)
    while index.bytes > mostBytes || index.entries.count > mostAddresses {
      index.entries.removeFirst()
    }
    try AtomicFile.write(bytes, to: "\(folder)/\(entry.sha256)", replacesLinks: true)
    try AtomicFile.write(json: index, to: indexPath)
    // Also files that a killed process left.
    let known = Set(index.entries.map(\.sha256))
    for name in try FolderListing.names(in: folder) ?? []
    where name.wholeMatch(of: /[0-9a-f]{64}/) != nil && !known.contains(name) {
      AtomicFile.remove("\(folder)/\(name)")
    }
  }

  /// The folder's lock, which other fetches hold for a moment; nil where it is held for longer.
  private func lock() throws(FileError) -> FileLock? {
    for _ in 0..<10 {
      if let lock = try FileLock(ifFree: lockPath, creating: true) { return lock }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return nil
  }

  private func index() -> Index {
    guard !AtomicFile.isDevice(indexPath), let bytes = try? AtomicFile.read(indexPath),
      let index = try? JSONDocument.decode(Index.self, from: bytes), index.format == Index.format,
      index.entries.allSatisfy({ entry in
        entry.sha256.wholeMatch(of: /[0-9a-f]{64}/) != nil && (0...mostBytes).contains(entry.bytes)
      })
    else { return Index() }
    return index
  }
}
