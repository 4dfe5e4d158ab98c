package import Files

extension FileKind {
  /// Drawings, also without labels.
  package static let strokes = FileKind("stroke JSON") {
    $0.isJSON && $0.text.contains(#""strokes":["#)
  }
}
