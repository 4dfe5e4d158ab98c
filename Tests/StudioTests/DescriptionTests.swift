import Foundation
import Testing

@testable import Studio

@Suite("The description of the interface")
struct DescriptionTests {
  private var text: String {
    get throws {
      try String(
        contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
          .appendingPathComponent("../../docs/studio-api.yaml").standardizedFileURL,
        encoding: .utf8)
    }
  }

  /// The methods and paths that the description has: keys two and four blanks in, below `paths:`.
  private func described() throws -> Set<String> {
    var found: Set<String> = []
    var isInPaths = false
    var path = ""
    for line in try text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let first = line.first, !first.isWhitespace { isInPaths = line == "paths:" }
      guard isInPaths, line.hasSuffix(":") else { continue }
      if line.hasPrefix("  /") {
        path = String(line.dropFirst(2).dropLast())
      } else if let match = line.wholeMatch(of: /\ {4}(get|post|put|patch|delete):/) {
        found.insert("\(match.1.uppercased()) \(path)")
      }
    }
    return found
  }

  @Test("It has every method and path of the server, and no others")
  func paths() async throws {
    let served = try await TestStudio().house.endpoints.map { "\($0.method) /api\($0.path)" }
    let described = try described()
    #expect(Set(served).count == served.count)
    #expect(described.symmetricDifference(served).sorted() == [])
  }

  @Test("It has every name of a path, and every reference in it leads somewhere")
  func references() throws {
    let text = try text
    for match in text.matches(of: /\$ref: "#\/components\/([a-zA-Z]+)\/([a-zA-Z]+)"/) {
      #expect(text.contains("\n    \(match.2):\n"), "\(match.0)")
    }
    for name in ["model", "label", "sample", "playground"] {
      #expect(text.contains("name: \(name)\n"), "\(name)")
    }
  }
}
