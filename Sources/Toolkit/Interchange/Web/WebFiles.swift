internal import CPage

/// The files that the page of `WebExport` is made of, embedded in the program: those of `Page`, and
/// those that the studio's page has, too.
enum WebFiles {
  /// The files of `Page` by name.
  static let own = unsafe files(drawml_web_files(), count: drawml_web_file_count())
  private static let studio = unsafe files(drawml_page_files(), count: drawml_page_file_count())

  /// A file's bytes; of two with one name, that of `Page`.
  static func bytes(_ name: String) -> [UInt8] {
    guard let bytes = own[name] ?? studio[name] else {
      preconditionFailure("no file of a page is called \(name)")
    }
    return bytes
  }

  /// A file's text.
  static func text(_ name: String) -> String { String(decoding: bytes(name), as: UTF8.self) }

  private static func files(
    _ start: UnsafePointer<drawml_page_file>?, count: Int
  ) -> [String: [UInt8]] {
    let files = unsafe UnsafeBufferPointer(start: start, count: count).map { file in
      unsafe (
        String(cString: file.name),
        [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.length))
      )
    }
    return Dictionary(files) { first, _ in first }
  }
}
