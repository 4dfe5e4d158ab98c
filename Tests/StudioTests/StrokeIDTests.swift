import Foundation
import Testing
import Workspace

@testable import Studio

@Suite("What clients call their strokes")
struct StrokeIDTests {
  @Test("A stroke is told of by its id, as ink, as an emoji and after a restart; others have none")
  func told() async throws {
    let (studio, page) = try await TestStudio.withSheet(taught: true)
    let ring = try await page.draw(strokeBody("ring", from: 0, id: "a ring"))
    #expect(ring.count("events", 0, "ids") == 1 && ring.text("events", 0, "ids", 0) == "a ring")
    try await page.decided(0, as: "ring", after: 8000)
    #expect(try await page.sheet.text("shapes", 0, "ids", 0) == "a ring")
    let nameless = try await page.draw(strokeBody("ring", x: 200, from: 8000))
    #expect(nameless["events", 0, "ids"] == nil)
    try await page.decided(1, as: "ring", after: 8000)
    try await page.act(strokeBody("zigzag", x: 400, from: 16_000, id: "a zigzag"))
    // Restart twice: only reading keeps the ids.
    var last = studio
    for _ in 0..<2 {
      last = try await last.restarted()
      let opened = try await last.page().openSheet()
      #expect(opened.text("shapes", 0, "ids", 0) == "a ring")
      #expect(opened["shapes", 1, "ids"] == nil && opened.count("shapes", 1, "strokes") == 1)
      #expect(opened.text("shapes", 2, "ids", 0) == "a zigzag")
      #expect(opened.text("shapes", 2, "state") == "pending")
      // Each stroke has its own number.
      #expect(opened["shapes", 0, "strokes"] as? [Int] == [0])
      #expect(opened["shapes", 2, "strokes"] as? [Int] == [2])
    }
  }

  @Test("A number that becomes another stroke’s has that one’s id")
  func reused() async throws {
    let page = try await TestStudio.withSheet().page
    try await page.act(strokeBody("ring", from: 0, id: "first"))
    try await page.act(action("undo", at: 300))
    let second = try await page.draw(strokeBody("ring", from: 400, id: "second"))
    #expect(second["events", 0, "ids"] as? [String] == ["second"])
    let third = try await page.draw(strokeBody("ring", x: 3, from: 700))
    #expect(third.text("events", 0, "ids", 0) == "second")
    #expect(third["events", 0, "ids", 1] is NSNull)
    // The client that chose the id need not ask for numbers.
    let own = #"{"client":"tab","actions":[{"action":"undo","milliseconds":1200}]}"#
    #expect(try await page.draw(own).text("events", 0, "client") == "tab")
  }

  @Test("An invalid id is refused, and nothing is drawn")
  func refused() async throws {
    let page = try await TestStudio.withSheet().page
    for id in ["", String(repeating: "a", count: 65)] {
      let refused = try await page.act(strokeBody("ring", from: 0, id: id))
      #expect(refused.status == 400 && refused.code == "malformedRequest")
      let begun = try await page.act(strokeBody("ring", from: 0, begin: id))
      #expect(begun.status == 400 && begun.detail == "action 0: id is empty or too long")
    }
    #expect(try await page.sheet.count("shapes") == 0)
    let longest = String(repeating: "é", count: 32)
    #expect(try await page.act(strokeBody("ring", from: 0, id: longest)).status == 200)
  }
}
