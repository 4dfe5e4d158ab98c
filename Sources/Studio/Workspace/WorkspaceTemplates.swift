internal import Foundation
internal import GRDB
internal import Ink
public import Trace

/// The user's own templates (TR-031), named by their ids, such as "imported/" and a UUID.
extension Workspace {
  /// The imported templates, newest first.
  ///
  /// - Throws: `WorkspaceError` for a damaged database.
  public func importedTemplates() async throws -> [Template] {
    try await read(.read) { db in
      try TemplateRow.fetchAll(
        db, sql: "SELECT \(TemplateRow.shortColumns) FROM template ORDER BY created DESC, id"
      ).map { try $0.template }
    }
  }

  /// Adds a template.
  ///
  /// - Parameters:
  ///   - contents: What is drawn over.
  ///   - name: What to call it, at most `WorkspaceLimits.nameLength` characters; a number is
  ///     appended if another one has the name.
  /// - Returns: The new template.
  /// - Throws: `WorkspaceError` for an invalid name, and for more templates or bytes of them than
  ///   `WorkspaceLimits` allow.
  @discardableResult
  public func addTemplate(
    _ contents: TemplateContents, named name: String
  ) async throws -> Template {
    let row = try await mappingErrors(of: .saveTemplate) {
      try TemplateRow(id: newID(), name: Checked.name(name), created: now(), contents)
    }
    return try await write(.saveTemplate) { db in
      var names = try ModelNames(in: db, of: TemplateRow.databaseTableName)
      var row = row
      row.name = names.take(like: row.name)
      try row.insert(db)
      try TemplateRow.checkRoom(in: db)
      return try row.template
    }
  }

  /// The picture of a template as PNG, which is not decoded; nil for lines.
  ///
  /// - Throws: `WorkspaceError` for an unknown template.
  public func picture(ofTemplate id: String) async throws -> [UInt8]? {
    try await row(ofTemplate: id, for: .read).picture.map { Array($0) }
  }

  /// Adds the lines of a picture's ink as a template beside it (TR-033).
  ///
  /// - Parameter id: The template with the picture.
  /// - Returns: The new template; the same one if it has lines.
  /// - Throws: `WorkspaceError` for an unknown template, and for a picture without lines.
  public func makeLines(ofTemplate id: String) async throws -> Template {
    let row = try await row(ofTemplate: id, for: .saveTemplate)
    return try await mappingErrors(of: .saveTemplate) {
      guard let picture = try row.file else { return try row.template }
      let lines: TemplateContents
      do throws(TemplateError) { lines = try TemplateContents.picture(picture).lines() } catch {
        throw WorkspaceError.Reason.template(error)
      }
      let ending = ", lines"
      let stem = Checked.stem(of: row.name, before: ending)
      return try await addTemplate(lines, named: stem + ending)
    }
  }

  /// Deletes a template; samples that were traced over it stay.
  ///
  /// - Throws: `WorkspaceError` for an unknown template.
  public func deleteTemplate(_ id: String) async throws {
    try await write(.deleteTemplate) { db in
      try db.execute(
        sql: "DELETE FROM template WHERE id = ?", arguments: [Self.key(ofTemplate: id)])
      guard db.changesCount > 0 else { throw WorkspaceError.Reason.unknownTemplate(id) }
    }
  }

  private func row(
    ofTemplate id: String, for operation: WorkspaceError.Operation
  ) async throws -> TemplateRow {
    try await read(operation) { db in
      guard let row = try TemplateRow.fetchOne(db, key: Self.key(ofTemplate: id)) else {
        throw WorkspaceError.Reason.unknownTemplate(id)
      }
      return row
    }
  }

  /// The key of a template's row: its id without the source.
  private static func key(ofTemplate id: String) -> String {
    let source = Template.importedID("")
    return id.hasPrefix(source) ? String(id.dropFirst(source.count)) : ""
  }

  /// Adds the templates of a file that are not here yet; one whose id is here with other contents
  /// gets a new id, and one whose name is taken gets a number appended.
  func insertTemplates(of file: ImportedFile, in db: Database) throws {
    var names = try ModelNames(in: db, of: TemplateRow.databaseTableName)
    for id in file.templates {
      var row = try file.template(id)
      if let here = try TemplateRow.fetchOne(db, key: id) {
        if here.isSame(as: row) { continue }
        row.id = newID()
      }
      row.name = names.take(like: row.name)
      try row.insert(db)
    }
    try TemplateRow.checkRoom(in: db)
  }
}
