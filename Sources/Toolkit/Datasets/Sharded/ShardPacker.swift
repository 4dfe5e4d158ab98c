internal import CLibrary
internal import Files
internal import Foundation
internal import Numbers

/// Packs the drawings of files into a sharded set, in one pass and in memory that does not depend on
/// their number.
///
/// 32 files are read at a time, so that sets with a file for each label are mixed: rounds of 16,384
/// drawings are put in random order and cut into blocks, which go to the shards in turn. The same
/// files give the same bytes, also where a packing was stopped and goes on.
public struct ShardPacker: Sendable {
  /// The progress of a packing.
  public struct Progress: Hashable, Sendable {
    /// The number of bytes of the files read so far, of as many.
    public var bytes, of: Int
    /// The number of drawings packed so far.
    public var drawings: Int
  }

  /// What a finished packing did.
  public struct Report: Hashable, Sendable, Codable {
    /// The number of drawings.
    public var drawings: Int
    /// The number of labels.
    public var labels: Int
    /// The number of shards.
    public var shards: Int
    /// The length of all shards in bytes.
    public var bytes: Int
    /// The number of drawings that were skipped.
    public var skipped: Int
    /// The fingerprint of the set.
    public var fingerprint: String
  }

  /// The number of files that are read at a time.
  static let openFiles = 32
  /// The drawings that are put in random order at a time.
  static let roundLength = 1 << 14
  /// How often it is written down where a stopped packing goes on.
  static let interval = Duration.seconds(5)

  /// The folder of the set.
  public let folder: String
  /// The bytes of records after which a round ends with fewer drawings.
  var roundBytes = 64 << 20
  private let skippingInvalid: Bool
  private let sources: [DatasetFiles.Source]
  private let sizes: [Int]
  private var manifest: ShardManifest
  private var packing: ShardManifest.Packing
  private var shards: [AppendedFile] = []
  private var numberOfLabel: [String: Int] = [:]

  /// Begins a set, or goes on with one whose packing was stopped.
  ///
  /// - Parameters:
  ///   - paths: Files and folders of drawings, including HDF5 files in folders.
  ///   - folder: The folder of the set: new, empty, or with `resumes` one that is not finished.
  ///   - shards: The number of shards, from 1 to 512.
  ///   - skippingInvalid: Whether drawings that cannot be read or have no label are left out.
  ///   - resumes: Whether to go on with a set that is not finished.
  /// - Throws: `DatasetError` or `FileError` for files that are missing, a folder with something
  ///   else in it, and a set of other files.
  public init(
    _ paths: [String], to folder: String, shards: Int, skippingInvalid: Bool = false,
    resumes: Bool = false
  ) throws {
    precondition(ShardManifest.counts.contains(shards), "\(shards) shards")
    (self.folder, self.skippingInvalid) = (folder, skippingInvalid)
    // The set may be in a folder that is packed.
    let own = URL(fileURLWithPath: folder).standardizedFileURL.path + "/"
    sources = try DatasetFiles.expand(paths, withHDF5: true).filter {
      !URL(fileURLWithPath: $0.path).standardizedFileURL.path.hasPrefix(own)
    }
    let versions = sources.map { FileVersion(at: $0.path) }
    sizes = versions.map { $0?.size ?? 0 }
    var files = Fingerprint()
    for (source, version) in zip(sources, versions) {
      files.update("\(source.path)\0\(source.label ?? "")\0\(version?.size ?? 0)")
      files.update("\(version?.modified ?? 0)")
    }
    packing = ShardManifest.Packing(files: files.hexadecimal())
    manifest = ShardManifest(
      shards: .init(repeating: .init(bytes: ShardFile.markLength), count: shards))
    if resumes, AtomicFile.exists(manifestPath) {
      manifest = try continued(manifest)
      packing = manifest.packing ?? packing
    } else {
      if AtomicFile.exists(manifestPath), try ShardManifest(path: manifestPath).packing != nil {
        throw FileError(
          writing: folder,
          "it is still being packed, or its packing was stopped; wait, or go on with --resume")
      }
      try AtomicFolder.requireFree(folder)
      try AtomicFile.makeFolder(folder)
      manifest.packing = packing
      try manifest.write(to: manifestPath)
    }
    for (index, label) in manifest.labels.enumerated() { numberOfLabel[label.name] = index }
  }

  private var manifestPath: String { "\(folder)/\(ShardManifest.fileName)" }

  private func path(ofShard number: Int) -> String {
    "\(folder)/\(ShardManifest.fileName(ofShard: number))"
  }

