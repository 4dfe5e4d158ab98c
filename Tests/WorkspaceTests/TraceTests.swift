import Foundation
import GRDB
import Ink
import Testing
import Trace

@testable import Workspace

@Suite("Traces and templates of a workspace")
struct TraceTests {
  @Test("TR-030: the prototype of a label is its most typical drawing, under the label's name")
  func prototypes() async throws {
    let (_, workspace, model) = try await Place.fresh(doodles: 5)
    try await workspace.changeLabel("cross", name: "a cross", of: model)
    let templates = try await workspace.prototypes(of: model)
    #expect(templates.map(\.id) == Doodles.labels.map { "label/\($0)" })
    #expect(templates.map(\.name) == ["circle", "a cross", "line", "zigzag"])
    for (template, label) in zip(templates, Doodles.labels) {
      let samples = try await workspace.samples(of: model, label: label).map(\.drawing)
      let typical = try Template.prototype(of: label, among: samples)
      #expect(template.drawing == typical?.drawing)
    }
  }

  @Test("Long drawings do not make the list of labels, or of prototypes, longer than a page")
  func longDrawings() async throws {
    let (_, workspace, model) = try await Place.fresh()
    let points = (0..<WorkspaceLimits.points).map { number in
      Point(x: Double(number) + 0.5, y: Double(number % 977) + 0.25)
    }
    let long = Drawing(strokes: [Stroke(points)])
    let size = StrokeJSON.encode(long).count
    let fitting = WorkspaceLimits.pageBytes / size
    #expect((2..<12).contains(fitting), "of \(size) bytes")
    try await workspace.addSamples(
      (0..<12).map { SampleAddition(label: "long \($0)", drawing: long) }
        + [SampleAddition(label: "zigzag", drawing: Doodles.ink("zigzag"))], to: model)
    let labels = try await workspace.labels(of: model)
    #expect(labels.count == 13 && labels.allSatisfy { $0.sampleCount == 1 })
    #expect(labels.count { $0.example != nil } == fitting + 1, "a short one fits, too")
    let prototypes = try await workspace.prototypes(of: model)
    #expect((fitting...fitting + 1).contains(prototypes.count))
  }

  @Test("TR-041: an export carries the template of a sample, and so does what was imported")
  func exported() async throws {
    let (place, workspace, model) = try await Place.fresh()
    try await workspace.addSample(
      Doodles.ink(), label: "⭐", id: "traced", over: "bundled/star", to: model)
    try await workspace.addSample(Doodles.ink("line"), label: "⭐", id: "free", to: model)
    try await workspace.export(to: place.path("all.drawmlx"))
    let other = try await place.open(in: "other", importing: "all.drawmlx")
    let found = try await other.models().first { $0.sampleCount == 2 }
    let samples = try await other.samples(of: try #require(found).id)
    #expect(
      Dictionary(uniqueKeysWithValues: samples.map { ($0.id, $0.template) })
        == ["traced": "bundled/star", "free": nil])
  }

  @Test("TR-040: the count begins anew at local midnight, and a limit of 0 is none")
  func daily() async throws {
    let place = Place()
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let clock = TestClock(try Date("2026-11-25T22:59:00Z", strategy: .iso8601))
    let workspace = try Workspace(
      folder: place.path("clock"), base: await Small.base, now: { clock.now })
    #expect(try await workspace.tracesLeft(in: zone) == nil)
    #expect(try await workspace.countTrace(in: zone).isCounted)
    var patch = WorkspaceSettings.Patch()
    patch.tracingLimit = 2
    try await workspace.update(patch)
    // The one before the limit was set counts.
    #expect(try await workspace.tracesLeft(in: zone) == 1)
    #expect(try await workspace.countTrace(in: zone).isCounted)
    #expect(try await !workspace.countTrace(in: zone).isCounted)
    #expect(try await workspace.tracesLeft(in: zone) == 0)
    patch.tracingLimit = 1
    try await workspace.update(patch)
    #expect(try await workspace.tracesLeft(in: zone) == 0, "not less")
    patch.tracingLimit = 2
    try await workspace.update(patch)
    clock.now += 60
    #expect(try await workspace.tracesLeft(in: zone) == 2)
    #expect(try await workspace.countTrace(in: zone).isCounted)
    #expect(try await workspace.tracesLeft(in: zone) == 1)
  }

  @Test("A count that this program would not write is damage, and no crash")
  func damaged() async throws {
    let workspace = try await Place().open()
    _ = try await workspace.countTrace()
    try await workspace.execute("UPDATE traced SET used = -1", unchecked: true)
    await #expect(throws: WorkspaceError.self) { try await workspace.tracesLeft() }
  }
}
