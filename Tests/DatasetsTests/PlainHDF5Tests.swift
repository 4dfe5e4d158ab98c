import Datasets
import Files
import Ink
import Numbers
import TestTools
import Testing
import Text

/// The fixtures are made by `scripts/make-hdf5-variants`.
@Suite("HDF5 without our header")
struct PlainHDF5Tests {
  /// What all fixtures hold.
  private let drawings = [
    Drawing(
      id: "a", label: "star",
      strokes: [
        Stroke([Point(x: 1, y: 10, t: 0), Point(x: 2.5, y: 20, t: 8)]),
        Stroke([Point(x: 3, y: 30, t: 16)]),
      ], canvas: .init(width: 100, height: 50), shapes: [.init(strokes: [0, 1], label: "star")],
      wasGuessed: true),
    Drawing(id: "ü", strokes: [Stroke([Point(x: 4, y: 40), Point(x: 5, y: 50)])]),
  ]

  @Test(
    "Sets are read in the forms that h5py gives them",
    arguments: [
      "as-h5py-writes-lists", "texts-padded-with-spaces", "float16",
      "float32-big-endian-int16-big-endian", "compact", "chunked",
      "gzip-shuffle-checksum-small-chunks", "attributes", "further-datasets-groups-and-links",
      "libver-latest", "libver-v108", "libver-latest-gzip-small-chunks",
      "libver-latest-room-to-grow", "libver-latest-room-to-grow-allocated-early",
      "groups-with-several-names", "user-block",
    ])
  func forms(name: String) throws {
    #expect(try HDF5Drawings.read(fixture("hdf5/\(name).h5")) == drawings)
  }

  @Test("Canvases, times, guesses and shapes may be left out")
  func needed() throws {
    let bare = drawings.map { drawing in
      Drawing(
        id: drawing.id, label: drawing.label,
        strokes: drawing.strokes.map { Stroke($0.points.map { Point(x: $0.x, y: $0.y) }) })
    }
    #expect(try HDF5Drawings.read(fixture("hdf5/only-what-is-needed.h5")) == bare)
  }

  @Test(
    "What is not read is named, with what to write instead",
    arguments: [
      ("lzf", "compressed in a way that is not read; write it with compression='gzip'"),
      ("libver-latest-may-grow", "is resizable with an index of chunks that is not read"),
      ("libver-latest-more-than-eight-members", "write the file without libver='latest'"),
      ("a-link-to-another-file", "/points/x is a link to another place"),
      ("a-billion-texts-never-written", "/ids would unpack to more than 8 MiB and 8 times"),
      ("many-small-values", "/labels would unpack to more than 8 MiB and 8 times its size, where"),
    ])
  func refused(name: String, reason: String) throws {
    let error = refusal { try HDF5Drawings.read(fixture("hdf5/\(name).h5")) }
    #expect(error.contains(reason), "\(error)")
  }

  @Test("Any byte that changes is refused or leaves drawings: nothing traps")
  func changedBytes() throws {
    var generator = SeededGenerator(seed: 6)
    let folder = try TemporaryFolder()
    for name in ["as-h5py-writes-lists", "gzip-shuffle-checksum-small-chunks", "libver-latest"] {
      let sound = try AtomicFile.read(fixture("hdf5/\(name).h5"))
      for _ in 0..<150 {
        var bytes = sound
        for _ in 0...generator.integer(below: 3) {
          bytes[generator.integer(below: bytes.count)] = UInt8(generator.integer(below: 256))
        }
        try AtomicFile.write(bytes, to: folder.file("a.h5"))
        _ = try? HDF5Drawings.read(folder.file("a.h5"))
      }
    }
  }

  @Test("A set of ours that h5py changed says so, and how to copy it out; a damaged one too")
  func touched() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("it's.h5")
    try HDF5Drawings.write(drawings, to: path)
    let word = "'" + folder.file("it'\\''s.h5") + "'"
    let ours = try AtomicFile.read(path)
    var changed = ours
    changed[ours.count - 1] ^= 1
    for bytes in [changed, ours + [0, 0]] {
      try AtomicFile.write(bytes, to: path)
      let error = refusal { try HDF5Drawings.read(path) }
      #expect(error.contains("if h5py changed it on purpose, copy what it holds"))
      // A file that is there already is kept.
      #expect(error.contains("b = h5py.File(sys.argv[2], 'x');"))
      #expect(error.contains("[a.copy(name, b) for name in a]\" \(word) copy.h5; if not,"))
    }
    try AtomicFile.write(Array(ours.dropLast()), to: path)
    #expect(refusal { try HDF5Drawings.read(path) }.contains("it is truncated"))
  }

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
