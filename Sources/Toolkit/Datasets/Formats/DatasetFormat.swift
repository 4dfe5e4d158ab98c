internal import Files
internal import Pictures
internal import Text

/// The file formats of drawings.
public enum DatasetFormat: String, Codable, Sendable, CaseIterable {
  /// Stroke JSON, one object or an array.
  case json
  /// Stroke JSON, one object per line; also the simplified and raw sets of Quick, Draw!.
  case ndjson
  /// Quick, Draw!'s binary format: see `QuickDrawBinaryReader`.
  case quickDrawBinary = "quickdraw-binary"
  /// Pictures without strokes: see `NumpyBitmaps`.
  case numpyBitmaps = "numpy-bitmaps"
  /// The drawings of sketch-rnn, in arrays that numpy pickles: see `SketchRNNDrawings`.
  case sketchRNN = "sketch-rnn"
  /// Omniglot's stroke text, one drawing per file: see `OmniglotStrokes`.
  case omniglotStrokes = "omniglot-strokes"
  /// Drawings in HDF5: see `HDF5Drawings`.
  case hdf5
  /// A picture of one drawing: see `Vectorizer`.
  case png
  /// A photograph or scan of one drawing: see `Vectorizer`.
  case jpeg
  /// The lines of a vector picture, one drawing per file: see `SVGDrawings`.
  case svg
  /// Ink Markup Language: see `InkMLDrawings`.
  case inkML = "inkml"
  /// Gestures of the $-family, one per file: see `GestureXML`.
  case gestureXML = "gesture-xml"
  /// A table of points: see `PointTable`.
  case csv
  /// Drawings of Excalidraw: see `ExcalidrawDrawings`.
  case excalidraw
  /// Drawings of tldraw: see `TldrawDrawings`.
  case tldraw
  /// Notebooks of Xournal++ and Xournal: see `XournalDrawings`.
  case xournal
  /// Pages of reMarkable's tablets: see `RemarkableDrawings`.
  case remarkable
  /// Digits and characters of the UCI repository: see `PenCharacters`.
  case penCharacters = "pen-characters"
  /// The manifest of a sharded set: see `ShardedDrawings`.
  case sharded

  /// The file name extensions of this format, without the dot; the first is the usual one.
  public var fileExtensions: [String] {
    switch self {
    case .json: ["json"]
    case .ndjson: ["ndjson", "jsonl"]
    case .quickDrawBinary: ["bin"]
    case .numpyBitmaps: ["npy"]
    case .sketchRNN: ["npz"]
    case .omniglotStrokes: ["txt"]
    case .hdf5: ["h5", "hdf5"]
    case .png: ["png"]
    case .jpeg: ["jpg", "jpeg"]
    case .svg: ["svg", "svgz"]
    case .inkML: ["inkml"]
    case .gestureXML: ["xml"]
    case .csv: ["csv", "tsv"]
    case .excalidraw: ["excalidraw", "excalidrawlib", "excalidraw.json"]
    case .tldraw: ["tldr"]
    case .xournal: ["xopp", "xoj"]
    case .remarkable: ["rm"]
    case .penCharacters: ["tra", "tes"]
    case .sharded: ["shards"]
    }
  }

  /// The formats that a folder is searched for by default: those with a distinctive file ending,
  /// and one or a few drawings per file.
  public static let inFolders: [DatasetFormat] = [
    .json, .ndjson, .png, .jpeg, .svg, .inkML, .excalidraw, .tldraw, .xournal, .remarkable,
  ]

  /// The extensions of `formats` in words: ".json, .ndjson or .png".
  public static func listed(_ formats: [DatasetFormat]) -> String {
    let endings = formats.map { "." + $0.fileExtensions[0] }
    return endings.count < 2
      ? endings.joined()
      : endings.dropLast().joined(separator: ", ") + " or \(endings[endings.count - 1])"
  }

  /// Whether DrawML writes files of several drawings in it.
  public var isWritable: Bool {
    switch self {
    case .json, .ndjson, .hdf5, .inkML: true
    case .quickDrawBinary, .numpyBitmaps, .sketchRNN, .omniglotStrokes, .png, .jpeg, .svg,
      .gestureXML, .csv, .excalidraw, .tldraw, .xournal, .remarkable, .penCharacters,
      .sharded:
      false
    }
  }

  /// Whether DrawML writes folders of it, with a file per drawing: see `DrawingFolder`.
  public var isWritableAsFolder: Bool { self == .png || self == .svg }

  /// Whether a file is a picture of pixels.
  public var isPicture: Bool { self == .png || self == .jpeg }

  /// Whether a drawing may get its label from its file's folder, and its id from the file's name.
  var isNamedByFile: Bool {
    isPicture || [.svg, .excalidraw, .tldraw, .xournal, .remarkable].contains(self)
  }

  /// The format that the file's extension, in upper or lower case, indicates, or nil; nil also for
  /// a packed file of a format that is not unpacked.
  public init?(path: String) {
    guard let end = Self.parts(of: path).end?.lowercased(),
      let format = Self.allCases.first(where: { $0.fileExtensions.contains(end) }),
      ![.png, .jpeg, .hdf5, .sketchRNN, .sharded].contains(format) || !Self.isPacked(path)
    else { return nil }
    self = format
  }

  /// The id of the drawing that begins at `number`, a line or a count, of a file that gives no ids.
  static func id(of number: Int, in path: String) -> String {
    "\(path.split(separator: "/").last ?? Substring(path)):\(number)"
  }

  /// A file's name without its extension.
  static func stem(of path: String) -> String { String(parts(of: path).stem) }

  /// Whether the file's name is that of a gzip file.
  public static func isPacked(_ path: String) -> Bool { path.unpackedName != path }

  /// The parts of a file's name before and after the last point, without the ".gz" of a gzip file.
  private static func parts(of path: String) -> (stem: Substring, end: Substring?) {
    let name = path.unpackedName.split(separator: "/").last ?? ""
    guard var point = name.lastIndex(of: ".") else { return (name, nil) }
    // The one ending with a point in it.
    let long = ".excalidraw.json"
    if name.lowercased().hasSuffix(long) {
      point = name.index(name.endIndex, offsetBy: -long.count)
    }
    return (name[..<point], name[name.index(after: point)...])
  }
}
