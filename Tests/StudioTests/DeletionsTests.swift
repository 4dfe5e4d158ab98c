import Foundation
import Ink
import Testing

@testable import Studio
@testable import Workspace

@Suite("What was deleted, to be brought back")
struct DeletionsTests {
  /// A label with samples of 10 points each.
  private func label(_ label: String, _ ids: [String], name: String? = nil) -> DeletedLabel {
    let points = (0..<10).map { Point(x: Double($0), y: 0) }
    return DeletedLabel(
      label: label, name: name,
      samples: ids.map {
        WorkspaceSample(
          id: $0, label: label, drawing: Drawing(strokes: [Stroke(points)]), created: Date(),
          isTaught: false)
      })
  }

  @Test("A label that is deleted twice comes back with the samples of both times")
  func twice() async throws {
    let labels = Deletions(most: 4, mostPoints: 100)
    await labels.keep(label("a", ["1", "2"], name: "A"), of: "m", as: "a")
    await labels.keep(label("a", ["3"]), of: "m", as: "a")
    await labels.keep(label("a", ["4"]), of: "other", as: "a")
    let back = try #require(await labels.take("a", of: "m"))
    #expect(back.deleted.samples.map(\.id) == ["3", "1", "2"] && back.deleted.name == "A")
    #expect(await labels.take("a", of: "m") == nil)
  }

  @Test("A sample that was added again and deleted again comes back once, as it was last")
  func again() async throws {
    let labels = Deletions(most: 4, mostPoints: 100)
    await labels.keep(label("a", ["1", "2"]), of: "m", as: "a")
    await labels.keep(label("a", ["2", "3"]), of: "m", as: "a")
    #expect(await labels.take("a", of: "m")?.deleted.samples.map(\.id) == ["2", "3", "1"])
    // Round after round it takes no more room than it may.
    for round in 0..<5 {
      await labels.keep(label("a", (0..<6).map { "\(round) \($0)" }), of: "m", as: "a")
    }
    #expect(await labels.take("a", of: "m")?.deleted.samples.count == 6)
  }

  @Test(
    "The oldest go where there are too many or too large ones; the last one stays, however large")
  func bounded() async {
    let labels = Deletions(most: 4, mostPoints: 100)
    for name in ["a", "b", "c", "d", "e"] {
      await labels.keep(label(name, [name]), of: "m", as: name)
    }
    #expect(await labels.take("a", of: "m") == nil)
    await labels.keep(label("f", (0..<12).map(String.init)), of: "m", as: "f")
    for name in ["b", "c", "d", "e"] { #expect(await labels.take(name, of: "m") == nil) }
    #expect(await labels.take("f", of: "m")?.deleted.samples.count == 12)
    // Guests' do not displace the owner's, nor these theirs; what was the owner's stays so.
    await labels.keep(label("f", ["f"]), of: "m", as: "f")
    for name in ["p", "q", "r", "s", "t"] {
      await labels.keep(label(name, [name]), of: "m", as: name, by: .guest(browser: name))
    }
    await labels.keep(label("h", ["h"]), of: "m", as: "h")
    await labels.keep(label("f", ["f"]), of: "m", as: "f", by: .guest(browser: "p"))
    for (name, isKept) in [("f", true), ("h", true), ("p", false), ("q", true), ("t", true)] {
      #expect(await (labels.take(name, of: "m") != nil) == isKept, "\(name)")
    }
    await labels.keep(label("g", ["g"]), of: "m", as: "g")
    await labels.forget("m")
    #expect(await labels.take("g", of: "m") == nil)
  }
}
