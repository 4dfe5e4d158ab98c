import Files
import Foundation
import GRDB
import Ink
import Numbers
import TestTools
import Testing

@testable import Recognition
@testable import Workspace

@Suite("Export and import")
struct ExportTests {
  /// All rows of all tables, in order.
  static func rows(of workspace: Workspace) async throws -> [String] {
    try await workspace.database.read { db in
      try [
        "model ORDER BY id", "label ORDER BY model, label", "sample ORDER BY model, id",
        "taught ORDER BY model, id", "prediction ORDER BY number", "playground ORDER BY id",
        "playgroundItem ORDER BY playground, place", "settings", "report ORDER BY model",
        "template ORDER BY id", "artwork ORDER BY id",
      ].flatMap { table in
        try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\(table): \($0)" }
      }
    }
  }

  @Test("B-009: a whole workspace goes into a new one without loss: equal rows, equal bytes")
  func roundTrip() async throws {
    let (place, workspace, models) = try await Place.filled()
    let report = try await workspace.export(to: place.path("all.drawmlx"))
    #expect(report.models == 2)
    #expect(report.samples == 14)
    let bytes = try AtomicFile.read(place.path("all.drawmlx"))
    #expect(report.bytes == bytes.count)
    let copy = try await place.open(in: "copy")
    #expect(try await copy.import(from: place.path("all.drawmlx")).added.map(\.id) == models)
    #expect(try await Self.rows(of: copy) == Self.rows(of: workspace))
    #expect(try await copy.models() == workspace.models())
    #expect(
      try AtomicFile.read(place.path("copy/models/\(models[0])-1.drawml"))
        == AtomicFile.read(place.path("data/models/\(models[0])-1.drawml")))
    #expect(try await copy.problems() == [])
    #expect(try await copy.train(models[0]).added == 1, "what was taught is known")
    let again = try await place.open(in: "again", importing: "all.drawmlx")
    _ = try await again.export(to: place.path("again.drawmlx"))
    #expect(try AtomicFile.read(place.path("again.drawmlx")) == bytes, "the same file again")
    #expect(place.modelFiles.allSatisfy { !$0.hasSuffix(".tmp") })
  }

  @Test("Whether guests may teach goes with no export, and no file decides it")
  func guestsMayTeach() async throws {
    let (place, workspace, _) = try await Place.filled()
    var patch = WorkspaceSettings.Patch()
    patch.guestsMayTeach = true
    try await workspace.update(patch)
    try await workspace.export(to: place.path("all"))
    try place.edit("all") { db in
      let json = try String.fetchOne(db, sql: "SELECT json FROM settings")
      #expect(json == #"{"onboardingSeen":false,"penSize":6,"theme":"dark"}"#)
      // A file that says so all the same.
      try db.execute(sql: #"UPDATE settings SET json = '{"guestsMayTeach":true,"theme":"dark"}'"#)
    }
    let other = try await place.open(in: "other", importing: "all")
    #expect(try await other.settings().theme == .dark)
    #expect(try await other.settings().guestsMayTeach == false)
    try await workspace.import(from: place.path("all"))
    #expect(try await workspace.settings().guestsMayTeach, "an import leaves it as it is")
  }

  @Test("One model goes into a workspace that has others, and changes none of them")
  func oneModel() async throws {
    let (place, workspace, models) = try await Place.filled()
    let report = try await workspace.export(models: [models[0]], to: place.path("one"))
    #expect(report.models == 1)
    let other = try await place.open(in: "other")
    let own = try await other.activeModel()
    try await other.addSample(Doodles.ink(), label: "own", to: own.id)
    let before = try await other.model(own.id)
    let imported = try await other.import(from: place.path("one")).added
    #expect(imported.map(\.id) == [models[0]])
    #expect(imported.map(\.name) == ["My first model 2"], "its name was taken")
    #expect(imported.map(\.isActive) == [false])
    #expect(try await other.model(own.id) == before)
    #expect(try await other.settings() == WorkspaceSettings(), "settings are not a model's")
    #expect(try await other.history(of: models[0]).count == 3)
    #expect(try await other.problems() == [])
  }

  @Test("The same model again is known; one that changed in the meantime becomes a new one, once")
  func again() async throws {
    let (place, workspace, models) = try await Place.filled()
    try await workspace.export(to: place.path("all"))
    let before = try await Self.rows(of: workspace)
    let same = try await workspace.import(from: place.path("all"))
    #expect(same.models.map(\.id) == models && same.unchanged == same.models && same.added == [])
    #expect(try await Self.rows(of: workspace) == before)
    try await workspace.deleteSamples(["late"], of: models[0])
    let imported = try await workspace.import(from: place.path("all"))
    #expect(imported.models.map(\.name) == ["My first model 2", "Zweites"])
    #expect(imported.models.map(\.sampleCount) == [13, 1])
    #expect(
      imported.added.map(\.id) == [imported.models[0].id] && imported.added[0].id != models[0])
    #expect(imported.unchanged.map(\.id) == [models[1]])
    #expect(try await workspace.models().count == 3)
    #expect(try await workspace.model(models[0]).sampleCount == 12)
    let copy = imported.added[0].id
    #expect(
      try await workspace.recognizer(of: copy).memory.samples
        == workspace.recognizer(of: models[0]).memory.samples)
    let playgrounds = try await workspace.playgrounds(of: copy)
    #expect(playgrounds.count == 1 && playgrounds[0].id != "play", "it has an id of its own")
    #expect(try await workspace.playground("play").model == models[0])
    // The copy that came is there, whatever it is called by now and however often it was trained.
    try await workspace.changeModel(copy, name: "Otherwise")
    let rows = try await Self.rows(of: workspace)
    let third = try await workspace.import(from: place.path("all"))
    #expect(third.models.map(\.id) == [copy, models[1]] && third.unchanged == third.models)
    #expect(try await Self.rows(of: workspace) == rows)
    #expect(try await workspace.problems() == [])
  }

  @Test(
    "What makes two models differ: a drawing, a label, its name, what was taught, the dial",
    arguments: [
      ("UPDATE model SET name = 'x' WHERE generation > 0", true),
      ("UPDATE model SET lastTrained = lastTrained + 1 WHERE generation > 0", true),
      ("DELETE FROM prediction; DELETE FROM playground", true),
      ("UPDATE model SET refusalRate = 0.25 WHERE generation > 0", false),
      ("UPDATE label SET name = 'x' WHERE label = 'circle'", false),
      ("DELETE FROM sample WHERE id = 'late'", false),
      ("UPDATE sample SET label = 'line' WHERE id = 'late'", false),
      ("UPDATE sample SET created = created + 1 WHERE id = 'late'", false),
      ("DELETE FROM taught WHERE id = 'line-0'", false),
      ("UPDATE model SET created = created + 1 WHERE generation > 0", false),
    ])
  func sameContents(sql: String, isSame: Bool) async throws {
    let (place, workspace, models) = try await Place.filled()
    try await workspace.export(models: [models[0]], to: place.path("one"))
    try await workspace.execute(sql)
    let report = try await workspace.import(from: place.path("one"))
    #expect(report.added.isEmpty == isSame && report.unchanged.isEmpty != isSame)
  }

  @Test("A name that is taken gets the next number, and stays short enough")
  func longNames() async throws {
    let (place, workspace) = try await Place.opened()
    let name = String(repeating: "n", count: 80)
    let model = try await workspace.createModel(named: name).id
    for ending in [" 2", " 3"] {
      try await workspace.export(models: [model], to: place.path("long"))
      try await workspace.addSample(Doodles.ink(), label: ending, to: model)
      let imported = try await workspace.import(from: place.path("long")).added
      #expect(imported.map(\.name) == [String(name.dropLast(2)) + ending])
    }
  }

  @Test("Of thousands of models of one name each gets the next number")
  func manyNames() throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE model (name TEXT)")
      for name in ["a", "a 3"] {
        try db.execute(sql: "INSERT INTO model VALUES (?)", arguments: [name])
      }
      var names = try ModelNames(in: db)
      #expect(names.take(like: "b") == "b")
      #expect(
        (0..<10).map { _ in names.take(like: "a") }
          == [2, 4, 5, 6, 7, 8, 9, 10, 11, 12]
          .map { "a \($0)" })
      // Names that are alike when they are shortened take their numbers from one another.
      let long = String(repeating: "n", count: 78)
      for name in [long + "xy", long + "xz"] { #expect(names.take(like: name) == name) }
      #expect(names.take(like: long + "xy") == long + " 2")
      #expect(names.take(like: long + "xz") == long + " 3")
      let last = (0..<20_000).map { _ in names.take(like: long + "xy") }.last
      #expect(last == String(repeating: "n", count: 74) + " 20003")
    }
  }

  @Test("Models of one time are each compared with those that hold the same, whatever their order")
  func oneTime() async throws {
    let (place, workspace, models) = try await Place.filled()
    try await workspace.execute("UPDATE model SET created = 1000")
    try await workspace.export(to: place.path("all"))
    let again = try await workspace.import(from: place.path("all"))
    #expect(again.added.isEmpty && Set(again.unchanged.map(\.id)) == Set(models))
    let other = try await place.open(in: "other", importing: "all")
    try await other.execute("UPDATE model SET refusalRate = 0.5 WHERE id = ?", [models[1]])
    let mixed = try await other.import(from: place.path("all"))
    #expect(mixed.unchanged.map(\.id) == [models[0]] && mixed.added.map(\.id) != [models[1]])
  }

  @Test("A file that was cut off says so, however much of it is there")
  func cutOff() async throws {
    let (place, workspace, _) = try await Place.filled()
    try await workspace.export(to: place.path("all"))
    let bytes = try AtomicFile.read(place.path("all"))
    for count in [4096, bytes.count / 2, bytes.count - 1] {
      try AtomicFile.write(Array(bytes.prefix(count)), to: place.path("part"))
      let reason = WorkspaceError.Reason.notImportable(
        "it is cut off: of \(bytes.count) bytes there are \(count)")
      await refused(.import, reason) { try await workspace.import(from: place.path("part")) }
      #expect(reason.description.hasSuffix("must be exported or copied again."))
    }
  }

  @Test("An export replaces a file when it is whole; where it cannot be written, nothing is left")
  func unwritableExport() async throws {
    let (place, workspace, _) = try await Place.filled()
    try AtomicFile.write("old", to: place.path("old"))
    try await workspace.export(to: place.path("old"))
    #expect(try AtomicFile.read(place.path("old")).count > 1000)
    let missing = FileError(
      "write", path: place.path("no/where"), reason: .system(code: ENOENT))
    await refused(.export, .file(missing)) {
      try await workspace.export(to: place.path("no/where"))
    }
    await refused(.export, .diskFull) { try await workspace.export(to: "/dev/full") }
    let reading = FileError("read", path: place.path("none"), reason: .system(code: ENOENT))
    await refused(.import, .file(reading)) { try await workspace.import(from: place.path("none")) }
  }
}

