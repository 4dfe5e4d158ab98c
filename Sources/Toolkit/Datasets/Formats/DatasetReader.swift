internal import Files
public import Ink
internal import Pictures
package import Vectorizing

/// Reads the drawings of one file of any format, one after the other.
///
/// Pictures are converted to strokes (see `Vectorizer`). Stroke JSON and sharded sets are read in
/// bounded memory; files of the other formats are read whole.
public struct DatasetReader: ~Copyable {
  /// Reads the next drawing of a file and adds notes about it; nil at the end.
  private typealias Next = (inout ReadingNotes) throws(DatasetError) -> Drawing?

  /// Reads stroke JSON, and `takeNext` the other formats.
  private var strokeJSON: DrawingReader?
  private let takeNext: Next?

  /// The line, from 1, on which the last returned drawing begins; nil if the format has no lines.
  public private(set) var line: Int?
  /// How far a file was read.
  package struct Position: Codable, Hashable, Sendable {
    /// The number of calls of `next()`.
    var calls = 0
    /// The number of lines, in a file with a drawing on each.
    var lines: Int?
  }

  /// The number of calls of `next()` so far.
  private var calls = 0
  /// How far the file was read: where `skip(to:)` goes on.
  package var position: Position {
    mutating get { Position(calls: calls, lines: strokeJSON?.linesRead ?? nil) }
  }
  /// The number of bytes read, if the file is read in bounded memory.
  package var byteCount: Int { mutating get { strokeJSON?.byteCount ?? 0 } }
  /// What is to be told about the file; complete when `next()` has returned nil.
  public private(set) var notes = ReadingNotes()

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file; "-" is stroke JSON on standard input.
  ///   - label: The label of a picture, if known; other formats have their own labels.
  ///   - format: The file's format; by default it follows from its name, or else is stroke JSON.
  /// - Throws: `DatasetError` when the file cannot be opened or, in formats that are read whole, is
  ///   invalid.
  public init(
    path: String, label: String? = nil, as format: DatasetFormat? = nil
  ) throws(DatasetError) {
    let format = format ?? DatasetFormat(path: path) ?? .ndjson
    let takeNext = try Self.open(
      DatasetFiles.Source(path: path, label: label), format, &notes)
    strokeJSON = takeNext == nil ? try Self.openText(path) : nil
    self.takeNext = takeNext
  }

  private static func openText(_ path: String) throws(DatasetError) -> DrawingReader {
    do throws(DrawingFileError) { return try DrawingReader(path: path) } catch {
      throw ForeignFile.explanation(of: error)
    }
  }

  /// Opens a file of another format than stroke JSON.
  private static func open(
    _ source: DatasetFiles.Source, _ format: DatasetFormat, _ notes: inout ReadingNotes
  ) throws(DatasetError) -> Next? {
    let path = source.path
    do throws(FileError) {
      func bytes() throws(FileError) -> [UInt8] { try AtomicFile.readUnpacked(path) }
      var drawings: ArraySlice<Drawing>
      switch format {
      case .json, .ndjson: return nil
      case .quickDrawBinary:
        var reader = try QuickDrawBinaryReader(path: path)
        return { _ throws(DatasetError) in
          do throws(FileError) { return try reader.next() } catch { throw .file(error) }
        }
      case .sketchRNN:
        var reader = try SketchRNNDrawings(path: path)
        return { _ throws(DatasetError) in
          do throws(FileError) { return try reader.next() } catch { throw .file(error) }
        }
      case .numpyBitmaps:
        let bitmaps = try NumpyBitmaps(path: path)
        var source = source
        source.label = source.label ?? QuickDrawBinaryReader.label(fromPath: path)
        // In these, ink is 255, even where it is the majority.
        let vectorizer = Vectorizer(polarity: .lightInk)
        var index = 0
        return { _ throws(DatasetError) in
          guard index < bitmaps.count else { return nil }
          let picture = GrayPicture(
            width: bitmaps.width, height: bitmaps.height, values: Array(bitmaps[index]))
          index += 1
          var doubts = ReadingNotes()
          // Too small for doubts that help.
          return try source.drawing(
            of: consume picture, by: vectorizer, number: index, notes: &doubts)
        }
      case .png, .jpeg:
        var picture: GrayPicture? = try GrayPicture(path: path)
        return { notes throws(DatasetError) in
          // Taken, so that a large picture is released while its lines are traced.
          guard let picture = picture.take() else { return nil }
          return try source.drawing(of: consume picture, by: Vectorizer(), notes: &notes)
        }
      case .omniglotStrokes:
        var drawing = try OmniglotStrokes.parse(bytes(), path: path)
        (drawing.id, drawing.label) = OmniglotStrokes.identity(ofPath: path)
        drawings = [drawing]
      case .svg, .inkML, .gestureXML:
        drawings = try source.named(Self.xml(bytes(), format, source, &notes))
      case .excalidraw:
        drawings = try source.named(
          ExcalidrawDrawings.parse(bytes(), path: path, notes: &notes))
      case .tldraw:
        drawings = try source.named(TldrawDrawings.parse(bytes(), path: path, notes: &notes))
      case .xournal:
        drawings = try source.named(XournalDrawings.parse(bytes(), path: path, notes: &notes))
      case .remarkable:
        drawings = try source.named([
          RemarkableDrawings.parse(bytes(), path: path, notes: &notes)
        ])
      case .penCharacters: drawings = try PenCharacters.parse(bytes(), path: path)[...]
      case .hdf5: drawings = try HDF5Drawings.read(path)[...]
      case .sharded:
        let set = try ShardedDrawings(path)
        var number = 0
        return { _ throws(DatasetError) in
          guard number < set.count else { return nil }
          defer { number += 1 }
          do throws(FileError) { return try set.drawing(number) } catch { throw .file(error) }
        }
      case .csv: drawings = try PointTable.parse(bytes(), path: path, notes: &notes)[...]
      }
      return { _ in drawings.popFirst() }
    } catch { throw .file(error) }
  }