  /// The manifest of a packing that was stopped.
  private func continued(_ new: ShardManifest) throws(FileError) -> ShardManifest {
    let old = try ShardManifest(path: manifestPath)
    func refused(_ why: String) -> FileError { FileError(writing: folder, why) }
    guard let stopped = old.packing else {
      throw refused("it is finished; leave out --resume, and name another folder")
    }
    guard stopped.files == packing.files else {
      throw refused(
        "it was begun with other files, or these have changed; remove the folder and pack again")
    }
    guard old.shards.count == new.shards.count else {
      throw refused(
        "it was begun with --shards \(old.shards.count), not \(new.shards.count); name the same")
    }
    guard (0...sources.count).contains(stopped.next),
      stopped.open.allSatisfy({ (0..<stopped.next).contains($0.file) })
    else {
      throw FileError(reading: manifestPath, "it is damaged; remove the folder and pack again")
    }
    return old
  }

  // MARK: Packing

  /// Packs all drawings; a canceled task leaves a set that another call goes on with, or nothing
  /// before the first round has ended.
  ///
  /// - Parameters:
  ///   - skipped: Receives what was skipped.
  ///   - progress: Called often.
  /// - Returns: What was packed.
  /// - Throws: `DatasetError`, `SampleSetError`, `FileError`, such as for a full disk, or
  ///   `CancellationError`.
  public mutating func run(
    skipped: ([any Error]) -> Void = { _ in }, progress: (Progress) -> Void = { _ in }
  ) async throws -> Report {
    guard let lock = try FileLock(ifFree: folder) else {
      throw FileError(writing: folder, "another program is packing into it")
    }
    defer { withExtendedLifetime(lock) {} }
    guard try ShardManifest(path: manifestPath) == manifest else {
      throw FileError(writing: folder, "another program has packed into it meanwhile")
    }
    do {
      try openShards()
      try await packAll(skipped, progress)
      return try finish()
    } catch {
      // Nothing is packed that another call could go on with.
      if packing.rounds == 0 { removeFiles() }
      throw (error as? FileError)?.aboutPacking ?? error
    }
  }

  /// Removes what was begun, so that the folder is free.
  private func removeFiles() {
    for number in manifest.shards.indices { AtomicFile.remove(path(ofShard: number)) }
    AtomicFile.remove(manifestPath)
  }

  /// Opens the shards and cuts off what was written after the last note.
  private mutating func openShards() throws {
    shards = []
    for (number, shard) in manifest.shards.enumerated() {
      let file = try AppendedFile(path(ofShard: number))
      if shard.bytes == ShardFile.markLength {
        try file.truncate(to: 0)
        try file.append(ShardFile.mark)
      } else {
        try file.truncate(to: shard.bytes)
        _ = try ShardFile.index(of: file.path, upTo: shard.bytes, checking: true)
      }
      shards.append(file)
    }
  }

  private mutating func packAll(
    _ skipped: ([any Error]) -> Void, _ progress: (Progress) -> Void
  ) async throws {
    var open: [ShardSource] = []
    for file in packing.open {
      open.append(
        try ShardSource(sources[file.file], number: file.file, at: file.position))
    }
    var noted = ContinuousClock.now
    while true {
      if Task.isCancelled {
        try note()
        throw CancellationError()
      }
      let chunks = try await round(&open, skipped)
      guard !chunks.isEmpty else { break }
      try write(chunks)
      packing.rounds += 1
      packing.open = open.map { .init(file: $0.number, position: $0.position) }
      if ContinuousClock.now - noted >= Self.interval {
        try note()
        noted = .now
      }
      let unread = open.reduce(sizes[packing.next...].reduce(0, +)) {
        $0 + max(0, sizes[$1.number] - $1.byteCount)
      }
      let total = sizes.reduce(0, +)
      progress(Progress(bytes: total - unread, of: total, drawings: manifest.drawings))
    }
  }

  /// Writes down where the packing goes on, once what was packed is on the disk.
  private mutating func note() throws {
    for shard in shards { try shard.sync() }
    manifest.packing = packing
    try manifest.write(to: manifestPath)
  }

  /// Takes the drawings of a round: fewer after the end of the last file, and of large ones.
  private mutating func round(
    _ open: inout [ShardSource], _ skipped: ([any Error]) -> Void
  ) async throws -> [ShardSource.Chunk] {
    var chunks: [ShardSource.Chunk] = []
    var missing = Self.roundLength
    var missingBytes = roundBytes
    while missing > 0, missingBytes > 0 {
      while open.count < Self.openFiles, packing.next < sources.count {
        do throws(DatasetError) {
          open.append(try ShardSource(sources[packing.next], number: packing.next))
        } catch {
          guard skippingInvalid else { throw error }
          packing.skipped += 1
          skipped([error])
        }
        packing.next += 1
      }
      guard !open.isEmpty else { break }
      let share = (missing + open.count - 1) / open.count
      let asked = open.prefix((missing + share - 1) / share)
      let (byteCount, skippingInvalid) = (missingBytes / asked.count + 1, skippingInvalid)
      let taken = try await withThrowingTaskGroup(of: (Int, ShardSource.Chunk).self) { group in
        for (index, source) in asked.enumerated() {
          let count = min(share, missing - index * share)
          group.addTask {
            (
              index,
              try source.take(count, bytes: byteCount, skippingInvalid: skippingInvalid)
            )
          }
        }
        var taken = [ShardSource.Chunk](repeating: .init(), count: asked.count)
        for try await (index, chunk) in group { taken[index] = chunk }
        return taken
      }
      for chunk in taken where !chunk.skipped.isEmpty {
        packing.skipped += chunk.skipped.count
        skipped(chunk.skipped)
      }
      missing -= taken.reduce(0) { $0 + $1.ends.count }
      missingBytes -= taken.reduce(0) { $0 + $1.bytes.count }
      chunks += taken.filter { !$0.ends.isEmpty }
      let ended = Set(taken.indices.filter { taken[$0].isLast })
      open = open.indices.filter { !ended.contains($0) }.map { open[$0] }
    }
    return chunks
  }