@Suite("Files of the user's own")
struct UserFileTests {
  @Test("An export that no import would take is refused before anything is replaced")
  func tooLong() async throws {
    let (place, workspace, _) = try await Place.filled()
    let length = try await workspace.export(to: place.path("all")).bytes
    try AtomicFile.write("old", to: place.path("old"))
    await refused(.export, .exportTooLong(limit: length - 1)) {
      try await workspace.export(to: place.path("old"), limit: length - 1)
    }
    #expect(try AtomicFile.read(place.path("old")) == Array("old".utf8))
    #expect(try await workspace.export(to: place.path("old"), limit: length).bytes == length)
    #expect(place.modelFiles.allSatisfy { $0.hasSuffix(".drawml") })
  }

  @Test("An export never replaces a file of the workspace itself")
  func ownFiles() async throws {
    let (place, workspace, models) = try await Place.filled()
    for name in ["workspace.sqlite", "models/\(models[0])-1.drawml", "models/../new"] {
      let path = place.path("data/\(name)")
      await refused(.export, .ownFile(path)) { try await workspace.export(to: path) }
    }
    #expect(try await workspace.problems() == [])
  }

  @Test("A file that cannot be read or written is named, whatever the workspace's folder allows")
  func unreadable() async throws {
    let (place, workspace, _) = try await Place.filled()
    let folder = FileError("read", path: place.folder, reason: .system(code: EISDIR))
    await refused(.import, .file(folder)) { try await workspace.import(from: place.folder) }
    let proc = FileError("write", path: "/proc/none", reason: .system(code: ENOENT))
    await refused(.export, .file(proc)) { try await workspace.export(to: "/proc/none") }
  }