  /// The drawings of a file of XML.
  private static func xml(
    _ bytes: [UInt8], _ format: DatasetFormat, _ source: DatasetFiles.Source,
    _ notes: inout ReadingNotes
  ) throws(FileError) -> [Drawing] {
    let path = source.path
    // Others than gestures' programs name their files .xml, too.
    let format = format == .gestureXML ? try DatasetFormat.ofXML(bytes, path: path) : format
    switch format {
    case .inkML: return try InkMLDrawings.parse(bytes, path: path, notes: &notes)
    case .svg: return [try SVGDrawings.parse(bytes, path: path, notes: &notes)]
    case .xournal: return try XournalDrawings.parse(bytes, path: path, notes: &notes)
    default:
      var drawing = try GestureXML.parse(bytes, path: path)
      drawing.id = DatasetFormat.id(of: 1, in: path)
      return [drawing]
    }
  }

  /// The next drawing, or nil at the end.
  ///
  /// After an error the next call continues after the invalid drawing, or returns nil if its end
  /// cannot be located.
  ///
  /// - Throws: `DatasetError`, which names the file and the position in it.
  public mutating func next() throws(DatasetError) -> Drawing? {
    calls += 1
    if let takeNext { return try takeNext(&notes) }
    do throws(DrawingFileError) {
      let drawing = try strokeJSON?.next() ?? nil
      line = strokeJSON?.line
      return drawing
    } catch { throw ForeignFile.explanation(of: error) }
  }

  /// Goes to where another reader of the same file was; lines are not parsed on the way.
  ///
  /// - Throws: `DatasetError` when the file cannot be read.
  package mutating func skip(to position: Position) throws(DatasetError) {
    if let lines = position.lines {
      do throws(DrawingFileError) { try strokeJSON?.skip(toLine: lines) } catch {
        throw .drawing(error)
      }
    } else {
      // What could not be read then is passed over, too.
      while calls < position.calls { _ = try? next() }
    }
    calls = position.calls
  }
}

extension DatasetFiles.Source {
  /// Drawings of this file, with the file's id and label where they have none.
  fileprivate func named(_ drawings: [Drawing]) -> ArraySlice<Drawing> {
    drawings.map { drawing in
      var drawing = drawing
      if drawing.id.isEmpty { drawing.id = pictureID }
      drawing.label = drawing.label ?? label
      return drawing
    }[...]
  }

  /// The strokes of a picture of this file; `number` counts from 1 in a file of many. `notes` gets
  /// what is doubtful about them.
  package func drawing(
    of picture: consuming GrayPicture, by vectorizer: Vectorizer, number: Int? = nil,
    notes: inout ReadingNotes
  ) throws(DatasetError) -> Drawing {
    do throws(VectorizerError) {
      let traced = try vectorizer.trace(consume picture)
      for doubt in traced.doubts { notes.add(doubt.description) }
      var drawing = traced.drawing
      drawing.id = number.map { DatasetFormat.id(of: $0, in: path) } ?? pictureID
      drawing.label = label
      return drawing
    } catch {
      throw .picture(path: path, number: number, error)
    }
  }
}
