import Foundation
import Glibc
import TestTools
import Testing

@testable import Files

@Suite("Temporary files of killed processes")
struct TemporaryFilesTests {
  @Test("A sweep removes what no process holds, and nothing else")
  func sweep() throws {
    let folder = try TemporaryFolder()
    let left = [
      ".drawml-1-1.tmp", ".drawml-\(getpid())-7.tmp", ".drawml-1-2.tmp/deep/file",
      ".drawml-new.tmp-journal",
    ]
    let others = [".drawml-backup", "drawml-1-1.tmp", "m.drawml", ".drawml-1.tmp.txt"]
    for name in left + others { try folder.put("half", name) }
    #expect(unsafe symlink(folder.file("m.drawml"), folder.file(".drawml-link.tmp")) == 0)
    var file = try PendingFile(path: folder.file("new"))
    try file.append([1, 2, 3])
    let inside = try PrivateTemporaryFolder(in: folder.path)
    TemporaryFiles.sweep(folder.path)
    let names = try folder.contents.filter { !$0.hasPrefix(".drawml-\(getpid())-") }
    #expect(names.sorted() == (others + [".drawml-link.tmp"]).sorted())
    try AtomicFile.write("whole", to: inside.path + "/x")
    try file.finish()
    #expect(try AtomicFile.read(folder.file("new")) == [1, 2, 3])
  }

  @Test("Reading and writing in a folder sweep it", arguments: ["read", "write"])
  func next(use: String) throws {
    let folder = try TemporaryFolder()
    try folder.put("half", ".drawml-1-1.tmp")
    try folder.put("whole", "a")
    if use == "read" {
      #expect(try AtomicFile.read(folder.file("a")) == Array("whole".utf8))
    } else {
      try AtomicFile.write("more", to: folder.file("b"))
    }
    #expect(try !folder.contents.contains(".drawml-1-1.tmp"))
  }

  @Test("A new folder takes the place of nothing, of an empty folder, and of nothing else")
  func newFolder() throws {
    let folder = try TemporaryFolder()
    try AtomicFile.makeFolder(folder.file("empty"))
    #expect(unsafe symlink("empty", folder.file("link")) == 0)
    for name in ["new", "slash/", "link"] {
      guard let new = NewFolder(at: folder.file(name)) else {
        Issue.record("\(name) is refused")
        continue
      }
      try AtomicFile.write("x", to: new.path + "/a")
      let isFinished = new.finish()
      #expect(isFinished)
      #expect(try AtomicFile.read(folder.file(name) + "/a") == Array("x".utf8))
    }
    #expect(AtomicFile.isLink(folder.file("link")))
    try folder.put("mine", "full/note.txt")
    for name in ["full", "full/note.txt", "nowhere/new"] {
      if NewFolder(at: folder.file(name)) != nil { Issue.record("\(name) is taken") }
    }
    // Somebody is faster.
    if let late = NewFolder(at: folder.file("late")) {
      try folder.put("theirs", "late/b")
      let isFinished = late.finish()
      #expect(!isFinished)
    }
    #expect(try folder.contents.sorted() == ["empty", "full", "late", "link", "new", "slash"])
    #expect(try FolderListing.names(in: folder.file("late")) == ["b"])
  }
}
