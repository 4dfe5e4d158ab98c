import Foundation
import GRDB
import Ink
import Testing

@testable import Workspace

@Suite("Settings, history and playgrounds")
struct KeptTests {
  @Test("D-005: settings are kept, missing ones are as usual, and unknown ones are refused")
  func settings() async throws {
    let (place, workspace) = try await Place.opened()
    #expect(try await workspace.settings() == WorkspaceSettings())
    var patch = WorkspaceSettings.Patch()
    patch.theme = .dark
    #expect(try await workspace.update(patch).theme == .dark)
    patch = WorkspaceSettings.Patch()
    patch.penSize = 12
    let settings = try await place.open().update(patch)
    #expect(settings.theme == .dark)
    #expect(settings.penSize == 12)
    #expect(settings.onboardingSeen == false && settings.guestsMayTeach == false)
    #expect(try await workspace.settings() == settings)
    patch = WorkspaceSettings.Patch()
    patch.penSize = .nan
    await refused(.saveSettings, .invalidNumber("there is no pen of that size")) { [patch] in
      _ = try await workspace.update(patch)
    }
    #expect(try await workspace.settings() == settings)
  }

  @Test("That guests may teach is kept here, and hides from older programs while it is off")
  func guests() async throws {
    let (place, workspace) = try await Place.opened()
    func stored() async throws -> String? {
      try await workspace.database.read { db in
        try String.fetchOne(db, sql: "SELECT json FROM settings")
      }
    }
    var patch = WorkspaceSettings.Patch()
    patch.guestsMayTeach = true
    try await workspace.update(patch)
    #expect(try await stored()?.contains(#""guestsMayTeach":true"#) == true)
    #expect(try await place.open().settings().guestsMayTeach)
    patch.guestsMayTeach = false
    try await workspace.update(patch)
    #expect(
      try await stored() == #"{"onboardingSeen":false,"penSize":6,"theme":"system"}"#)
    #expect(try await place.open().settings().guestsMayTeach == false)
  }

  @Test("Settings are decoded strictly")
  func decodingSettings() throws {
    func decode(_ text: String) throws -> WorkspaceSettings {
      try JSONDecoder().decode(WorkspaceSettings.self, from: Data(text.utf8))
    }
    #expect(try decode("{}") == WorkspaceSettings())
    #expect(try decode(#"{"theme":"light"}"#).theme == .light)
    for text in [
      #"{"teme":"dark"}"#, #"{"theme":"pink"}"#, #"{"penSize":0}"#, #"{"penSize":41}"#,
      #"{"onboardingSeen":1}"#, #"{"guestsMayTeach":"yes"}"#, "[]",
    ] {
      #expect(throws: DecodingError.self, "\(text)") { try decode(text) }
    }
    var settings = WorkspaceSettings()
    settings.theme = .dark
    settings.onboardingSeen = true
    settings.penSize = 3.5
    let data = try JSONEncoder().encode(settings)
    #expect(try JSONDecoder().decode(WorkspaceSettings.self, from: data) == settings)
  }

