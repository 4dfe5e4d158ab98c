import Foundation
import GRDB
import Ink
import Pictures
import Testing
import Trace
import Vectorizing

@testable import Workspace

@Suite("Imported templates of a workspace")
struct TemplateTests {
  /// A small picture: white, with a black line.
  static func picture() throws -> TemplateContents {
    var values = [UInt8](repeating: 255, count: 40 * 20)
    for row in 8..<12 { for column in 4..<36 { values[row * 40 + column] = 0 } }
    return try TemplateContents(file: PNG.encode(values, width: 40, height: 20, as: .gray))
  }

  /// Two lines.
  static func lines() throws -> TemplateContents {
    let svg = "<svg viewBox=\"0 0 9 9\"><path d=\"M1 2L3 4\"/><path d=\"M5 6L7 8\"/></svg>"
    return try TemplateContents(file: Array(svg.utf8))
  }

  @Test("TR-031: pictures and lines are kept, newest first, under names of their own, and deleted")
  func kept() async throws {
    let place = Place()
    var workspace = try await place.open()
    #expect(try await workspace.importedTemplates() == [])
    let cat = try await workspace.addTemplate(try Self.picture(), named: " cat ")
    #expect(cat.name == "cat" && cat.picture == Template.PictureSize(width: 40, height: 20))
    #expect(cat.drawing.canvas == Drawing.Canvas(width: 40, height: 20))
    let second = try await workspace.addTemplate(try Self.lines(), named: "cat")
    #expect(second.name == "cat 2" && second.picture == nil)
    #expect(second.drawing.strokes.count == 2)
    try workspace.close()
    workspace = try await place.open()
    #expect(try await workspace.importedTemplates() == [second, cat])
    guard case .picture(let picture) = try Self.picture() else { return }
    #expect(try await workspace.picture(ofTemplate: cat.id) == picture.png)
    #expect(try await workspace.picture(ofTemplate: second.id) == nil)
    #expect(try await workspace.problems() == [])
    try await workspace.deleteTemplate(cat.id)
    #expect(try await workspace.importedTemplates() == [second])
    for id in [cat.id, "bundled/star", String(second.id.dropFirst("imported/".count))] {
      await refused(.deleteTemplate, .unknownTemplate(id)) {
        try await workspace.deleteTemplate(id)
      }
    }
    await refused(.saveTemplate, .nameEmpty) {
      try await workspace.addTemplate(try Self.lines(), named: " ")
    }
  }

  @Test("TR-033: a picture's lines are a template beside it")
  func makeLines() async throws {
    let workspace = try await Place().open()
    let name = String(repeating: "a", count: WorkspaceLimits.nameLength)
    let picture = try await workspace.addTemplate(try Self.picture(), named: name)
    let lines = try await workspace.makeLines(ofTemplate: picture.id)
    #expect(lines.name == String(name.dropLast(7)) + ", lines")
    #expect(lines.picture == nil && lines.drawing.strokes.count == 1)
    #expect(try await workspace.makeLines(ofTemplate: lines.id) == lines)
    #expect(try await workspace.importedTemplates() == [lines, picture])
    let blank = try PNG.encode([255, 255], width: 2, height: 1, as: .gray)
    let empty = try await workspace.addTemplate(try TemplateContents(file: blank), named: "b")
    await refused(.saveTemplate, .template(.vectorizer(.noInk))) {
      try await workspace.makeLines(ofTemplate: empty.id)
    }
    #expect(try await workspace.importedTemplates().count == 3)
  }

  @Test("A picture whose name is long in bytes has lines, too, under a shorter name")
  func linesOfLongName() async throws {
    let place = Place()
    let workspace = try await place.open()
    // Of 58 characters, but of 638 bytes; a name has 640 at most.
    let name = String(repeating: "🧑‍🚀", count: 58)
    let picture = try await workspace.addTemplate(try Self.picture(), named: name)
    let lines = try await workspace.makeLines(ofTemplate: picture.id)
    #expect(lines.name == String(name.dropLast()) + ", lines")
  }

  @Test("A workspace has room for 200 templates; the next one is refused, and nothing is kept")
  func room() async throws {
    let (place, workspace) = try await Place.opened()
    for _ in 0..<WorkspaceLimits.templates {
      try await workspace.addTemplate(try Self.lines(), named: "a")
    }
    await refused(.saveTemplate, .tooManyTemplates) {
      try await workspace.addTemplate(try Self.lines(), named: "a")
    }
    #expect(try await workspace.importedTemplates().count == WorkspaceLimits.templates)
    // An import has no room either, and takes nothing.
    let other = try await place.open(in: "other")
    try await other.addTemplate(try Self.picture(), named: "b")
    try await other.export(to: place.path("all.drawmlx"))
    await refused(.import, .tooManyTemplates) {
      try await workspace.import(from: place.path("all.drawmlx"))
    }
    #expect(try await workspace.models().count == 1)
  }

  @Test("TR-031: an import adds the templates that are not here; those of one model have none")
  func imported() async throws {
    let (place, workspace, model) = try await Place.fresh()
    try await workspace.addSample(Doodles.ink(), label: "a", to: model)
    let picture = try await workspace.addTemplate(try Self.picture(), named: "cat")
    let lines = try await workspace.addTemplate(try Self.lines(), named: "dog")
    let path = place.path("all.drawmlx")
    try await workspace.export(to: path)
    let other = try await place.open(in: "other")
    try await other.addTemplate(try Self.lines(), named: "cat")
    for _ in 1...2 {
      try await other.import(from: path)
      let found = try await other.importedTemplates()
      #expect(Set(found.map(\.name)) == ["cat", "cat 2", "dog"])
      #expect(Set(found.map(\.id)).isSuperset(of: [picture.id, lines.id]))
    }
    #expect(
      try await other.picture(ofTemplate: picture.id)
        == workspace.picture(ofTemplate: picture.id))
    #expect(try await other.problems() == [])
    try await workspace.export(models: [model], to: path)
    let third = try await place.open(in: "third")
    try await third.import(from: path)
    #expect(try await third.importedTemplates() == [])
  }

  @Test(
    "Values that this program would not write are damage: told by check, refused by import",
    arguments: [
      "name = ' a'", "id = 'x'", "created = 9000000000000000000", "width = 41",
      "width = 4000000000",
      "picture = x'00'", "picture = NULL, width = NULL, height = NULL, drawing = '{}'",
      "picture = NULL, width = NULL, height = NULL, drawing = '{\"strokes\":[[[1],[1]]]}'",
      "picture = NULL", "drawing = '{\"strokes\":[[[1,2],[1,2]]]}'", "picture = zeroblob(18000000)",
    ])
  func damaged(change: String) async throws {
    let (place, workspace) = try await Place.opened()
    try await workspace.addTemplate(try Self.picture(), named: "cat")
    let path = place.path("all.drawmlx")
    try await workspace.export(to: path)
    let sql = "PRAGMA ignore_check_constraints = ON; UPDATE template SET \(change)"
    try place.edit("all.drawmlx") { try $0.execute(sql: sql) }
    try await workspace.execute(sql)
    #expect(try await workspace.problems().count == 1)
    let other = try await place.open(in: "other")
    let error = await #expect(throws: WorkspaceError.self) { try await other.import(from: path) }
    #expect(error?.code == "notImportable", "\(error as Any)")
    #expect(try await other.importedTemplates() == [])
    // A rescue leaves it out.
    try place.rescue()
    try await other.import(from: place.path("rescued"))
    #expect(try await other.importedTemplates() == [])
  }
}
