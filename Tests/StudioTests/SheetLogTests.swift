import Foundation
import HTTPTypes
import Ink
import Recognition
import Segmentation
import Testing
import Workspace

@testable import Studio

@Suite("The log of a sheet")
struct SheetLogTests {
  private static func stroke(_ points: Int, at time: Double) -> CanvasAction {
    let points = (0..<points).map { Point(x: Double($0), y: 0, t: time) }
    return .stroke(Stroke(points), pen: 0, milliseconds: time)
  }

  @Test("beyond its limit the older half goes")
  func limit() {
    var log = SheetLog(mostPoints: 10)
    for time in 1...3 { log.note(Self.stroke(3, at: Double(time))) }
    #expect(log.actions == [1, 2, 3].map { Self.stroke(3, at: $0) })
    log.note(.undo(milliseconds: 4))
    #expect(log.actions.count == 4)
    log.note(.clear(milliseconds: 5))
    #expect(
      log.actions == [
        Self.stroke(3, at: 3), .undo(milliseconds: 4), .clear(milliseconds: 5),
      ])
    log.note(Self.stroke(11, at: 6))
    #expect(log.actions.isEmpty)
    #expect(log.emptied().actions.isEmpty)
    // A label takes more memory than a point.
    log.note(.correct(shape: 0, .label("star"), milliseconds: 7))
    #expect(log.actions.isEmpty)
  }

  @Test("pens that are lifted without ink are canceled, and time is noted while a pen is down")
  func pens() async throws {
    let (studio, page) = try await TestStudio.withSheet(taught: true)
    let playground = try await studio.services.playgrounds.find("p")
    try await page.act(strokeBody("ring", from: 0))
    try await page.decided(0, as: "ring", after: 3000)
    #expect(await playground.log.actions.count == 2)
    try await page.act(strokeBody("ring", x: 300, from: 3000))
    try await page.act(action("begin", at: 3300, pen: 2, #""x":20,"y":390"#))
    try await page.decided(1, as: "ring", after: 3000)
    await playground.liftPens()
    await playground.liftPens()
    let actions = await playground.log.actions
    let passed = actions.compactMap { if case .advance(let time) = $0 { time } else { nil } }
    #expect(passed.count == 1 && actions.count == 7)
    #expect(actions.last == .cancel(pen: 2, milliseconds: try #require(passed.first)))
    // A pen that another action lifted is not canceled later: that would take its stroke back.
    try await page.act(action("begin", at: 9000, pen: 2))
    try await page.act(action("clear", at: 9100))
    await playground.liftPens()
    guard case .clear = await playground.log.actions.last else {
      Issue.record("something was noted after the clearing")
      return
    }
  }

  @Test("what the log of a playground tells happens again when it is replayed")
  func replayed() async throws {
    let studio = try await TestStudio()
    let model = try await studio.teach()
    let recognizer = try await studio.workspace.snapshot(of: model).recognizer
    let page = try await studio.page()
    try await page.openSheet()
    for (index, label) in Shapes.labels.enumerated() {
      let start = Double(index) * 8000
      _ = try await page.draw(strokeBody(label, x: Double(index) * 200, from: start))
      try await page.decided(index, as: label, after: 8000)
    }
    let answer = try await page.get("/api/playgrounds/p/log")
    #expect(answer.status == 200)
    #expect(answer.headers[.contentType] == "application/x-ndjson")
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("sheet-\(UUID().uuidString).log")
    defer { try? FileManager.default.removeItem(at: file) }
    try answer.body.write(to: file)
    var reader = try CanvasLogReader(path: file.path)
    #expect(reader.canvas == Drawing.Canvas(width: 600, height: 400))
    var canvas = LiveCanvas(
      recognizer: recognizer, model: try .standard(), canvas: reader.canvas,
      settings: reader.settings)
    while let action = try reader.next() { _ = try canvas.apply(action) }
    _ = canvas.finish()
    #expect(canvas.items.map(\.label) == Shapes.labels)
    let items = try await page.get("/api/playgrounds/p/items")
    for (index, item) in canvas.items.enumerated() {
      #expect(items.number("items", index, "x") == item.placement.x)
      #expect(items.number("items", index, "confidence") == item.confidence)
    }
    #expect(try await page.get("/api/playgrounds/none/log").status == 404)
  }
}
