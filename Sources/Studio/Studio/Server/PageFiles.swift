internal import CPage
internal import CWebPage
internal import Files
internal import Hummingbird

/// A file of the page.
struct PageFile: Sendable {
  /// The path of its URL, such as "/app.js".
  var path: String
  /// Its media type.
  var type: String
  /// Its bytes.
  var bytes: [UInt8]
  /// The entity tag of its bytes, in quotation marks.
  var tag: String

  /// A file of the folder `Page`.
  init(_ name: String, _ bytes: [UInt8]) {
    path =
      switch name {
      case "index.html": "/"
      case "trace.html": Self.tracing
      case "calm.html": Self.calm
      case "calm-adult.html": Self.calm + "/adult"
      default: "/" + name
      }
    type = Self.type(of: name)
    self.bytes = bytes
    tag = "\"\(Fingerprint.sha256(bytes).prefix(32))\""
  }

  /// The media type for a file name's extension.
  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "json": "application/json"
    case "webmanifest": "application/manifest+json"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "woff2": "font/woff2"
    case "gz": "application/gzip"
    default: "text/plain; charset=utf-8"
    }
  }
}

extension PageFile {
  /// The path of the page for tracing, which has a policy of its own.
  static let tracing = "/trace"

  /// The path of the calm surface, which has a policy of its own.
  static let calm = "/calm"

  /// All files of the page, embedded in the program. Requests are served only from this list, so
  /// their paths never reach the file system.
  static let all =
    unsafe files(drawml_page_files(), count: drawml_page_file_count())
    + files(drawml_shared_files(), count: drawml_shared_file_count())

  private static func files(
    _ start: UnsafePointer<drawml_page_file>?, count: Int
  ) -> [PageFile] {
    unsafe UnsafeBufferPointer(start: start, count: count).map { file in
      unsafe PageFile(
        String(cString: file.name),
        [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.length)))
    }
  }

  /// The paths of the files' URLs.
  static let paths = Set(all.map(\.path))
}
