public import Files
public import Ink
internal import Numbers
internal import Synchronization

/// Labeled drawings in a folder of shards, read one by one from any place, by any number of threads
/// and processes: for sets that are larger than memory.
///
/// `dataset pack` writes it. The folder has a manifest, `drawings.shards`, and the shards, whose
/// blocks are read when they are needed; each is checked by its digest. Only the blocks that were
/// read last stay in memory.
public final class ShardedDrawings: Sendable {
  /// A label and its number of drawings.
  public struct Label: Hashable, Sendable, Codable {
    /// The label, in the form of `LabelRule.label`.
    public let label: String
    /// The number of drawings that have it.
    public let drawings: Int
  }

  /// Where a drawing is: the number of its block, and its number in the block, both from 0.
  struct Place: Hashable {
    var block: Int32
    var number: Int32
  }

  /// The path of the manifest.
  public let path: String
  /// The number of drawings.
  public let count: Int
  /// The labels that occur, in the order in which they first occur.
  public let labels: [Label]
  /// Identifies the drawings, their order and labels, wherever the folder is: a SHA-256, in
  /// hexadecimal digits.
  public let fingerprint: String
  /// The number of shards.
  public var shardCount: Int { shards.count }
  /// The length of all shards in bytes.
  public let byteCount: Int

  private let shards: [ShardFile]
  /// The number of the first drawing of each block, and the number of drawings.
  let starts: [Int]
  private let cache = Mutex(Cache())

  /// The blocks in memory, by number.
  private struct Cache {
    var blocks: [Int: Block] = [:]
    /// Their numbers, the one that was read first at `oldest`.
    var numbers: [Int] = []
    var oldest = 0
  }

  /// The records of a block.
  private struct Block {
    var bytes: [UInt8]
    /// Where each record begins.
    var starts: [Int32]
  }

  /// The blocks that are mixed at a time: see `ShardOrder`. About 8 MiB, and twice as much in
  /// memory.
  static let window = 128

  /// Opens a set.
  ///
  /// - Parameter path: Its folder or its manifest.
  /// - Throws: `FileError`, also for a folder that is not packed to its end, and shards that are
  ///   missing, cut off, changed or of another version. Blocks are checked when they are read.
  public init(_ path: String) throws(FileError) {
    let path = Self.manifestPath(path)
    let manifest = try ShardManifest(path: path)
    let folder = path.dropLast(ShardManifest.fileName.count)
    guard manifest.packing == nil else {
      throw FileError(
        reading: path,
        "the folder is still being packed, or its packing was stopped; wait, or go on with "
          + "'drawml dataset pack', the same files and --resume")
    }
    var shards: [ShardFile] = []
    for (number, shard) in manifest.shards.enumerated() {
      shards.append(
        try ShardFile(path: folder + ShardManifest.fileName(ofShard: number), shard))
    }
    var (starts, count) = ([0], 0)
    for block in 0..<manifest.blocks {
      let (place, shard) = block.quotientAndRemainder(dividingBy: shards.count)
      guard place < shards[shard].blocks.count else { throw Self.mismatch(path) }
      count += shards[shard].blocks[place].head.drawings
      starts.append(count)
    }
    guard count == manifest.drawings, manifest.blocks <= Int32.max else {
      throw Self.mismatch(path)
    }
    (self.path, self.count, self.shards, self.starts) = (path, count, shards, starts)
    labels = manifest.labels.map { Label(label: $0.name, drawings: $0.drawings) }
    fingerprint = manifest.fingerprint
    byteCount = manifest.shards.reduce(0) { $0 + $1.bytes }
  }

  private static func mismatch(_ path: String) -> FileError {
    FileError(reading: path, "its shards do not have the drawings that it names; pack it again")
  }

  /// The manifest of the set in a folder, or the path itself.
  private static func manifestPath(_ path: String) -> String {
    guard FolderListing.isFolder(path) else { return path }
    return path + (path.hasSuffix("/") ? "" : "/") + ShardManifest.fileName
  }

  /// Whether a path is a sharded set, finished or not: its folder or its manifest.
  public static func isSet(_ path: String) -> Bool {
    let manifest = manifestPath(path)
    return DatasetFormat(path: manifest) == .sharded && AtomicFile.exists(manifest)
  }

  // MARK: Reading

  /// A drawing by its number, from 0.
  ///
  /// - Throws: `FileError` that names the shard, for bytes that cannot be read or changed.
  /// - Complexity: O(log *n*) and the drawing's points; a block is read where it is not in memory.
  public func drawing(_ number: Int) throws(FileError) -> Drawing {
    let block = block(of: number)
    return try drawing(
      at: Place(block: Int32(block), number: Int32(number - starts[block])))
  }

