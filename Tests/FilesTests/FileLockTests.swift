import Files
import Foundation
import TestTools
import Testing

@Suite("Locks of files")
struct FileLockTests {
  @Test("Who reads, changes and replaces a file under its lock loses nobody else's change")
  func counting() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.put("0", "count")
    // Threads, not tasks: each waits for the lock in the system.
    let finished = DispatchGroup()
    for _ in 0..<4 {
      Thread.detachNewThread(in: finished) {
        for _ in 0..<25 {
          guard let lock = try? FileLock(path: path), let bytes = try? AtomicFile.read(path),
            let count = Int(String(decoding: bytes, as: UTF8.self))
          else { return }
          try? AtomicFile.write("\(count + 1)", to: path)
          withExtendedLifetime(lock) {}
        }
      }
    }
    await withCheckedContinuation { (go: CheckedContinuation<Void, Never>) in
      finished.notify(queue: .global()) { go.resume() }
    }
    #expect(try AtomicFile.read(path) == Array("100".utf8))
  }

  @Test("A file that is not there cannot be locked, and is not made")
  func missing() {
    #expect(
      throws: FileError("read", path: "/nowhere/a", reason: .system(code: ENOENT))
    ) {
      _ = try FileLock(path: "/nowhere/a")
    }
  }

  @Test("A pipe is no file to change: waiting for its end would never end")
  func pipe() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let error = #expect(throws: FileError.self) { _ = try FileLock(path: path) }
    #expect(
      error?.description
        == "cannot change \(path): it is a pipe or a device, not a file")
  }

  @Test(
    "Without waiting, a lock that someone holds is not taken; a free one is, file or no file"
  )
  func withoutWaiting() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("lock")
    func isFree() throws -> Bool {
      guard let lock = try FileLock(ifFree: path, creating: true) else { return false }
      withExtendedLifetime(lock) {}
      return true
    }
    #expect(throws: FileError("read", path: path, reason: .system(code: ENOENT))) {
      _ = try FileLock(ifFree: path)
    }
    #expect(try isFree())
    #expect(AtomicFile.exists(path))
    do {
      let lock = try FileLock(path: path, creating: true)
      #expect(try !isFree())
      withExtendedLifetime(lock) {}
    }
    #expect(try isFree())
  }

  @Test("A lock that is made does not make a file where a link leads")
  func link() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("lock"), withDestinationPath: folder.file("gone"))
    #expect(throws: FileError.self) { _ = try FileLock(path: folder.file("lock"), creating: true) }
    #expect(!AtomicFile.exists(folder.file("gone")))
  }
}

extension Thread {
  /// Runs `work` on a thread of its own, which the group waits for.
  fileprivate static func detachNewThread(
    in group: DispatchGroup, _ work: @escaping @Sendable () -> Void
  ) {
    group.enter()
    detachNewThread {
      work()
      group.leave()
    }
  }
}
