import Foundation
import HDF5
import Numbers
import Pictures
import TestTools
import Testing

@testable import Files

@Suite("Files")
struct FilesTests {
  @Test("A write replaces the whole file and leaves nothing beside it")
  func atomicWrite() throws {
    let folder = try TemporaryFolder()
    let path = try folder.put("one", "a.txt")
    try AtomicFile.write("two two", to: path)
    #expect(try AtomicFile.read(path) == Array("two two".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.txt"])
  }

  @Test("What an open descriptor leads to is written on, not replaced")
  func descriptors() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.txt")
    let output = open(path, O_WRONLY | O_CREAT, 0o600)
    defer { close(output) }
    for place in ["/dev/fd/\(output)", "/proc/self/fd/\(output)"] {
      try AtomicFile.requireWritable(place)
      #expect(AtomicFile.isDevice(place))
      try AtomicFile.write("one,", to: place)
      #expect(write(output, "two,", 4) == 4)
    }
    #expect(try AtomicFile.read(path) == Array("one,two,one,two,".utf8))
  }

  @Test("A write into a folder that is not there names the file and what to do")
  func missingFolder() {
    let error = #expect(throws: FileError.self) {
      try AtomicFile.write("x", to: "/nowhere/at/all.txt")
    }
    #expect(
      error?.description
        == """
        cannot write /nowhere/at/all.txt: No such file or directory; make its folder first, or \
        check the path
        """
    )
  }

  @Test("What may not be read is told otherwise than what may not be written")
  func forbidden() {
    for (operation, advice) in [
      ("read", "check its permissions, and those of its folder"),
      ("write", "choose a folder you may write to, or change its permissions"),
    ] {
      let error = FileError(operation, path: "f", reason: .system(code: EACCES))
      #expect(error.description.hasSuffix("; \(advice)"))
    }
  }

  @Test("A command that reads only files says so when it is given standard input")
  func noStandardInput() {
    let error = FileError("read", path: "-", reason: .system(code: ENOENT))
    #expect(
      error.description == "cannot read -: No such file or directory; this is read from a file, "
        + "not from standard input")
    let other = FileError("read", path: "-", reason: .system(code: EIO))
    #expect(other.description == "cannot read standard input: Input/output error")
  }

  @Test("Lines are those between line feeds, whatever the block size")
  func lines() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("lines")
    var generator = SeededGenerator(seed: 5)
    let expected = (0..<300).map { index in
      String(repeating: "\(index % 10)", count: generator.integer(below: 4000))
    }
    try AtomicFile.write(expected.joined(separator: "\n"), to: path)
    var reader = try LineReader(path: path)
    var found: [String] = []
    while let line = try reader.next() { found.append(String(decoding: line, as: UTF8.self)) }
    #expect(found == expected)
    #expect(reader.lineNumber == 300)
  }

  @Test("A line over the limit throws with its number, and the next call goes on behind it")
  func longLine() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("lines")
    let long = String(repeating: "x", count: 600_000)
    try AtomicFile.write("a\n\(long)\nb", to: path)
    var reader = try LineReader(path: path, limit: 1000)
    #expect(try reader.next() == [UInt8(ascii: "a")])
    var error: FileError?
    do { _ = try reader.next() } catch let found { error = found }
    #expect(error?.reason == .lineTooLong(line: 2, limit: 1000))
    #expect(try reader.next() == [UInt8(ascii: "b")])
    #expect(try reader.next() == nil)
  }

  @Test("Lines taken where they stand and lines given are together all lines, once and in order")
  func takenLines() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("lines")
    var generator = SeededGenerator(seed: 6)
    let expected = (0..<600).map { index in
      "\(index):" + String(repeating: "x", count: generator.integer(below: 1500))
    }
    for isClosed in [true, false] {
      try AtomicFile.write(expected.joined(separator: "\n") + (isClosed ? "\n" : ""), to: path)
      var reader = try LineReader(path: path, limit: 1400)
      var found: [String] = []
      var takenCount = 0
      while true {
        let wants = generator.chance(0.7)
        var line = ""
        let isTaken = reader.take { bytes, unread in
          // Not all that is unread: that would be copied for every line.
          let text = unread.prefix(1600).map {
            unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self)
          }
          guard wants, let end = text.firstIndex(of: 0x0a) else { return 0 }
          line = String(decoding: text[..<end], as: UTF8.self)
          return end + 1
        }
        if isTaken {
          takenCount += 1
          found.append(line)
          #expect(reader.lineNumber == found.count)
          continue
        }
        do throws(FileError) {
          guard let given = try reader.next() else { break }
          found.append(String(decoding: given, as: UTF8.self))
        } catch {
          #expect(error.reason == .lineTooLong(line: found.count + 1, limit: 1400))
          found.append(expected[found.count])
          #expect(expected[found.count - 1].utf8.count > 1400)
        }
      }
      #expect(found == expected)
      #expect(takenCount > 300)
    }
  }

  @Test("SHA-256 of the standard's example")
  func digest() {
    // FIPS 180-4's example "abc".
    #expect(
      Fingerprint.sha256(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test("A sealed file tells foreign, truncated, changed, longer and newer files apart")
  func sealed() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("m")
    let format = SealedFile(kind: "DrawML test", version: 2)
    let payload = (0..<1000).map { UInt8($0 % 251) }
    try format.write(payload, to: path)
    #expect(try format.read(path) == payload)
    let sound = try AtomicFile.read(path)

    func reason(_ bytes: [UInt8]) throws -> FileError.Reason? {
      try AtomicFile.write(bytes, to: path)
      do {
        _ = try format.read(path)
        return nil
      } catch { return error.reason }
    }
    #expect(try reason(Array("hello".utf8)) == .foreign(expected: "DrawML test"))
    #expect(try reason([]) == .foreign(expected: "DrawML test"))
    #expect(try reason(Array(sound.dropLast())) == .wrongLength(expected: 1512, actual: 1511))
    #expect(try reason(sound + [0]) == .wrongLength(expected: 1512, actual: 1513))
    var changed = sound
    changed[900] ^= 1
    #expect(try reason(changed) == .checksum)
    let newer = SealedFile(kind: "DrawML test", version: 3).seal(payload)
    #expect(try reason(newer) == .newerVersion(found: 3, supported: 2))
    let zero = SealedFile(kind: "DrawML test", version: 0).seal(payload)
    #expect(try reason(zero) == .malformed("its header has format version 0"))
    // The header is under no checksum: a length that no sum can take is no length.
    let absurd = "DrawML test\nversion 1\nlength \(Int.max)\nsha256 0\n"
    #expect(
      try reason(Array(absurd.utf8)) == .malformed("its header lacks a number"))
    // Every cut is refused, wherever it falls.
    for length in stride(from: 0, to: sound.count, by: 37) {
      #expect(try reason(Array(sound[..<length])) != nil)
    }
  }
}