  /// The block of a drawing.
  func block(of number: Int) -> Int {
    precondition((0..<count).contains(number), "no drawing \(number) among \(count)")
    return starts.lastRange(notAbove: number)
  }

  /// The drawing at a place.
  func drawing(at place: Place) throws(FileError) -> Drawing {
    let number = Int(place.block)
    let block = try block(number)
    return try drawing(Int(place.number), of: block, number)
  }

  /// The number of a drawing.
  func number(of place: Place) -> Int { starts[Int(place.block)] + Int(place.number) }

  private func drawing(
    _ place: Int, of block: Block, _ number: Int
  ) throws(FileError) -> Drawing {
    do throws(FormatFault) {
      var cursor = ByteCursor(block.bytes, at: Int(block.starts[place]))
      let label = try label(&cursor)
      return try ShardRecord.drawing(from: &cursor, label: labels[label].label)
    } catch { throw fault(error, place, number) }
  }

  /// The number of the label that a record begins with.
  private func label(_ cursor: inout ByteCursor) throws(FormatFault) -> Int {
    guard let label = cursor.varint(), label < labels.count else {
      throw FormatFault("has a label that the manifest does not name")
    }
    return Int(label)
  }

  private func fault(_ fault: FormatFault, _ place: Int, _ block: Int) -> FileError {
    let (number, shard) = block.quotientAndRemainder(dividingBy: shards.count)
    return shards[shard].damaged(number, "drawing \(place) \(fault)")
  }

  private func block(_ number: Int) throws(FileError) -> Block {
    if let block = cache.withLock({ $0.blocks[number] }) { return block }
    let block = try read(number)
    cache.withLock { cache in
      guard cache.blocks.updateValue(block, forKey: number) == nil else { return }
      if cache.numbers.count < 2 * Self.window {
        cache.numbers.append(number)
      } else {
        cache.blocks[cache.numbers[cache.oldest]] = nil
        cache.numbers[cache.oldest] = number
        cache.oldest = (cache.oldest + 1) % cache.numbers.count
      }
    }
    return block
  }

  /// Reads and checks a block.
  private func read(_ number: Int) throws(FileError) -> Block {
    let (place, shard) = number.quotientAndRemainder(dividingBy: shards.count)
    let bytes = try shards[shard].records(ofBlock: place)
    let count = starts[number + 1] - starts[number]
    var recordStarts: [Int32] = []
    recordStarts.reserveCapacity(count)
    var cursor = ByteCursor(bytes)
    while !cursor.isAtEnd {
      guard let length = cursor.varint(), length <= cursor.remaining else { break }
      recordStarts.append(Int32(cursor.offset))
      _ = cursor.next(Int(length))
    }
    guard cursor.isAtEnd, recordStarts.count == count else {
      throw shards[shard].damaged(place, "it does not hold \(count) drawings")
    }
    return Block(bytes: bytes, starts: recordStarts)
  }

  // MARK: Sampling

  /// Some drawings of each label: all of a label that has few.
  ///
  /// Blocks are read in random order, up to the one where each label has enough.
  ///
  /// - Parameters:
  ///   - most: The number of drawings of each label, at least 1.
  ///   - seed: The seed of the choice.
  /// - Returns: The drawings, and the number of each in the set.
  /// - Throws: `FileError` for a shard that cannot be read or changed.
  public func sample(
    ofEachLabel most: Int, seed: UInt64
  ) throws(FileError) -> (drawings: [Drawing], numbers: [Int]) {
    precondition(most >= 1, "at least one drawing of each label, got \(most)")
    var generator = SeededGenerator(seed: seed, stream: 0x5375)
    var wanted = labels.map { min(most, $0.drawings) }
    var missing = wanted.reduce(0, +)
    var (drawings, numbers): ([Drawing], [Int]) = ([], [])
    for number in generator.permutation(starts.count - 1) where missing > 0 {
      let block = try read(number)
      for place in generator.permutation(block.starts.count) {
        do throws(FormatFault) {
          var cursor = ByteCursor(block.bytes, at: Int(block.starts[place]))
          let label = try label(&cursor)
          guard wanted[label] > 0 else { continue }
          wanted[label] -= 1
          missing -= 1
        } catch { throw fault(error, place, number) }
        drawings.append(try drawing(place, of: block, number))
        numbers.append(starts[number] + place)
      }
    }
    return (drawings, numbers)
  }
}

extension [Int] {
  /// The index of the last element that is not above `number`, of ascending ones, without the last
  /// of all; the first must not be above.
  func lastRange(notAbove number: Int) -> Int {
    var (low, high) = (0, count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self[middle] <= number { low = middle } else { high = middle }
    }
    return low
  }
}
