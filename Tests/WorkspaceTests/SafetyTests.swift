import Files
import Foundation
import GRDB
import Glibc
import Ink
import Recognition
import TestTools
import Testing
import Text
import Trace

@testable import Workspace

@Suite("Nothing is lost, whatever happens")
struct SafetyTests {
  @Test("F-010: what is acknowledged is synced, references are kept, and the log is write-ahead")
  func pragmas() async throws {
    let workspace = try await Place().open()
    let values = try await workspace.database.writeWithoutTransaction { db in
      try ["journal_mode", "synchronous", "foreign_keys", "trusted_schema", "user_version"].map {
        try String.fetchOne(db, sql: "PRAGMA \($0)")
      }
    }
    #expect(values == ["wal", "2", "1", "0", "\(WorkspaceSchema.version)"])
    let isKept = try await workspace.database.read {
      try Int.fetchOne($0, sql: "PRAGMA foreign_keys")
    }
    #expect(isKept == 1)
  }

  @Test("What a killed program leaves beside the database is swept away; other files stay")
  func orphans() async throws {
    let place = Place()
    var workspace: Workspace? = try await place.open()
    let model = try #require(try await workspace?.activeModel().id)
    try await workspace?.addSamples(Doodles.additions(2), to: model)
    try await workspace?.train(model)
    try workspace?.close()
    workspace = nil
    // Killed between the file and the row; between the row and the old file; while a file was
    // written.
    let orphans = [
      "\(model)-2.drawml", "\(Place.id(77))-1.drawml", ".drawml-123-4.tmp", ".drawml-\(model).tmp",
    ]
    let others = ["notes.txt", "mine.drawml", ".drawml-backup"]
    for name in orphans + others {
      try AtomicFile.write("half", to: place.path("data/models/\(name)"))
    }
    let again = try await place.open()
    #expect(place.modelFiles == (others + ["\(model)-1.drawml"]).sorted())
    #expect(try await again.recognizer(of: model).labels == Doodles.labels)
    #expect(try await again.model(model).generation == 1)
    #expect(try await again.train(model).model.generation == 2)
    #expect(try await again.problems() == [])
  }

  @Test("Nothing is swept while a program makes files")
  func noSweepDuringTraining() async throws {
    let (place, workspace, model) = try await Place.fresh()
    let path = place.path("data/models/\(model)-1.drawml")
    try await workspace.withModelLock {
      try AtomicFile.write("not named yet", to: path)
      _ = try await place.open()
      #expect(AtomicFile.exists(path))
    }
    _ = try await place.open()
    #expect(!AtomicFile.exists(path))
  }

  @Test("A model's file that another program may just be bringing back is left to the next opening")
  func deletionDuringImport() async throws {
    let (place, workspace, models) = try await Place.filled()
    let path = place.path("data/models/\(models[0])-1.drawml")
    let other = try await place.open()
    try await workspace.withModelLock {
      // The import has this lock while it writes the file and the row.
      _ = try await other.deleteModel(models[0])
      #expect(AtomicFile.exists(path))
    }
    _ = try await place.open()
    #expect(!AtomicFile.exists(path))
  }

