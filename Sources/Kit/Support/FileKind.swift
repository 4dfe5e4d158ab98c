/// The kind of a file, by its first bytes; the raw value describes it in a sentence.
package enum FileKind: String, Sendable {
  case model = "a DrawML model"
  case drawings = "a file of DrawML drawings"
  case checkpoint = "a DrawML checkpoint"
  case export = "a DrawML export"
  case workspace = "the database of a DrawML workspace"
  case database = "an SQLite database"
  case hdf5 = "an HDF5 file"
  case picture = "a PNG picture"
  case page = "a page that DrawML wrote"
  case foreignPage = "an HTML page"
  case strokes = "stroke JSON"
  case inkML = "InkML"
  case svg = "an SVG picture"
  case photograph = "a JPEG picture"
  case gesture = "a gesture of $1, $N or $P"
  case excalidraw = "a drawing of Excalidraw"
  case tldraw = "a drawing of tldraw"
  case xournal = "a notebook of Xournal++"
  case remarkable = "a page of reMarkable"
  case bitmaps = "an array of numpy"
  case archive = "a ZIP archive"
  case packed = "a gzip file"
  case canvasLog = "a canvas log"
  case trainingLog = "a training log"
  case answers = "a file of answers"
  case trials = "a file of trials"
  case tasks = "a file of benchmark tasks"
  case segmenter = "a segmenter"
  case coreML = "a Core ML model"
  case onnx = "an ONNX graph"
  case safetensors = "a safetensors file"
  case testVectors = "a file of test vectors"
  case json = "JSON of another kind"
  case other = "a file of another kind"

  /// The number of bytes of a file that are examined.
  private static let length = 1 << 16

  private static let beginnings: [(bytes: [UInt8], kind: FileKind)] = [
    (Array("DrawML model\n".utf8), .model), (Array("DrawML drawings\n".utf8), .drawings),
    (Array("DrawML checkpoint\n".utf8), .checkpoint), ([0x89] + Array("HDF".utf8), .hdf5),
    ([0x89] + Array("PNG".utf8), .picture), ([0xff, 0xd8, 0xff], .photograph),
    ([0x93] + Array("NUMPY".utf8), .bitmaps), (Array("PK\u{3}\u{4}".utf8), .archive),
    ([0x1f, 0x8b], .packed), (Array("reMarkable .lines file".utf8), .remarkable),
    (Array("model,id,file,line,truth,answer,".utf8), .answers),
    (Array("fold,id,file,line,truth,answer,".utf8), .answers),
  ]

  /// The kind of the file at a path; nil if a file may be written there: it is missing, empty or a
  /// device.
  ///
  /// - Throws: `FileError` if it cannot be read.
  package init?(of path: String) throws(FileError) {
    let bytes = try AtomicFile.beginning(of: path, length: Self.length)
    guard !bytes.isEmpty else { return nil }
    self =
      Self.beginnings.first { bytes.starts(with: $0.bytes) }?.kind
      ?? Self.database(bytes) ?? Self.safetensors(bytes) ?? Self.text(bytes)
      ?? Self.protocolBuffer(bytes) ?? .other
  }

  /// The kind of a SQLite database, by the application id at byte 68:
  /// https://www.sqlite.org/fileformat.html, section 1.3.
  private static func database(_ bytes: [UInt8]) -> FileKind? {
    guard bytes.starts(with: "SQLite format 3\0".utf8) else { return nil }
    let program = bytes.dropFirst(68)
    if program.starts(with: "DrMX".utf8) { return .export }
    return program.starts(with: "DrML".utf8) ? .workspace : .database
  }

  /// The kind of a file that begins with a length in 8 bytes, below 4 GiB, and an object in JSON.
  private static func safetensors(_ bytes: [UInt8]) -> FileKind? {
    guard bytes.count > 10, bytes[4..<8].allSatisfy({ $0 == 0 }) else { return nil }
    return bytes[8...].starts(with: #"{""#.utf8) ? .safetensors : nil
  }

  /// The kind of a file that begins with its format's version, field 1, and then has, as field 2,
  /// a description whose first field is 1 (Core ML), or the name of a program (ONNX).
  private static func protocolBuffer(_ bytes: [UInt8]) -> FileKind? {
    guard bytes.count > 5, bytes[0] == 0x08, bytes[1] < 0x80, bytes[2] == 0x12 else { return nil }
    let description = bytes[3...].drop { $0 >= 0x80 }.dropFirst()
    guard let first = description.first else { return nil }
    return first == 0x0a ? .coreML : (0x20..<0x7f).contains(first) ? .onnx : nil
  }

  private static func text(_ bytes: [UInt8]) -> FileKind? {
    let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    let start = text.prefix(12).lowercased()
    if start.hasPrefix("<!doctypehtm") || start.hasPrefix("<html") {
      return text.contains(#"<metaname="generator"content="DrawML">"#) ? .page : .foreignPage
    }
    switch firstElement(of: bytes) {
    case "ink": return .inkML
    case "svg": return .svg
    case "Gesture": return .gesture
    case "xournal", "MrWriter": return .xournal
    default: break
    }
    guard text.hasPrefix("{") || text.hasPrefix("[") else { return nil }
    if text.hasPrefix(#"{"episodes":"#) { return .tasks }
    if text.hasPrefix(#"{"blindWeights":"#) { return .segmenter }
    if text.hasPrefix(#"{"type":"excalidraw"#) { return .excalidraw }
    if text.contains(#""tldrawFileFormatVersion":"#) { return .tldraw }
    if text.contains(#""format":"drawml-test-vectors""#) { return .testVectors }
    // Within a JSON string, the quotes would be escaped.
    if text.contains(#""format":"drawml-canvas-log""#) { return .canvasLog }
    if text.contains(#""format":"drawml-training-log""#) { return .trainingLog }
    if text.contains(#""format":"drawml-sweep""#) { return .trials }
    if text.hasPrefix(#"{"answer":"#), text.contains(#","decision":""#) { return .answers }
    return text.contains(#""strokes":["#) ? .strokes : .json
  }
}

extension FileKind {
  /// Refuses to replace a file of another kind.
  ///
  /// - Parameters:
  ///   - path: Where a file of this kind goes.
  ///   - remedy: How the user can replace it all the same, after "choose another name".
  /// - Throws: `FileError` with what is there and what to do.
  package func requireReplaceable(_ path: String, remedy: String = "") throws(FileError) {
    guard let found = try FileKind(of: path), found != self else { return }
    throw FileError(
      writing: path, "it is \(found.rawValue), not \(rawValue); choose another name\(remedy)")
  }

  /// The name of the first element of XML, without its prefix; nil if the text is no XML.
  private static func firstElement(of bytes: [UInt8]) -> Substring? {
    let text = String(decoding: bytes, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{feff}" }
    guard text.first == "<" else { return nil }
    for part in text.split(separator: "<").prefix(100) where part.first?.isLetter == true {
      let name = part.prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
      return name.split(separator: ":").last
    }
    return nil
  }
}
