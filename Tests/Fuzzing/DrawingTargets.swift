internal import Datasets
internal import Files
internal import Ink
internal import Segmentation
internal import TestTools

extension Target {
  /// Drawings in all forms of text and bytes.
  static let drawingTargets = [
    Target("ndjson", ending: ".ndjson", seeds: { Samples.strokeJSON }, reading: readAll),
    Target("ndjson-gzip", ending: ".ndjson.gz", seeds: { Samples.packedJSON }, reading: readAll),
    Target("json", ending: ".json", seeds: { Samples.strokeJSON }, reading: readAll),
    Target(
      "quickdraw-binary", ending: ".bin", seeds: { [Samples.quickDrawBinary] }, reading: readAll),
    Target("numpy-bitmaps", ending: ".npy", seeds: { [Samples.numpyBitmaps] }, reading: readAll),
    Target("sketch-rnn", ending: ".npz", seeds: { Samples.sketchRNN }, reading: readAll),
    // No change of an archive keeps its checksums: here inputs are what they protect.
    Target("sketch-rnn-parts", ending: ".npz", seeds: { Samples.sketchRNNParts }) { path in
      let archive = ZipFile.bytes([.init("train.npy", try AtomicFile.read(path))])
      try AtomicFile.write(archive, to: path)
      try readAll(path)
    },
    Target(
      "omniglot-strokes", ending: ".txt", seeds: { [Samples.omniglotStrokes] }, reading: readAll),
    Target("svg", ending: ".svg", seeds: { Samples.svg }, reading: readAll),
    Target("inkml", ending: ".inkml", seeds: { Samples.inkML }, reading: readAll),
    Target("gesture-xml", ending: ".xml", seeds: { Samples.gestureXML }, reading: readAll),
    Target("csv", ending: ".csv", seeds: { Samples.pointTable }, reading: readAll),
    Target("excalidraw", ending: ".excalidraw", seeds: { Samples.excalidraw }, reading: readAll),
    Target("tldraw", ending: ".tldr", seeds: { Samples.tldraw }, reading: readAll),
    Target("xournal", ending: ".xopp", seeds: { Samples.xournal }, reading: readAll),
    Target("remarkable", ending: ".rm", seeds: { Samples.remarkable }, reading: readAll),
    Target(
      "pen-characters", ending: ".tra", seeds: { Samples.penCharacters }, reading: readAll),
    Target("stroke-json-twice", seeds: { Samples.strokeJSON }) { bytes in
      // The line parser that is fast and the one that is plain must agree.
      var lines = DrawingReader(lines: bytes, named: "lines")
      let fast = Result { try lines.next() }
      guard case .success(let drawing?) = fast else { return _ = try fast.get() }
      let first = bytes.split(separator: UInt8(ascii: "\n")).first { !$0.allSatisfy(isBlank) }
      var plain = try StrokeJSON.parse(Array(first ?? []))
      if plain.id.isEmpty { plain.id = drawing.id }
      precondition(plain == drawing, "two parsers of stroke JSON disagree")
    },
  ]

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0d
  }
}
