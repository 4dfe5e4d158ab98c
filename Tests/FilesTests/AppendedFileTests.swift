import Foundation
import TestTools
import Testing

@testable import Files

@Suite("Files that grow")
struct AppendedFileTests {
  @Test("What is appended follows what is there; a line that was cut off ends first")
  func appending() throws {
    let folder = try TemporaryFolder()
    let path = try folder.put("one\ntw", "log")
    let file = try AppendedFile(path)
    try file.endLine()
    try file.endLine()
    try file.append(Array("three\n".utf8))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\ntw\nthree\n")
    // Another program's lines are not written over.
    try AppendedFile(path).append(Array("four\n".utf8))
    try file.append(Array("five\n".utf8))
    #expect(
      try String(contentsOfFile: path, encoding: .utf8) == "one\ntw\nthree\nfour\nfive\n")
    #expect(throws: FileError("write", path: path, reason: .system(code: EEXIST))) {
      try AppendedFile(path, isNew: true)
    }
  }

  @Test("What is cut off is gone, and what is not there cannot be kept")
  func truncating() throws {
    let folder = try TemporaryFolder()
    let path = try folder.put("abcdef", "log")
    let file = try AppendedFile(path)
    try file.truncate(to: 2)
    try file.append(Array("x".utf8))
    try file.sync()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "abx")
    let long = FileError("read", path: path, reason: .wrongLength(expected: 4, actual: 3))
    #expect(throws: long) { try file.truncate(to: 4) }
  }

  @Test("A file is read anywhere, and not beyond its end")
  func anywhere() throws {
    let folder = try TemporaryFolder()
    let path = try folder.put("abcdef", "log")
    let file = try RandomAccessFile(path)
    #expect(try file.read(3, at: 2) == Array("cde".utf8))
    #expect(try file.read(0, at: 6).isEmpty)
    #expect(throws: FileError("read", path: path, reason: .wrongLength(expected: 7, actual: 6))) {
      try file.read(2, at: 5)
    }
    try AppendedFile(path).truncate(to: 4)
    #expect(throws: FileError("read", path: path, reason: .wrongLength(expected: 6, actual: 4))) {
      try file.read(3, at: 3)
    }
    let folderError = #expect(throws: FileError.self) { try RandomAccessFile(folder.path) }
    #expect(folderError?.description.contains("not a file") == true)
  }
}
