import Files
import Foundation
import Numbers
import Testing

@testable import HDF5

@Suite("HDF5 files in memory")
struct HDF5Tests {
  @Test("An image is read where it stands in a file's bytes")
  func inPlace() throws {
    let image = try HDF5Writer()
    try image.write([1, 2, 3] as [Float], shape: [3], at: "/a")
    let bytes = [UInt8](repeating: 9, count: 512) + (try image.bytes())
    let opened = try HDF5Reader(PinnedBytes(bytes), from: 512)
    #expect(try opened.floats(at: "/a").values == [1, 2, 3])
    #expect(throws: HDF5Failure.self) {
      _ = try HDF5Reader(PinnedBytes(bytes), from: bytes.count)
    }
    #expect(throws: HDF5Failure.self) { _ = try HDF5Reader(PinnedBytes(bytes), from: 9) }
  }

  @Test("What is written is read back, and the same contents give the same bytes")
  func roundTrip() throws {
    func build() throws -> [UInt8] {
      let image = try HDF5Writer()
      try image.write([1.5, -2, 3, 4, 5, 6] as [Float], shape: [2, 3], at: "/a/b/floats")
      try image.write([0.1, 0.2], shape: [2], at: "/doubles")
      try image.write([1, -9_000_000_000], shape: [2], at: "/whole")
      try image.write([7, 255] as [UInt8], shape: [2], at: "/a/octets")
      try image.write(["⭐", "", "a longer one"], at: "/labels")
      try image.write([String](), at: "/none")
      return try image.bytes()
    }
    let bytes = try build()
    #expect(try build() == bytes)
    // Behind a sealed header too.
    let image = try HDF5Reader(bytes)
    let floats = try image.floats(at: "/a/b/floats")
    #expect(floats.values == [1.5, -2, 3, 4, 5, 6])
    #expect(floats.shape == [2, 3])
    #expect(try image.doubles(at: "/doubles").values == [0.1, 0.2])
    #expect(try image.integers(at: "/whole").values == [1, -9_000_000_000])
    #expect(try image.octets(at: "/a/octets").values == [7, 255])
    #expect(try image.strings(at: "/labels", longest: 99) == ["⭐", "", "a longer one"])
    #expect(try image.strings(at: "/none", longest: 99) == [])
    let found = (image.contains("/a/b/floats"), image.contains("/a/c/floats"))
    #expect(found == (true, false))
    #expect(throws: HDF5Failure.self) { try image.floats(at: "/labels") }
    #expect(throws: HDF5Failure.self) { try image.floats(at: "/nothing") }
  }

  @Test("Images that are open at the same time are apart")
  func apart() throws {
    let one = try HDF5Writer()
    let other = try HDF5Writer()
    try one.write([1] as [Float], shape: [1], at: "/a")
    try other.write([2] as [Float], shape: [1], at: "/a")
    #expect(try HDF5Reader(one.bytes()).floats(at: "/a").values == [1])
    #expect(try HDF5Reader(other.bytes()).floats(at: "/a").values == [2])
  }

  @Test("A text with a zero byte is refused: it would come back cut off")
  func zeroByte() throws {
    let image = try HDF5Writer()
    #expect(throws: HDF5Failure.self) { try image.write(["a", "b\0c"], at: "/labels") }
  }

  @Test(
    "An extent that the file cannot hold is refused before memory is asked for",
    arguments: [0x7fff_ffff, 0x1_0000_0000, 0x7fff_ffff_ffff_ffff, -2])
  func absurdExtent(claimed: Int) throws {
    func little(_ number: Int) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    for isText in [false, true] {
      let image = try HDF5Writer()
      if isText {
        try image.write([String](repeating: "abc", count: 1237), at: "/v")
      } else {
        try image.write([Float](repeating: 1, count: 1237), shape: [1237], at: "/v")
      }
      var bytes = try image.bytes()
      // The dataspace message holds the length twice: now and at most.
      for start in 0..<(bytes.count - 8) where Array(bytes[start..<(start + 8)]) == little(1237) {
        bytes.replaceSubrange(start..<(start + 8), with: little(claimed))
      }
      let failure = #expect(throws: HDF5Failure.self) { _ = try HDF5Reader(bytes) }
      #expect(failure?.description.contains("/v") == true, "\(failure?.description ?? "")")
    }
  }

  @Test("Bytes that are no HDF5 file are refused")
  func foreignImage() {
    #expect(throws: HDF5Failure.self) { _ = try HDF5Reader(Array("not HDF5".utf8)) }
    #expect(throws: HDF5Failure.self) { _ = try HDF5Reader([]) }
  }

  @Test("More objects than fit one table of a group are all found")
  func manyMembers() throws {
    let image = try HDF5Writer()
    for index in 0..<300 { try image.write([index], shape: [1], at: "/group/\(index).value") }
    let file = try HDF5Reader(try image.bytes())
    for index in 0..<300 {
      #expect(try file.integers(at: "/group/\(index).value").values == [index])
    }
  }

  @Test("A changed byte is refused or leaves something to read: nothing traps")
  func changedBytes() throws {
    let image = try HDF5Writer()
    try image.write([1, 2, 3] as [Float], shape: [3], at: "/a/b")
    try image.write(["x", "yy"], at: "/a/c")
    let sound = try image.bytes()
    var generator = SeededGenerator(seed: 18)
    var refused = 0
    for position in sound.indices {
      var bytes = sound
      bytes[position] = UInt8.random(in: 0...255, using: &generator)
      do throws(HDF5Failure) {
        let file = try HDF5Reader(bytes)
        _ = try? file.floats(at: "/a/b")
        _ = try? file.strings(at: "/a/c", longest: 8)
      } catch {
        refused += 1
        #expect(!error.description.isEmpty)
      }
    }
    #expect(refused > 100)
    for length in 0..<sound.count {
      #expect(throws: HDF5Failure.self) { _ = try HDF5Reader(Array(sound[..<length])) }
    }
  }

  @Test("A group that is its own member is refused")
  func cycle() throws {
    let image = try HDF5Writer()
    try image.write([1], shape: [1], at: "/a/b")
    var bytes = try image.bytes()
    // The entry of /a in the root's table names its header; make it the root's own, at 96.
    let table = try #require(
      bytes.indices.dropLast(8).first { bytes[$0...].starts(with: Array("SNOD".utf8)) })
    bytes.replaceSubrange((table + 16)..<(table + 24), with: [96, 0, 0, 0, 0, 0, 0, 0])
    let failure = #expect(throws: HDF5Failure.self) { _ = try HDF5Reader(bytes) }
    #expect(failure?.description == "/a shares a part with something else in the file")
  }

  @Test("Strings longer than expected are refused before they are read")
  func longText() throws {
    let image = try HDF5Writer()
    try image.write([String(repeating: "a", count: 65)], at: "/label")
    let file = try HDF5Reader(try image.bytes())
    let failure = #expect(throws: HDF5Failure.self) { try file.strings(at: "/label", longest: 64) }
    #expect(
      failure?.description
        == "/label has room for strings of 65 bytes; at most 64 are read")
  }
}
