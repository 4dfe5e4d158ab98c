package import Files

extension FileKind {
  /// The log of a live canvas.
  package static let canvasLog = FileKind("a canvas log", format: CanvasLog.format)
  /// The networks and weights of a segmenter.
  package static let segmenter = FileKind("a segmenter") {
    $0.text.hasPrefix(#"{"blindWeights":"#)
  }
}