  /// Writes the drawings of a round in random order.
  private mutating func write(_ chunks: [ShardSource.Chunk]) throws {
    var places: [(chunk: Int32, record: Int32, label: Int32)] = []
    for (index, chunk) in chunks.enumerated() {
      var first = 0
      for run in chunk.labels {
        let number = try number(ofLabel: run.label)
        manifest.labels[number].drawings += run.end - first
        for record in first..<run.end {
          places.append((Int32(index), Int32(record), Int32(number)))
        }
        first = run.end
      }
    }
    var generator = SeededGenerator(seed: 0x5368, stream: packing.rounds)
    generator.shuffle(&places)
    // With the varints before each record. No block is much shorter than others, or a shard that
    // gets the last one of each round would be.
    let total = chunks.reduce(0) { $0 + $1.bytes.count + 3 * $1.ends.count }
    let blocks = max(1, (total + ShardFile.blockLength / 2) / ShardFile.blockLength)
    let length = total / blocks
    var (records, count): ([UInt8], Int) = ([], 0)
    for place in places {
      let chunk = chunks[Int(place.chunk)]
      let record = Int(place.record)
      let start = record == 0 ? 0 : chunk.ends[record - 1]
      let recordLength = chunk.ends[record] - start
      let labelLength = place.label < 0x80 ? 1 : place.label < 0x4000 ? 2 : 3
      records.append(varint: UInt64(recordLength + labelLength))
      records.append(varint: UInt64(place.label))
      records.append(contentsOf: chunk.bytes[start..<(start + recordLength)])
      count += 1
      if records.count >= length {
        try write(records, count)
        records.removeAll(keepingCapacity: true)
        count = 0
      }
    }
    if count > 0 { try write(records, count) }
    manifest.drawings += places.count
  }

  private mutating func number(ofLabel label: String) throws -> Int {
    if let number = numberOfLabel[label] { return number }
    guard manifest.labels.count < 1 << 20 else {
      throw FileError(writing: folder, "the drawings have more than 1,048,576 labels")
    }
    numberOfLabel[label] = manifest.labels.count
    manifest.labels.append(.init(name: label, drawings: 0))
    return manifest.labels.count - 1
  }

  /// Writes a block to the shard whose turn it is.
  private mutating func write(_ records: [UInt8], _ count: Int) throws(FileError) {
    let shard = manifest.blocks % shards.count
    try shards[shard].append(ShardFile.Head(records, drawings: count).bytes + records)
    manifest.shards[shard].bytes += ShardFile.headLength + records.count
    manifest.shards[shard].blocks += 1
  }

  /// Writes the indexes, then the manifest.
  private mutating func finish() throws -> Report {
    guard manifest.drawings > 0 else { throw SampleSetError.empty }
    for (number, shard) in shards.enumerated() {
      let index = try ShardFile.index(
        of: shard.path, upTo: manifest.shards[number].bytes, checking: false)
      try shard.append(index)
      try shard.sync()
      manifest.shards[number].bytes += index.count
      manifest.shards[number].index = Fingerprint.sha256(index)
    }
    manifest.packing = nil
    manifest.fingerprint = manifest.computedFingerprint
    try manifest.write(to: manifestPath)
    return Report(
      drawings: manifest.drawings, labels: manifest.labels.count, shards: shards.count,
      bytes: manifest.shards.reduce(0) { $0 + $1.bytes }, skipped: packing.skipped,
      fingerprint: manifest.fingerprint)
  }
}

extension FileError {
  /// The error with what to do about a set that is not finished.
  fileprivate var aboutPacking: FileError {
    let why: String
    switch reason {
    case .system(code: ENOSPC), .system(code: EDQUOT): why = "the disk is full; free some space"
    case .system(code: EFBIG):
      why = "the limit on file sizes is reached; raise it ('ulimit -f')"
    default: return self
    }
    return FileError(writing: path, why + ", then go on with --resume")
  }
}
