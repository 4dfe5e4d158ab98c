import Foundation
import Testing

/// The page of requirements and the tests that it names say the same.
@Suite("Requirements")
struct RequirementsTests {
  @Test("each has one row and at least one test, and no number is left out")
  func rows() throws {
    let groups = Dictionary(grouping: try Requirement.all(), by: \.group)
    try #require(!groups.isEmpty)
    for (group, rows) in groups {
      let all = Self.numbers[group] ?? Array(1...rows.count)
      #expect(rows.map(\.number) == all, "\(group)")
      for row in rows { #expect(!row.tests.isEmpty, "\(row.id) names no test") }
    }
  }

  /// The numbers of groups that leave some out: tracing, paper, art and the calm surface.
  private static let numbers = [
    "TR": all(1...3, 10...13, 20...24, 30...33, 40...43),
    "CA": all(1...9, 20...22, 30...37, 40...42),
    "TF": all(1...3, 10...11, 20...27, 30...30, 40...44),
    "CL": all(1...7, 20...22, 30...32, 41...50),
  ]

  private static func all(_ ranges: ClosedRange<Int>...) -> [Int] { ranges.flatMap(Array.init) }

  @Test("the tests that a row names are there, and name it in their titles or first words")
  func named() throws {
    let pairs = try Requirement.all().flatMap { row in row.tests.map { (row.id, $0) } }
    for (file, named) in Dictionary(grouping: pairs, by: \.1.file) {
      let tests = try NamedTest.all(in: file)
      for (id, place) in named {
        #expect(
          tests.contains { $0.function == place.function && $0.requirements.contains(id) },
          "\(file) has no test \(place.function) that names \(id)")
      }
    }
  }

  @Test("whatever a test names is on the page")
  func known() throws {
    let rows = try Requirement.all()
    let (ids, groups) = (Set(rows.map(\.id)), Set(rows.map(\.group)))
    let tests = Guide.root + "/Tests/"
    for file in try FileManager.default.subpathsOfDirectory(atPath: tests)
    where [".swift", ".py", ".mjs"].contains(where: file.hasSuffix) {
      let text = try String(contentsOfFile: tests + file, encoding: .utf8)
      let unknown = requirements(in: text).subtracting(ids)
        .filter { groups.contains(Requirement.group(of: $0)) }
      #expect(unknown.isEmpty, "\(file)")
    }
  }

  @Test("B-019: every user story has a test in a browser")
  func stories() throws {
    let stories = try Requirement.all().filter { $0.group == "US" }
    try #require(!stories.isEmpty)
    for story in stories {
      #expect(story.tests.contains { $0.file == "StudioPage/test_user_stories.py" }, "\(story.id)")
    }
  }
}

/// A row of the page.
private struct Requirement {
  var id: String
  /// The tests that show it: a file in `Tests`, and a function in it.
  var tests: [(file: String, function: String)]

  var group: String { Self.group(of: id) }
  var number: Int? { Int(id.dropFirst(group.count + 1)) }

  /// What stands before the number: `US` of `US-001`.
  static func group(of id: String) -> String { String(id.prefix { $0 != "-" }) }

  static func all() throws -> [Requirement] {
    let page = try String(contentsOfFile: Guide.root + "/docs/REQUIREMENTS.md", encoding: .utf8)
    return page.matches(of: /\| ([A-Z]+-\d{3}) \| [^|]+ \| ([^|]+) \|/).map { row in
      Requirement(
        id: String(row.1),
        tests: row.2.matches(of: /`([^`]+): (\w+)`/).map { (String($0.1), String($0.2)) })
    }
  }
}

/// A test that has a title in Swift or in Node, or words below its first line in Python.
private struct NamedTest {
  var function: String
  /// The requirements in its title or first words.
  var requirements: Set<String>

  static func all(in file: String) throws -> [NamedTest] {
    let text = try String(contentsOfFile: Guide.root + "/Tests/" + file, encoding: .utf8)
    if file.hasSuffix(".mjs") {
      let test = /\btest\(\s*["`]((?:[^"`\\]|\\.)*)["`],\s*(?:async )?function (\w+)/
      return text.matches(of: test).map {
        NamedTest(function: String($0.2), requirements: drawmlTests.requirements(in: $0.1))
      }
    }
    guard file.hasSuffix(".swift") else {
      return text.matches(of: /def (\w+)\([^)]*\):\n    """([^"]*)"""/).map {
        NamedTest(function: String($0.1), requirements: drawmlTests.requirements(in: $0.2))
      }
    }
    let test = /@Test\(\s*"((?:[^"\\]|\\.)*)".*?func (\w+)/.dotMatchesNewlines()
    return text.matches(of: test).map {
      NamedTest(function: String($0.2), requirements: drawmlTests.requirements(in: $0.1))
    }
  }
}

/// The ids of requirements that a text names.
private func requirements(in text: some StringProtocol) -> Set<String> {
  Set(String(text).matches(of: /\b[A-Z]{1,2}-\d{3}\b/).map { String($0.output) })
}
