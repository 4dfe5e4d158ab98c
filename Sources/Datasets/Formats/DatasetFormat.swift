/// The forms in which drawings come as files.
public enum DatasetFormat: String, Codable, Sendable, CaseIterable {
  /// Stroke JSON, one object or an array.
  case json
  /// Stroke JSON, one object a line; also the simplified and raw sets of Quick, Draw!.
  case ndjson
  /// Quick, Draw!'s binary form: see `QuickDrawBinaryReader`.
  case quickDrawBinary = "quickdraw-binary"
  /// Pictures without strokes: see `NumpyBitmaps`.
  case numpyBitmaps = "numpy-bitmaps"
  /// Omniglot's stroke text, one drawing a file: see `OmniglotStrokes`.
  case omniglotStrokes = "omniglot-strokes"
  /// See `HDF5Drawings`.
  case hdf5
  /// A picture of one drawing: see `Vectorizer`.
  case png

  /// The ends of file names that mean this format, without the dot; the first is the usual one.
  public var fileExtensions: [String] {
    switch self {
    case .json: ["json"]
    case .ndjson: ["ndjson", "jsonl"]
    case .quickDrawBinary: ["bin"]
    case .numpyBitmaps: ["npy"]
    case .omniglotStrokes: ["txt"]
    case .hdf5: ["h5", "hdf5"]
    case .png: ["png"]
    }
  }

  /// Whether DrawML writes it.
  public var isWritable: Bool { self == .json || self == .ndjson || self == .hdf5 }

  /// The format that the name of the file at `path` tells, in upper or lower case, or nil.
  public init?(path: String) {
    guard let end = Self.fileExtension(of: path),
      let format = Self.allCases.first(where: { $0.fileExtensions.contains(end) })
    else { return nil }
    self = format
  }

  /// The end of a file's name behind the last dot, in lower case.
  static func fileExtension(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    return name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
  }
}
