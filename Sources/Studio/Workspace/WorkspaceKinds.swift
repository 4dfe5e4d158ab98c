package import Files
internal import Ink
internal import JSON
internal import Pictures
internal import Recognition

extension FileKind {
  /// The database of a workspace.
  package static let workspace = FileKind("the database of a DrawML workspace") {
    program(of: $0) == WorkspaceSchema.workspaceID
  }
  /// What `workspace export` writes.
  package static let export = FileKind("a DrawML export", ending: "drawmlx") {
    program(of: $0) == WorkspaceSchema.exportID
  }
  /// A database of another program.
  package static let database = FileKind("an SQLite database") { program(of: $0) != nil }

  /// The kinds that an import tells apart.
  static let ofImports: [FileKind] = [
    .export, .workspace, .database, .model, .picture, .photograph, .strokes, .json,
  ]

  /// The application id of a SQLite database, at byte 68; nil for no database:
  /// https://www.sqlite.org/fileformat.html, section 1.3.
  private static func program(of file: FileBeginning) -> Int? {
    guard file.bytes.starts(with: "SQLite format 3\0".utf8) else { return nil }
    return file.bytes.dropFirst(68).prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }
}
