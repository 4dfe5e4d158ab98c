public import Files
public import Ink

/// Reads the notebooks of Xournal++ (`.xopp`) and Xournal (`.xoj`).
///
/// Each page is a drawing on a canvas of its size, without a label; its layers are read from below.
/// Strokes of pens and highlighters are strokes; their widths and pressures are not used. Erasers'
/// strokes, which paint over others, texts, pictures and formulas are passed over and told, as are
/// backgrounds without telling.
///
/// The files are XML, packed by gzip; newer versions may pack them in a zip file, as `content.xml`.
///
/// Source: Xournal's manual, "File format",
/// https://xournal.sourceforge.net/manual.html#file-format, and the files that Xournal++ writes.
public enum XournalDrawings {
  /// The drawings in `bytes`, unpacked from gzip, one for each page with ink, with ids made of
  /// `path` and the page's number. Errors name `path`.
  ///
  /// - Throws: `FileError` that names the line.
  public static func parse(
    _ bytes: [UInt8], path: String, notes: inout ReadingNotes
  ) throws(FileError) -> [Drawing] {
    var reader = try XMLReader(document(in: bytes, path: path), path: path)
    var notebook = Notebook(path: path)
    while let part = try reader.next() {
      do throws(FormatFault) {
        switch part {
        case .start(let name, let attributes): try notebook.begin(name, attributes)
        case .text(let text): notebook.text += text
        case .end(let name): try notebook.end(name)
        }
      } catch { throw reader.fault(error.description) }
    }
    notebook.passedOver.tell(&notes)
    guard !notebook.drawings.isEmpty else {
      throw FileError(reading: path, "none of its pages has a stroke")
    }
    return notebook.drawings
  }

  /// The XML of a file, which may lie in a zip file.
  private static func document(in bytes: [UInt8], path: String) throws(FileError) -> [UInt8] {
    guard bytes.starts(with: "PK".utf8) else { return bytes }
    let archive = try ZipArchive(bytes, path: path)
    guard let entry = try archive.unpacked(["content.xml"]).first else {
      throw FileError(reading: path, "it is a zip file without content.xml, not a Xournal++ file")
    }
    return entry.bytes
  }
}

/// What is known of a notebook while it is read.
private struct Notebook {
  /// The pages with ink.
  private(set) var drawings: [Drawing] = []
  private(set) var passedOver = PassedOver()
  /// The text of the current element.
  var text = ""
  private let path: String
  private var depth = 0
  private var pageCount = 0
  private var page = Drawing(strokes: [])
  /// The color of the page, as far as it is known, in the form of `color(_:)`.
  private var paper = white
  /// The stroke that has begun and not ended; nil in others, and if it is left out.
  private var strokeIsRead: Bool?

  private static let white = "#ffffffff"

  init(path: String) { self.path = path }

  mutating func begin(_ name: String, _ attributes: [String: String]) throws(FormatFault) {
    guard depth > 0 || name == "xournal" || name == "MrWriter" else {
      throw FormatFault("it is not a Xournal file: its first element is \(name)")
    }
    depth += 1
    text = ""
    switch name {
    case "page":
      pageCount += 1
      page = Drawing(id: DatasetFormat.id(of: pageCount, in: path), strokes: [])
      paper = Self.white
      if let width = Point.number(attributes["width"] ?? ""),
        let height = Point.number(attributes["height"] ?? "")
      {
        page.canvas = Drawing.Canvas(readWidth: width, height: height)
      }
    case "background":
      if let color = attributes["color"] { paper = Self.color(color) }
    case "stroke":
      let color = Self.color(attributes["color"] ?? "black")
      strokeIsRead = color != paper && !color.hasSuffix("00") && attributes["tool"] != "eraser"
      if attributes["tool"] == "eraser" { passedOver.add("eraser stroke") }
    case "text", "image": passedOver.add(name)
    case "teximage": passedOver.add("formula")
    default: break
    }
  }

  mutating func end(_ name: String) throws(FormatFault) {
    depth -= 1
    switch name {
    case "stroke":
      if strokeIsRead == true { try addStroke() }
      strokeIsRead = nil
    case "page" where !page.strokes.isEmpty: drawings.append(page)
    default: break
    }
    text = ""
  }

  private mutating func addStroke() throws(FormatFault) {
    var points: [Point] = []
    var x: Double?
    // Bytes are split many times faster than characters.
    for bytes in text.utf8.split(whereSeparator: { $0 <= 0x20 }) {
      let word = Substring(bytes)
      guard let number = Point.number(word) else {
        throw FormatFault(
          "page \(pageCount), stroke \(page.strokes.count), point \(points.count): "
            + "\"\(word.prefix(20))\" is not a number from -1e100 to 1e100")
      }
      if let left = x {
        points.append(Point(x: left, y: number).flushed)
        x = nil
      } else {
        x = number
      }
    }
    guard x == nil else {
      throw FormatFault(
        "page \(pageCount), stroke \(page.strokes.count) ends with an x without a y")
    }
    if !points.isEmpty { page.strokes.append(Stroke(points)) }
  }

  /// A color with its opacity, "#rrggbbaa", or the name that Xournal gives it.
  private static func color(_ text: String) -> String {
    let text = text.lowercased()
    if text == "white" { return white }
    return text.hasPrefix("#") && text.utf8.count == 7 ? text + "ff" : text
  }
}