  @Test("A step that fails leaves the rows as they were and no file")
  func failingSteps() async throws {
    let (place, workspace, model) = try await Place.fresh(doodles: 2)
    try await workspace.train(model)
    try await workspace.addSamples(Doodles.additions(1, from: 5), to: model)
    let (models, files) = (try await workspace.models(), place.modelFiles)
    // The database refuses the row that names the new file.
    try await workspace.execute(
      """
      CREATE TRIGGER refuse BEFORE UPDATE ON model BEGIN SELECT RAISE(ABORT, 'no'); END
      """)
    await #expect(throws: WorkspaceError.self) { try await workspace.train(model) }
    await #expect(throws: WorkspaceError.self) {
      try await workspace.changeModel(model, refusalRate: 0.1)
    }
    #expect(try await workspace.models() == models)
    #expect(place.modelFiles == files)
    try await workspace.execute("DROP TRIGGER refuse")
    #expect(try await workspace.train(model).added == 4)
  }

  @Test("Many tasks on two openings of one folder lose nothing and stay in step")
  func concurrency() async throws {
    let place = Place()
    let openings = [try await place.open(), try await place.open()]
    let model = try await openings[0].activeModel().id
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, workspace) in openings.enumerated() {
        for writer in 0..<4 {
          group.addTask {
            for index in 0..<10 {
              try await workspace.addSample(
                Doodles.ink(Doodles.labels[writer], number * 100 + index),
                label: Doodles.labels[writer], id: "\(number)-\(writer)-\(index)", to: model)
            }
          }
        }
        group.addTask {
          for step in 0..<10 {
            let id = try await workspace.createModel(named: "\(number)/\(step)").id
            try await workspace.changeModel(id, activating: true)
            if step % 2 == 0 { try await workspace.deleteModel(id) }
            #expect(try await workspace.models().count { $0.isActive } == 1)
          }
        }
      }
      try await group.waitForAll()
    }
    for workspace in openings {
      #expect(try await workspace.model(model).sampleCount == 80)
      #expect(try await workspace.models().count == 11)
      #expect(try await workspace.problems() == [])
    }
  }

  @Test("Two trainings at once wait for each other; both models are whole")
  func twoTrainings() async throws {
    let place = Place()
    let openings = [try await place.open(), try await place.open()]
    let first = try await openings[0].activeModel().id
    let second = try await openings[0].createModel(named: "second").id
    try await openings[0].addSamples(Doodles.additions(2), to: first)
    try await openings[0].addSamples(Doodles.additions(3), to: second)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for workspace in openings {
        for model in [first, second] {
          group.addTask { _ = try await workspace.train(model) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await openings[1].models().map(\.generation) == [2, 2])
    #expect(place.modelFiles == ["\(first)-2.drawml", "\(second)-2.drawml"].sorted())
    #expect(try await openings[0].problems() == [])
  }

  @Test("Who reads a model while it is trained gets the old one or the new one")
  func readingWhileTraining() async throws {
    let place = Place()
    let (workspace, other) = (try await place.open(), try await place.open())
    let model = try await workspace.activeModel().id
    try await workspace.addSamples(Doodles.additions(2), to: model)
    try await workspace.train(model)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<4 { try await workspace.train(model) }
      }
      group.addTask {
        for _ in 0..<40 {
          let snapshot = try await other.snapshot(of: model)
          #expect(snapshot.recognizer.memory.samples.count == 8)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("Many openings of a new folder at once make one first model")
  func firstOpenings() async throws {
    let place = Place()
    let base = try await Small.base
    let ids = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask { try await place.open(base: base).activeModel().id }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
    #expect(try await place.open().models().count == 1)
  }

  @Test("A first opening that was cut off at any moment is made up for by the next one")
  func cutOffFirstOpening() async throws {
    for names in [[], ["workspace.sqlite"], [".drawml-new.tmp", ".drawml-new.tmp-journal"]] {
      let place = Place()
      try place.makeFolder("data/models")
      for name in names {
        // An empty database, and half of one.
        let isHalf = name.hasPrefix(".")
        try AtomicFile.write(
          isHalf ? Array("SQLite format 3\0".utf8) : [],
          to: place.path(isHalf ? "data/models/\(name)" : "data/\(name)"))
      }
      let workspace = try await place.open()
      #expect(try await workspace.models().map(\.name) == ["My first model"])
      #expect(try await workspace.problems() == [])
      #expect(place.modelFiles.isEmpty)
    }
    // Between the database and its first model.
    let (place, workspace) = try await Place.opened()
    try await workspace.execute("DELETE FROM model")
    try workspace.close()
    #expect(try await place.open().models().count == 1)
  }

  @Test("The database has its mark in its first bytes from the beginning on")
  func mark() async throws {
    let (place, workspace) = try await Place.opened()
    let header = try #require(DatabaseHeader(of: place.database))
    #expect(header.program == WorkspaceSchema.workspaceID)
    #expect(header.version == WorkspaceSchema.version)
    let tables = try await workspace.database.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'").count
    }
    #expect(tables == 13)
  }

  @Test("F-010: a workspace that a program left open still holds all that was acknowledged")
  func logLeftBehind() async throws {
    let (place, workspace, model) = try await Place.fresh(doodles: 3)
    // The disk at this moment: the database and its log, before a checkpoint.
    try place.makeFolder("copied")
    #expect(AtomicFile.exists(place.path("data/workspace.sqlite-wal")))
    for name in ["workspace.sqlite", "workspace.sqlite-wal"] {
      try FileManager.default.copyItem(
        atPath: place.path("data/\(name)"), toPath: place.path("copied/\(name)"))
    }
    let revived = try await place.open(in: "copied")
    #expect(try await revived.samples(of: model) == workspace.samples(of: model))
    #expect(try await revived.problems() == [])
  }
}

@Suite("Troubles of the disk and of the database")
struct TroubleTests {
  @Test("A full disk is told in the requirement's words, and nothing changes")
  func fullDatabase() async throws {
    let (_, workspace, model) = try await Place.fresh(doodles: 1)
    let samples = try await workspace.samples(of: model)
    try await workspace.database.writeWithoutTransaction { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(pages)")
    }
    let many = Doodles.additions(60, from: 10)
    await refused(.saveSample, .diskFull) { try await workspace.addSamples(many, to: model) }
    let error = WorkspaceError(.saveSample, .diskFull)
    #expect(error.message == "Couldn’t save sample.")
    #expect(
      error.detail == "The disk is full. Free some space and try again: nothing was changed.")
    #expect(try await workspace.samples(of: model) == samples)
    #expect(try await workspace.problems() == [])
    try await workspace.execute("PRAGMA max_page_count = 1000000")
    try await workspace.addSamples(many, to: model)
    #expect(try await workspace.model(model).sampleCount == 244)
  }

  @Test("More samples are asked for where they would help; else the real reason is said")
  func trainingWords() {
    #expect(
      WorkspaceError(.train, .noSamples).message == "Training failed. Try with more samples.")
    for reason in [WorkspaceError.Reason.diskFull, .damaged("x"), .model("x"), .readOnly, .busy] {
      let error = WorkspaceError(.train, reason)
      #expect(error.description == "Training failed. \(reason.description)")
    }
  }

  @Test(
    "A page that hides the models is told as damage, not as models that are not there",
    arguments: ["model", "sqlite_autoindex_model_1", "activeModel", "sqlite_schema"])
  func hiddenModels(name: String) async throws {
    let (place, workspace, model) = try await Place.fresh()
    let page = try await workspace.database.read { db in
      try Int.fetchOne(
        db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [name]) ?? 1
    }
    try workspace.close()
    // The page says that it has no cells, which is no fault by itself.
    let path = place.database
    var bytes = try AtomicFile.read(path)
    let header = (page - 1) * 4096 + (page == 1 ? 100 : 0)
    bytes.replaceSubrange((header + 1)..<(header + 8), with: [0, 0, 0, 0, 0x10, 0, 0])
    try AtomicFile.write(bytes, to: path)
    let error = await #expect(throws: WorkspaceError.self) {
      let damaged = try await place.open()
      _ = try await damaged.activeModel()
      _ = try await damaged.model(model)
    }
    #expect(error?.code == "damaged")
    #expect(error?.detail.contains("drawml workspace rescue") == true)
    // SQLite counts openings on the first page; no other is written while the database is damaged.
    let now = try AtomicFile.read(path)
    #expect(now[4096..<bytes.count] == bytes[4096...])
  }

  @Test("Faults that are alike are told once")
  func faults() {
    let rows = (1...50).map { "row \($0) missing from index sampleByLabel" }
    let faults = IntegrityErrors(["ok"] + rows + ["Page 7 is never used"])
    #expect(
      faults.summary
        == "row 1 missing from index sampleByLabel, and 49 more like it; Page 7 is never used")
    let kinds = IntegrityErrors(["a", "b", "c", "d", "e", "f"])
    #expect(kinds.summary == "a; b; c; d; and 2 other kinds of fault")
  }

  @Test("A workspace that cannot be written is read from a copy, which goes away with it")
  func readOnlyCopy() async throws {
    let (_, workspace, _) = try await Place.fresh(doodles: 2)
    // The log has not been checkpointed yet.
    var files: WorkspaceFiles? = try workspace.files.copyingDatabase()
    let folder = try #require(files?.copy?.path)
    #expect(files?.database == folder + "/workspace.sqlite")
    #expect(throws: WorkspaceError.Reason.readOnly) { try files?.requireWritable() }
    let count = try await DatabaseQueue(path: folder + "/workspace.sqlite").read {
      try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM sample")
    }
    #expect(count == 8)
    files = nil
    #expect(!AtomicFile.exists(folder))
  }

  @Test("A file where the folder should be is told")
  func fileInPlaceOfFolder() async throws {
    let place = Place()
    try place.makeFolder()
    try AtomicFile.write("a file", to: place.path("data"))
    let error = await #expect(throws: WorkspaceError.self) { try await place.open() }
    #expect(error?.operation == .open)
    #expect(error?.code == "file")
    #expect(error?.detail.contains("a part of the path is a file, not a folder") == true)
    // Of several missing folders, the one that cannot be made is named.
    let deeper = await #expect(throws: WorkspaceError.self) {
      try await place.open(in: "data/data/drawml")
    }
    #expect(deeper?.detail.contains("make the folder \(place.path("data"))/data: Not a") == true)
  }

  @Test("A file system that takes no new files is told")
  func unwritableFileSystem() async throws {
    // /proc refuses new files to everyone, also to those whom permissions do not stop.
    let base = try await Small.base
    let error = #expect(throws: WorkspaceError.self) {
      try Workspace(folder: "/proc/drawml", base: base)
    }
    #expect(error?.operation == .open)
  }

  @Test(
    "A folder that cannot be written is told, and nothing is made in it",
    .enabled("permissions stop this user") { geteuid() != 0 })
  func readOnlyFolder() async throws {
    let place = Place()
    try place.makeFolder("data/models")
    chmod(place.path("data/models"), 0o555)
    defer { chmod(place.path("data/models"), 0o755) }
    await refused(.open, .readOnly) { try await place.open() }
    #expect(!AtomicFile.exists(place.database))
  }

  @Test("A database of a newer DrawML is left alone, with what to do")
  func newerSchema() async throws {
    let (place, workspace) = try await Place.opened()
    try await workspace.execute("PRAGMA user_version = 7")
    try workspace.close()
    let supported = WorkspaceSchema.version
    let error = WorkspaceError(.open, .newerSchema(found: 7, supported: supported))
    await refused(.open, error.reason) { try await place.open() }
    #expect(
      error.description == "Couldn’t open your models. It was made by a newer DrawML (its version "
        + "is 7, this program reads up to \(supported)). Update DrawML.")
  }

  @Test("A model's id that is a path names no file, whoever wrote it into the database")
  func pathAsID() async throws {
    let (place, workspace, models) = try await Place.filled()
    let id = models[0]
    let path = place.path("victim-1.drawml")
    try AtomicFile.write(
      try AtomicFile.read(place.path("data/models/\(id)-1.drawml")), to: path)
    try await workspace.database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      try db.execute(
        sql: "UPDATE model SET id = '../../victim' WHERE id = ?", arguments: [id])
      for table in ["label", "sample", "taught", "prediction", "playground", "report"] {
        try db.execute(
          sql: "UPDATE \(table) SET model = '../../victim' WHERE model = ?", arguments: [id])
      }
      try db.execute(sql: "PRAGMA foreign_keys = ON")
    }
    for verb: (Workspace) async throws -> Void in [
      { _ = try await $0.train("../../victim") },
      { _ = try await $0.recognizer(of: "../../victim") }, { _ = try await $0.models() },
    ] {
      let error = await #expect(throws: WorkspaceError.self) { try await verb(workspace) }
      #expect(error?.code == "damaged", "\(error as Any)")
    }
    #expect(try await !workspace.problems().isEmpty)
    let rescued = try place.rescue().written
    #expect(rescued.models == 1)
    try await workspace.deleteModel("../../victim")
    #expect(try await workspace.models().count == 1)
    #expect(AtomicFile.exists(path) && !AtomicFile.exists(place.path("victim-2.drawml")))
  }

  @Test(
    "What is removed or replaced while a workspace is open is not written to",
    arguments: ["removed", "replaced", "linked"])
  func replacedMeanwhile(how: String) async throws {
    let (place, workspace, models) = try await Place.filled()
    let name = how == "linked" ? "models" : "workspace.sqlite"
    let (path, outside) = (place.path("data/\(name)"), place.path("outside"))
    try FileManager.default.moveItem(atPath: path, toPath: outside)
    if how == "replaced" { try FileManager.default.copyItem(atPath: outside, toPath: path) }
    if how == "linked" {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: outside)
    }
    func contents() throws -> [String] {
      how == "linked" ? try place.contents(of: "outside") : []
    }
    let before = try contents()
    let reason = WorkspaceError.Reason.foreignFile(name, .replaced)
    await refused(.saveSample, reason) {
      try await workspace.addSample(Doodles.ink(), label: "x", to: models[0])
    }
    await refused(.train, reason) { try await workspace.train(models[0]) }
    await refused(.deleteModel, reason) { try await workspace.deleteModel(models[0]) }
    #expect(try contents() == before)
  }

  @Test("A database that a newer DrawML takes over is not written to")
  func newerMeanwhile() async throws {
    let (place, workspace, model) = try await Place.fresh()
    try place.edit { try $0.execute(sql: "PRAGMA user_version = 7") }
    await refused(.saveSample, .newerSchema(found: 7, supported: WorkspaceSchema.version)) {
      try await workspace.addSample(Doodles.ink(), label: "x", to: model)
    }
  }

  @Test("What would lead out of a workspace's folder is not followed, and nothing there is touched")
  func linksOut() async throws {
    let place = Place()
    try await place.open().close()
    let (folder, outside) = (place.path("data"), place.path("outside"))
    for name in ["opening.lock", "workspace.sqlite", "models", "workspace.sqlite-journal"] {
      let path = "\(folder)/\(name)"
      let kept = AtomicFile.exists(path) ? place.path("kept") : nil
      if let kept { try FileManager.default.moveItem(atPath: path, toPath: kept) }
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: outside)
      await refused(.open, .foreignFile(name, .link)) { try await place.open() }
      #expect(!AtomicFile.exists(outside), "\(name)")
      try FileManager.default.removeItem(atPath: path)
      if let kept { try FileManager.default.moveItem(atPath: kept, toPath: path) }
    }
    // The end of a journal of several databases: a name, its length, its sum, and the mark.
    try AtomicFile.write("precious", to: outside)
    let name = Array(outside.utf8)
    let mark: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    let count = [0, 0, UInt8(name.count >> 8), UInt8(name.count & 255)]
    try AtomicFile.write(
      mark + [UInt8](repeating: 0, count: 504) + name + count + [0, 0, 0, 0] + mark,
      to: "\(folder)/workspace.sqlite-journal")
    let error = WorkspaceError(.open, .foreignFile("workspace.sqlite-journal", .journalOfOthers))
    await refused(.open, error.reason) { try await place.open() }
    #expect(error.detail.hasSuffix("Move the journal somewhere else and try again."))
    #expect(try AtomicFile.read(outside) == Array("precious".utf8))
  }

  @Test("A journal under the name of a temporary database removes nothing")
  func journalOfTemporary() async throws {
    let (place, workspace, _) = try await Place.filled()
    try workspace.close()
    let (folder, victim) = (place.path("data"), place.path("victim"))
    try AtomicFile.write("precious", to: victim)
    // A journal that is to be played back names the victim as one that belongs to it.
    let name = Array(victim.utf8)
    let mark: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    let sum = name.reduce(UInt32(0)) { $0 &+ UInt32($1) }
    func bytes(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
    let header =
      mark + bytes(0) + bytes(1234) + bytes(16) + bytes(512) + bytes(4096)
      + [UInt8](repeating: 0, count: 484)
    let lockPage = bytes(0x4000_0000 / 4096 + 1)
    for id in ["rescued", "export"] {
      let temporary = "\(folder)/models/.drawml-\(id).tmp"
      try FileManager.default.copyItem(atPath: "\(folder)/workspace.sqlite", toPath: temporary)
      try AtomicFile.write(
        header + lockPage + name + bytes(UInt32(name.count)) + bytes(sum) + mark,
        to: temporary + "-journal")
    }
    try Workspace.rescue(folder, to: place.path("rescued"))
    #expect(try AtomicFile.read(victim) == Array("precious".utf8))
  }

  @Test("A link under the name of a model's next file is replaced, not written through")
  func linkUnderNextName() async throws {
    let (place, workspace, models) = try await Place.filled()
    try await workspace.export(to: place.path("all"))
    let victim = place.path("victim")
    try AtomicFile.write("precious", to: victim)
    let trained = try #require(try await workspace.models().first { $0.lastTrained != nil })
    let next = place.path("data/models/\(trained.id)-\(trained.generation + 1).drawml")
    try FileManager.default.createSymbolicLink(atPath: next, withDestinationPath: victim)
    try await workspace.train(trained.id)
    #expect(!AtomicFile.isLink(next) && AtomicFile.exists(next))
    // The same for the files that an import brings.
    let other = try await place.open(in: "other")
    let imported = place.path("other/models/\(trained.id)-\(trained.generation).drawml")
    try FileManager.default.createSymbolicLink(atPath: imported, withDestinationPath: victim)
    #expect(try await other.import(from: place.path("all")).added.count == models.count)
    #expect(!AtomicFile.isLink(imported) && AtomicFile.exists(imported))
    #expect(try AtomicFile.read(victim) == Array("precious".utf8))
  }

  @Test(
    "Numbers that no training gives are damage, and end nothing; no version is told either",
    arguments: [
      "refusalRate = 0.9", "refusalRate = -1", "refusalRate = -0.1", "refusalRate = 9e999",
      "generation = 9223372036854775807, lastTrained = 0, base = ''",
    ])
  func madNumbers(change: String) async throws {
    let (_, workspace, models) = try await Place.filled()
    try await workspace.execute(
      "UPDATE model SET \(change) WHERE id = ?", [models[0]], unchecked: true)
    let damage = WorkspaceError.Reason.damaged("the model \(models[0]) has invalid numbers")
    await refused(.train, damage) { try await workspace.train(models[0]) }
    await refused(.read, damage) { try await workspace.version(of: models[0]) }
  }

  @Test(
    "A prediction whose confidence is no share is damage; the rest is rescued",
    arguments: ["9e999", "-9e999", "1.5", "-0.1"])
  func madConfidence(value: String) async throws {
    let (place, workspace, models) = try await Place.filled()
    let id = try #require(try await workspace.history(of: models[0]).first?.id)
    try await workspace.execute("UPDATE prediction SET confidence = \(value) WHERE id = ?", [id])
    let reason = WorkspaceError.Reason.damaged("the prediction \(id) has an invalid confidence")
    await refused(.read, reason) { try await workspace.history(of: models[0]) }
    #expect(try await workspace.problems().contains("Model \(models[0]): \(reason)"))
    let report = try place.rescue().written
    #expect(report.models == 2 && report.samples == 14)
  }

  @Test(
    "A playground with numbers that none can have is damage, not the fault of who asks for it",
    arguments: [
      ("playground", "width = 9e999"), ("playground", "height = -1"),
      ("playgroundItem", "x = -9e999"), ("playgroundItem", "y = 2e9"),
      ("playgroundItem", "side = -1"), ("playgroundItem", "side = 9e999"),
      ("playgroundItem", "confidence = 9e999"), ("playgroundItem", "number = -1"),
    ])
  func madPlayground(table: String, change: String) async throws {
    let (_, workspace, _) = try await Place.filled()
    try await workspace.execute("UPDATE \(table) SET \(change)")
    await refused(.read, .damaged("the playground play is invalid")) {
      try await workspace.playground("play")
    }
  }

  @Test(
    "Values of another kind than a table promises are damage, and do not end the program",
    arguments: [
      ("model", "refusalRate", "'x'"), ("model", "generation", "NULL"), ("model", "name", "NULL"),
      ("sample", "created", "'x'"), ("sample", "label", "NULL"), ("taught", "digest", "NULL"),
      ("label", "name", "x'00'"), ("prediction", "confidence", "'x'"),
      ("prediction", "created", "NULL"), ("prediction", "isRecognized", "'x'"),
      ("playground", "width", "'x'"), ("playground", "height", "NULL"),
      ("playgroundItem", "x", "NULL"), ("playgroundItem", "side", "'x'"),
      ("playgroundItem", "confidence", "'x'"), ("playgroundItem", "strokes", "NULL"),
    ])
  func foreignKinds(table: String, column: String, value: String) async throws {
    let (place, workspace, models) = try await Place.filled()
    try workspace.close()
    try place.edit { try HostileImportTests.put(value, into: column, of: table, in: $0) }
    var damages = 0
    let verbs: [(Workspace) async throws -> Void] = [
      { _ = try await $0.models() }, { _ = try await $0.version(of: models[0]) },
      { _ = try await $0.labels(of: models[0]) }, { _ = try await $0.samples(of: models[0]) },
      { _ = try await $0.history(of: models[0]) }, { _ = try await $0.playground("play") },
      { _ = try await $0.export(to: place.path("out.drawmlx")) },
      { _ = try await $0.train(models[0]) },
    ]
    do {
      let opened = try await place.open()
      #expect(try await !opened.problems().isEmpty)
      for verb in verbs {
        do { try await verb(opened) } catch let error as WorkspaceError {
          if error.reason.code == .damaged { damages += 1 }
        }
      }
    } catch let error as WorkspaceError {
      if error.reason.code == .damaged { damages += 1 }
    }
    #expect(damages > 0)
    let report = try place.rescue().written
    #expect(report.models > 0)
  }

  @Test("A flag that is neither 0 nor 1 is damage, in any table and column")
  func foreignFlags() throws {
    let flag = "CHECK (isShared IN (0, 1))"
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE more (id INTEGER, isOdd INTEGER)")
      try db.execute(sql: "ALTER TABLE more ADD COLUMN isShared INTEGER DEFAULT 0 \(flag)")
      try db.execute(sql: "INSERT INTO more VALUES (1, 5, 0), (2, 5, 1), (3, 5, NULL)")
      try StoredValues.check(in: db)
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON; UPDATE more SET isShared = 2")
      let damage = WorkspaceError.Reason.damaged("the table more has an invalid isShared")
      #expect(throws: damage) { try StoredValues.check(in: db) }
    }
  }

  @Test("A workspace with a trigger is not opened, so that it never runs; its samples are rescued")
  func trigger() async throws {
    let (place, workspace, _) = try await Place.filled()
    let samples = try await workspace.summary().samples
    try await workspace.execute(
      "CREATE TRIGGER gone AFTER INSERT ON sample BEGIN DELETE FROM sample; END")
    try workspace.close()
    await refused(.open, .damaged("it has something that DrawML does not make: gone")) {
      try await place.open()
    }
    let report = try place.rescue().written
    #expect(report.samples == samples)
  }

  @Test(
    "A model's file that is a pipe, a link, a folder or too large is refused, by all that open it",
    arguments: ["pipe", "link", "folder", "sparse"])
  func foreignModelFile(kind: String) async throws {
    let (place, workspace, models) = try await Place.filled()
    let model = try await workspace.model(models[0])
    let path = try #require(workspace.trainedFile(of: model))
    try FileManager.default.removeItem(atPath: path)
    var why = "it is a link, or nothing that DrawML makes"
    switch kind {
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    case "link":
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
    case "folder": #expect(mkdir(path, 0o700) == 0)
    default:
      try AtomicFile.write("", to: path)
      #expect(truncate(path, 5 << 30) == 0)
      why = "it has more than 512 MiB"
    }
    let expected = WorkspaceError.Reason.model("cannot read \(path): \(why)")
    await refused(.classify, expected) { try await workspace.snapshot(of: models[0]) }
    await refused(.export, expected) { try await workspace.export(to: place.path("out.drawmlx")) }
    #expect(try await workspace.problems().contains { $0.contains(why) })
    // Nothing else needs it.
    #expect(try await place.open().train(models[1]).samples == 1)
    // A training makes a new one.
    try await workspace.train(models[0])
    #expect(try await workspace.problems() == [])
  }

  @Test("A folder of any name among the models keeps nobody from the workspace")
  func strangeFolder() async throws {
    let place = Place()
    try await place.open().close()
    #expect(mkdir(place.path("data/models/try"), 0o700) == 0)
    #expect(try await place.open().createModel(named: "A").name == "A")
  }

  @Test("Rows of models that are gone take no trained file with them, whoever opens the workspace")
  func lostRows() async throws {
    let (place, workspace, models) = try await Place.filled()
    try await workspace.execute("DELETE FROM model")
    try workspace.close()
    for creating in [false, true] {
      await refused(.open, .damaged("it has no model, though there are files of trained ones")) {
        try Workspace(folder: place.path("data"), creating: creating)
      }
    }
    #expect(place.modelFiles == ["\(models[0])-1.drawml"])
  }

  @Test("Opening a workspace to look at it makes no model and activates none")
  func looking() async throws {
    let place = Place()
    var workspace = try await place.open()
    try await workspace.execute("UPDATE model SET isActive = 0")
    try workspace.close()
    try AtomicFile.write("half", to: place.path("data/models/.drawml-1-1.tmp"))
    workspace = try Workspace(folder: place.path("data"), creating: false)
    #expect(try await workspace.models().map(\.isActive) == [false])
    #expect(try await workspace.problems() == ["0 models are active; it should be one."])
    #expect(place.modelFiles == [], "what a killed program left goes")
    try await workspace.execute("DELETE FROM model")
    try workspace.close()
    await refused(.open, .noWorkspace(place.path("data"))) {
      try Workspace(folder: place.path("data"), creating: false)
    }
    #expect(try await place.open().models().map(\.isActive) == [true])
    #expect(place.modelFiles == [])
  }

  @Test(
    "Settings that are none, and a text with a zero byte, are damage, and no export holds them",
    arguments: [
      #"UPDATE settings SET json = '{"penSize":-7}'"#,
      #"UPDATE settings SET json = '{"penSize":1e999}'"#,
      #"UPDATE settings SET json = '{"evil":true}'"#, "UPDATE settings SET json = 'x'",
      "UPDATE model SET name = 'a' || char(0) || 'b'",
    ])
  func damagedTexts(sql: String) async throws {
    let (place, workspace) = try await Place.opened()
    let path = place.path("all.drawmlworkspace")
    _ = try await workspace.update(WorkspaceSettings.Patch())
    try await workspace.execute(sql)
    #expect(try await workspace.problems().count == 1)
    await #expect(throws: WorkspaceError.self) { try await workspace.export(to: path) }
    #expect(!AtomicFile.exists(path))
  }

  @Test("Names and labels longer than any are damage wherever they are listed")
  func longNames() async throws {
    let (_, workspace, model) = try await Place.fresh()
    try await workspace.addSample(Doodles.ink(), label: "a", to: model)
    func lists(_ list: () async throws -> some Any, after sql: String) async throws {
      try await workspace.execute(sql)
      let error = await #expect(throws: WorkspaceError.self) { try await list() }
      #expect(error?.description.contains("too long") == true, "\(sql)")
    }
    try await lists(
      { try await workspace.labels(of: model) },
      after: "UPDATE label SET name = hex(zeroblob(1000000))")
    try await lists(
      { try await workspace.models() }, after: "UPDATE model SET name = hex(zeroblob(1000000))")
  }

  @Test(
    "A model whose file is a pipe can be deleted, and the pipe goes with it",
    .timeLimit(.minutes(2)))
  func deletePipe() async throws {
    let (_, workspace, models) = try await Place.filled()
    let path = try #require(workspace.trainedFile(of: try await workspace.model(models[0])))
    try FileManager.default.removeItem(atPath: path)
    #expect(mkfifo(path, 0o600) == 0)
    try await workspace.deleteModel(models[0])
    #expect(!AtomicFile.exists(path))
  }

  @Test(
    "A pipe or a link under the name of a model that nobody has goes, and what it leads to stays",
    .timeLimit(.minutes(2)))
  func orphans() async throws {
    let (place, workspace, _) = try await Place.filled()
    try workspace.close()
    let (pipe, link) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
    let models = place.path("data/models")
    #expect(mkfifo("\(models)/\(pipe)-1.drawml", 0o600) == 0)
    #expect(mkfifo(place.path("outside"), 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: "\(models)/\(link)-1.drawml", withDestinationPath: place.path("outside"))
    _ = try await place.open()
    let left = try place.contents(of: "data/models")
    #expect(!left.contains { $0.hasPrefix(pipe) || $0.hasPrefix(link) })
    #expect(AtomicFile.exists(place.path("outside")))
  }

  @Test(
    "A file with a second name elsewhere is not opened: what lies there stays as it is",
    arguments: ["workspace.sqlite", "workspace.sqlite-shm", "workspace.sqlite-wal", "opening.lock"])
  func hardLink(name: String) async throws {
    let (place, workspace, _) = try await Place.filled()
    try workspace.close()
    let (inside, outside) = (place.path("data/\(name)"), place.path("outside"))
    if AtomicFile.exists(inside) {
      try FileManager.default.linkItem(atPath: inside, toPath: outside)
    } else {
      try AtomicFile.write("precious", to: outside)
      try FileManager.default.linkItem(atPath: outside, toPath: inside)
    }
    let before = try AtomicFile.read(outside)
    await refused(.open, .foreignFile(name, .hardLink)) { try await place.open() }
    await refused(.rescue, .foreignFile(name, .hardLink)) { try place.rescue() }
    #expect(try AtomicFile.read(outside) == before)
  }

  @Test("A report with numbers that no training gives is damage", arguments: [Int.max, .min])
  func madReport(number: Int) async throws {
    let (_, workspace, models) = try await Place.filled()
    for key in ["added", "removed", "relabelled", "samples", "judged"] {
      let json = try await workspace.database.write { db in
        let json =
          try String.fetchOne(
            db, sql: "SELECT json FROM report WHERE model = ?", arguments: [models[0]]) ?? ""
        let mad = json.replacing(
          try Regex("\"\(key)\":[0-9]+"), with: "\"\(key)\":\(number)")
        #expect(mad != json, "\(key)")
        try db.execute(
          sql: "UPDATE report SET json = ? WHERE model = ?", arguments: [mad, models[0]])
        return json
      }
      await refused(.read, .damaged("a model's report is invalid")) {
        try await workspace.report(of: models[0])
      }
      try await workspace.execute("UPDATE report SET json = ? WHERE model = ?", [json, models[0]])
    }
  }

  @Test("A row with the last number that there is ends no rescue")
  func lastRow() async throws {
    let (place, workspace, models) = try await Place.filled()
    let samples = try await workspace.summary().samples
    try await workspace.execute(
      """
      INSERT INTO prediction (number, model, id, isRecognized, created, drawing)
      VALUES (?, ?, 'p', 0, 0, '{"strokes":[[[1],[1]]]}')
      """, [Int64.max, models[0]])
    try workspace.close()
    #expect(
      try Workspace.rescue(place.path("data"), to: place.path("out")).written.samples == samples)
  }

  @Test("A workspace whose tables compute what they hold is not opened; the rest is rescued")
  func computedColumn() async throws {
    let (place, workspace, _) = try await Place.filled()
    let samples = try await workspace.summary().samples
    try workspace.close()
    try place.edit { db in
      try db.execute(
        sql: "ALTER TABLE label ADD COLUMN more TEXT AS (hex(zeroblob(200000000))) VIRTUAL")
    }
    await refused(.open, .damaged("its table label is not one of DrawML")) {
      try await place.open()
    }
    let report = try place.rescue().written
    #expect(report.samples == samples)
  }

  @Test("A version that no DrawML wrote is damage", arguments: [0, -1])
  func madVersion(version: Int) async throws {
    let (place, workspace, _) = try await Place.filled()
    try await workspace.execute("PRAGMA user_version = \(version)")
    try workspace.close()
    await refused(.open, .damaged("its version is \(version)")) { try await place.open() }
  }

  @Test("An export that no import takes is refused before it is written")
  func tooManyRows() async throws {
    let (place, workspace, models) = try await Place.filled()
    try await workspace.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= 20000)
      INSERT INTO playground (id, model, width, height) SELECT 'p' || i, ?, 10, 10 FROM n
      """, [models[0]])
    await refused(.export, .exportTooMany("playground", limit: 20_000)) {
      try await workspace.export(to: place.path("out.drawmlx"))
    }
    #expect(!AtomicFile.exists(place.path("out.drawmlx")))
  }

  @Test("A database of another program is left alone")
  func foreignDatabase() async throws {
    let place = Place()
    try place.makeFolder("data")
    let path = place.database
    try place.edit { try $0.execute(sql: "CREATE TABLE recipes (name TEXT)") }
    let bytes = try AtomicFile.read(path)
    await refused(.open, .foreign(path)) { try await place.open() }
    #expect(try AtomicFile.read(path) == bytes)
    #expect(try place.contents(of: "data") == ["models", "opening.lock", "workspace.sqlite"])
  }

  @Test("An export in the database's place is left alone too")
  func exportAsDatabase() async throws {
    let (place, workspace, _) = try await Place.filled()
    let path = place.path("other/workspace.sqlite")
    try place.makeFolder("other")
    try await workspace.export(to: path)
    let bytes = try AtomicFile.read(path)
    await refused(.open, .foreign(path)) { try await place.open(in: "other") }
    #expect(try AtomicFile.read(path) == bytes)
  }

  @Test("A damaged database is told, with what to do", arguments: [0, 4096])
  func damagedDatabase(start: Int) async throws {
    let (place, workspace, _) = try await Place.fresh(doodles: 3)
    try workspace.close()
    let path = place.database
    var bytes = try AtomicFile.read(path)
    for index in start..<min(start + 3000, bytes.count) { bytes[index] = UInt8(index & 0xff) }
    try AtomicFile.write(bytes, to: path)
    do {
      let damaged = try await place.open()
      _ = try await damaged.models()
      #expect(try await !damaged.problems().isEmpty)
    } catch let error as WorkspaceError {
      #expect(error.code == "damaged" && error.detail.contains("drawml workspace rescue"))
    }
  }

  @Test("A database that another program keeps busy is told, and nothing changes")
  func busy() async throws {
    let place = Place()
    let workspace = try place.open(base: await Small.base, busyTime: .milliseconds(100))
    let model = try await workspace.activeModel().id
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(
      path: place.database, configuration: configuration)
    try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    await refused(.saveSample, .busy) {
      try await workspace.addSample(Doodles.ink(), label: "a", to: model)
    }
    await refused(.createModel, .busy) { try await workspace.createModel(named: "b") }
    #expect(try await workspace.models().count == 1, "who reads is not in the way")
    try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    try await workspace.addSample(Doodles.ink(), label: "a", to: model)
    #expect(try await workspace.models().map(\.sampleCount) == [1])
  }

  /// A workspace of an earlier version, in SQL; never to be changed.
  static func dump(ofVersion version: Int) throws -> String {
    let path = Repository.path + "/Tests/WorkspaceTests/Fixtures/version-\(version).sql"
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  /// Puts a workspace of an earlier version into `place`.
  static func put(version: Int, into place: Place) throws {
    try place.makeFolder("data")
    try place.edit { try $0.execute(sql: dump(ofVersion: version)) }
  }

  @Test("A version needs a migration, a fixture of the one before, and its number in FORMATS.md")
  func currentVersion() throws {
    #expect(WorkspaceSchema.version == 6)
    for earlier in 1..<WorkspaceSchema.version {
      let dump = try Self.dump(ofVersion: earlier)
      #expect(dump.contains("PRAGMA user_version = \(earlier);"))
    }
    let formats = try String(
      contentsOfFile: Repository.path + "/docs/FORMATS.md", encoding: .utf8)
    let isNamed = formats.contains("`user_version` \(WorkspaceSchema.version) ")
    #expect(isNamed)
  }

  @Test(
    "Workspaces of versions 1 to 5 are read as they were written, with the reports of trainings",
    arguments: 1...5)
  func earlierVersions(version: Int) async throws {
    let place = Place()
    try Self.put(version: version, into: place)
    let workspace = try await place.open()
    let (isTrained, hasTrace) = (version >= 2, version >= 4)
    let models = try await workspace.models()
    #expect(models.map(\.name) == ["My first model", "Animals"])
    #expect(models.map(\.isActive) == [false, true])
    #expect(models.map(\.isEveryday) == [false, false])
    #expect(models.map(\.generation) == [0, isTrained ? 1 : 0])
    #expect(models.map(\.sampleCount) == [0, hasTrace ? 3 : 2])
    #expect(models.map(\.untrainedCount) == [0, hasTrace ? 1 : isTrained ? 0 : 2])
    let labels = try await workspace.labels(of: models[1].id)
    #expect(labels.map(\.label) == (hasTrace ? ["⭐"] : []) + ["🐟", "🐧"])
    #expect(labels.map(\.name) == (hasTrace ? [nil] : []) + ["a fish", nil])
    let sample = try await workspace.sample("fish-1", of: models[1].id)
    #expect(
      sample.drawing
        == Drawing(
          id: "fish-1", label: "🐟",
          strokes: [
            Stroke([Point(x: 1, y: 2, t: 0), Point(x: 30.5, y: 40, t: 16)]),
            Stroke([Point(x: 5, y: 6, t: 32)]),
          ], canvas: .init(width: 64, height: 48)))
    #expect(sample.created == Date(milliseconds: 1_700_000_000_123) && sample.template == nil)
    if hasTrace {
      #expect(try await workspace.sample("star-1", of: models[1].id).template == "bundled/star")
    }
    #expect(try await workspace.history(of: models[1].id).map(\.label) == ["🐧", nil])
    if isTrained {
      #expect(try await workspace.report(of: models[1].id).labels.map(\.label) == ["🐟", "🐧"])
    }
    let playground = try await workspace.playground("play")
    #expect(playground.items.map(\.label) == ["🐟", nil])
    #expect(try await workspace.settings().theme == .dark)
    #expect(try await workspace.problems().count == (isTrained ? 1 : 0), "the trained file is gone")
    // TR-031: and templates can be added.
    try await workspace.addTemplate(try TemplateTests.lines(), named: "mine")
    let templates = try await workspace.importedTemplates().map(\.name)
    #expect(templates == (version >= 5 ? ["mine", "house"] : ["mine"]))
    // TF-042: and pictures made of sketches.
    let artwork = try await ArtworkStoreTests.add(to: workspace)
    #expect(try await workspace.artworks() == [artwork])
  }

  @Test("Errors of files and of SQLite become reasons")
  func mapping() {
    let files = WorkspaceFiles(folder: "/nowhere/at/all")
    func reason(_ error: any Error) -> WorkspaceError.Reason { .init(error, in: files) }
    for code in [ENOSPC, EDQUOT, EFBIG] {
      #expect(reason(FileError("write", path: "a", reason: .system(code: code))) == .diskFull)
    }
    for code in [EACCES, EPERM, EROFS] {
      let own = FileError("write", path: "/nowhere/at/all/models", reason: .system(code: code))
      #expect(reason(own) == .readOnly)
      for path in ["a", "/nowhere/at/allin/a", "/root/x"] {
        let users = FileError("write", path: path, reason: .system(code: code))
        #expect(reason(users) == .file(users), "\(path)")
      }
    }
    #expect(reason(DatabaseError(resultCode: .SQLITE_FULL)) == .diskFull)
    #expect(reason(DatabaseError(resultCode: .SQLITE_READONLY)) == .readOnly)
    #expect(reason(DatabaseError(resultCode: .SQLITE_LOCKED)) == .busy)
    #expect(reason(DatabaseError(resultCode: .SQLITE_CORRUPT, message: "x")) == .damaged("x"))
    #expect(
      reason(DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: "x"))
        == .database(code: 19, "x"))
    let missing = FileError(
      "write", path: "/nowhere/at/all/models", reason: .system(code: ENOENT))
    #expect(reason(DatabaseError(resultCode: .SQLITE_IOERR)) == .file(missing))
    #expect(reason(ModelError.noSamples) == .model("there are no drawings to learn from"))
  }

  @Test("Each operation has its words; those of the requirements to the letter")
  func words() {
    #expect(WorkspaceError(.saveSample, .busy).message == "Couldn’t save sample.")
    #expect(WorkspaceError(.train, .busy).message == "Training failed.")
    #expect(WorkspaceError(.classify, .busy).message == "Couldn’t classify. Try again.")
    #expect(WorkspaceError(.saveSample, .labelEmpty).detail == "Please pick an emoji first.")
    let messages = WorkspaceError.Operation.allCases.map { WorkspaceError($0, .busy).message }
    #expect(Set(messages).count == messages.count)
    #expect(messages.allSatisfy { $0.hasSuffix(".") && !$0.contains("'") })
    let reasons: [WorkspaceError.Reason] = [
      .diskFull, .readOnly, .busy, .newerSchema(found: 2, supported: 1), .damaged("x"),
      .foreign("x"), .file(FileError("read", path: "a", reason: .checksum)),
      .database(code: 1, "x"), .unknownModel("x"), .unknownLabel("x"), .unknownSample("x"),
      .unknownPlayground("x"), .nameEmpty, .nameTooLong(limit: 80), .nameInvalid, .nameTaken("x"),
      .labelEmpty, .labelTooLong(limit: 64), .labelInvalid, .labelTaken("x"), .invalidID("x"),
      .idTaken("x"), .drawing(.emptyDrawing), .drawing(.noShapes), .tooLittleInk,
      .tooMuch("points", limit: 3), .invalidNumber("x"), .noSamples, .noReport, .noWorkspace("x"),
      .model("x"),
      .notImportable("x"), .unreadable("x"), .ownFile("x"), .exportTooLong(limit: 5),
      .exportTooMany("model", limit: 5), .foreignFile("x", .link), .unknownTemplate("x"),
      .template(.foreign), .tooManyTemplates, .unknownArtwork("x"), .unusableArtwork("x"),
      .lostArtwork("x", "y"), .tooManyArtworks,
    ]
    #expect(Set(reasons.map(\.code)).count == reasons.count)
    for reason in reasons {
      #expect(reason.description.first?.isUppercase == true || reason.description.first == "“")
      #expect(reason.description.hasSuffix(".") || reason.code == .damaged, "\(reason)")
    }
    #expect(
      WorkspaceError.Reason.unknownModel("a\u{1b}[2J" + String(repeating: "b", count: 100))
        .description.utf8.allSatisfy { $0 != 0x1b }, "a terminal obeys nothing")
  }

  @Test("X-002: the folder is that of the XDG specification")
  func standardFolder() {
    let folder: ([String: String]) -> String = { Workspace.standardFolder(environment: $0) }
    #expect(folder(["XDG_DATA_HOME": "/data", "HOME": "/home/a"]) == "/data/drawml")
    #expect(folder(["XDG_DATA_HOME": "data", "HOME": "/home/a"]) == "/home/a/.local/share/drawml")
    #expect(folder(["XDG_DATA_HOME": "", "HOME": "/home/a"]) == "/home/a/.local/share/drawml")
    #expect(folder(["HOME": "/home/a"]) == "/home/a/.local/share/drawml")
  }

  @Test("New folders are for the user's eyes alone")
  func permissions() async throws {
    let place = Place()
    _ = try await place.open()
    let found = try FileManager.default.attributesOfItem(atPath: place.path("data"))
    #expect((found[.posixPermissions] as? NSNumber)?.intValue == 0o700)
  }
}
