import Foundation
import Glibc
import TestTools
import Testing

@testable import Files

@Suite("Files on their way")
struct PendingFileTests {
  @Test("Two writers of one path at the same time do not meet; the last to finish stays, whole")
  func twoWriters() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a")
    var one = try PendingFile(path: path)
    var other = try PendingFile(path: path)
    try one.append([UInt8](repeating: 1, count: 3_000_000))
    try other.append([UInt8](repeating: 2, count: 1000))
    try one.finish()
    #expect(try AtomicFile.read(path) == [UInt8](repeating: 1, count: 3_000_000))
    try other.finish()
    #expect(try AtomicFile.read(path) == [UInt8](repeating: 2, count: 1000))
    #expect(try folder.contents == ["a"])
  }

  @Test("Many tasks that write one path leave what one of them wrote")
  func manyWriters() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          for _ in 0..<10 {
            try AtomicFile.write([UInt8](repeating: UInt8(number), count: 4000), to: path)
          }
        }
      }
      try await group.waitForAll()
    }
    let bytes = try AtomicFile.read(path)
    #expect(bytes.count == 4000)
    #expect(Set(bytes).count == 1)
    #expect(try folder.contents == ["a"])
  }

  @Test("A file that another program changes under its lock is replaced when that is done")
  func locked() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.put("old", "a")
    // The lock of another program, of which this process knows nothing.
    let other = open(path, O_RDONLY)
    try #require(flock(other, LOCK_EX) == 0)
    let written = DispatchGroup()
    DispatchQueue.global().async(group: written) { try? AtomicFile.write("new", to: path) }
    while try folder.contents.count < 2 { usleep(1000) }
    usleep(50_000)
    #expect(try AtomicFile.read(path) == Array("old".utf8))
    close(other)
    await withCheckedContinuation { (go: CheckedContinuation<Void, Never>) in
      written.notify(queue: .global()) { go.resume() }
    }
    #expect(try AtomicFile.read(path) == Array("new".utf8))
    #expect(try folder.contents == ["a"])
  }

  @Test("A file that was read is not replaced where another program has changed it since")
  func changedMeanwhile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.put("old", "a")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: "a")
    let replacement = Replacement(of: path, reading: [folder.file("b"), folder.file("link")])
    #expect(Replacement(of: path, reading: [folder.file("b")]) == .any)
    try AtomicFile.write("theirs", to: path)
    let error = #expect(throws: FileError.self) {
      try AtomicFile.write(Array("ours".utf8), to: path, replacing: replacement)
    }
    #expect(
      error?.description
        == "cannot write \(path): another program has changed it since it was read; read it again, "
        + "or choose another name")
    #expect(try AtomicFile.read(path) == Array("theirs".utf8))
    // In place, of the same length.
    let second = Replacement(of: path, reading: [path])
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    usleep(20_000)
    try file.write(contentsOf: Array("THEIRS".utf8))
    #expect(throws: FileError.self) {
      try AtomicFile.write(Array("ours".utf8), to: path, replacing: second)
    }
    let third = Replacement(of: path, reading: [path])
    try AtomicFile.write(Array("ours".utf8), to: path, replacing: third)
    AtomicFile.remove(path)
    try AtomicFile.write(Array("again".utf8), to: path, replacing: third)
    #expect(try folder.contents == ["a", "link"])
  }

  @Test("A full disk is an error, and the file is as it was")
  func fullDisk() throws {
    let folder = try TemporaryFolder()
    let path = try folder.put("old", "a")
    var file = try PendingFile(path: path)
    // From here on the file beside is /dev/full, which refuses every write.
    let full = open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    dup2(full, file.descriptor)
    close(full)
    var reason: FileError.Reason?
    do throws(FileError) {
      try file.append([UInt8](repeating: 1, count: 10))
      try file.finish()
    } catch { reason = error.reason }
    #expect(reason == .system(code: ENOSPC))
    #expect(try AtomicFile.read(path) == Array("old".utf8))
    #expect(try folder.contents == ["a"])
  }

  @Test("A link that leads nowhere is neither replaced nor followed")
  func linkToNowhere() throws {
    let folder = try TemporaryFolder()
    let link = folder.file("link")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: folder.file("gone"))
    let error = #expect(throws: FileError.self) { try AtomicFile.write("x", to: link) }
    #expect(error?.description.contains("it is a broken link") == true)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: link) == folder.file("gone"))
    #expect(!AtomicFile.exists(folder.file("gone")))
  }

  @Test("A symbolic link stays one, and the file that it names is replaced")
  func symbolicLink() throws {
    let folder = try TemporaryFolder()
    try folder.put("old", "real/m")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: "real/m")
    try AtomicFile.write("new", to: folder.file("link"))
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link")) == "real/m")
    #expect(try AtomicFile.read(folder.file("real/m")) == Array("new".utf8))
  }

  @Test("Under a name that the program made up, a link or a pipe is replaced and left alone")
  func madeUpName() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("made-up")
    try AtomicFile.write("old", to: folder.file("victim"))
    for target in ["victim", "gone", "made-up"] {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
      try AtomicFile.write(Array("new".utf8), to: path, replacesLinks: true)
      #expect(!AtomicFile.isLink(path))
      #expect(try AtomicFile.read(path) == Array("new".utf8))
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(mkfifo(path, 0o600) == 0)
    try AtomicFile.write(Array("new".utf8), to: path, replacesLinks: true)
    #expect(try AtomicFile.read(path) == Array("new".utf8))
    #expect(try AtomicFile.read(folder.file("victim")) == Array("old".utf8))
    #expect(try folder.contents == ["made-up", "victim"])
    let error = #expect(throws: FileError.self) {
      try AtomicFile.write([], to: folder.file("."), replacesLinks: true)
    }
    #expect(error?.reason == .system(code: EISDIR))
  }

  @Test("A replaced file keeps its mode", arguments: [0o600, 0o664, 0o755])
  func mode(mode: Int) throws {
    let folder = try TemporaryFolder()
    let path = try folder.put("old", "a")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    try AtomicFile.write("new", to: path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == mode)
  }

  @Test("A name as long as the file system allows can be written")
  func longName() throws {
    let folder = try TemporaryFolder()
    let path = folder.file(String(repeating: "n", count: 255))
    try AtomicFile.requireWritable(path)
    try AtomicFile.write("x", to: path)
    #expect(try AtomicFile.read(path) == [UInt8(ascii: "x")])
  }

  @Test("A device is written, not replaced by a file")
  func device() throws {
    try AtomicFile.requireWritable("/dev/null")
    try AtomicFile.write("x", to: "/dev/null")
    var information = stat()
    #expect(stat("/dev/null", &information) == 0)
    #expect(information.st_mode & S_IFMT == S_IFCHR)
    let error = #expect(throws: FileError.self) { try AtomicFile.write("x", to: "/dev/full") }
    #expect(error?.reason == .system(code: ENOSPC))
  }

  @Test("A process that is ended removes what it has not finished")
  func abandoned() async throws {
    let folder = try TemporaryFolder()
    try AtomicFile.write("old", to: folder.file("kept"))
    await #expect(processExitsWith: .exitCode(7)) { [path = folder.path as String] in
      var file = try PendingFile(path: path + "/kept")
      try file.append([1, 2, 3])
      _ = try PendingFile(path: path + "/other")
      PendingFile.abandonAll { exit(7) }
    }
    #expect(try folder.contents == ["kept"])
    #expect(try AtomicFile.read(folder.file("kept")) == Array("old".utf8))
  }

  @Test("No path at all and a folder are refused, before long work too")
  func notAFile() throws {
    let folder = try TemporaryFolder()
    for (path, code) in [("", ENOENT), (folder.path, EISDIR)] {
      let expected = FileError("write", path: path, reason: .system(code: code))
      #expect(throws: expected) { try AtomicFile.requireWritable(path) }
      #expect(throws: expected) { try AtomicFile.write("x", to: path) }
    }
  }
}
