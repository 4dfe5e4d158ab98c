internal import Hummingbird
internal import Support

/// A file of the page.
struct PageFile: Sendable {
  /// What it is asked for with, such as "/app.js".
  var path: String
  /// Its media type.
  var type: String
  /// Its bytes.
  var bytes: [UInt8]
  /// Names its bytes, in quotation marks.
  var tag: String

  /// A file of the folder `Page`.
  init(_ name: String, _ bytes: [UInt8]) {
    path = name == "index.html" ? "/" : "/" + name
    type = Self.type(of: name)
    self.bytes = bytes
    tag = "\"\(Fingerprint.sha256(bytes).prefix(32))\""
  }

  /// The media type by a name's ending.
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
    default: "text/plain; charset=utf-8"
    }
  }
}

extension PageFile {
  /// All files of the page, as they are in the program. What is asked for is looked up here and nowhere else, so no path
  /// of a request reaches the file system.
  ///
  /// Whoever adds a file to `Page` adds its row; a test compares them.
  static let all: [PageFile] = [
    PageFile("index.html", PackageResources.index_html)
  ]

  /// What the files are asked for with.
  static let paths = Set(all.map(\.path))
}
