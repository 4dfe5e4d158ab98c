import Foundation
import GRDB
import Ink
import Recognition
import Testing

@testable import Workspace

@Suite("Samples and labels")
struct SampleTests {
  @Test("D-003, F-003, B-005: a sample comes back as it was drawn, also from another opening")
  func roundTrip() async throws {
    let (place, workspace, model) = try await Place.fresh()
    let strokes = [
      Stroke([Point(x: 0.1, y: -2.5e-7, t: 0), Point(x: 1e8, y: 3, t: 12.5)]),
      Stroke([Point(x: 4, y: 5)]),
      Stroke([Point(x: 6, y: 7, t: 1), Point(x: 8, y: 9)]),
    ]
    let canvas = Drawing.Canvas(width: 640, height: 480.5)
    let added = try await workspace.addSample(
      Drawing(id: "other", label: "other", strokes: strokes + [Stroke([])], canvas: canvas),
      label: " ❤️ ", to: model)
    #expect(added.isNew)
    let sample = added.sample
    #expect(sample.label == "❤️")
    #expect(sample.drawing == Drawing(id: sample.id, label: "❤️", strokes: strokes, canvas: canvas))
    #expect(!sample.isTaught)
    let other = try await place.open()
    #expect(try await other.samples(of: model) == [sample])
    #expect(try await other.sample(sample.id, of: model) == sample)
    #expect(try await other.model(model).untrainedCount == 1)
  }

