import Foundation
import Testing
import Workspace

@testable import Studio

private let path = "/api/playgrounds/p/actions"

/// The body of a request with a stroke that has an id.
private func body(_ label: String, _ id: String?, x: Double = 0, from start: Double) -> String {
  let id = id.map { #""id":"\#($0)","# } ?? ""
  let stroke = Shapes.json(Shapes.stroke(label, x: x, from: start, 30))
  return """
    {"now":\(start + 200),"actions":[{"action":"stroke",\(id)"milliseconds":\(start + 200),
    "strokes":\(stroke)}]}
    """
}

@Suite("What clients call their strokes")
struct StrokeIDTests {
  @Test("A stroke is told of by its id, as ink, as an emoji and after a restart; others have none")
  func told() async throws {
    let studio = try await TestStudio()
    try await studio.teach()
    let page = try await studio.page()
    _ = try await page.post("/api/playgrounds", openBody)
    let ring = try await page.draw(body("ring", "a ring", from: 0))
    #expect(ring.count("events", 0, "ids") == 1 && ring.text("events", 0, "ids", 0) == "a ring")
    studio.time.advance(by: 8000)
    try await eventually("the ring is an emoji") {
      try await page.get("/api/playgrounds/p").text("shapes", 0, "state") == "recognized"
    }
    #expect(try await page.get("/api/playgrounds/p").text("shapes", 0, "ids", 0) == "a ring")
    let nameless = try await page.draw(body("ring", nil, x: 200, from: 8000))
    #expect(nameless["events", 0, "ids"] == nil)
    studio.time.advance(by: 8000)
    try await eventually("the second ring is an emoji") {
      try await page.get("/api/playgrounds/p/items").count("items") == 2
    }
    _ = try await page.post(path, body("zigzag", "a zigzag", x: 400, from: 16_000))
    await studio.services.close()
    // Restart twice: only reading keeps the ids. Keep all studios, because the first to go deletes
    // the folder.
    var all = [studio]
    for _ in 0..<2 {
      let again = try await TestStudio(again: studio)
      all.append(again)
      let later = try await again.page()
      let opened = try await later.post("/api/playgrounds", openBody)
      #expect(opened.text("shapes", 0, "ids", 0) == "a ring")
      #expect(opened["shapes", 1, "ids"] == nil && opened.count("shapes", 1, "strokes") == 1)
      #expect(opened.text("shapes", 2, "ids", 0) == "a zigzag")
      #expect(opened.text("shapes", 2, "state") == "pending")
      // Each stroke has its own number.
      #expect(opened["shapes", 0, "strokes"] as? [Int] == [0])
      #expect(opened["shapes", 2, "strokes"] as? [Int] == [2])
      await again.services.close()
    }
    withExtendedLifetime(all) {}
  }

  @Test("A number that becomes another stroke’s has that one’s id")
  func reused() async throws {
    let page = try await TestStudio().page()
    _ = try await page.post("/api/playgrounds", openBody)
    _ = try await page.post(path, body("ring", "first", from: 0))
    _ = try await page.post(path, #"{"actions":[{"action":"undo","milliseconds":300}]}"#)
    let second = try await page.draw(body("ring", "second", from: 400))
    #expect(second["events", 0, "ids"] as? [String] == ["second"])
    let third = try await page.draw(body("ring", nil, x: 3, from: 700))
    #expect(third.text("events", 0, "ids", 0) == "second")
    #expect(third["events", 0, "ids", 1] is NSNull)
    // The client that chose the id need not ask for numbers.
    let own = #"{"client":"tab","actions":[{"action":"undo","milliseconds":1200}]}"#
    #expect(try await page.draw(own).text("events", 0, "client") == "tab")
  }

  @Test("An invalid id is refused, and nothing is drawn")
  func refused() async throws {
    let page = try await TestStudio().page()
    _ = try await page.post("/api/playgrounds", openBody)
    for id in ["", String(repeating: "a", count: 65)] {
      let refused = try await page.post(path, body("ring", id, from: 0))
      #expect(refused.status == 400 && refused.code == "malformedRequest")
    }
    #expect(try await page.get("/api/playgrounds/p").count("shapes") == 0)
    let longest = String(repeating: "é", count: 32)
    #expect(try await page.post(path, body("ring", longest, from: 0)).status == 200)
  }
}
