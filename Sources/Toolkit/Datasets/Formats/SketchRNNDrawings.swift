public import Files
public import Ink

/// Reads the drawings of sketch-rnn, a numpy archive (`.npz`) for each category.
///
/// The archive has `train.npy`, `valid.npy` and `test.npy`: see `SketchRNNArrays`. A drawing is an
/// array of the shape [points, 3], integers or floats. A row is how far the pen goes from the
/// last point (x to the right, y downwards; the first from 0, 0), and 1 if it is lifted after that,
/// else 0.
///
/// Source: Ha and Eck, "A Neural Representation of Sketch Drawings", ICLR 2018, arXiv:1704.03477,
/// section 3.1, and the data published with it, whose numbers are int16.
public struct SketchRNNDrawings {
  /// The maximum number of points of a drawing, of which the published ones have 250. Each may be a
  /// stroke, which takes 30 times the bytes of its row.
  private static let mostPoints = 1 << 18
  /// The names of the archive's parts, in the order in which they are read.
  private static let partNames = ["train.npy", "valid.npy", "test.npy"]

  private let path: String
  private let label: String
  private var parts: ArraySlice<(name: String, arrays: SketchRNNArrays)>
  /// The number of drawings of the first of `parts` that are read.
  private var index = 0
  /// The number of drawings read or rejected so far.
  private var drawingCount = 0

  /// Opens the file at `path`, which is read whole.
  ///
  /// - Throws: `FileError` for another kind of file, and for a damaged one.
  public init(path: String) throws(FileError) {
    try self.init(AtomicFile.read(path), path: path)
  }

  /// Opens the `bytes` of an archive; errors name `path`, which gives the label, too.
  ///
  /// - Throws: `FileError` for another kind of file, and for a damaged one.
  public init(_ bytes: [UInt8], path: String) throws(FileError) {
    let archive = try ZipArchive(bytes, path: path)
    let entries = try archive.unpacked(Self.partNames)
    guard !entries.isEmpty else {
      let names = archive.names.prefix(3).map { String($0.prefix(60)) }
      throw FileError(
        reading: path,
        "it has no drawings of sketch-rnn, which are train.npy, valid.npy and test.npy"
          + (names.isEmpty ? "; it is empty" : ", but \(names.joined(separator: ", "))"))
    }
    parts = ArraySlice(
      try entries.map { entry throws(FileError) in
        (entry.name, try SketchRNNArrays(entry.bytes, path: "\(path)/\(entry.name)"))
      })
    self.path = path
    label = Self.label(fromPath: path)
  }

  /// The category from a file's name: "cat" for `cat.npz`, and for `cat.full.npz`, which the set
  /// has as well.
  static func label(fromPath path: String) -> String {
    let stem = QuickDrawBinaryReader.label(fromPath: path)
    return stem.hasSuffix(".full") ? String(stem.dropLast(5)) : stem
  }

  /// The next drawing, or nil at the end.
  ///
  /// - Throws: `FileError` that names the part of the archive, the drawing in it and the row, from
  ///   0. The next call continues with the following drawing.
  public mutating func next() throws(FileError) -> Drawing? {
    while let part = parts.first, index == part.arrays.count {
      parts.removeFirst()
      index = 0
    }
    guard let (name, arrays) = parts.first else { return nil }
    defer {
      index += 1
      drawingCount += 1
    }
    do throws(FormatFault) {
      guard let (numbers, bytes) = arrays[index] else { throw FormatFault(" is damaged") }
      return Drawing(
        id: DatasetFormat.id(of: drawingCount + 1, in: path), label: label,
        strokes: try Self.strokes(numbers, bytes))
    } catch {
      throw FileError(reading: "\(path)/\(name)", "drawing \(index)\(error.description)")
    }
  }

  /// The strokes of a drawing's rows.
  private static func strokes(
    _ numbers: NumpyNumbers, _ bytes: ArraySlice<UInt8>
  ) throws(FormatFault) -> [Stroke] {
    guard numbers.columns == 3 else {
      throw FormatFault(" has the shape \(numbers.shape), not [points, 3]: dx, dy, pen lifted")
    }
    guard numbers.rows > 0 else { throw FormatFault(" has no points") }
    guard numbers.rows <= mostPoints else {
      throw FormatFault(" has \(numbers.rows) points; at most \(mostPoints) are read")
    }
    var strokes: [Stroke] = []
    var points: [Point] = []
    var (x, y) = (0.0, 0.0)
    for row in 0..<numbers.rows {
      x += numbers.number(row: row, column: 0, in: bytes)
      y += numbers.number(row: row, column: 1, in: bytes)
      guard Point.readable.contains(x), Point.readable.contains(y) else {
        throw FormatFault(", row \(row): the pen is not at numbers from -1e100 to 1e100")
      }
      points.append(Point(x: x, y: y).flushed)
      let lifted = numbers.number(row: row, column: 2, in: bytes)
      guard lifted == 0 || lifted == 1 else {
        throw FormatFault(", row \(row): the pen's state is \(lifted), not 0 or 1 (lifted)")
      }
      if lifted == 1 {
        strokes.append(Stroke(points))
        points = []
      }
    }
    if !points.isEmpty { strokes.append(Stroke(points)) }
    return strokes
  }
}