@Suite("Errors for people")
struct DescribedErrorTests {
  @Test("Foundation shows what an error says of itself")
  func localized() {
    let error: any Error = FileError("read", path: "a.json", reason: .checksum)
    #expect(
      error.localizedDescription
        == "cannot read a.json: its checksum does not match, so some bytes changed; copy it again")
  }
}

@Suite("What is no regular file")
struct SpecialFilesTests {
  /// What has no end, as the system makes it up: a device, and a file that says that it is empty.
  private static let neverEnding = ["/dev/zero", "/proc/self/pagemap"]

  @Test("What never ends is refused after 64 MiB, whoever reads it", arguments: neverEnding)
  func endless(path: String) throws {
    let expected = FileError(
      "read", path: path,
      reason: .malformed("its length is unknown, and it is longer than 64 MiB"))
    #expect(throws: expected) { _ = try AtomicFile.read(path) }
  }

  @Test("A sealed file that never ends is refused, too")
  func endlessSealed() throws {
    #expect(throws: FileError.self) {
      var file = try OpenFile("/dev/zero")
      _ = try PinnedBytes(file.read(first: 512), then: &file)
    }
  }

  @Test("Lines pass by: a device may go on for ever, a file that says it is empty may not")
  func endlessLines() throws {
    // Its first line never ends; the reader forgets it and looks for the next one.
    var lines = try LineReader(path: "/proc/self/pagemap", limit: 1 << 10)
    #expect(throws: FileError.self) { _ = try lines.next() }
    #expect(throws: FileError.self) { while try lines.next() != nil {} }
    var device = try OpenFile("/dev/zero", asStream: true)
    var block = [UInt8](repeating: 1, count: 1 << 20)
    for _ in 0...64 { #expect(try device.read(&block) == 1 << 20) }
  }

  @Test("A file that is larger than memory is refused by its header, or by its size")
  func sparse() throws {
    let folder = try TemporaryFolder()
    let path = try folder.put("DrawML test\nversion 1\nlength 7\nsha256 0\n", "large.drawml")
    #expect(truncate(path, 1 << 42) == 0)
    let file = SealedFile(kind: "DrawML test", version: 1)
    #expect(
      throws: FileError(
        "read", path: path, reason: .wrongLength(expected: 519, actual: 1 << 42))
    ) { try file.read(path) }
    #expect(
      throws: FileError(
        "read", path: path,
        reason: .malformed("it has 4,398,046,511,104 bytes; at most 2 GiB are read at once"))
    ) { try AtomicFile.read(path) }
  }

  @Test("A sealed file that could not be read again for its length is not written")
  func tooLong() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("m")
    let format = SealedFile(kind: "DrawML test", version: 1, limit: 1 << 20)
    let most = [UInt8](repeating: 7, count: 1 << 20 - SealedFile.headerLength)
    try format.write(most, to: path)
    #expect(
      throws: FileError(
        "write", path: path,
        reason: .malformed("it has 1,048,577 bytes; at most 1 MiB are read at once"))
    ) { try format.write(most + [7], to: path) }
    #expect(try format.read(path) == most)
  }

  @Test("What is appended to a file while it is read is not read")
  func growing() throws {
    let folder = try TemporaryFolder()
    let path = try folder.put("one\n", "log")
    var lines = try LineReader(path: path)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Array("two\n".utf8))
    #expect(try lines.nextText() == "one")
    #expect(try lines.nextText() == nil)
  }

  @Test("A folder's listing leaves pipes out")
  func pipes() throws {
    let folder = try TemporaryFolder()
    try AtomicFile.write("a", to: folder.file("a.ndjson"))
    #expect(mkfifo(folder.file("b.ndjson"), 0o600) == 0)
    #expect(try FolderListing.files(below: folder.path) == ["a.ndjson"])
  }
}

