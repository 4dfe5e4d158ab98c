internal import Files
internal import JSON

/// Reads the drawings of one file, one after the other.
///
/// In a `.ndjson` file each line is one drawing, and memory is bounded by the longest line. A
/// `.json` file holds one object or an array and is read whole. Anything else, including standard
/// input, is read line by line unless its first line starts an array or is only a "{". Blank lines
/// and a byte order mark are skipped.
///
/// A drawing without an id gets the file's name and line number, "star.ndjson:12"; in a `.json`
/// array, the element's number from 1 instead of the line.
public struct DrawingReader: ~Copyable {
  private let path: String
  private var lines: LineReader
  private var lineParser = DrawingLineParser()
  private var source = Source.unknown
  /// Whether only white space was read so far.
  private var isBlank = true

  private enum Source {
    case unknown, lines, ended
    case document(DrawingDocument)

    var isUnknown: Bool {
      if case .unknown = self { true } else { false }
    }
  }

  /// The number of bytes taken from the file so far.
  public private(set) var byteCount = 0

  /// The line, from 1, on which the last returned drawing begins.
  public var line: Int {
    if case .document(let document) = source { document.line } else { lines.lineNumber }
  }

  /// Opens the file at `path`; "-" is standard input.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - lineLimit: The longest line accepted, in bytes; lines of a `.json` file may be longer.
  /// - Throws: `DrawingFileError` when the file cannot be opened.
  public init(path: String, lineLimit: Int = 64 << 20) throws(DrawingFileError) {
    self.path = path
    do throws(FileError) {
      // A whole array may be one line.
      let isDocument = Self.isPath(path, endingIn: ".json")
      lines = try LineReader(
        path: path, limit: isDocument ? LineReader.longestText : lineLimit, readWhole: isDocument)
    } catch {
      throw DrawingFileError(path: path, line: 0, reason: .file(error))
    }
    if Self.isPath(path, endingIn: ".ndjson") { source = .lines }
  }

  /// Whether a path ends in `ending`, in upper or lower case, packed or not.
  private static func isPath(_ path: String, endingIn ending: String) -> Bool {
    path.unpackedName.lowercased().hasSuffix(ending)
  }

  /// Reads drawings in memory, one per line, as in an `.ndjson` file.
  ///
  /// - Parameters:
  ///   - bytes: The lines.
  ///   - name: The file's name, for errors and drawings without an id.
  public init(lines bytes: [UInt8], named name: String) {
    path = name
    lines = LineReader(bytes, named: name)
    source = .lines
  }

  /// The number of lines read, if each is a drawing: where `skip(toLine:)` goes on.
  package var linesRead: Int? {
    if case .lines = source { lines.lineNumber } else { nil }
  }

  /// Skips the lines up to number `line`, of a file in which each is a drawing, without parsing.
  ///
  /// - Throws: `DrawingFileError` when the file cannot be read.
  package mutating func skip(toLine line: Int) throws(DrawingFileError) {
    (source, isBlank) = (.lines, false)
    while lines.lineNumber < line {
      do throws(DrawingFileError) {
        guard try nextLine() != nil else { return }
      } catch {
        guard case .file(let problem) = error.reason, case .lineTooLong = problem.reason else {
          throw error
        }
      }
    }
  }

  /// The next drawing, or nil at the end of the file.
  ///
  /// After an error the next call continues after the invalid drawing. A syntax error in a `.json`
  /// file ends the reading: the next drawing cannot be located.
  ///
  /// - Throws: `DrawingFileError`, which names the line; also for a file without any drawing.
  public mutating func next() throws(DrawingFileError) -> Drawing? {
    if case .lines = source, let drawing = takeLine() {
      return drawing.id.isEmpty ? named(drawing, lines.lineNumber) : drawing
    }
    return try nextInAnyForm()
  }

  /// The drawing of the next line if `DrawingLineParser` accepts it.
  private mutating func takeLine() -> Drawing? {
    var found: (drawing: Drawing, count: Int)?
    let isTaken = lines.take { bytes, unread in
      found = lineParser.drawing(in: bytes, unread)
      return found?.count ?? 0
    }
    guard isTaken, let found else { return nil }
    byteCount += found.count
    isBlank = false
    return found.drawing
  }

