internal import Files
internal import JSON

/// How far the files of a folder go: `quickdraw.fetch`, in JSON.
struct FetchState {
  /// A label's lines that are here.
  struct Label: Codable, Hashable {
    /// Where they are from.
    var address: String
    /// Whether they hold drawings that the game did not recognize.
    var takesAll: Bool
    /// The tag of the server's file; nil if it gives none.
    var tag: String?
    /// How many bytes and lines of the server's file were read.
    var fetched = 0
    var lines = 0
    /// How many bytes and drawings were kept of these.
    var bytes = 0
    var drawings = 0
    /// Whether the server's file was read to its end.
    var isWhole = false
  }

  private struct Document: Codable {
    var format: String
    var labels: [String: Label]
  }

  private static let format = "drawml-fetch-1"
  private let path: String
  var labels: [String: Label]

  /// The state of a folder; that of a new one is empty.
  ///
  /// - Throws: `FileError` for a file of another kind.
  init(folder: String) throws(FileError) {
    path = "\(folder)/quickdraw.fetch"
    labels = [:]
    guard AtomicFile.exists(path) else { return }
    // A pipe could be waited for without end.
    let bytes = AtomicFile.isDevice(path) ? [] : try AtomicFile.read(path)
    guard let found = try? JSONDocument.decode(Document.self, from: bytes),
      found.format == Self.format,
      found.labels.values.allSatisfy({ label in
        [label.fetched, label.lines, label.bytes, label.drawings].allSatisfy { $0 >= 0 }
      })
    else {
      throw FileError(
        "read", path: path,
        reason: .malformed(
          "it does not say what was fetched; choose another folder, or remove it and the .ndjson "
            + "files beside it"))
    }
    labels = found.labels
  }

  /// Replaces the file.
  func write() throws(FileError) {
    try AtomicFile.write(json: Document(format: Self.format, labels: labels), to: path)
  }
}

extension AtomicFile {
  /// Writes texts and numbers as JSON, also in the place of a link.
  static func write(json value: some Encodable, to path: String) throws(FileError) {
    guard let text = try? jsonText(value, pretty: true) else {
      preconditionFailure("texts and numbers are always JSON")
    }
    try write(Array((text + "\n").utf8), to: path, replacesLinks: true)
  }
}
