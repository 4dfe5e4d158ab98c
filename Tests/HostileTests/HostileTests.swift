import Datasets
import Files
import Foundation
import Fuzzing
import Glibc
import HDF5
import Ink
import NeuralNetwork
import Numbers
import Pictures
import Recognition
import StudioFuzzing
import TestTools
import Testing
import Training

/// The path of a file or folder in `Tests/Hostile`.
private func hostile(_ name: String) -> String { "\(Repository.path)/Tests/Hostile/\(name)" }

/// Every file that ever crashed, hung or bloated a reader lies in `Tests/Hostile/<reader>`, and is
/// read again here: what ends this process fails the tests. `scripts/fuzz` finds new ones.
@Suite("Untrusted files")
struct HostileTests {
  private static let targets = Target.ofFiles + Target.ofStudio

  private static func target(_ name: String) throws -> Target {
    try #require(targets.first { $0.name == name })
  }

  @Test("Files that once did harm are read or refused", arguments: Self.targets.map(\.name))
  func corpus(name: String) async throws {
    let target = try Self.target(name)
    let folder = hostile(name)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for file in files.sorted() {
      let bytes = try AtomicFile.read("\(folder)/\(file)")
      _ = try await apart { try target.read(bytes) }
    }
  }

  @Test("A picture whose data go on after its last row is refused before they are unpacked")
  func longTail() throws {
    let bytes = try AtomicFile.read(hostile("png/long-tail"))
    let error = #expect(throws: PNG.Failure.self) { try PNG.decode(bytes, as: .gray) }
    #expect(error?.description == "its data go on after its 10 × 10 pixels")
  }

  @Test("What a fuzzer begins with is sound", arguments: Self.targets.map(\.name))
  func seeds(name: String) async throws {
    let target = try Self.target(name)
    let isTaken = try await apart {
      guard let first = try target.seeds().first else { return false }
      return try target.read(first)
    }
    #expect(isTaken, "the first input of \(name) is refused")
  }

  @Test("The sample with which the fuzzer of requests begins reaches the workspace")
  func sampleSeed() async throws {
    let target = try Self.target("http-bodies")
    let isTaken = try await apart {
      let sample = try target.seeds().first {
        String(decoding: $0, as: UTF8.self).contains(#""label":"cat""#)
      }
      return try sample.map(target.read) ?? false
    }
    #expect(isTaken)
  }

  /// Runs work on a thread of its own: some readers wait for tasks, which need the threads that
  /// tests run on.
  private func apart(_ work: @escaping @Sendable () throws -> Bool) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Result { try work() }) }.start()
    }
  }

  @Test("Each folder of hostile files is one of a reader")
  func folders() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: hostile(""))
    #expect(
      Set(names.filter { !$0.hasPrefix(".") && $0 != "README.md" })
        .isSubset(of: Self.targets.map(\.name)))
  }
}

@Suite("Sealed files that are longer than any")
struct LongSealedFileTests {
  @Test(
    "are refused by their length, before they are read",
    arguments: [
      ("DrawML model", "512 MiB"), ("DrawML checkpoint", "2560 MiB"), ("DrawML drawings", "2 GiB"),
    ])
  func refused(kind: String, limit: String) throws {
    let folder = try TemporaryFolder()
    let length = 5_000_000_000
    let path = try folder.put(
      "\(kind)\nversion 1\nlength \(length - 512)\nsha256 0\n", "long")
    #expect(truncate(path, length) == 0)
    let why = "it has 5,000,000,000 bytes; at most \(limit) are read at once"
    #expect(throws: FileError("read", path: path, reason: .malformed(why))) {
      switch kind {
      case "DrawML model": _ = try ModelFile.read(path)
      case "DrawML checkpoint": _ = try TrainingCheckpoint(reading: path)
      default: _ = try HDF5Drawings.read(path)
      }
    }
  }
}

@Suite("Texts with numbers that overflow")
struct HostileNumberTests {
  @Test("A drawing whose width would be infinite is refused, with the stroke and the point")
  func far() throws {
    var reader = try DrawingReader(path: hostile("ndjson/far"))
    let error = #expect(throws: (any Error).self) { try reader.next() }
    #expect(error.map { "\($0)" }?.contains("stroke 0, point 0") == true, "\(error as Any)")
  }

  @Test("A drawing too small to divide by its size is a dot, and its augmented copy is finite")
  func subnormal() throws {
    var reader = try DrawingReader(path: hostile("ndjson/subnormal"))
    let next = try reader.next()
    let drawing = try #require(next)
    #expect(drawing.strokes == [Stroke([Point(x: 0, y: 0), Point(x: 0, y: 0)])])
    var generator = SeededGenerator(seed: 1)
    #expect(Augmentation.standard(drawing, using: &generator) == drawing)
  }

  @Test("A recipe that cuts strokes into more pieces than can be counted gives each line a few")
  func finePieces() throws {
    let recipe = try TrainingRecipe(path: hostile("recipe/fine-pieces"))
    let drawing = Drawing(strokes: [Stroke([Point(x: 0, y: 0), Point(x: 90, y: 80)])])
    var generator = SeededGenerator(seed: 1)
    var counts: [Int] = []
    for member in recipe.members {
      #expect(member.augmentation.longestPiece == 1e-300)
      counts += member.augmentation(drawing, using: &generator).strokes.map(\.points.count)
    }
    #expect(!counts.isEmpty && counts.allSatisfy { $0 == 65 }, "\(counts)")
  }
}

@Suite("HDF5 that reaches outside itself, or claims too much")
struct HostileHDF5Tests {
  @Test(
    "is refused by name before any value is read",
    arguments: [
      ("external-passwd", "/samples/id is in another file"),
      ("external-environ", "/samples/id is in another file"),
      ("external-fifo", "/samples/id is in another file"),
      ("external-link", "/samples has links of a kind"), ("soft-link", "/samples/id is a link"),
      ("hard-link", "/samples/digest is linked to more than once"),
      ("cycle", "the root group is linked to more than once"),
      ("virtual", "/samples/id has a header of another version"),
      ("chunked", "/samples/vector is stored in chunks"), ("gzip", "/samples/vector is compressed"),
      ("reference", "/samples/label holds values of a type"),
      ("user-type", "/samples/vector shares a message"), ("deep", "deeper than 5 groups"),
      ("attribute", "/labels has attributes"),
      ("grown", "/samples/vector claims an axis of 2147483648 values"),
    ])
  func refused(name: String, words: String) throws {
    let message = try message(name)
    #expect(message.hasPrefix("cannot read model: "))
    #expect(message.contains(words), "\(message)")
  }

  @Test(
    "A model that asks for too much memory or work, or overflows, is refused by what is too much",
    arguments: [
      ("large-view", "8192"), ("wide-pen", "strokeWidth"),
      ("nested", "values nest more than 128 deep"),
      ("many-layers", "layers"), ("wide-layers", ".weight"),
      ("huge-weights", "its head's weights is invalid"),
      ("huge-means", "its head's means is invalid"),
    ])
  func tooMuch(name: String, words: String) throws {
    let message = try message(name)
    #expect(message.contains(words), "\(message)")
  }

  /// What is said of a file of `Tests/Hostile/model` under a sound seal.
  private func message(_ name: String) throws -> String {
    let payload = try AtomicFile.read(hostile("model/\(name)"))
    let sealed = SealedFile(kind: "DrawML model", version: 2).seal(payload)
    let error = #expect(throws: (any Error).self) { try ModelFile.read(sealed, named: "model") }
    return error.map { "\($0)" } ?? "taken"
  }
}
