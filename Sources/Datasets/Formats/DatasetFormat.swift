internal import Support

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
  /// Omniglot's stroke text, one drawing per file: see `OmniglotStrokes`.
  case omniglotStrokes = "omniglot-strokes"
  /// Drawings in HDF5: see `HDF5Drawings`.
  case hdf5
  /// A picture of one drawing: see `Vectorizer`.
  case png

  /// The file name extensions of this format, without the dot; the first is the usual one.
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

  /// Whether DrawML can write it.
  public var isWritable: Bool { self == .json || self == .ndjson || self == .hdf5 }

  /// The format that the file's extension, in upper or lower case, indicates, or nil.
  public init?(path: String) {
    guard let end = Self.fileExtension(of: path),
      let format = Self.allCases.first(where: { $0.fileExtensions.contains(end) })
    else { return nil }
    self = format
  }

  /// The extension of a file's name, in lower case; "gz" for a packed file that is not unpacked.
  static func fileExtension(of path: String) -> String? {
    guard let end = parts(of: path).end?.lowercased() else { return nil }
    let isWhole = png.fileExtensions.contains(end) || hdf5.fileExtensions.contains(end)
    return isWhole && isPacked(path) ? "gz" : end
  }

  /// A file's name without its extension.
  static func stem(of path: String) -> String { String(parts(of: path).stem) }

  /// Whether the file's name is that of a gzip file.
  public static func isPacked(_ path: String) -> Bool { path.unpackedName != path }

  /// The parts of a file's name before and after the last point, without the ".gz" of a gzip file.
  private static func parts(of path: String) -> (stem: Substring, end: Substring?) {
    let name = path.unpackedName.split(separator: "/").last ?? ""
    guard let point = name.lastIndex(of: ".") else { return (name, nil) }
    return (name[..<point], name[name.index(after: point)...])
  }
}
