import Files
import Foundation
import GRDB
import Glibc
import Ink
import Recognition
import Testing
import Trace

@testable import Workspace

@Suite("What is left of a damaged workspace")
struct RescueTests {
  /// Overwrites the page of a database in which `text` stands first.
  private func damage(pageOf text: String, in path: String) throws {
    var bytes = try AtomicFile.read(path)
    let data = Data(bytes)
    let found = try #require(data.range(of: Data(text.utf8)))
    let page = found.lowerBound / 4096 * 4096
    for index in page..<(page + 4096) { bytes[index] = UInt8(index & 0xff) }
    try AtomicFile.write(bytes, to: path)
  }

  /// The start of a sample's text in the database.
  private func text(of sample: String, of model: String, _ workspace: Workspace) throws -> String {
    let text = try workspace.database.read { db in
      try String.fetchOne(
        db, sql: "SELECT drawing FROM sample WHERE model = ? AND id = ?",
        arguments: [model, sample])
    }
    return String(try #require(text).prefix(120))
  }

  @Test("Of a sound workspace all is rescued")
  func sound() async throws {
    let (place, workspace, models) = try await Place.filled()
    let report = try place.rescue().written
    #expect(report.models == 2 && report.samples == 14)
    let copy = try await place.open(in: "copy")
    #expect(try await copy.import(from: place.path("rescued")).added.map(\.id) == models)
    #expect(try await ExportTests.rows(of: copy) == ExportTests.rows(of: workspace))
    #expect(try await copy.problems() == [])
  }

  @Test("A shape of a playground with as many points as one may have is rescued")
  func largeShape() async throws {
    let (place, workspace, _) = try await Place.filled()
    let points = (0..<460_000).map { number in
      let number = 1 + Double(number)
      return Point(x: -number / 3e12, y: -number / 7e12, t: number / 9e12)
    }
    let text = SampleRow.text(of: Drawing(strokes: [Stroke(points)]))
    #expect(text.utf8.count > StoredValues.longestText + TemplatePicture.mostBytes)
    try await workspace.execute(
      "UPDATE playgroundItem SET strokes = ? WHERE rowid IN "
        + "(SELECT min(rowid) FROM playgroundItem)", [text])
    let report = try place.rescue()
    #expect(report.damagedTables == [] && report.written.bytes > text.utf8.count)
  }

  @Test("A rescue leaves nothing beside the workspace, and no log beside its output")
  func leavesNothing() async throws {
    let (place, workspace, _) = try await Place.filled()
    try workspace.close()
    func names() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: place.folder).sorted()
    }
    for ending in ["-wal", "-shm"] {
      AtomicFile.remove(place.database + ending)
    }
    let before = try names()
    try place.rescue()
    #expect(try names() == (before + ["rescued"]).sorted())
  }

  @Test("Where pages are damaged, all that stands on the others is rescued, and is sound")
  func damagedPages() async throws {
    let (place, workspace, models) = try await Place.filled()
    try await workspace.addSamples(Doodles.additions(40, from: 100), to: models[0])
    let before = try await workspace.samples(of: models[0], limit: 1000)
    let path = place.database
    let broken = try ["line-120", "cross-105"].map { try text(of: $0, of: models[0], workspace) }
    let name = try await workspace.model(models[0]).name
    try workspace.close()
    for text in broken { try damage(pageOf: text, in: path) }
    let damaged = try await place.open()
    #expect(try await damaged.problems().isEmpty == false)
    try damaged.close()
    let bytes = try AtomicFile.read(path)

    let report = try place.rescue().written
    #expect(try AtomicFile.read(path) == bytes, "the damaged one stays as it is")
    #expect(report.models == 2)
    let copy = try await place.open(in: "copy", importing: "rescued")
    #expect(try await copy.problems() == [])
    let after = try await copy.samples(of: models[0], limit: 1000)
    let lost = Set(before.map(\.id)).subtracting(after.map(\.id))
    #expect(lost.isSuperset(of: ["line-120", "cross-105"]))
    #expect(lost.count < 30, "two pages of some samples each")
    #expect(after == before.filter { !lost.contains($0.id) })
    #expect(try await copy.model(models[0]).name == name)
    #expect(try await copy.labels(of: models[0]).map(\.name).contains("ring"))
    #expect(try await copy.history(of: models[0]).count == 3)
    #expect(try await copy.playground("play").items.count == 1)
    #expect(try await copy.settings().theme == .dark)
    #expect(
      try AtomicFile.read(place.path("copy/models/\(models[0])-1.drawml"))
        == AtomicFile.read(place.path("data/models/\(models[0])-1.drawml")))
  }

  @Test("A sample that is damaged is named")
  func damagedSample() async throws {
    let (place, workspace, models) = try await Place.filled()
    // Behind a gap.
    try await workspace.addSamples(Doodles.additions(30, from: 100), to: models[0])
    let ids = try await workspace.samples(of: models[0], limit: 1000).map(\.id)
    _ = try await workspace.deleteSamples(
      ids.filter { id in (100..<126).contains { id.hasSuffix("-\($0)") } }, of: models[0])
    let id = try #require(ids.first { $0.hasSuffix("-126") })
    let text = try text(of: id, of: models[0], workspace)
    let count = try await workspace.samples(of: models[0], limit: 1000).count
    try workspace.close()
    let path = place.database
    var bytes = Data(try AtomicFile.read(path))
    // Another digit in its first stroke.
    let digit = try #require(text.utf8.firstRange(of: Array("[[[".utf8))).upperBound
    let offset = text.utf8.distance(from: text.startIndex, to: digit)
    while let found = bytes.range(of: Data(text.utf8)) { bytes[found.lowerBound + offset] ^= 1 }
    try AtomicFile.write(Array(bytes), to: path)
    let report = try place.rescue()
    #expect(report.lostSamples == [id] && report.damagedTables == [])
    let copy = try await place.open(in: "copy", importing: "rescued")
    #expect(try await copy.samples(of: models[0], limit: 1000).count == count - 1)
  }

  @Test("Of a database that was cut off, or names fewer pages, what is there is rescued")
  func cutOff() async throws {
    let (place, workspace, models) = try await Place.filled()
    try await workspace.addSamples(Doodles.additions(400, from: 100), to: models[0])
    let count = try await workspace.samples(of: models[0], limit: 1000).count
    try workspace.close()
    let path = place.database
    let whole = try AtomicFile.read(path)
    let pages = whole.count / 4096
    var few = whole
    few.replaceSubrange(28..<32, with: [0, 0, 0, UInt8(pages / 2)])
    for (bytes, least) in [(Array(whole.dropLast(4096)), count - 60), (few, count)] {
      try AtomicFile.write(bytes, to: path)
      let report = try place.rescue().written
      #expect(report.models == 2 && report.samples >= least, "\(report.samples) of \(count)")
      #expect(try AtomicFile.read(path) == bytes, "the damaged one stays as it is")
    }
    try AtomicFile.write(Array(whole.prefix(pages / 2 * 4096)), to: path)
    let half = try place.rescue().written
    #expect(half.samples > count / 8 && half.samples < count)
    let copy = try await place.open(in: "copy", importing: "rescued")
    #expect(try await copy.problems() == [])
  }

  @Test("Where the rows of the models are lost, their samples are rescued under new names")
  func lostModels() async throws {
    let (place, workspace, models) = try await Place.filled()
    let before = try await workspace.samples(of: models[0])
    try workspace.close()
    try damage(pageOf: "Zweites", in: place.database)
    let report = try place.rescue().written
    #expect(report.models == 2 && report.samples == 14)
    let copy = try await place.open(in: "copy", importing: "rescued")
    #expect(try await copy.problems() == [])
    #expect(try await copy.models().map(\.name).sorted() == ["Rescued", "Rescued 2"])
    let after = try await copy.samples(of: models[0])
    #expect(after.map(\.drawing) == before.map(\.drawing))
    #expect(try await copy.train(models[0]).samples == 13)
  }

  @Test("A model whose own row no import takes keeps its samples, and is otherwise a new one")
  func unfitRow() async throws {
    let (place, workspace, models) = try await Place.filled()
    let before = try await workspace.models()
    try await workspace.execute(
      "UPDATE model SET name = 'a' || char(27), refusalRate = 0.2 WHERE id = ?", [models[0]])
    try place.rescue()
    let copy = try await place.open(in: "copy", importing: "rescued")
    #expect(try await copy.problems() == [])
    let model = try await copy.model(models[0])
    #expect(model.name == "Rescued" && model.generation == 0 && model.lastTrained == nil)
    #expect(model.refusalRate == DecisionPolicy.standard.refusalRate)
    #expect(model.created != before[0].created && model.isActive == before[0].isActive)
    #expect(model.sampleCount == before[0].sampleCount && model.sampleCount > 0)
    #expect(try await copy.labels(of: models[0]).allSatisfy { $0.name == nil })
  }

  @Test("A trained file that is lost too leaves a model that can be trained")
  func lostFile() async throws {
    let (place, workspace, models) = try await Place.filled()
    try workspace.close()
    AtomicFile.remove(place.path("data/models/\(models[0])-1.drawml"))
    try place.rescue()
    let copy = try await place.open(in: "copy", importing: "rescued")
    #expect(try await copy.model(models[0]).lastTrained == nil)
    #expect(try await copy.train(models[0]).samples == 13)
  }

  @Test("Where nothing can be read, that is said, and no file is written")
  func nothing() async throws {
    let place = Place()
    try place.makeFolder("data/models")
    let path = place.database
    for bytes in [[UInt8](repeating: 7, count: 9000), []] {
      try AtomicFile.write(bytes, to: path)
      let error = #expect(throws: WorkspaceError.self) { try place.rescue() }
      // An empty file is none, and nothing else is there.
      #expect(error?.code == (bytes.isEmpty ? "noWorkspace" : "unreadable"))
      #expect(error?.message.hasPrefix(bytes.isEmpty ? "There is no" : "Couldn’t rescue") == true)
    }
    #expect(!AtomicFile.exists(place.path("rescued")))
    #expect(place.modelFiles.isEmpty)
  }

  @Test(
    "What lies in the place of a file is reported with advice, when opened and when rescued",
    arguments: ["pipe", "socket", "link"])
  func foreignFiles(kind: String) async throws {
    let (place, workspace, _) = try await Place.filled()
    try workspace.close()
    let name = kind == "link" ? "workspace.sqlite" : "workspace.sqlite-journal"
    let path = place.path("data/\(name)")
    switch kind {
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    case "socket": #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
    default:
      try FileManager.default.moveItem(atPath: path, toPath: place.path("kept"))
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: place.path("kept"))
    }
    let words =
      kind == "link"
      ? "“\(name)” in the workspace’s folder is a link, which DrawML does not follow. Put what it "
        + "leads to in its place, or name the folder that it leads to with --workspace."
      : "“\(name)” in the workspace’s folder is a pipe, a socket or something else that DrawML "
        + "does not make under that name. Move it somewhere else and try again."
    let opened = await #expect(throws: WorkspaceError.self) { try await place.open() }
    #expect(opened?.description == "Couldn’t open your models. " + words)
    let rescued = #expect(throws: WorkspaceError.self) { try place.rescue() }
    #expect(rescued?.description == "Couldn’t rescue anything. " + words)
    #expect(rescued?.code == "foreignFile" && !AtomicFile.exists(place.path("rescued")))
    // The advice helps.
    try FileManager.default.removeItem(atPath: path)
    if kind == "link" {
      try FileManager.default.moveItem(atPath: place.path("kept"), toPath: path)
    }
    #expect(try await place.open().models().count == 2)
  }

  @Test("Where a database was moved away or emptied, none is made beside its trained files")
  func movedAway() async throws {
    let (place, workspace, models) = try await Place.filled()
    try workspace.close()
    let database = place.database
    try FileManager.default.moveItem(atPath: database, toPath: place.path("moved"))
    for emptied in [false, true] {
      if emptied { try AtomicFile.write("", to: database) }
      for creating in [false, true] {
        let error = #expect(throws: WorkspaceError.self) {
          try Workspace(folder: place.path("data"), creating: creating)
        }
        #expect(error?.code == "lost")
        #expect(error?.detail.contains("rescue") == false)
        #expect(
          error?.detail.contains("move the folder models and the folder artworks away to start")
            == true)
      }
      let rescued = #expect(throws: WorkspaceError.self) { try place.rescue() }
      #expect(rescued?.code == "lost")
      #expect(rescued?.detail.contains("'drawml classify --model' reads") == true)
    }
    #expect(place.modelFiles == ["\(models[0])-1.drawml"])
    for ending in ["", "-wal", "-shm"] { AtomicFile.remove(database + ending) }
    try FileManager.default.moveItem(atPath: place.path("moved"), toPath: database)
    #expect(try await place.open().problems() == [])
  }

  @Test("The log of a database that is gone is not taken for that of a new one")
  func logAlone() async throws {
    let place = Place()
    _ = try await place.open()
    try AtomicFile.write("a log", to: place.path("data/workspace.sqlite-wal"))
    AtomicFile.remove(place.database)
    let error = await #expect(throws: WorkspaceError.self) { try await place.open() }
    #expect(error?.code == "lost")
    #expect(error?.detail.contains("workspace.sqlite-wal") == true)
    #expect(error?.detail.contains("rescue") == false)
    #expect(error?.detail.contains("folder models") == false, "there is no such folder")
    let rescued = #expect(throws: WorkspaceError.self) {
      try Workspace.rescue(place.path("data"), to: place.path("rescued"))
    }
    #expect(rescued?.reason == error?.reason)
    #expect(AtomicFile.exists(place.path("data/workspace.sqlite-wal")))
  }
}
