package import Files

extension FileKind {
  /// A page that `PageParts` began.
  package static let page = FileKind("a page that DrawML wrote", ending: "html") {
    isPage($0) && $0.text.contains(generator)
  }
  /// A page of another program.
  package static let foreignPage = FileKind("an HTML page") {
    isPage($0) && !$0.text.contains(generator)
  }

  private static let generator = #"<metaname="generator"content="DrawML">"#

  private static func isPage(_ beginning: FileBeginning) -> Bool {
    let start = beginning.text.prefix(12).lowercased()
    return start.hasPrefix("<!doctypehtm") || start.hasPrefix("<html")
  }
}
