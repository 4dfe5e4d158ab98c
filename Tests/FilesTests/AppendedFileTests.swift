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
}
