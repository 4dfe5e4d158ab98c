import CLibrary
import TestTools
import Testing

@testable import Files

@Suite("Folders on their way")
struct AtomicFolderTests {
  /// Writes a file of the given name into each temporary folder.
  private func fill(_ name: String) -> ([String]) throws(FileError) -> Int {
    { places throws(FileError) in
      for place in places { try AtomicFile.write("new", to: "\(place)/\(name)") }
      return places.count
    }
  }

  @Test("New and empty folders are filled; what a killed process left in them goes")
  func newAndEmpty() throws {
    let folder = try TemporaryFolder()
    try folder.put("half", "empty/.drawml-1-1.tmp")
    let paths = [folder.file("new"), folder.file("empty"), folder.file("slash/")]
    #expect(try AtomicFolder.write(paths, fill("a")) == 3)
    #expect(try FolderListing.names(in: folder.path) == ["empty", "new", "slash"])
    #expect(try FolderListing.names(in: folder.file("new")) == ["a"])
    #expect(try FolderListing.names(in: folder.file("slash")) == ["a"])
    #expect(try FolderListing.names(in: folder.file("empty")) == ["a"])
  }

  @Test("An error leaves the folders as they were, and names the file by its place to be")
  func failure() throws {
    let folder = try TemporaryFolder()
    try AtomicFile.makeFolder(folder.file("empty"))
    let paths = [folder.file("new"), folder.file("empty")]
    let error = #expect(throws: FileError.self) {
      try AtomicFolder.write(paths) { places throws(FileError) in
        try AtomicFile.write("new", to: "\(places[1])/a")
        try AtomicFile.write("new", to: "\(places[1])/none/b")
      }
    }
    #expect(error?.path == folder.file("empty/none/b"))
    #expect(try folder.contents == ["empty"])
    #expect(try FolderListing.names(in: folder.file("empty")) == [])
  }

  @Test("Where a folder appears meanwhile, it stays, and no other is left")
  func obstacle() throws {
    let folder = try TemporaryFolder()
    let first = folder.file("first")
    for name in ["new", "empty"] {
      if name == "empty" { try AtomicFile.makeFolder(folder.file(name)) }
      let error = #expect(throws: FileError.self) {
        try AtomicFolder.write([first, folder.file(name)]) { places throws(FileError) in
          for place in places { try AtomicFile.write("new", to: "\(place)/a") }
          try AtomicFile.makeFolder(folder.file(name))
          try AtomicFile.write("theirs", to: folder.file("\(name)/a"))
        }
      }
      #expect(error?.path == folder.file(name))
      #expect(!AtomicFile.exists(first))
      #expect(try FolderListing.names(in: folder.file(name)) == ["a"])
      #expect(try AtomicFile.read(folder.file("\(name)/a")) == Array("theirs".utf8))
    }
  }

  @Test("What is not finished is in no listing of files")
  func listing() throws {
    let folder = try TemporaryFolder()
    for name in ["a/1", ".drawml-1-1.tmp/2", "a/.drawml-1-2.tmp", ".drawml/3"] {
      try folder.put("x", name)
    }
    #expect(try FolderListing.files(below: folder.path) == [".drawml/3", "a/1"])
  }

  @Test("A file, a link and a folder with something in it are refused before anything is written")
  func refused() throws {
    let folder = try TemporaryFolder()
    try folder.put("mine", "full/note.txt")
    #expect(unsafe symlink(folder.path, folder.file("link")) == 0)
    for name in ["full", "full/note.txt", "link"] {
      #expect(throws: FileError.self) {
        try AtomicFolder.write([folder.file("new"), folder.file(name)], fill("a"))
      }
    }
    #expect(try folder.contents == ["full", "link"])
  }

  @Test("What ends the process removes folders that are not finished, with what is in them")
  func abandoned() async throws {
    await #expect(processExitsWith: .exitCode(7)) {
      let folder = try TemporaryFolder()
      _ = try AtomicFolder.write([folder.file("new")]) { places throws(FileError) -> Int in
        try AtomicFile.write("new", to: "\(places[0])/a")
        _ = try PendingFile(path: "\(places[0])/b")
        PendingFile.abandonAll {
          exit((try? folder.contents) == [] ? 7 : 1)
        }
      }
    }
  }
}
