import Foundation
import Fuzzing
import StudioFuzzing
import Testing

/// Every file that ever crashed, hung or bloated a reader lies in `Tests/Hostile/<reader>`, and is read again here: what
/// ends this process fails the tests. `scripts/fuzz` finds new ones.
@Suite("Strangers' files")
struct HostileTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Hostile")

  private static let targets = Target.ofFiles + Target.ofStudio

  private static func target(_ name: String) throws -> Target {
    try #require(targets.first { $0.name == name })
  }

  @Test("Files that once did harm are read or refused", arguments: Self.targets.map(\.name))
  func corpus(name: String) throws {
    let target = try Self.target(name)
    let folder = Self.folder.appending(path: name)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for file in files.sorted() {
      _ = try target.read(Array(try Data(contentsOf: folder.appending(path: file))))
    }
  }

  @Test("What a fuzzer begins with is sound", arguments: Self.targets.map(\.name))
  func seeds(name: String) throws {
    let target = try Self.target(name)
    let seeds = try target.seeds()
    #expect(!seeds.isEmpty)
    #expect(try target.read(seeds[0]), "the first input of \(name) is refused")
  }

  @Test("Each folder of hostile files is one of a reader")
  func folders() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(
      Set(names.filter { !$0.hasPrefix(".") && $0 != "README.md" })
        .isSubset(of: Self.targets.map(\.name)))
  }
}
