import Files
import Foundation
import Ink
import TestTools
import Testing

@testable import Synthesis

@Suite("Starter set")
struct SynthesisStarterSetTests {
  private static let folder = Repository.path + "/datasets/starter"

  /// The bytes of a shipped file.
  private func shipped(_ name: String) throws -> [UInt8] {
    try AtomicFile.read("\(Self.folder)/\(name)")
  }

  @Test("The shipped files are those that the generator makes")
  func golden() throws {
    // The whole of some files and the beginning of all: a drawing depends on nothing but its index.
    for (position, kind) in ShapeCatalog.all.enumerated() {
      let count = position.isMultiple(of: 26) ? StarterSet.shippedCount : 3
      let made = try #require(StarterSet.files(count: count, kinds: [kind]).first)
      let shipped = try shipped(made.name)
      // Compared outside of #expect, which would print every byte.
      let equal = shipped.starts(with: made.bytes)
      #expect(equal, "\(made.name)")
      #expect(shipped.count { $0 == UInt8(ascii: "\n") } == StarterSet.shippedCount)
      if count == StarterSet.shippedCount { #expect(shipped.count == made.bytes.count) }
    }
  }

  @Test("The templates to draw over are the outlines of all shapes, which are named in words")
  func outlines() throws {
    let path = Repository.path + "/Sources/Studio/Trace/templates.ndjson"
    let equal = try AtomicFile.read(path) == StarterSet.outlines()
    #expect(equal, "write it again: drawml dataset synthesize --outlines")
    // A template's name is its file's, with spaces for hyphens.
    #expect(ShapeCatalog.all.allSatisfy { !$0.name.contains("-") })
  }

  @Test("There is one file for each shape and no other, in less than 3 MB")
  func folder() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder).sorted()
    let expected = StarterSet.files(count: 0).map(\.name) + ["README.md"]
    #expect(names == expected.sorted())
    let total = try names.reduce(0) { $0 + (try shipped($1).count) }
    #expect(total < 3_000_000)
    #expect(total > 1_000_000)
  }

  @Test("Every shipped drawing can be read and carries its shape's emoji")
  func readable() throws {
    for kind in ShapeCatalog.all {
      let name = StarterSet.files(count: 0, kinds: [kind])[0].name
      for line in try shipped(name).split(separator: UInt8(ascii: "\n")) {
        let drawing = try StrokeJSON.parse(Array(line))
        #expect(drawing.label == kind.label)
        #expect(drawing.pointCount > 10)
      }
    }
  }
}