  @Test("A trained file that is gone is to be trained again, also when it is exported")
  func lostFile() async throws {
    let (place, workspace, models) = try await Place.filled()
    AtomicFile.remove(place.path("data/models/\(models[0])-1.drawml"))
    let error = await #expect(throws: WorkspaceError.self) {
      try await workspace.export(to: place.path("all"))
    }
    #expect(error?.code == "model" && error?.detail.hasSuffix("Train it again.") == true)
  }
}

@Suite("Imports keep nobody waiting")
struct PatientImportTests {
  @Test("A file is looked at while others make files; only what is sound waits for them")
  func noLock() async throws {
    let (place, workspace, _) = try await Place.filled()
    try await workspace.export(to: place.path("sound"))
    try AtomicFile.write(
      Array(try AtomicFile.read(place.path("sound")).dropLast(4096)), to: place.path("cut"))
    let target = try await place.open(in: "target")
    let waiting = try await target.withModelLock {
      await #expect(throws: WorkspaceError.self) {
        try await target.import(from: place.path("cut")) { Issue.record("it waits") }
      }
      // A sound one waits, and what it has copied stays where it is.
      let (waits, waiting) = AsyncStream.makeStream(of: Void.self)
      let sound = Task {
        try await target.import(from: place.path("sound")) { waiting.yield() }
      }
      _ = await waits.first { true }
      _ = try await place.open(in: "target")
      return sound
    }
    #expect(try await waiting.value.added.count == 2)
    #expect(try await target.problems() == [])
  }

  @Test("What an import looks at is not swept away by another opening; what it left is")
  func sweeping() async throws {
    let place = Place()
    _ = try await place.open()
    let path = place.path("data/models/.drawml-\(Place.id(5)).tmp")
    do {
      let lock = try FileLock(path: path, creating: true)
      _ = try await place.open()
      #expect(AtomicFile.exists(path))
      withExtendedLifetime(lock) {}
    }
    _ = try await place.open()
    #expect(!AtomicFile.exists(path))
  }

  @Test("An import that was canceled changes nothing and leaves nothing")
  func canceled() async throws {
    let (place, workspace, _) = try await Place.filled()
    try await workspace.export(to: place.path("all"))
    let target = try await place.open(in: "target")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await target.import(from: place.path("all"))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await target.models().count == 1)
    let left = try place.contents(of: "target/models")
    #expect(left.allSatisfy { $0.hasSuffix(".lock") }, "\(left)")
  }

  @Test("A check that does not end is ended")
  func deadline() async throws {
    await #expect(throws: WorkspaceError.Reason.notImportable("checking it takes too long")) {
      try await withDeadline(.milliseconds(10)) { try await Task.sleep(for: .seconds(3600)) }
    }
    #expect(try await withDeadline(.seconds(3600)) { 7 } == 7)
    #expect(ImportedFile.timeLimit(for: WorkspaceLimits.exportBytes) > .seconds(2000))
  }

  @Test("A file of somebody else is only read, opens no other file, and no statement is endless")
  func guarded() async throws {
    let place = Place()
    try place.makeFolder()
    try DatabaseQueue(path: place.path("file")).close()
    let file = try DatabaseQueue(
      path: place.path("file"), configuration: .guardedReader(longest: StoredValues.longestText))
    let long = "SELECT '" + String(repeating: "x", count: 20_000) + "'"
    let deep =
      "SELECT " + String(repeating: "(1+", count: 200) + "1" + String(repeating: ")", count: 200)
    for sql in ["CREATE TABLE a (b)", "ATTACH ':memory:' AS c", long, deep] {
      #expect(throws: DatabaseError.self, "\(sql.prefix(30))") {
        try file.read { try $0.execute(sql: sql) }
      }
    }
    let values = try await file.read { db in
      try ["trusted_schema", "cell_size_check", "query_only"].map {
        try Int.fetchOne(db, sql: "PRAGMA \($0)")
      }
    }
    #expect(values == [0, 1, 1])
  }
}

