import Foundation
import Testing

@testable import Synthesis

@Suite("Shape catalog")
struct SynthesisCatalogTests {
  @Test("There are at least 36 shapes, each with its own name and emoji")
  func unique() {
    let kinds = ShapeCatalog.all + ShapeCatalog.extras
    #expect(kinds.count >= 36)
    #expect(Set(kinds.map(\.name)).count == kinds.count)
    #expect(Set(kinds.map(\.label)).count == kinds.count)
    #expect(kinds.allSatisfy { $0.ways.count >= 2 })
    #expect(ShapeCatalog.kind(named: "unicorn") == nil)
  }

  @Test("Names are lower-case English words, labels are one emoji in normal form C")
  func spelling() {
    for kind in ShapeCatalog.all + ShapeCatalog.extras {
      #expect(kind.name.allSatisfy { "abcdefghijklmnopqrstuvwxyz ".contains($0) }, "\(kind.name)")
      #expect(kind.label.count == 1, "\(kind.name)")
      // Swift's == sees no difference between normal forms; the scalars do.
      #expect(
        Array(kind.label.unicodeScalars)
          == Array(kind.label.precomposedStringWithCanonicalMapping.unicodeScalars))
      #expect(
        kind.label.unicodeScalars.allSatisfy { $0.properties.isEmoji || $0.value == 0xfe0f },
        "\(kind.name)")
    }
  }
}