  @Test("D-006: the last 200 predictions of a model are kept, newest first")
  func history() async throws {
    let (place, workspace, model) = try await Place.fresh()
    let other = try await workspace.createModel(named: "other").id
    try await workspace.record(
      Doodles.ink(), decision: .unrecognized, label: nil, confidence: nil, of: other)
    var ids: [String] = []
    for index in 0..<203 {
      ids.append(
        try await workspace.record(
          Doodles.ink("line", index), decision: index % 2 == 0 ? .recognized : .unrecognized,
          label: "➖", confidence: Double(index) / 203, of: model
        ).id)
    }
    let history = try await place.open().history(of: model)
    #expect(history.map(\.id) == ids.suffix(200).reversed())
    let last = try #require(history.first)
    #expect(last.drawing.strokes == Doodles.ink("line", 202).strokes)
    #expect(last.label == "➖")
    #expect(last.confidence == 202.0 / 203)
    #expect(last.decision == .recognized)
    #expect(try await workspace.history(of: model, limit: 2).map(\.id) == ids.suffix(2).reversed())
    try await workspace.clearHistory(of: model)
    #expect(try await workspace.history(of: model).isEmpty)
    #expect(try await workspace.history(of: other).count == 1)
    await refused(.saveHistory, .drawing(.emptyDrawing)) {
      try await workspace.record(
        Drawing(strokes: []), decision: .recognized, label: nil, confidence: nil, of: model)
    }
    await refused(.saveHistory, .invalidNumber("a confidence is in 0...1")) {
      try await workspace.record(
        Doodles.ink(), decision: .recognized, label: "a", confidence: 1.5, of: model)
    }
    let dot = Drawing(strokes: [Stroke([Point(x: 1, y: 1)])])
    #expect(
      try await workspace.record(
        dot, decision: .unrecognized, label: nil, confidence: nil, of: model
      ).drawing.strokes == dot.strokes, "what was not recognized may be a dot")
  }

  @Test("Of long drawings the last 8 MiB are kept: 200 of them took 1.4 GB to tell")
  func longHistory() async throws {
    let (_, workspace, model) = try await Place.fresh()
    let other = try await workspace.createModel(named: "other").id
    try await workspace.record(
      Doodles.ink(), decision: .unrecognized, label: nil, confidence: nil, of: other)
    // About 0.3 MB each.
    let points = (0..<15_000).map { Point(x: Double($0) / 7, y: Double($0 % 311) / 7) }
    var ids: [String] = []
    for _ in 0..<40 {
      ids.append(
        try await workspace.record(
          Drawing(strokes: [Stroke(points)]), decision: .unrecognized, label: nil,
          confidence: nil, of: model
        ).id)
    }
    let kept = try await workspace.history(of: model)
    #expect((5..<40).contains(kept.count))
    #expect(kept.map(\.id) == ids.suffix(kept.count).reversed())
    #expect(try await workspace.history(of: model, limit: 3).count == 3)
    #expect(try await workspace.history(of: other).count == 1)
  }

  /// An emoji, or ink where `label` is nil.
  private func item(_ number: Int, _ label: String?) -> PlaygroundItem {
    PlaygroundItem(
      number: number, label: label, confidence: label.map { _ in 0.5 }, x: Double(number), y: 2.5,
      side: 40, strokes: Doodles.ink("line", number).strokes)
  }

  @Test("D-007, B-018: a playground comes back with its emojis and its ink, as it was saved last")
  func playgrounds() async throws {
    let (place, workspace, model) = try await Place.fresh()
    var playground = Playground(
      id: "p", model: model, canvas: .init(width: 800, height: 600),
      items: [item(1, "➖"), item(2, nil), item(3, "⭐")])
    try await workspace.save(playground)
    #expect(try await place.open().playground("p") == playground)
    // Changed in the middle, removed at the end, and moved about.
    playground.items = [item(1, "➖"), item(3, "⭐"), item(2, "⭕")]
    playground.canvas.width = 900
    try await workspace.save(playground)
    #expect(try await workspace.playground("p") == playground)
    playground.items.append(item(7, nil))
    try await workspace.save(playground)
    playground.items.removeFirst(2)
    try await workspace.save(playground)
    #expect(try await workspace.playground("p") == playground)
    #expect(try await workspace.playgrounds(of: model) == [playground])
    try await workspace.deleteModel(model)
    await refused(.read, .unknownPlayground("p")) { try await workspace.playground("p") }
  }

  @Test("What clients call strokes is kept with them, an emoji's too; an invalid one is refused")
  func strokeIDs() async throws {
    let (place, workspace, model) = try await Place.fresh()
    var (emoji, ink, nameless) = (item(1, "➖"), item(2, nil), item(3, nil))
    ink.strokes.append(ink.strokes[0])
    (emoji.strokes, emoji.ids, ink.ids) = ([], ["a\n\"", "b"], [nil, "ü"])
    nameless.ids = []
    var playground = Playground(
      id: "p", model: model, canvas: .init(width: 800, height: 600), items: [emoji, ink, nameless])
    try await workspace.save(playground)
    #expect(try await place.open().playground("p") == playground)
    for ids in [["a"], ["a", ""], ["a", String(repeating: "b", count: 65)]] {
      playground.items[1].ids = ids
      await refused(
        .savePlayground, .invalidNumber("the ids of item 2 are not those of its strokes")
      ) { try await workspace.save(playground) }
    }
    for text in ["x", "{}", "[1]", "[[]]", "[\"\"]"] {
      try await workspace.execute(
        "UPDATE playgroundItem SET strokes = ? || char(10) WHERE number = 1", [text])
      let error = await #expect(throws: WorkspaceError.self) {
        _ = try await workspace.playground("p")
      }
      #expect(error?.code == "damaged", "\(text): \(error as Any)")
    }
  }

  @Test(
    "A shape of very many points with long numbers is kept, sound, and goes along with an export")
  func manyPoints() async throws {
    let (place, workspace, model) = try await Place.fresh()
    try await workspace.addSample(Doodles.ink(), label: "a", to: model)
    // Some 55 bytes a point: more than the text of a sample may have.
    let strokes = (0..<8).map { stroke in
      Stroke(
        (0..<20_000).map { step in
          let value = 100 + Double(step) / 3e4 + Double(stroke) / 7
          return Point(x: value, y: value / 3, t: value * 10)
        })
    }
    let item = PlaygroundItem(
      number: 0, label: nil, confidence: nil, x: 33, y: 33, side: 80, strokes: strokes)
    let playground = Playground(
      id: "p", model: model, canvas: .init(width: 800, height: 600), items: [item])
    try await workspace.save(playground)
    let length = try await workspace.database.read { db in
      try Int.fetchOne(db, sql: "SELECT length(strokes) FROM playgroundItem") ?? 0
    }
    #expect(length > 8 << 20)
    try await workspace.database.read { try StoredValues.check(in: $0) }
    try await workspace.export(to: place.path("all.drawmlx"))
    let other = try await Place().open()
    let added = try await other.import(from: place.path("all.drawmlx")).models
    let copy = try #require(added.first).id
    let kept = try #require(try await other.playgrounds(of: copy).first)
    #expect(kept.items == playground.items)
  }

  @Test("Of a playground only what has changed is written again")
  func unchangedItems() async throws {
    let (_, workspace, model) = try await Place.fresh()
    var playground = Playground(
      id: "p", model: model, canvas: .init(width: 800, height: 600),
      items: (0..<5).map { item($0, $0 == 2 ? nil : "➖") })
    func rowNumbers() async throws -> [Int64] {
      try await workspace.database.read { db in
        try Int64.fetchAll(db, sql: "SELECT rowid FROM playgroundItem ORDER BY place")
      }
    }
    try await workspace.save(playground)
    try await workspace.execute("UPDATE playgroundItem SET rowid = rowid + 100")
    let before = try await rowNumbers()
    playground.items[3].strokes[0].points[0].x += 1
    try await workspace.save(playground)
    #expect(try await workspace.playground("p") == playground)
    let after = try await rowNumbers()
    #expect(zip(before, after).map { $0 == $1 } == [true, true, true, false, true])
    #expect(after.count == 5)
    playground.items.swapAt(0, 4)
    playground.items.remove(at: 2)
    try await workspace.save(playground)
    #expect(try await workspace.playground("p") == playground)
  }

  @Test("A sheet narrower than 1, which older programs could store, is still read")
  func narrowPlayground() async throws {
    let (_, workspace, model) = try await Place.fresh()
    var playground = Playground(
      id: "p", model: model, canvas: .init(width: 8, height: 6), items: [item(1, nil)])
    try await workspace.save(playground)
    try await workspace.execute("UPDATE playground SET width = 0.5")
    playground.canvas.width = 0.5
    #expect(try await workspace.playground("p") == playground)
  }

  @Test("An invalid playground is refused, and the one before stays")
  func badPlaygrounds() async throws {
    let (_, workspace, model) = try await Place.fresh()
    let sound = Playground(
      id: "p", model: model, canvas: .init(width: 8, height: 6), items: [item(1, nil)])
    try await workspace.save(sound)
    func save(_ change: (inout Playground) -> Void) async throws {
      var playground = sound
      change(&playground)
      try await workspace.save(playground)
    }
    await refused(.savePlayground, .unknownModel("x")) { try await save { $0.model = "x" } }
    await refused(.savePlayground, .invalidID("p q")) { try await save { $0.id = "p q" } }
    await refused(
      .savePlayground, .invalidNumber("two items of a playground have the same number")
    ) {
      try await save { $0.items += $0.items }
    }
    await refused(.savePlayground, .invalidNumber("the place of item 1 is invalid")) {
      try await save { $0.items[0].side = -.infinity }
    }
    await refused(
      .savePlayground, .invalidNumber("a canvas's width and height are in 1...1000000000")
    ) {
      try await save { $0.canvas.width = 0 }
    }
    await refused(.savePlayground, .tooMuch("items", limit: 2000)) {
      try await save { $0.items = (0...2000).map { item($0, nil) } }
    }
    #expect(try await workspace.playground("p") == sound)
  }
}