@Suite("Hostile imports")
struct HostileImportTests {
  /// Makes an export, damages it with `change`, and imports it into a workspace that must not
  /// change.
  private func refusal(
    changing change: @Sendable (Database) throws -> Void = { _ in },
    bytes changeBytes: (inout [UInt8]) -> Void = { _ in }
  ) async throws -> WorkspaceError.Reason? {
    let (place, workspace, _) = try await Place.filled()
    let path = place.path("hostile")
    try await workspace.export(to: path)
    try place.edit("hostile") { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
      try change(db)
    }
    var bytes = try AtomicFile.read(path)
    changeBytes(&bytes)
    try AtomicFile.write(bytes, to: path)
    let target = try await place.open(in: "target")
    let before = try await ExportTests.rows(of: target)
    var reason: WorkspaceError.Reason?
    do {
      try await target.import(from: path)
    } catch let error as WorkspaceError {
      #expect(error.message == "Couldn’t import.")
      reason = error.reason
      #expect(try await ExportTests.rows(of: target) == before)
      let left = place.files(in: "target/models") + place.files(in: "target/artworks")
      #expect(left == [])
    }
    return reason
  }

  @Test("A file that is left as it is would be taken")
  func unchanged() async throws {
    #expect(try await refusal() == nil)
  }