@Suite("Bytes and pictures")
struct ContainersTests {
  private func steady(_ path: String) throws -> PinnedBytes {
    var file = try OpenFile(path)
    return try PinnedBytes(file.read(first: 100), then: &file)
  }

  @Test(
    "Bytes that stay are those of the file, also where it does not say how many it has",
    arguments: [0, 1, 511, 4096, 70_000])
  func steady(count: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try AtomicFile.write(bytes, to: folder.file("a"))
    let read = try steady(folder.file("a"))
    #expect(read.count == count)
    #expect(read.array() == bytes)
    #expect(read.array(from: count / 2) == Array(bytes[(count / 2)...]))
    let copy = PinnedBytes(bytes)
    #expect(copy.array() == bytes)
    // What the system makes up has no size.
    let version = try steady("/proc/version")
    #expect(version.array() == (try AtomicFile.read("/proc/version")))
    #expect(version.count > 10)
    let (missing, whole) = (folder.file("none"), folder.path)
    #expect(throws: FileError.self) { _ = try steady(missing) }
    #expect(throws: FileError.self) { _ = try steady(whole) }
  }

  @Test("Texts in a PNG file are left out before it is read; what says how colors look is kept")
  func pngTexts() throws {
    let bytes = try PNG.encode([0, 50, 100, 150], width: 2, height: 2, as: .gray)
    // Behind the header, which has 25 bytes after the signature's 8.
    func with(_ name: String) -> [UInt8] {
      bytes[..<33] + [0, 0, 0, 4] + name.utf8 + [1, 2, 3, 4, 5, 6, 7, 8] + bytes[33...]
    }
    for name in ["zTXt", "iTXt", "tEXt", "tIME", "abCd"] {
      #expect(PNG.essential(with(name)) == bytes, "\(name)")
      #expect(try PNG.decode(with(name), as: .gray).values == [0, 50, 100, 150])
    }
    for name in ["gAMA", "iCCP", "tRNS", "IDAT", "ABCD"] {
      #expect(PNG.essential(with(name)) == with(name), "\(name)")
    }
    #expect(PNG.essential(with("zTXt") + [0, 0]) == bytes + [0, 0])
    #expect(PNG.essential(Array(bytes.prefix(40))) == Array(bytes.prefix(40)))
    #expect(PNG.essential([]) == [])
  }

  @Test("Pictures survive PNG unchanged", arguments: [PNG.Pixels.gray, .rgba])
  func png(pixels: PNG.Pixels) throws {
    var generator = SeededGenerator(seed: 3)
    let values = (0..<(5 * 7 * pixels.channels)).map { _ in UInt8(generator.integer(below: 256)) }
    let bytes = try PNG.encode(values, width: 5, height: 7, as: pixels)
    let picture = try PNG.decode(bytes, as: pixels)
    #expect(picture.values == values)
    #expect(picture.width == 5)
    #expect(picture.height == 7)
    #expect(throws: PNG.Failure.self) { try PNG.decode(Array(bytes.prefix(40)), as: pixels) }
  }
}