  @Test("An emoji with and without its variation selector is one label; old spellings stay")
  func oneEmoji() async throws {
    let (place, workspace, model) = try await Place.fresh()
    let (bare, full) = ("\u{2764}", "\u{2764}\u{fe0f}")
    for label in [bare, full] {
      try await workspace.addSample(Doodles.ink(), label: label, to: model)
    }
    #expect(
      try await workspace.labels(of: model).map { Array($0.label.utf8) } == [Array(full.utf8)])
    #expect(try await workspace.samples(of: model, label: bare).count == 2)
    try workspace.close()
    try place.edit { try $0.execute(sql: "UPDATE label SET label = ?", arguments: [bare]) }
    let again = try await place.open()
    #expect(try await again.problems() == [])
    try await again.addSample(Doodles.ink("line"), label: full, to: model)
    #expect(try await again.labels(of: model).map { Array($0.label.utf8) } == [Array(bare.utf8)])
    // Deleted, it comes back with its name, as it is written now.
    try await again.changeLabel(full, name: "heart", of: model)
    let deleted = try await again.deleteLabel(full, of: model)
    let restored = try await again.restore(deleted, of: model)
    #expect(restored.name == "heart" && restored.sampleCount == 3)
    #expect(Array(restored.label.utf8) == Array(full.utf8))
  }

  @Test("The same sample again is acknowledged again; another one under its id is refused")
  func idempotent() async throws {
    let (_, workspace, model) = try await Place.fresh()
    let first = try await workspace.addSample(
      Doodles.ink(), label: "✖️", id: "client-1", to: model)
    #expect(first.isNew)
    let again = try await workspace.addSample(
      Doodles.ink(), label: "✖️", id: "client-1", to: model)
    #expect(!again.isNew)
    #expect(again.sample == first.sample)
    await refused(.saveSample, .idTaken("client-1")) {
      try await workspace.addSample(Doodles.ink(), label: "⭐", id: "client-1", to: model)
    }
    await refused(.saveSample, .idTaken("client-1")) {
      try await workspace.addSample(
        Doodles.ink("line"), label: "✖️", id: "client-1", to: model)
    }
    #expect(try await workspace.samples(of: model) == [first.sample])
    let other = try await workspace.createModel(named: "other")
    #expect(
      try await workspace.addSample(Doodles.ink(), label: "⭐", id: "client-1", to: other.id).isNew,
      "ids are those of a model")
  }

  @Test("Of several samples all are added or none")
  func allOrNone() async throws {
    let (_, workspace, model) = try await Place.fresh()
    await refused(.saveSample, .labelEmpty) {
      try await workspace.addSamples(
        [
          SampleAddition(label: "a", drawing: Doodles.ink()),
          SampleAddition(label: " ", drawing: Doodles.ink()),
        ], to: model)
    }
    #expect(try await workspace.samples(of: model).isEmpty)
    #expect(try await workspace.labels(of: model).isEmpty)
  }

  @Test("What cannot teach is refused, with what is wrong with it")
  func badSamples() async throws {
    let (_, workspace, model) = try await Place.fresh()
    func add(
      _ points: [Point], label: String = "a", id: String? = nil,
      canvas: Drawing.Canvas? = nil
    ) async throws {
      _ = try await workspace.addSample(
        Drawing(strokes: [Stroke(points)], canvas: canvas), label: label, id: id, to: model)
    }
    let line = [Point(x: 0, y: 0), Point(x: 9, y: 9)]
    await refused(.saveSample, .drawing(.emptyDrawing)) { try await add([]) }
    await refused(.saveSample, .tooLittleInk) { try await add([Point(x: 1, y: 1)]) }
    await refused(.saveSample, .drawing(.invalidNumber(stroke: 0, point: 1, axis: .y))) {
      try await add([Point(x: 0, y: 0), Point(x: 0, y: .nan)])
    }
    let far = "stroke 0, point 0: x is farther out than 1000000000"
    await refused(.saveSample, .invalidNumber(far)) {
      try await add([Point(x: 1e10, y: 0), Point(x: 0, y: 1)])
    }
    await refused(.saveSample, .drawing(.invalidNumber(stroke: 0, point: 0, axis: .t))) {
      try await add([Point(x: 1, y: 0, t: .infinity), Point(x: 0, y: 1, t: 3)])
    }
    await refused(.saveSample, .tooMuch("points", limit: 50_000)) {
      try await add((0...50_000).map { Point(x: Double($0), y: 0) })
    }
    await refused(.saveSample, .tooMuch("strokes", limit: 2000)) {
      try await workspace.addSample(
        Drawing(strokes: (0...2000).map { Stroke([Point(x: Double($0), y: 0)]) }), label: "a",
        to: model)
    }
    await refused(
      .saveSample, .invalidNumber("a canvas's width and height are in 0...1000000000")
    ) {
      try await add(line, canvas: .init(width: -1, height: 5))
    }
    await refused(.saveSample, .labelEmpty) { try await add(line, label: "") }
    await refused(.saveSample, .labelTooLong(limit: 64)) {
      try await add(line, label: String(repeating: "⭐", count: 65))
    }
    await refused(.saveSample, .labelInvalid) { try await add(line, label: "a\u{7}") }
    await refused(.saveSample, .labelInvalid) { try await add(line, label: "a\u{2028}b") }
    await refused(.saveSample, .labelInvalid) { try await add(line, label: " .. ") }
    for id in ["", ".", "..", "a b", "é", "a\n", String(repeating: "x", count: 129)] {
      await refused(.saveSample, .invalidID(id)) { try await add(line, id: id) }
    }
    #expect(try await workspace.samples(of: model).isEmpty)
  }

  @Test(
    "Emojis of every make are labels",
    arguments: [
      "❤️", "👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇯🇵", "👍🏽", "1️⃣", "\u{1fae8}", "\u{1fadf}", "cat",
    ])
  func emojis(label: String) async throws {
    let (_, workspace, model) = try await Place.fresh()
    try await workspace.addSample(Doodles.ink(), label: label, to: model)
    #expect(try await workspace.labels(of: model).map(\.label) == [label])
  }

  @Test("Samples come newest first, page by page, and by label")
  func pages() async throws {
    let (_, workspace, model) = try await Place.fresh()
    // All at the same moment: then the ids decide.
    try await workspace.addSamples(Doodles.additions(3, of: ["line", "circle"]), to: model)
    try await workspace.addSample(Doodles.ink(), label: "cross", id: "newest", to: model)
    let all = try await workspace.samples(of: model)
    #expect(
      all.map(\.id) == [
        "newest", "line-2", "line-1", "line-0", "circle-2", "circle-1", "circle-0",
      ])
    // A page holds three samples, or the ink of one.
    for (limit, bytes, counts) in [(3, Int.max, [3, 3, 1]), (3, 1, [1, 1, 1, 1, 1, 1, 1])] {
      var (pages, last, hasMore): ([[String]], String?, Bool) = ([], nil, true)
      while hasMore {
        let page = try await workspace.samplePage(
          of: model, before: last, limit: limit, bytes: bytes)
        pages.append(page.samples.map(\.id))
        (last, hasMore) = (page.samples.last?.id, page.hasMore)
      }
      #expect(pages.map(\.count) == counts)
      #expect(pages.flatMap { $0 } == all.map(\.id))
    }
    let lines = try await workspace.samplePage(
      of: model, label: "line", before: "line-1", limit: 9)
    #expect(lines.samples.map(\.id) == ["line-0"] && !lines.hasMore)
    #expect(try await workspace.samples(of: model, label: "nothing").isEmpty)
    await refused(.read, .unknownSample("gone")) {
      try await workspace.samplePage(of: model, before: "gone", limit: 1)
    }
    #expect(
      try await workspace.samples(of: model, ids: ["line-0", "gone", "newest"]).map(\.id)
        == ["line-0", "newest"])
  }

  @Test("A sample gets another label; the label without samples goes")
  func relabel() async throws {
    let (_, workspace, model) = try await Place.fresh()
    try await workspace.addSample(Doodles.ink(), label: "⭐", id: "a", to: model)
    let sample = try await workspace.relabelSample("a", to: "✖️", of: model)
    #expect(sample.label == "✖️")
    #expect(sample.drawing.label == "✖️")
    #expect(try await workspace.labels(of: model).map(\.label) == ["✖️"])
    await refused(.changeSample, .unknownSample("b")) {
      try await workspace.relabelSample("b", to: "✖️", of: model)
    }
    await refused(.changeSample, .labelEmpty) {
      try await workspace.relabelSample("a", to: "", of: model)
    }
    #expect(try await workspace.sample("a", of: model) == sample)
  }

  @Test("Samples are deleted all or none, and labels with all of theirs")
  func deleting() async throws {
    let (_, workspace, model) = try await Place.fresh(doodles: 3)
    let some = try await workspace.deleteSamples(["line-1", "cross-0", "line-1"], of: model)
    #expect(some.map(\.id) == ["line-1", "cross-0"])
    #expect(try await workspace.samples(of: model).count == 10)
    let ring = try await workspace.deleteLabel("circle", of: model).samples
    #expect(ring.map(\.id) == ["circle-2", "circle-1", "circle-0"])
    #expect(try await workspace.labels(of: model).map(\.label) == ["cross", "line", "zigzag"])
    let samples = try await workspace.samples(of: model)
    await refused(.deleteSample, .unknownSample("x")) {
      try await workspace.deleteSamples(["line-0", "x"], of: model)
    }
    #expect(try await workspace.samples(of: model) == samples, "all or none")
    await refused(.deleteLabel, .unknownLabel("x")) {
      try await workspace.deleteLabel("x", of: model)
    }
  }

  @Test("A page goes on behind its last sample, also where that one is gone by now")
  func pagesWhileDeleting() async throws {
    let (_, workspace, model) = try await Place.fresh()
    try await workspace.addSamples(Doodles.additions(4, of: ["line"]), to: model)
    let page = try await workspace.samples(of: model, limit: 2)
    #expect(page.map(\.id) == ["line-3", "line-2"])
    try await workspace.deleteSamples(["line-2"], of: model)
    let next = try await workspace.samples(of: model, olderThan: page.last, limit: 2)
    #expect(next.map(\.id) == ["line-1", "line-0"])
    #expect(try await workspace.samples(of: model, olderThan: next.last).isEmpty)
  }

  @Test("D-002, F-007: a label has its counts, its name and its newest drawing")
  func labels() async throws {
    let (_, workspace, model) = try await Place.fresh()
    try await workspace.addSamples(Doodles.additions(2, of: ["line", "cross"]), to: model)
    let named = try await workspace.changeLabel("line", name: " a line ", of: model)
    #expect(named.name == "a line")
    let labels = try await workspace.labels(of: model)
    #expect(labels.map(\.label) == ["cross", "line"])
    #expect(labels.map(\.name) == [nil, "a line"])
    #expect(labels.map(\.sampleCount) == [2, 2])
    #expect(labels.map(\.taughtCount) == [0, 0])
    #expect(labels.map(\.example?.id) == ["cross-1", "line-1"])
    #expect(try await workspace.changeLabel("line", name: "", of: model).name == nil)
    await refused(.changeLabel, .unknownLabel("x")) {
      try await workspace.changeLabel("x", name: "y", of: model)
    }
    await refused(.changeLabel, .nameTooLong(limit: 80)) {
      try await workspace.changeLabel(
        "line", name: String(repeating: "y", count: 81), of: model)
    }
  }

  @Test("A label is renamed with its samples and its name; onto another one only if they may merge")
  func renamingLabels() async throws {
    let (_, workspace, model) = try await Place.fresh()
    try await workspace.addSamples(Doodles.additions(2, of: ["line", "cross"]), to: model)
    try await workspace.changeLabel("line", name: "a line", of: model)
    let dash = try await workspace.changeLabel("line", to: "➖", of: model)
    #expect(dash.label == "➖")
    #expect(dash.name == "a line")
    #expect(dash.sampleCount == 2)
    await refused(.changeLabel, .labelTaken("cross")) {
      try await workspace.changeLabel("➖", to: "cross", of: model)
    }
    await refused(.changeLabel, .unknownLabel("line")) {
      try await workspace.changeLabel("line", to: "x", of: model)
    }
    #expect(try await workspace.changeLabel("➖", to: "➖", of: model) == dash)
    let merged = try await workspace.changeLabel("➖", to: "cross", merging: true, of: model)
    #expect(merged.sampleCount == 4)
    #expect(merged.name == "a line", "the other one had no name")
    #expect(try await workspace.labels(of: model).map(\.label) == ["cross"])
  }

  @Test("Where samples join others, those keep their name")
  func namesOfJoinedLabels() async throws {
    let (_, workspace, model) = try await Place.fresh()
    try await workspace.addSamples(Doodles.additions(1, of: ["line", "cross"]), to: model)
    try await workspace.changeLabel("line", name: "a line", of: model)
    try await workspace.changeLabel("cross", name: "a cross", of: model)
    let joined = try await workspace.changeLabel("line", to: "cross", merging: true, of: model)
    #expect(joined.name == "a cross")
  }

  @Test("A label and its name change together or not at all")
  func changingBoth() async throws {
    let (_, workspace, model) = try await Place.fresh()
    try await workspace.addSamples(Doodles.additions(2, of: ["line", "cross"]), to: model)
    let labels = try await workspace.labels(of: model)
    await refused(.changeLabel, .nameTooLong(limit: 80)) {
      try await workspace.changeLabel(
        "line", to: "➖", name: String(repeating: "y", count: 81), of: model)
    }
    await refused(.changeLabel, .labelTaken("cross")) {
      try await workspace.changeLabel("line", to: "cross", name: "a cross", of: model)
    }
    #expect(try await workspace.labels(of: model) == labels)
    let changed = try await workspace.changeLabel("line", to: "➖", name: "a dash", of: model)
    #expect(changed.label == "➖" && changed.name == "a dash" && changed.sampleCount == 2)
  }

  @Test(
    "A label that has only its name left keeps it for its next sample, and gives way to another one"
  )
  func namesOfEmptyLabels() async throws {
    let (_, workspace, model) = try await Place.fresh()
    try await workspace.addSamples(Doodles.additions(1, of: ["line", "cross"]), to: model)
    try await workspace.changeLabel("line", name: "a line", of: model)
    try await workspace.deleteSamples(["line-0"], of: model)
    #expect(try await workspace.labels(of: model).map(\.label) == ["cross"])
    try await workspace.addSample(Doodles.ink("line"), label: "line", to: model)
    #expect(try await workspace.labels(of: model).map(\.name) == [nil, "a line"])
    let all = try await workspace.samples(of: model, label: "line").map(\.id)
    try await workspace.deleteSamples(all, of: model)
    #expect(try await workspace.changeLabel("cross", to: "line", of: model).name == nil)
  }

  @Test("Labels are one in both of their Unicode forms")
  func normalForm() async throws {
    let (_, workspace, model) = try await Place.fresh()
    try await workspace.addSample(Doodles.ink(), label: "caf\u{e9}", to: model)
    try await workspace.addSample(Doodles.ink("line"), label: "cafe\u{301}", to: model)
    #expect(try await workspace.labels(of: model).map(\.sampleCount) == [2])
    #expect(try await workspace.samples(of: model, label: "cafe\u{301}").count == 2)
    #expect(try await workspace.deleteLabel("cafe\u{301}", of: model).samples.count == 2)
  }

  @Test(
    "A deleted label comes back with ids, dates and name, beside later additions; or not at all"
  )
  func restored() async throws {
    let (_, workspace, model) = try await Place.fresh(doodles: 3)
    try await workspace.changeLabel("circle", name: "ring", of: model)
    try await workspace.train(model)
    let before = try await ExportTests.rows(of: workspace)
    let deleted = try await workspace.deleteLabel("circle", of: model)
    #expect(deleted.name == "ring" && deleted.samples.count == 3)
    try await workspace.restore(deleted, of: model)
    #expect(try await ExportTests.rows(of: workspace) == before)
    #expect(try await workspace.model(model).untrainedCount == 0)
    // Twice is once.
    try await workspace.restore(deleted, of: model)
    #expect(try await ExportTests.rows(of: workspace) == before)
    try await workspace.deleteLabel("circle", of: model)
    try await workspace.addSample(
      Doodles.ink("circle", 40), label: "circle", id: "new", to: model)
    try await workspace.changeLabel("circle", name: "wheel", of: model)
    let label = try await workspace.restore(deleted, of: model)
    #expect(label.name == "wheel" && label.sampleCount == 4)
    try await workspace.deleteLabel("circle", of: model)
    try await workspace.addSample(
      Doodles.ink("line", 41), label: "line", id: deleted.samples[0].id, to: model)
    let rows = try await ExportTests.rows(of: workspace)
    await refused(.restore, .idTaken(deleted.samples[0].id)) {
      try await workspace.restore(deleted, of: model)
    }
    #expect(try await ExportTests.rows(of: workspace) == rows)
    await refused(.restore, .unknownModel("none")) {
      try await workspace.restore(deleted, of: "none")
    }
  }
}
