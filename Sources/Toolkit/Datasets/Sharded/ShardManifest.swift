internal import Files
internal import JSON

/// What the file `drawings.shards` in the folder of a sharded set says: written first, when the
/// packing begins, and last, when everything else is on the disk.
struct ShardManifest: Codable, Equatable {
  /// A label, in the order in which labels first occur.
  struct Label: Codable, Equatable {
    var name: String
    var drawings: Int
  }

  /// A shard: see `ShardFile`.
  struct Shard: Codable, Equatable {
    /// The length of the file.
    var bytes: Int
    var blocks = 0
    /// The SHA-256 of its index; empty while it is being written.
    var index = ""
  }

  /// Where a packing that is not finished goes on.
  struct Packing: Codable, Equatable {
    /// A file that is being read, by its place among all.
    struct Open: Codable, Equatable {
      var file: Int
      var position: DatasetReader.Position
    }

    /// The fingerprint of the files' paths, sizes and times.
    var files: String
    /// The first file that was not opened yet.
    var next = 0
    var open: [Open] = []
    var rounds = 0
    var skipped = 0
  }

  /// The name of its file.
  static let fileName = "drawings.shards"
  static let format = "drawml-shards"
  static let version = 1
  /// The numbers of shards that a set may have.
  static let counts = 1...512

  var format = Self.format
  var version = Self.version
  var drawings = 0
  var labels: [Label] = []
  var shards: [Shard]
  /// Identifies the drawings in their order; empty while they are being packed.
  var fingerprint = ""
  var packing: Packing?

  /// The name of a shard's file.
  static func fileName(ofShard number: Int) -> String {
    let digits = String(number)
    return "shard-" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }

  /// The number of blocks; block b is in shard b mod n, behind those before it.
  var blocks: Int { shards.reduce(0) { $0 + $1.blocks } }

  /// The fingerprint of what it says about drawings, labels and shards.
  var computedFingerprint: String {
    var fingerprint = Fingerprint()
    fingerprint.update("DrawML shards \(version) \(drawings)")
    for label in labels {
      fingerprint.update(label.name)
      fingerprint.update("\(label.drawings)")
    }
    for shard in shards { fingerprint.update("\(shard.bytes) \(shard.blocks) \(shard.index)") }
    return fingerprint.hexadecimal()
  }

  /// Writes it to `path`, beside, synced and renamed.
  func write(to path: String) throws {
    try AtomicFile.write(jsonText(self, pretty: true) + "\n", to: path)
  }
}

extension ShardManifest {
  /// Larger numbers of drawings and bytes are wrong, and their sums could overflow.
  private static let most = 1 << 40
  private static let mostLabels = 1 << 20

  /// Whether the numbers of a finished set agree.
  private var isConsistent: Bool {
    Set(labels.map(\.name)).count == labels.count && labels.allSatisfy { $0.drawings > 0 }
      && labels.reduce(0) { $0 + $1.drawings } == drawings
      && blocks <= min(drawings, Int(Int32.max))
  }

  /// Reads the manifest at `path`, of a finished set or not.
  ///
  /// - Throws: `FileError` for a file that is no manifest, newer, or was changed.
  init(path: String) throws(FileError) {
    struct Head: Decodable {
      var format: String
      var version: Int
    }
    let bytes = try AtomicFile.read(path)
    let head: Head
    do throws(JSONFault) {
      let document = try JSONDocument(bytes)
      head = try document.decode(Head.self)
      if head.format == Self.format, head.version <= Self.version {
        self = try document.decode(Self.self)
      } else {
        self.init(shards: [])
      }
    } catch {
      throw FileError(reading: path, "\(error)")
    }
    guard head.format == Self.format else {
      throw FileError("read", path: path, reason: .foreign(expected: "manifest of shards"))
    }
    guard head.version <= Self.version else {
      throw FileError(
        "read", path: path,
        reason: .newerVersion(found: head.version, supported: Self.version))
    }
    guard Self.counts.contains(shards.count) else {
      throw FileError(reading: path, "it names \(shards.count) shards; there are 1 to 512")
    }
    let numbers = [drawings] + labels.map(\.drawings) + shards.flatMap { [$0.bytes, $0.blocks] }
    let isSound =
      numbers.allSatisfy { (0...Self.most).contains($0) } && labels.count <= Self.mostLabels
      && (packing != nil || (fingerprint == computedFingerprint && isConsistent))
    guard isSound else {
      throw FileError(
        reading: path, "it was changed, or is damaged; copy the folder again, or pack it again")
    }
  }
}
