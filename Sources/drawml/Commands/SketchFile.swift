internal import Artwork
internal import Files
internal import Pictures
internal import Training

extension Sketch {
  /// The sketch in a file: a JSON object, or that of a line.
  ///
  /// - Parameters:
  ///   - path: The file; "-" is standard input.
  ///   - number: The line, from 1; nil for the whole file, or the first line of an .ndjson file.
  /// - Throws: `FileError`, with the stroke and the point that are wrong.
  init(path: String, line number: Int?) throws {
    let bytes: [UInt8]
    if let number = number ?? (path.hasSuffix(".ndjson") ? 1 : nil) {
      var lines = try LineReader(path: path)
      var line: [UInt8]?
      for _ in 0..<number { line = try lines.next() }
      guard let line else { throw JobProblem("\(path) has fewer than \(number) lines") }
      bytes = line
    } else {
      bytes = try AtomicFile.read(path == "-" ? "/dev/stdin" : path)
    }
    guard !bytes.starts(with: PNG.signature), !bytes.starts(with: JPEG.signature) else {
      throw FileError(
        reading: path,
        "it is a picture, and a sketch has strokes; 'drawml capture' and 'drawml vectorize' find "
          + "those of drawings on pictures")
    }
    do throws(SketchError) { self = try Sketch.parse(bytes) } catch {
      throw FileError(reading: path, "\(error)")
    }
  }
}