  /// The next drawing in any accepted form.
  private mutating func nextInAnyForm() throws(DrawingFileError) -> Drawing? {
    while true {
      switch source {
      case .ended: return nil
      case .document(var document):
        source = .ended
        let result = document.next()
        if result != nil { source = .document(document) }
        switch result {
        case .success(let drawing): return named(drawing, document.count)
        case .failure(let error):
          throw DrawingFileError(
            path: path, line: document.line, reason: .drawing(error))
        case nil: return nil
        }
      case .unknown, .lines:
        guard var line = try nextLine() else {
          source = .ended
          guard isBlank else { return nil }
          throw failure(.malformed("it is empty; it should hold drawings as JSON"))
        }
        guard !line.allSatisfy({ $0.isJSONWhitespace }) else { continue }
        isBlank = false
        if case .unknown = source, Self.isPath(path, endingIn: ".json") || line.startsDocument {
          let first = lines.lineNumber
          try requireFits(line)
          while let more = try nextLine() {
            line.append(0x0a)
            line.append(contentsOf: more)
            try requireFits(line)
          }
          source = .document(DrawingDocument(line, firstLine: first))
          continue
        }
        source = .lines
        do throws(InkError) {
          return named(try StrokeJSON.parse(line), lines.lineNumber)
        } catch {
          throw DrawingFileError(
            path: path, line: lines.lineNumber, reason: .drawing(error))
        }
      }
    }
  }

  private mutating func nextLine() throws(DrawingFileError) -> [UInt8]? {
    do throws(FileError) {
      guard var line = try lines.next() else { return nil }
      byteCount += line.count + 1
      if lines.lineNumber == 1, line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
      return line
    } catch {
      // The next call skips a line that is too long; any other error ends the reading.
      if case .lineTooLong = error.reason {
        isBlank = false
        if source.isUnknown { source = .lines }
      } else {
        source = .ended
      }
      throw DrawingFileError(path: path, line: lines.lineNumber, reason: .file(error))
    }
  }

  /// Throws if a text that is read whole is too long.
  private mutating func requireFits(_ text: [UInt8]) throws(DrawingFileError) {
    do throws(FileError) { try lines.requireFitsInMemory() } catch {
      source = .ended
      throw DrawingFileError(path: path, line: 1, reason: .file(error))
    }
    guard text.count > lines.mostKept else { return }
    source = .ended
    throw failure(
      .malformed("it is longer than \(lines.mostKept >> 20) MiB; write one drawing per line"))
  }

  private func failure(_ reason: FileError.Reason) -> DrawingFileError {
    DrawingFileError(
      path: path, line: 1, reason: .file(FileError("read", path: path, reason: reason)))
  }

  private func named(_ drawing: Drawing, _ number: Int) -> Drawing {
    guard drawing.id.isEmpty else { return drawing }
    var drawing = drawing
    let name = path.split(separator: "/").last.map(String.init) ?? path
    drawing.id = "\(path == "-" ? "stdin" : name):\(number)"
    return drawing
  }
}

/// The drawings of a text that holds one object or an array of them.
private struct DrawingDocument {
  private var parser: DrawingParser
  private let isArray: Bool
  private var isFirst = true
  private var hasEnded = false
  /// The offset up to which lines were counted.
  private var counted = 0
  /// The number of the last returned drawing, from 1.
  private(set) var count = 0
  /// The line on which it starts, or of the error.
  private(set) var line: Int

  init(_ bytes: [UInt8], firstLine: Int) {
    line = firstLine
    parser = DrawingParser(bytes)
    isArray = parser.scanner.take(UInt8(ascii: "["))
  }

  /// The next drawing or its error; nil at the end.
  mutating func next() -> Result<Drawing, InkError>? {
    guard !hasEnded else { return nil }
    do {
      guard try step() else {
        hasEnded = true
        parser.scanner.skipWhitespace()
        countLines()
        if !isArray, parser.scanner.current == UInt8(ascii: "{") {
          throw InkError.secondDrawing(byte: parser.scanner.position)
        }
        try parser.scanner.expectEnd()
        return nil
      }
    } catch {
      hasEnded = true
      countLines()
      return .failure(InkError(error))
    }
    count += 1
    parser.scanner.skipWhitespace()
    countLines()
    let start = parser.scanner.position
    do throws(InkError) {
      return .success(try parser.drawing())
    } catch {
      // Valid JSON that is not a drawing can be skipped; after a syntax error nothing can.
      parser.scanner.position = start
      do { try parser.scanner.skipValue() } catch { hasEnded = true }
      return .failure(error)
    }
  }

  /// Advances to the next drawing; false at the end.
  private mutating func step() throws -> Bool {
    if isArray {
      return try parser.scanner.next(isFirst: &isFirst, closing: UInt8(ascii: "]"))
    }
    defer { isFirst = false }
    return isFirst
  }

  private mutating func countLines() {
    let bytes = parser.scanner.bytes
    let end = min(parser.scanner.position, bytes.count)
    guard counted < end else { return }
    for index in counted..<end where bytes[index] == 0x0a { line += 1 }
    counted = end
  }
}

extension UInt8 {
  fileprivate var isJSONWhitespace: Bool {
    self == 0x20 || self == 0x0a || self == 0x0d || self == 0x09
  }
}

extension [UInt8] {
  /// Whether this first line shows that the text is one JSON document, not one drawing per line.
  fileprivate var startsDocument: Bool {
    let text = filter { !$0.isJSONWhitespace }
    return text.first == UInt8(ascii: "[") || text == [UInt8(ascii: "{")]
  }
}
