package import Files
internal import HDF5
internal import Ink
internal import JSON
internal import Pictures

extension FileKind {
  /// Drawings in HDF5, by this program.
  package static let drawings = FileKind("a file of DrawML drawings", seal: HDF5Drawings.seal)
  /// The manifest of a sharded set.
  package static let shards = FileKind("the manifest of shards", format: ShardManifest.format)
  /// An InkML document.
  package static let inkML = FileKind("InkML") { $0.firstElement == "ink" }
  /// An SVG document.
  package static let svg = FileKind("an SVG picture") { $0.firstElement == "svg" }
  /// A drawing in the XML of the $-family of recognizers.
  package static let gesture = FileKind("a gesture of $1, $N or $P") {
    $0.firstElement == "Gesture"
  }
  /// A notebook, unpacked.
  package static let xournal = FileKind("a notebook of Xournal++") {
    $0.firstElement == "xournal" || $0.firstElement == "MrWriter"
  }
  /// A drawing of Excalidraw.
  package static let excalidraw = FileKind("a drawing of Excalidraw") {
    $0.text.hasPrefix(#"{"type":"excalidraw"#)
  }
  /// A drawing of tldraw.
  package static let tldraw = FileKind("a drawing of tldraw") {
    $0.isJSON && $0.text.contains(#""tldrawFileFormatVersion":"#)
  }
  /// A page of a reMarkable tablet.
  package static let remarkable = FileKind(
    "a page of reMarkable", bytes: Array("reMarkable .lines file".utf8))
  /// Bitmaps in an array of numpy.
  package static let bitmaps = FileKind("an array of numpy", bytes: [0x93] + Array("NUMPY".utf8))
  /// A ZIP archive, such as numpy's of several arrays.
  package static let archive = FileKind("a ZIP archive", bytes: Array("PK\u{3}\u{4}".utf8))
  /// A gzip file, such as of packed drawings.
  package static let packed = FileKind("a gzip file", bytes: [0x1f, 0x8b])

  /// The kinds of files in which drawings are read; stroke JSON last, because other JSON may look
  /// like it.
  package static let ofDrawings: [FileKind] = [
    .drawings, .shards, .hdf5, .picture, .photograph, .bitmaps, .archive, .packed, .remarkable,
    .inkML,
    .svg, .gesture, .xournal, .excalidraw, .tldraw, .strokes,
  ]
}
