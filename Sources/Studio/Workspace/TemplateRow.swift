internal import Foundation
internal import GRDB
internal import Ink
internal import Pictures
internal import Trace

/// A row of an imported template.
struct TemplateRow: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "template"
  /// All columns but the picture, which may be long.
  static let shortColumns = "id, name, created, width, height, drawing"

  var id: String
  var name: String
  let created: Int64
  /// PNG; nil for lines, and in a row of `shortColumns`.
  let picture: Data?
  let width: Int?
  let height: Int?
  /// Stroke JSON; nil for a picture.
  let drawing: String?

  /// A new row.
  ///
  /// - Throws: `WorkspaceError.Reason` for lines that no drawing of a workspace may have.
  init(
    id: String, name: String, created: Date, _ contents: TemplateContents
  ) throws(WorkspaceError.Reason) {
    (self.id, self.name, self.created) = (id, name, created.milliseconds)
    switch contents {
    case .picture(let file):
      (picture, drawing) = (Data(file.png), nil)
      (width, height) = (file.size.width, file.size.height)
    case .lines(let lines):
      (picture, width, height) = (nil, nil, nil)
      drawing = SampleRow.text(of: try Checked.ink(lines))
    }
  }

  /// The template; its picture is not read.
  ///
  /// - Throws: `WorkspaceError.Reason.damaged` if a value is not one that this program would write.
  var template: Template {
    get throws {
      // Ids are made as those of models are.
      guard Checked.isModelID(id), Checked.isName(name), WorkspaceLimits.times.contains(created)
      else { throw damaged }
      switch (width, height, drawing) {
      case (let width?, let height?, nil):
        let size = Template.PictureSize(width: width, height: height)
        guard size.isValid else { throw damaged }
        let canvas = Drawing.Canvas(width: Double(width), height: Double(height))
        return Template(
          imported: id, name: name, drawing: Drawing(strokes: [], canvas: canvas), picture: size)
      case (nil, nil, let drawing?):
        let lines = try Workspace.drawing(drawing, id: id, label: nil)
        _ = try Checked.ink(lines)
        guard (try? TemplateContents.lines(checking: lines)) != nil else { throw damaged }
        return Template(imported: id, name: name, drawing: lines)
      default: throw damaged
      }
    }
  }

  /// The picture; nil for lines.
  ///
  /// - Throws: `WorkspaceError.Reason.damaged` if it is not one that this program would write.
  var file: TemplatePicture? {
    get throws {
      guard let picture else { return nil }
      guard let file = try? TemplatePicture(png: Array(picture)),
        file.size == (try template.picture)
      else { throw damaged }
      return file
    }
  }

  /// Throws if a value is not one that this program would write; decodes the picture.
  func check() throws {
    guard try (file == nil) == (template.picture == nil) else { throw damaged }
  }

  /// Whether another row has the same template, whatever it is called.
  func isSame(as other: TemplateRow) -> Bool {
    var other = other
    other.name = name
    return self == other
  }

  private var damaged: WorkspaceError.Reason {
    .damaged("the template \(name.shown) is invalid")
  }

  /// The ids of all templates, oldest first.
  static func ids(in db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT id FROM template ORDER BY created, id")
  }

  /// A checked row with its picture.
  static func checked(_ id: String, in db: Database) throws -> TemplateRow {
    guard let row = try fetchOne(db, key: id) else {
      throw WorkspaceError.Reason.unknownTemplate(id)
    }
    try row.check()
    return row
  }

  /// Throws if there are more templates than a workspace may have, or more bytes of them.
  static func checkRoom(in db: Database) throws {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT COUNT(*) AS count,
          ifnull(SUM(length(ifnull(picture, CAST(drawing AS BLOB)))), 0) AS bytes
        FROM template
        """)
    let (count, bytes): (Int, Int) = (row?["count"] ?? 0, row?["bytes"] ?? 0)
    guard count <= WorkspaceLimits.templates, bytes <= WorkspaceLimits.templateBytes else {
      throw WorkspaceError.Reason.tooManyTemplates
    }
  }
}
