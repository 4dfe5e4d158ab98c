public import Files
public import Ink
internal import JSON
public import Text

/// What is wrong in a canvas log, and where.
public struct CanvasLogError: DescribedError, Equatable {
  /// What went wrong.
  public enum Reason: Equatable, Sendable {
    /// The file cannot be read.
    case file(FileError)
    /// The first line is not a canvas log's.
    case foreign
    /// A newer DrawML wrote it.
    case newerVersion(found: Int, supported: Int)
    /// A line is not an action.
    case malformed(String)
    /// A stroke is not as it should be.
    case stroke(InkError)
  }

  /// The file; "-" is standard input.
  public var path: String
  /// The line, from 1.
  public var line: Int
  /// What went wrong.
  public var reason: Reason

  /// One sentence for people: where, and what.
  public var description: String {
    let place = "\(path.inputName), line \(line)"
    return switch reason {
    case .file(let error): error.description
    case .foreign:
      "\(place): not a canvas log, because its first line lacks \"format\":\"\(CanvasLog.format)\""
    case .newerVersion(let found, let supported):
      """
      \(place): the log has version \(found) and this drawml reads up to \(supported); update drawml
      """
    case .malformed(let what): "\(place): \(what)"
    case .stroke(let error): "\(place): \(error)"
    }
  }
}

/// Reads a canvas log line by line; blank lines are skipped.
public struct CanvasLogReader: ~Copyable {
  private let path: String
  private var lines: LineReader
  /// The canvas's size; nil for one without edges.
  public let canvas: Drawing.Canvas?
  /// How the canvas waits.
  public let settings: LiveCanvas.Settings
  /// The canvas's models; nil if the log does not name them.
  public let models: CanvasLog.Models?

  /// The line, from 1, that was read last.
  public var line: Int { lines.lineNumber }

  /// Opens a log and reads its first line.
  ///
  /// - Parameter path: The file; "-" is standard input.
  /// - Throws: `CanvasLogError`.
  public init(path: String) throws(CanvasLogError) {
    var lines = try Self.open(path)
    let first = try Self.next(&lines, path)
    let header = try Self.header(first ?? [], path, line: max(1, lines.lineNumber))
    canvas = header.canvas
    settings = header.settings ?? LiveCanvas.Settings()
    models = header.models
    self.path = path
    self.lines = lines
  }

  private static func header(
    _ bytes: [UInt8], _ path: String, line: Int
  ) throws(CanvasLogError) -> CanvasLog.Header {
    func fault(_ reason: CanvasLogError.Reason) -> CanvasLogError {
      CanvasLogError(path: path, line: line, reason: reason)
    }
    guard let start = try? JSONDocument.decode(VersionOnly.self, from: bytes),
      start.format == CanvasLog.format
    else { throw fault(.foreign) }
    guard start.version <= CanvasLog.version else {
      throw fault(.newerVersion(found: start.version, supported: CanvasLog.version))
    }
    do throws(JSONFault) {
      let header = try JSONDocument.decode(CanvasLog.Header.self, from: bytes)
      guard header.version >= 1 else {
        throw JSONFault(place: "version", "is \(header.version); it must be 1 or more")
      }
      try CanvasLog.check(header.canvas)
      return header
    } catch {
      throw fault(.malformed("\(error)"))
    }
  }

  private static func open(_ path: String) throws(CanvasLogError) -> LineReader {
    do throws(FileError) { return try LineReader(path: path) } catch {
      throw CanvasLogError(path: path, line: 1, reason: .file(error))
    }
  }

  private struct VersionOnly: Decodable {
    var format: String
    var version: Int
  }

  /// The next action, or nil at the end.
  ///
  /// - Throws: `CanvasLogError` with the line.
  public mutating func next() throws(CanvasLogError) -> CanvasAction? {
    guard let bytes = try Self.next(&lines, path) else { return nil }
    let line: ActionLine
    do throws(JSONFault) { line = try JSONDocument.decode(ActionLine.self, from: bytes) } catch {
      throw fault(.malformed("not an action: \(error)"))
    }
    let time = line.action.milliseconds
    let latest = CanvasLog.latest
    guard (-latest...latest).contains(time) else {
      throw fault(.malformed("milliseconds is \(time); it must be from \(-latest) to \(latest)"))
    }
    guard case .stroke = line.action else { return line.action }
    return .stroke(try stroke(bytes), pen: line.pen, milliseconds: time)
  }

  private func stroke(_ bytes: [UInt8]) throws(CanvasLogError) -> Stroke {
    let drawing: Drawing
    do throws(InkError) { drawing = try StrokeJSON.parse(bytes) } catch {
      throw fault(.stroke(error))
    }
    guard drawing.strokes.count == 1 else {
      throw fault(.malformed("the action has \(drawing.strokes.count) strokes; it must be one"))
    }
    let stroke = drawing.strokes[0]
    if let point = CanvasLog.untimelyPoint(of: stroke) {
      throw fault(.malformed("point \(point): \(CanvasLog.timeRule)"))
    }
    return stroke
  }

  private static func next(
    _ lines: inout LineReader, _ path: String
  ) throws(CanvasLogError) -> [UInt8]? {
    do throws(FileError) {
      while let bytes = try lines.next() {
        if bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0d }) { return bytes }
      }
      return nil
    } catch {
      throw CanvasLogError(path: path, line: max(1, lines.lineNumber), reason: .file(error))
    }
  }

  private func fault(_ reason: CanvasLogError.Reason) -> CanvasLogError {
    CanvasLogError(path: path, line: max(1, lines.lineNumber), reason: reason)
  }
}

extension CanvasLog {
  /// Reads a whole log.
  ///
  /// - Throws: `CanvasLogError` with the line.
  public init(path: String) throws(CanvasLogError) {
    var reader = try CanvasLogReader(path: path)
    self.init(canvas: reader.canvas, settings: reader.settings, models: reader.models)
    while let action = try reader.next() { actions.append(action) }
  }
}
