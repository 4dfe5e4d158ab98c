public import Ink
internal import Support

/// Reads the drawings of one file of any format, one after the other.
///
/// Pictures are converted to strokes (see `Vectorizer`). Stroke JSON is read in bounded memory;
/// files of the other formats are read whole.
public struct DatasetReader: ~Copyable {
  private let path: String
  private var source: Source
  /// Separate from `source`, because it is not copyable.
  private var strokeJSON: DrawingReader?

  /// The line, from 1, on which the last returned drawing begins; nil if the format has no lines.
  public private(set) var line: Int?

  private enum Source {
    case strokeJSON
    case drawings(ArraySlice<Drawing>)
    case binary(QuickDrawBinaryReader)
    case sketchRNN(SketchRNNDrawings)
    case pictures(PictureQueue)
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file; "-" is stroke JSON on standard input.
  ///   - label: The label of a picture, if known; other formats have their own labels.
  ///   - format: The file's format; by default it follows from its name, or else is stroke JSON.
  ///   - vectorizer: What makes strokes of pictures.
  /// - Throws: `DatasetError` when the file cannot be opened or, in formats that are read whole, is
  ///   invalid.
  public init(
    path: String, label: String? = nil, as format: DatasetFormat? = nil,
    vectorizer: Vectorizer = Vectorizer()
  ) throws(DatasetError) {
    let format = format ?? DatasetFormat(path: path) ?? .ndjson
    let source = try Self.open(path, label, format, vectorizer)
    strokeJSON = try Self.openText(path, format)
    self.source = source
    self.path = path
  }

  private static func open(
    _ path: String, _ label: String?, _ format: DatasetFormat, _ vectorizer: Vectorizer
  ) throws(DatasetError) -> Source {
    do throws(FileError) {
      return switch format {
      case .json, .ndjson: .strokeJSON
      case .quickDrawBinary: .binary(try QuickDrawBinaryReader(path: path))
      case .sketchRNN: .sketchRNN(try SketchRNNDrawings(path: path))
      case .omniglotStrokes: .drawings([try OmniglotStrokes.read(path)])
      case .hdf5: .drawings(try HDF5Drawings.read(path)[...])
      case .numpyBitmaps:
        .pictures(
          PictureQueue(
            path: path, label: label ?? QuickDrawBinaryReader.label(fromPath: path),
            vectorizer: vectorizer, pictures: .many(try NumpyBitmaps(path: path))))
      case .svg:
        .drawings([
          try SVGDrawings.read(
            path, id: DatasetFiles.Source(path: path, label: label).pictureID, label: label)
        ])
      case .inkML: .drawings(try InkMLDrawings.read(path)[...])
      case .gestureXML: .drawings([try GestureXML.read(path)])
      case .csv: .drawings(try PointTable.read(path)[...])
      case .png, .jpeg:
        .pictures(
          PictureQueue(
            path: path, label: label, vectorizer: vectorizer,
            pictures: .one(try GrayPicture(path: path))))
      }
    } catch { throw .file(error) }
  }

  private static func openText(
    _ path: String, _ format: DatasetFormat
  ) throws(DatasetError) -> DrawingReader? {
    guard format == .json || format == .ndjson else { return nil }
    do throws(DrawingFileError) { return try DrawingReader(path: path) } catch {
      throw .drawing(error)
    }
  }

  /// The next drawing, or nil at the end.
  ///
  /// After an error the next call continues after the invalid drawing, or returns nil if its end
  /// cannot be located.
  ///
  /// - Throws: `DatasetError`, which names the file and the position in it.
  public mutating func next() throws(DatasetError) -> Drawing? {
    switch source {
    case .strokeJSON:
      do throws(DrawingFileError) {
        let drawing = try strokeJSON?.next() ?? nil
        line = strokeJSON?.line
        return drawing
      } catch { throw .drawing(error) }
    case .drawings(var drawings):
      let drawing = drawings.popFirst()
      source = .drawings(drawings)
      return drawing
    case .binary(var reader):
      defer { source = .binary(reader) }
      do throws(FileError) { return try reader.next() } catch { throw .file(error) }
    case .sketchRNN(var reader):
      defer { source = .sketchRNN(reader) }
      do throws(FileError) { return try reader.next() } catch { throw .file(error) }
    case .pictures(var pictures):
      // Moved out of `source`, so that the queue holds the only reference to its pictures.
      source = .drawings([])
      defer { source = .pictures(pictures) }
      return try pictures.next()
    }
  }
}

/// The pictures of a file that are still to be converted to drawings.
private struct PictureQueue {
  let path: String
  let label: String?
  let vectorizer: Vectorizer
  private var pictures: Pictures
  private var index = 0

  enum Pictures {
    case none
    case one(GrayPicture)
    case many(NumpyBitmaps)
  }

  init(path: String, label: String?, vectorizer: Vectorizer, pictures: Pictures) {
    self.path = path
    self.label = label
    self.vectorizer = vectorizer
    self.pictures = pictures
  }

  mutating func next() throws(DatasetError) -> Drawing? {
    defer { index += 1 }
    switch pictures {
    case .none: return nil
    case .one(let picture):
      // Releases a large picture while its lines are traced.
      pictures = .none
      let source = DatasetFiles.Source(path: path, label: label)
      return try drawing(consume picture, vectorizer, id: source.pictureID, number: nil)
    case .many(let bitmaps):
      guard index < bitmaps.count else { return nil }
      // In these, ink is 255, even where it is the majority.
      var vectorizer = vectorizer
      if vectorizer.polarity == .automatic { vectorizer.polarity = .lightInk }
      let picture = GrayPicture(
        width: bitmaps.width, height: bitmaps.height, values: Array(bitmaps[index]))
      return try drawing(
        picture, vectorizer, id: DatasetFormat.id(of: index + 1, in: path), number: index + 1)
    }
  }

  private func drawing(
    _ picture: consuming GrayPicture, _ vectorizer: Vectorizer, id: String, number: Int?
  ) throws(DatasetError) -> Drawing {
    do throws(VectorizerError) {
      var drawing = try vectorizer(consume picture)
      (drawing.id, drawing.label) = (id, label)
      return drawing
    } catch {
      throw .picture(path: path, number: number, error)
    }
  }
}
