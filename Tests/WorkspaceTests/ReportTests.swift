import Foundation
import GRDB
import Ink
import Recognition
import Testing

@testable import Workspace

@Suite("The report of a model's last training")
struct ReportTests {
  @Test("It is kept with the model, and read by every program that opens the workspace")
  func kept() async throws {
    let (place, workspace, model) = try await Place.fresh()
    await refused(.read, .noReport) { try await workspace.report(of: model) }
    #expect(WorkspaceError(.read, .noReport).message == "Train the model to see what it learned.")
    try await workspace.addSamples(Doodles.additions(3), to: model)
    let first = try await workspace.train(model)
    #expect(try await workspace.report(of: model) == first)
    try await workspace.addSamples(Doodles.additions(2, from: 3), to: model)
    var second = try await workspace.train(model)
    #expect(second.seconds > 0, "the clock of tests goes on with each look")
    try await workspace.changeModel(model, name: "Shapes")
    second.model.name = "Shapes"
    let other = try await place.open()
    #expect(try await other.report(of: model) == second, "with the model as it is now")
    await refused(.read, .unknownModel("none")) { try await workspace.report(of: "none") }
  }

  @Test("A training that fails keeps the report before, and a deleted model leaves none")
  func sameTransaction() async throws {
    let (_, workspace, model) = try await Place.fresh(doodles: 2)
    let first = try await workspace.train(model)
    try await workspace.addSamples(Doodles.additions(2, from: 2), to: model)
    let training = Task {
      try await workspace.train(model) { step in
        if step.stage == .judging { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await training.value }
    var report = try await workspace.report(of: model)
    #expect(report.model.untrainedCount == 8)
    report.model = first.model
    #expect(report == first)
    try await workspace.deleteModel(model)
    let left = try await workspace.database.read { db in
      try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM report")
    }
    #expect(left == 0)
  }

  @Test("A report counts for its own training alone: a training that kept none has none")
  func otherGeneration() async throws {
    let (place, workspace, model) = try await Place.fresh(doodles: 2)
    try await workspace.train(model)
    // As a program does that has had the workspace open since before there were reports.
    try await workspace.execute("UPDATE report SET generation = generation - 1")
    await refused(.read, .noReport) { try await workspace.report(of: model) }
    #expect(try await workspace.problems() == [])
    try await workspace.export(to: place.path("all"))
    let copy = try await place.open(in: "copy", importing: "all")
    await refused(.read, .noReport) { try await copy.report(of: model) }
  }

  @Test("A report whose shares have the short names of before is read as one of now")
  func shortNames() async throws {
    let (_, workspace, model) = try await Place.fresh(doodles: 3)
    try await workspace.changeLabel("line", name: #"before, "after": 1"#, of: model)
    try await workspace.train(model)
    try await workspace.addSamples(Doodles.additions(1, from: 3), to: model)
    let report = try await workspace.train(model)
    #expect(report.shares.known != nil && report.shares.added != nil)
    let json = try await workspace.database.write { db in
      try db.execute(
        sql: """
          UPDATE report SET json = replace(replace(replace(json, 'recognizedShare', 'recognized'),
            'shareBefore', 'before'), 'shareAfter', 'after')
          """)
      return try String.fetchOne(db, sql: "SELECT json FROM report")
    }
    #expect(json?.contains("Share") == false)
    #expect(try await workspace.report(of: model) == report)
  }

  @Test("It goes along with an export, also into a model with another id")
  func exported() async throws {
    let (place, workspace, models) = try await Place.filled()
    try await workspace.export(to: place.path("all"))
    let report = try await workspace.report(of: models[0])
    let copy = try await place.open(in: "copy", importing: "all")
    #expect(try await copy.report(of: models[0]) == report)
    await refused(.read, .noReport) { try await copy.report(of: models[1]) }
    try await copy.deleteSamples(["late"], of: models[0])
    let added = try await copy.import(from: place.path("all")).added
    #expect(added.count == 1)
    var expected = report
    expected.model = added[0]
    #expect(try await copy.report(of: added[0].id) == expected)
  }

  @Test("A workspace of version 1 gets its place for reports, and has the tables of a new one")
  func migration() async throws {
    let place = Place()
    try TroubleTests.put(version: 1, into: place)
    let workspace = try await place.open()
    let model = try await workspace.activeModel().id
    await refused(.read, .noReport) { try await workspace.report(of: model) }
    let report = try await workspace.train(model)
    #expect(try await workspace.report(of: model) == report)
    /// The tables without those that a library made.
    func tables(of workspace: Workspace) async throws -> [String] {
      try await workspace.database.read { db in
        try String.fetchAll(
          db,
          sql: """
            SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'grdb%'
            ORDER BY name
            """)
      }
    }
    let new = try await place.open(in: "new")
    #expect(try await tables(of: workspace) == tables(of: new))
    let version = try await workspace.database.read {
      try Int.fetchOne($0, sql: "PRAGMA user_version")
    }
    #expect(version == WorkspaceSchema.version)
    #expect(try await place.open().report(of: model) == report, "it is migrated once")
  }

  @Test("Exports of versions 1 and 2 are taken", arguments: [1, 2])
  func oldExport(version: Int) async throws {
    let place = Place()
    _ = try await place.open()
    // What an export has besides: the files of trained models, and another program's number.
    try place.edit("old") { db in
      try db.execute(sql: TroubleTests.dump(ofVersion: version))
      try db.execute(
        sql: """
          DROP TABLE grdb_migrations;
          UPDATE model SET generation = 0, lastTrained = NULL, base = NULL;
          DELETE FROM taught;
          PRAGMA application_id = \(WorkspaceSchema.exportID)
          """)
      if version == 2 { try db.execute(sql: "DELETE FROM report") }
      try db.execute(sql: WorkspaceSchema.exportTable)
    }
    let copy = try await place.open(in: "copy")
    let added = try await copy.import(from: place.path("old")).added
    #expect(added.map(\.name) == ["My first model", "Animals"])
    #expect(added.map(\.sampleCount) == [0, 2])
    #expect(added.map(\.isEveryday) == [false, false])
    await refused(.read, .noReport) { try await copy.report(of: added[1].id) }
    #expect(try await copy.import(from: place.path("old")).unchanged.count == 2)
  }

  @Test("What can be read of a damaged workspace has its report; an invalid one is left out")
  func rescued() async throws {
    let (place, workspace, models) = try await Place.filled()
    let report = try await workspace.report(of: models[0])
    try place.rescue()
    let copy = try await place.open(in: "copy", importing: "rescued")
    #expect(try await copy.report(of: models[0]).labels == report.labels)
    try await workspace.execute("UPDATE report SET json = '{}'")
    #expect(try await workspace.problems().count == 1)
    try place.rescue()
    let other = try await place.open(in: "other", importing: "rescued")
    await refused(.read, .noReport) { try await other.report(of: models[0]) }
    #expect(try await other.history(of: models[0]).count == 3, "and nothing else is")
  }
}
