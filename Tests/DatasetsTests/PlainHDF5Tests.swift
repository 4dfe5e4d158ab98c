import Datasets
import Ink
import Support
import TestTools
import Testing

@Suite("HDF5 without our header")
struct PlainHDF5Tests {
  @Test("Drawings are read from HDF5 as other programs leave it, and nothing else is")
  func plain() throws {
    let folder = try TemporaryFolder()
    let drawings = [
      Drawing(
        id: "a", label: "star",
        strokes: [Stroke([Point(x: 1, y: 2, t: 3), Point(x: 4, y: 5, t: 6)])])
    ]
    try HDF5Drawings.write(drawings, to: folder.file("ours.h5"))
    let plain = Array(try AtomicFile.read(folder.file("ours.h5")).dropFirst(512))
    try AtomicFile.write(plain, to: folder.file("plain.h5"))
    #expect(try HDF5Drawings.read(folder.file("plain.h5")) == drawings)
    for count in [9, 100, plain.count - 1] {
      try AtomicFile.write(Array(plain.prefix(count)), to: folder.file("cut.h5"))
      #expect(throws: FileError.self) { try HDF5Drawings.read(folder.file("cut.h5")) }
    }
  }
}
