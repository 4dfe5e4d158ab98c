internal import Files
internal import HDF5
internal import Ink
internal import Pictures
internal import Text

/// The kinds of files that were read as stroke JSON because of their names, but are something else.
enum ForeignFile {
  /// The first bytes of kinds of files that DrawML has no other use for.
  private static let beginnings: [(bytes: [UInt8], name: String)] = [
    (Array("SQLite format 3\0".utf8), "an SQLite database"),
    (Array("%PDF-".utf8), "a PDF document"), (Array("%!PS".utf8), "a PostScript file"),
    (Array("GIF8".utf8), "a GIF picture"), (Array("RIFF".utf8), "a WebP picture, sound or film"),
    (Array("BM".utf8), "a BMP picture"), (Array("II*\0".utf8), "a TIFF picture"),
    (Array("MM\0*".utf8), "a TIFF picture"), (Array("MATLAB ".utf8), "a MATLAB file"),
    (Array("PAR1".utf8), "a Parquet table"), (Array("ARROW1".utf8), "an Arrow table"),
    ([0xd0, 0xcf, 0x11, 0xe0], "an old document of Microsoft Office"),
    (Array("BZh".utf8), "a bzip2 file"), ([0xfd] + Array("7zXZ\0".utf8), "an xz file"),
    ([0x28, 0xb5, 0x2f, 0xfd], "a Zstandard file"), (Array("Rar!".utf8), "a RAR archive"),
    (Array("7z".utf8) + [0xbc, 0xaf, 0x27, 0x1c], "a 7-Zip archive"),
    ([0x7f] + Array("ELF".utf8), "a program"), (Array("MZ".utf8), "a program of Windows"),
    ([0xff, 0xfe], "text in UTF-16; save it in UTF-8"),
    ([0xfe, 0xff], "text in UTF-16; save it in UTF-8"),
    ([0x80, 0x02], "a pickle of Python"), ([0x80, 0x03], "a pickle of Python"),
    ([0x80, 0x04], "a pickle of Python"), ([0x80, 0x05], "a pickle of Python"),
  ]

  private static let unknown = "a binary file of an unknown kind"
  private static let length = 1 << 12

  /// The error about an unreadable file: if its beginning shows that it is not stroke JSON, it says
  /// what the file is, and which files can be read.
  static func explanation(of error: DrawingFileError) -> DatasetError {
    guard error.line <= 1, error.path != "-",
      let bytes = try? AtomicFile.beginning(of: error.path, length: length), !bytes.isEmpty,
      let kind = try? FileKind(of: error.path, among: FileKind.ofDrawings),
      let what = description(of: bytes, kind), error.isAboutText || what != unknown
    else { return .drawing(error) }
    return .foreign(error, what: what)
  }

  /// What a file of a kind seems to be, and how it can be read, if it can; nil if it may be stroke
  /// JSON.
  private static func description(of bytes: [UInt8], _ kind: FileKind) -> String? {
    switch kind {
    case .drawings, .hdf5: return "\(kind.name); name it .h5"
    case .picture: return "\(kind.name); name it .png"
    case .photograph: return "\(kind.name); name it .jpg"
    case .bitmaps: return "\(kind.name); name it .npy"
    case .archive: return "\(kind.name); name it .npz if numpy wrote it, else unpack it"
    case .packed: return "\(kind.name); name it .ndjson.gz if lines of JSON are in it"
    case .svg: return "\(kind.name); name it .svg"
    case .inkML: return "\(kind.name); name it .inkml"
    case .gesture: return "\(kind.name); name it .xml"
    case .xournal: return "\(kind.name); name it .xopp"
    case .remarkable: return "\(kind.name); name it .rm"
    case .excalidraw: return "\(kind.name); name it .excalidraw"
    case .tldraw: return "\(kind.name); name it .tldr"
    case .other:
      let known = beginnings.first { bytes.starts(with: $0.bytes) }?.name
      // Text may begin with the same letters.
      guard isText(bytes) else { return known ?? unknown }
      return bytes.first == UInt8(ascii: "%") ? known : nil
    default: return nil
    }
  }

  /// Whether bytes may be the beginning of text in UTF-8.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    guard !bytes.contains(0) else { return false }
    // A character may be cut off at the end.
    let cut = bytes.suffix(4).lastIndex { $0 & 0xc0 != 0x80 } ?? bytes.count
    let whole = bytes.count < length ? bytes[...] : bytes[..<cut]
    return String(validating: whole, as: UTF8.self) != nil
  }
}

extension DrawingFileError {
  /// Whether the file's text is wrong, not the file as a whole, such as its length.
  fileprivate var isAboutText: Bool {
    if case .drawing = reason { true } else { false }
  }
}
