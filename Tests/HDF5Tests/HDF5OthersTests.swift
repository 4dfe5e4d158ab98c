import Files
import TestTools
import Testing

@testable import HDF5

/// What other programs than ours may have written, also with ill intent.
@Suite("HDF5 files of other programs")
struct HDF5OthersTests {
  private func little(_ number: Int, _ width: Int = 8) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  // MARK: Work

  @Test("Tables of members that overlap are refused: together they would claim any number of them")
  func overlappingTables() throws {
    let count = 200
    // The superblock, to 96; the root's header, to 136; its heap, to 176; its tree; the tables.
    let tables = 176 + 24 + 16 * count + 8
    let length = tables + 40 * (count + 1)
    var bytes = HDF5Reader.signature + [0, 0, 0, 0, 0, 8, 8, 0, 4, 0, 16, 0] + zeros(4)
    bytes += little(0) + little(-1) + little(length) + little(-1) + little(0) + little(96)
    bytes += zeros(24)
    bytes += [1, 0, 1, 0] + little(1, 4) + little(24, 4) + zeros(4)
    bytes += [0x11, 0, 16, 0] + zeros(4) + little(176) + little(136)
    bytes += Array("HEAP".utf8) + zeros(4) + little(8) + little(-1) + little(168) + zeros(8)
    bytes += Array("TREE".utf8) + [0, 0] + little(count, 2) + little(-1) + little(-1)
    for index in 0..<count { bytes += little(0) + little(tables + 40 * index) }
    bytes += little(0)
    // Each table begins where an entry of the one before has bytes that are not used, and claims
    // all that follow. Their members have no names, so that nothing else is wrong.
    for index in 0..<count {
      bytes += Array("SNOD".utf8) + [1, 0] + little(count - index, 2) + zeros(32)
    }
    bytes += zeros(length - bytes.count)
    let failure = #expect(throws: HDF5Failure.self) {
      _ = try HDF5Reader(PinnedBytes(bytes), from: 0, by: .others)
    }
    #expect(
      failure?.description == "the root group shares a part with something else in the file")
  }

  @Test("Headers that overlap are refused before their checksums are computed")
  func overlappingHeaders() throws {
    let count = 100
    // Superblock, root header, and headers that each claim the rest of the file.
    let root = 10 + 17 * count
    let length = 48 + root + 4 + 16 * count + 16
    func sealed(_ bytes: [UInt8]) -> [UInt8] { bytes + little(Int(HDF5Checksum.of(bytes)), 4) }
    func header(_ length: Int) -> [UInt8] { Array("OHDR".utf8) + [2, 2] + little(length, 4) }
    var bytes = sealed(
      HDF5Reader.signature + [2, 8, 8, 0] + little(0) + little(-1) + little(length) + little(48))
    var links: [UInt8] = []
    for index in 0..<count {
      // Link: version, flags, the name's length, the name, an address.
      links += [6] + little(13, 2) + [0]
      links += [1, 0, 2, 65 + UInt8(index / 26), 65 + UInt8(index % 26)]
      links += little(48 + root + 4 + 16 * index)
    }
    bytes += sealed(header(links.count) + links)
    for _ in 0..<count { bytes += header(length - bytes.count - 14) + zeros(6) }
    bytes += zeros(length - bytes.count)
    let file = try HDF5Reader(PinnedBytes(bytes), from: 0, by: .others)
    func reason(_ path: String) -> String? {
      #expect(throws: HDF5Failure.self) { try file.doubles(at: path) }?.description
    }
    #expect(reason("/AA") == "the header of /AA is damaged")
    for path in ["/AB", "/BA", "/DA"] {
      #expect(reason(path) == "\(path) shares a part with something else in the file")
    }
  }

  @Test("A type of numbers may have names for them, but no type of types")
  func nestedTypes() throws {
    let number: [UInt8] = [0x10, 8, 0, 0] + little(1, 4) + [0, 0, 8, 0]
    func element(_ depth: Int) throws(HDF5Failure) -> HDF5Element {
      var bytes = number
      for _ in 0..<depth { bytes = [0x18, 0, 0, 0] + little(1, 4) + bytes }
      return try HDF5Element(PinnedBytes(bytes), 0..<bytes.count, of: "/a")
    }
    #expect(try element(1) == .integer(bytes: 1, isSigned: true, isBigEndian: false))
    for depth in [2, 8000] {
      #expect(throws: HDF5Failure.self) { try element(depth) }
    }
  }

  // MARK: Memory

  @Test("Texts are counted as what they take in memory")
  func shortTexts() throws {
    let count = 1_100_000
    let image = try HDF5Writer()
    try image.write([UInt8](repeating: 97, count: count), shape: [count], at: "/a")
    var bytes = try image.bytes()
    // The type becomes texts of 1 byte, in UTF-8.
    let number: [UInt8] = [0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0]
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: number) })
    bytes.replaceSubrange(place..<place + 2, with: [0x13, 0x11])
    let file = try HDF5Reader(bytes)
    let failure = #expect(throws: HDF5Failure.self) { try file.strings(at: "/a", longest: 8) }
    #expect(
      failure?.description == "the texts of /a unpack to more than 8 MiB and 8 times its size")
  }

  // MARK: Damage

  /// Filters by their numbers in HDF5: 1 deflate, 2 shuffle (of values of 4 bytes), 3 checksum.
  private func filters(_ kinds: [UInt8]) throws -> HDF5Filters {
    var bytes: [UInt8] = [2, UInt8(kinds.count)]
    for kind in kinds {
      bytes += [kind, 0, 0, 0] + (kind == 2 ? [1, 0, 4, 0, 0, 0] : [0, 0])
    }
    return try HDF5Filters(PinnedBytes(bytes), 0..<bytes.count, of: "/a")
  }

  @Test(
    "A chunk that changed is refused, or has the same values",
    arguments: [[1], [3], [1, 3], [3, 1], [2, 1, 3]] as [[UInt8]])
  func damage(kinds: [UInt8]) throws {
    let values: [UInt8] = (0..<41).map { $0 % 7 == 0 ? 255 : $0 / 3 }
    var stored = values
    for kind in kinds {
      switch kind {
      case 1: stored = Deflate.compressed(stored)
      case 2:
        // Ten values of 4 bytes, and one byte that is left.
        stored = (0..<40).map { stored[$0 % 10 * 4 + $0 / 10] } + stored.suffix(1)
      default: stored += little(Int(HDF5Checksum.fletcher32(stored)[0]), 4)
      }
    }
    let filters = try filters(kinds)
    #expect(filters.undone(stored, count: 41, skipped: 0) == values)
    var refused = 0
    for place in stored.indices {
      for change in 1...255 as ClosedRange<UInt8> {
        var changed = stored
        changed[place] ^= change
        let found = filters.undone(changed, count: 41, skipped: 0)
        #expect(found == nil || found == values, "byte \(place) ^ \(change)")
        if found == nil { refused += 1 }
      }
    }
    // The checksum covers all bytes. zlib's header has bits that do not matter.
    if kinds.last == 3 { #expect(refused == 255 * stored.count) }
  }

  @Test("Fletcher's checksum is that of other programs: every byte of h5py's chunks matters")
  func chunks() throws {
    let sound = try AtomicFile.read(
      "\(Repository.path)/Tests/DatasetsTests/Fixtures/hdf5/"
        + "gzip-shuffle-checksum-small-chunks.h5")
    var structure = HDF5Structure(start: 0, from: .others)
    try structure.read(PinnedBytes(sound))
    var count = 0
    for (path, dataset) in structure.datasets {
      guard case .chunked(let chunks) = dataset.storage else { continue }
      _ = try chunks.values(PinnedBytes(sound), start: 0, fill: [], of: path)
      for place in chunks.chunks.flatMap(\.place) {
        var bytes = sound
        bytes[place] ^= 0x10
        count += 1
        #expect(throws: HDF5Failure.self, "\(path), byte \(place)") {
          try chunks.values(PinnedBytes(bytes), start: 0, fill: [], of: path)
        }
      }
    }
    #expect(count > 300)
  }

  @Test("The checksum of a few words is as Fletcher defines it")
  func fletcher() {
    // 0x0102 + 0x0304 = 0x0406; 0x0102 + 0x0406 = 0x0508; with 0x0500 more 0x0906 and 0x0e0e.
    #expect(HDF5Checksum.fletcher32([1, 2, 3, 4]) == [0x0508_0406, 0x0805_0604])
    #expect(HDF5Checksum.fletcher32([1, 2, 3, 4, 5])[0] == 0x0e0e_0906)
    #expect(HDF5Checksum.fletcher32([]) == [0, 0])
    #expect(HDF5Checksum.fletcher32([255, 255, 0, 1])[0] == 0x0001_0001)
  }
}
