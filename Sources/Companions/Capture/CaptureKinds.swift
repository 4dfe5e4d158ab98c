package import Files

extension FileKind {
  /// Pages for a printer.
  package static let document = FileKind(
    "a PDF document", ending: "pdf", bytes: Array("%PDF-".utf8))
}
