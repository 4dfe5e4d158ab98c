internal import CWebPage

/// The files of `Page`, of which the page of `WebExport` is made, embedded in the program.
enum WebFiles {
  /// The files by name.
  static let all = unsafe files(drawml_web_files(), count: drawml_web_file_count())
    .merging(files(drawml_shared_files(), count: drawml_shared_file_count())) { own, _ in own }

  /// A file's bytes.
  static func bytes(_ name: String) -> [UInt8] {
    guard let bytes = all[name] else {
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