  @Test("What is no export is refused before SQLite sees it")
  func foreignFiles() async throws {
    let foreign = WorkspaceError.Reason.notImportable("it is not an export of DrawML")
    #expect(try await refusal(bytes: { $0 = [] }) == foreign)
    #expect(try await refusal(bytes: { $0 = Array("hello".utf8) }) == foreign)
    #expect(try await refusal(bytes: { $0 = [UInt8](repeating: 0, count: 5000) }) == foreign)
    #expect(try await refusal(bytes: { $0[0] = 0 }) == foreign)
    #expect(
      try await refusal(bytes: {
        $0[18] = 2; $0[19] = 2
      }) == foreign, "a log beside it")
    #expect(
      try await refusal(changing: { try $0.execute(sql: "PRAGMA application_id = 5") })
        == .notImportable("it is an SQLite database, not an export of DrawML"))
    #expect(
      try await refusal(changing: { try $0.execute(sql: "PRAGMA user_version = 9") })
        == .notImportable(
          "it was made by a newer DrawML (its version is 9, and this one reads up to "
            + "\(WorkspaceSchema.version)); update this one"))
    #expect(
      try await refusal(changing: { try $0.execute(sql: "PRAGMA user_version = -1") })
        == .notImportable("it has the version -1"))
  }

  @Test("A pipe is not waited for, and a file that is too long is not copied first")
  func unreadable() async throws {
    let (place, workspace) = try await Place.opened()
    let (pipe, long) = (place.path("pipe"), place.path("long"))
    #expect(mkfifo(pipe, 0o600) == 0)
    try AtomicFile.write("SQLite format 3", to: long)
    #expect(truncate(long, WorkspaceLimits.exportBytes + 1) == 0)
    for (path, why) in [
      (pipe, "it is a pipe or a device; save it as a file first"),
      ("/dev/zero", "it is a pipe or a device; save it as a file first"),
      (long, "it has more than 2048 MiB"),
    ] { await refused(.import, .notImportable(why)) { try await workspace.import(from: path) } }
  }

  @Test(
    "Tables that are not those of an export are refused",
    arguments: [
      "CREATE TRIGGER t AFTER INSERT ON model BEGIN DELETE FROM sample; END",
      "CREATE VIEW v AS SELECT * FROM model", "CREATE TABLE more (a)",
      "CREATE INDEX i ON model (created)", "DROP TABLE settings",
      "ALTER TABLE model ADD COLUMN extra TEXT",
      "DROP TABLE settings; CREATE TABLE settings (id, json)",
      "DROP TABLE settings; CREATE VIEW settings AS SELECT 1 AS id, '{}' AS json",
      "DROP INDEX activeModel", "ANALYZE",
      // Behind a zero byte, where SQLite does not look.
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = sql || char(0) || 'x' "
        + "WHERE name = 'model'",
    ])
  func foreignTables(sql: String) async throws {
    #expect(
      try await refusal(changing: { try $0.execute(sql: sql) })
        == .notImportable("its tables are not the tables of an export"))
  }

  @Test(
    "Values that no verb would have written are refused",
    arguments: [
      "UPDATE model SET name = 'a' || char(27) WHERE generation = 1",
      "UPDATE model SET name = '' WHERE generation = 0",
      "UPDATE model SET refusalRate = 0.6",
      "UPDATE model SET refusalRate = 9e999",
      "UPDATE model SET generation = 2, lastTrained = NULL",
      "UPDATE model SET generation = 9223372036854775807 WHERE generation = 1",
      "UPDATE model SET created = 9223372036854775807",
      "UPDATE model SET base = 'x' WHERE generation = 1",
      "UPDATE model SET base = '../../../../etc/passwd' WHERE generation = 1",
      "UPDATE model SET isActive = 5 WHERE isActive = 0",
      "UPDATE label SET label = ' ' || label",
      // Bytes that are no characters.
      "UPDATE label SET name = CAST(x'61ff' AS TEXT) WHERE label = 'circle'",
      "UPDATE model SET name = CAST(x'f09f98' AS TEXT) WHERE generation = 0",
      "UPDATE prediction SET label = CAST(x'eda080' AS TEXT)",
      "UPDATE label SET name = char(10) WHERE label = 'circle'",
      // The same text to Swift, another one to SQLite.
      "UPDATE label SET name = 'cafe' || char(769) WHERE label = 'circle'",
      "UPDATE model SET name = 'cafe' || char(769) WHERE generation = 0",
      "UPDATE label SET label = 'cafe' || char(769) WHERE label = '➖'; "
        + "UPDATE sample SET label = 'cafe' || char(769) WHERE label = '➖'",
      "UPDATE prediction SET label = 'cafe' || char(769)",
      "UPDATE playgroundItem SET label = 'cafe' || char(769)",
      "UPDATE sample SET digest = 'feedfeedfeedfeed'",
      "UPDATE sample SET drawing = '{}'",
      "UPDATE sample SET drawing = '{\"strokes\":[[[1,2],[1,1e300]]]}'",
      "UPDATE sample SET drawing = '{\"strokes\":[[[1],[1]]]}'",
      "UPDATE sample SET drawing = ' ' || drawing",
      "UPDATE sample SET drawing = replace(hex(zeroblob(20000)), '0', '[')",
      "UPDATE sample SET drawing = hex(zeroblob(5000000)) WHERE id = 'late'",
      "UPDATE sample SET created = -9223372036854775808",
      "UPDATE sample SET id = 'a b' WHERE id = 'late'",
      "UPDATE sample SET label = 'nowhere'",
      "UPDATE sample SET model = 'nowhere'",
      "UPDATE taught SET label = 'line' WHERE id = 'cross-0'",
      "DELETE FROM taught WHERE id = 'cross-0'",
      "UPDATE prediction SET confidence = 2",
      "UPDATE prediction SET drawing = 'x'",
      "UPDATE prediction SET label = char(0)",
      "UPDATE playground SET width = -1",
      "UPDATE playgroundItem SET x = 1e300",
      "UPDATE playgroundItem SET number = 9223372036854775807 - number",
      "UPDATE playgroundItem SET number = -1 - number",
      "UPDATE sample SET id = 'a' || char(0) || id WHERE id = 'late'",
      "UPDATE label SET label = label || char(0) WHERE label = '➖'; "
        + "UPDATE sample SET label = label || char(0) WHERE label = '➖'",
      "UPDATE sample SET drawing = drawing || char(0) || 'more'",
      "UPDATE playgroundItem SET strokes = 'x'",
      "UPDATE playgroundItem SET strokes = '[7]' || char(10) || strokes",
      "UPDATE playground SET id = 'a/../b'; UPDATE playgroundItem SET playground = 'a/../b/c'",
      "UPDATE settings SET json = '{\"evil\":true}'",
      "UPDATE report SET json = '{}'",
      "UPDATE report SET json = replace(json, '\"samples\":12', '\"samples\":13')",
      "UPDATE report SET json = replace(json, '\"label\":\"cross\"', '\"label\":\"crows\"')",
      "UPDATE report SET json = replace(json, '\"judged\":3', '\"judged\":4')",
      "UPDATE report SET json = replace(json, '\"seconds\":', '\"seconds\":-')",
      "UPDATE settings SET json = 'x'",
      "UPDATE modelFile SET bytes = x'00'",
      "UPDATE modelFile SET bytes = zeroblob(100000)",
      "DELETE FROM modelFile",
      "DELETE FROM model; DELETE FROM label; DELETE FROM sample; DELETE FROM taught; "
        + "DELETE FROM prediction; DELETE FROM playground; DELETE FROM playgroundItem; "
        + "DELETE FROM modelFile",
    ])
  func foreignValues(sql: String) async throws {
    let reason = try await refusal(changing: { try $0.execute(sql: sql) })
    #expect(reason?.code == .notImportable, "\(sql): \(reason as Any)")
  }

  @Test(
    "Labels that no verb would have written are refused in the trained file too",
    arguments: [
      ("zebra", "a\u{1b}[2J"), ("zebra", "a\u{202e}b"),
      (String(repeating: "b", count: 63) + "é", String(repeating: "b", count: 65)),
    ])
  func foreignTaughtLabels(sound: String, label: String) async throws {
    // No model with such a label is written: it takes the place of a sound one, of as many bytes,
    // under a new seal.
    let place = Place()
    var recognizer = try await Small.base.recognizer()
    try await recognizer.update(
      with: (0..<2).map { index in
        Drawing(id: "\(index)", label: sound, strokes: Doodles.ink("line", index).strokes)
      })
    try recognizer.adapt()
    try place.makeFolder()
    let path = place.path("hostile.drawml")
    try ModelFile.write(recognizer, to: path)
    let (old, new) = (Array(sound.utf8), Array(label.utf8))
    while try ModelFile.format.replace(old, with: new, in: path) {}
    let refused = #expect(throws: FileError.self) { try ModelFile.read(path) }
    #expect(refused?.description.contains("its label") == true)
    let bytes = Data(try AtomicFile.read(path))
    let taught = recognizer.memory.samples.map { sample in
      var sample = sample
      if sample.label == sound { sample.label = label }
      return sample
    }
    let reason = try await refusal(changing: { db in
      let model = try String.fetchOne(db, sql: "SELECT id FROM model WHERE generation = 1") ?? ""
      try db.execute(sql: "UPDATE modelFile SET bytes = ?", arguments: [bytes])
      try Workspace.replaceTaught(taught, of: model, db)
    })
    #expect(reason == .notImportable("it is damaged (a taught sample is invalid)"))
  }

  @Test("A file with more models than anyone has is refused before they are looked at")
  func manyRows() async throws {
    let reason = try await refusal(changing: { db in
      try db.execute(
        sql: """
          WITH RECURSIVE number (value) AS (
            SELECT 1 UNION ALL SELECT value + 1 FROM number WHERE value < 10000)
          INSERT INTO model (id, name, created, isActive, refusalRate, generation)
          SELECT 'x' || value, 'x' || value, 0, 0, 0, 0 FROM number
          """)
    })
    #expect(reason == .notImportable("it has more than 10000 rows of model"))
  }

  @Test(
    "Texts that are far too long are refused before they are taken out",
    arguments: [
      ("playgroundItem", "strokes", 21_000_000), ("settings", "json", 5_000_000),
      ("model", "name", 600), ("sample", "digest", 600), ("taught", "label", 600),
    ])
  func longTexts(table: String, column: String, half: Int) async throws {
    let reason = try await refusal(changing: { db in
      try db.execute(
        sql: """
          UPDATE \(table) SET \(column) = hex(zeroblob(\(half)))
          WHERE \(column) = (SELECT min(\(column)) FROM \(table))
          """)
    })
    #expect(
      reason
        == .notImportable("it is damaged (the table \(table) has a \(column) that is too long)"))
  }

  @Test(
    "Values of another kind than a table promises are refused, however they came in",
    arguments: [
      ("model", "name", "NULL"), ("model", "created", "'x'"), ("sample", "drawing", "x'00'"),
      ("sample", "created", "NULL"), ("prediction", "isRecognized", "7"),
      ("playgroundItem", "x", "NULL"), ("modelFile", "bytes", "'text'"), ("settings", "json", "1"),
      ("taught", "digest", "NULL"),
    ])
  func foreignKinds(table: String, column: String, value: String) async throws {
    let reason = try await refusal(changing: { db in
      try Self.put(value, into: column, of: table, in: db)
    })
    guard reason?.code == .notImportable, let why = reason?.cause else {
      Issue.record("\(table).\(column): \(String(describing: reason))")
      return
    }
    #expect(why.contains("damaged"), "\(table).\(column): \(why)")
  }

  /// Puts a value of any kind into a row of a strict table: the table's description is changed, the
  /// value put in, and the description put back.
  static func put(
    _ value: String, into column: String, of table: String, in db: Database
  ) throws {
    let plain = try String.fetchOne(
      db, sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [table])
    let loose = plain?.replacing(" NOT NULL", with: "").replacing("STRICT, ", with: "")
      .replacing(" STRICT", with: "").replacing("TEXT", with: "BLOB")
      .replacing("REAL", with: "BLOB").replacing("INTEGER", with: "BLOB")
    try db.execute(sql: "PRAGMA writable_schema = ON; PRAGMA ignore_check_constraints = ON")
    for sql in [loose, plain] {
      try db.execute(
        sql: "UPDATE sqlite_schema SET sql = ? WHERE name = ?", arguments: [sql, table])
      let version = try Int.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
      try db.execute(sql: "PRAGMA schema_version = \(version + 1)")
      if sql == loose {
        try db.execute(
          sql: """
            UPDATE \(table) SET \(column) = \(value)
            WHERE \(column) = (SELECT min(\(column)) FROM \(table))
            """)
      }
    }
  }

  @Test(
    "Ids that could lead out of the folder are refused",
    arguments: ["../../etc/passwd", "..", "", "00000000-0000-4000-8000-00000000000G", "A"])
  func ids(id: String) async throws {
    let reason = try await refusal(changing: { db in
      for statement in [
        "UPDATE model SET id = ? WHERE generation = 1",
        "UPDATE label SET model = ? WHERE label NOT LIKE '✖%'",
        "UPDATE sample SET model = ? WHERE id <> 'x'", "UPDATE taught SET model = ?",
        "UPDATE prediction SET model = ?", "UPDATE playground SET model = ?",
        "UPDATE modelFile SET model = ?", "UPDATE report SET model = ?",
      ] { try db.execute(sql: statement, arguments: [id]) }
    })
    guard reason?.code == .notImportable, let why = reason?.cause else {
      Issue.record("\(id): \(String(describing: reason))")
      return
    }
    #expect(why.contains("not a UUID in lower case"), "\(why)")
  }

  @Test("Whatever byte is changed, the import is refused or what it takes is sound")
  func changedBytes() async throws {
    let (place, workspace, _) = try await Place.filled()
    try await workspace.export(to: place.path("export"))
    let sound = try AtomicFile.read(place.path("export"))
    var generator = SeededGenerator(seed: 11)
    var taken = 0
    for round in 0..<60 {
      var bytes = sound
      for _ in 0..<(1 + generator.integer(below: 4)) {
        // Half of them where the tables are described.
        let range = generator.integer(below: 2) == 0 ? min(8192, bytes.count) : bytes.count
        bytes[generator.integer(below: range)] = UInt8(generator.integer(below: 256))
      }
      if generator.integer(below: 8) == 0 {
        bytes.removeLast(generator.integer(below: bytes.count))
      }
      try AtomicFile.write(bytes, to: place.path("changed"))
      let target = try await place.open(in: "target-\(round)")
      do {
        try await target.import(from: place.path("changed"))
        taken += 1
      } catch is WorkspaceError {}
      #expect(try await target.problems() == [], "round \(round)")
      try target.close()
      try FileManager.default.removeItem(atPath: place.path("target-\(round)"))
    }
    #expect(taken < 60)
  }
}
