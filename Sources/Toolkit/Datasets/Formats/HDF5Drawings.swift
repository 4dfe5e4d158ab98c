public import Files
internal import HDF5
public import Ink

/// Drawings in one HDF5 file that any HDF5 tool can read.
///
/// N drawings with S strokes and P points in all, C labels. Lists of lists are flat, with offsets:
/// the strokes of drawing i are `offsets/strokes[i] ..< offsets/strokes[i + 1]`, the points of
/// stroke s `offsets/points[s] ..< offsets/points[s + 1]`.
///
/// | path | type and shape | what |
/// |---|---|---|
/// | `/ids` | text [N] | each drawing's id, may be empty |
/// | `/classes` | text [C] | the labels that occur, sorted, without repeats |
/// | `/labels` | int64 [N] | index into `/classes`, -1 for no label |
/// | `/guessed` | int64 [N] | 1 guessed by the game, 0 not, -1 unknown |
/// | `/canvas` | float64 [N, 2] | width and height, NaN where unknown |
/// | `/offsets/strokes` | int64 [N + 1] | from 0 to S |
/// | `/offsets/points` | int64 [S + 1] | from 0 to P |
/// | `/points/x`, `/points/y`, `/points/t` | float64 [P] | places; t in ms, NaN where unknown |
/// | `/shapes/drawings`, `/shapes/labels` | int64 [K] | each shape's drawing and class |
/// | `/shapes/offsets`, `/shapes/strokes` | int64 [K + 1], [M] | each shape's strokes, by number |
///
/// Other datasets are not read, such as `/rasters`, pictures that older versions could write.
///
/// The file begins with the 512-byte header of `SealedFile`, which HDF5 tools skip. A file without
/// it, as other programs write, is read, too; it may leave out `/guessed`, `/canvas`, `/points/t`
/// and `/shapes`.
public enum HDF5Drawings {
  /// The header: the kind of file and its version.
  static let seal = SealedFile(
    kind: "DrawML drawings", version: 1, called: "file of DrawML drawings")

  /// The maximum length of an id or label in bytes.
  static let longestText = 1024

  // MARK: Writing

  /// Writes drawings to `path` atomically. The same drawings give the same bytes.
  ///
  /// - Throws: `FileError`, also for an id or label that contains a zero byte, which HDF5 text
  ///   cannot hold.
  public static func write(
    _ drawings: [Drawing], to path: String, replacing replacement: Replacement = .any
  ) throws(FileError) {
    for (index, drawing) in drawings.enumerated() {
      let texts = [drawing.id, drawing.label ?? ""] + drawing.shapes.map(\.label)
      guard texts.allSatisfy({ !$0.utf8.contains(0) }) else {
        throw FileError(writing: path, "drawing \(index) has a zero byte in its id or label")
      }
      guard texts.allSatisfy({ $0.utf8.count <= longestText }) else {
        throw FileError(
          writing: path, "the id or label of drawing \(index) takes more than \(longestText) bytes")
      }
    }
    let payload: [UInt8]
    do { payload = try image(of: drawings) } catch {
      throw FileError(writing: path, "\(error)")
    }
    try seal.write(payload, to: path, replacing: replacement)
  }

  private static func image(of drawings: [Drawing]) throws -> [UInt8] {
    let image = try HDF5Writer()
    let classes = Set(drawings.flatMap { [$0.label].compactMap(\.self) + $0.shapes.map(\.label) })
      .sorted()
    var indices: [String: Int] = [:]
    for (index, label) in classes.enumerated() { indices[label] = index }
    let count = drawings.count
    try image.write(drawings.map(\.id), at: "/ids")
    try image.write(classes, at: "/classes")
    try image.write(
      drawings.map { $0.label.flatMap { indices[$0] } ?? -1 }, shape: [count], at: "/labels")
    try image.write(
      drawings.map { $0.wasGuessed.map { $0 ? 1 : 0 } ?? -1 }, shape: [count], at: "/guessed")
    try image.write(
      drawings.flatMap { [$0.canvas?.width ?? .nan, $0.canvas?.height ?? .nan] },
      shape: [count, 2], at: "/canvas")

    let strokes = drawings.flatMap(\.strokes)
    let points = strokes.reduce(0) { $0 + $1.points.count }
    // One column at a time: a copy of all points would take as much memory as the drawings.
    func writeColumn(_ path: String, _ value: (Point) -> Double) throws {
      var column: [Double] = []
      column.reserveCapacity(points)
      for stroke in strokes { column += stroke.points.lazy.map(value) }
      try image.write(column, shape: [points], at: path)
    }
    try write(offsets(drawings.map(\.strokes.count)), to: image, at: "/offsets/strokes")
    try write(offsets(strokes.map(\.points.count)), to: image, at: "/offsets/points")
    try writeColumn("/points/x", \.x)
    try writeColumn("/points/y", \.y)
    try writeColumn("/points/t") { $0.t ?? .nan }

    let shapes = drawings.enumerated().flatMap { index, drawing in
      drawing.shapes.map { (drawing: index, shape: $0) }
    }
    try write(shapes.map(\.drawing), to: image, at: "/shapes/drawings")
    try write(shapes.map { indices[$0.shape.label] ?? -1 }, to: image, at: "/shapes/labels")
    try write(offsets(shapes.map(\.shape.strokes.count)), to: image, at: "/shapes/offsets")
    try write(shapes.flatMap(\.shape.strokes), to: image, at: "/shapes/strokes")
    return try image.bytes()
  }

  private static func write(
    _ values: [Int], to image: borrowing HDF5Writer, at path: String
  ) throws {
    try image.write(values, shape: [values.count], at: path)
  }

  private static func offsets(_ counts: [Int]) -> [Int] {
    var offsets = [0]
    offsets.reserveCapacity(counts.count + 1)
    var sum = 0
    for count in counts {
      sum += count
      offsets.append(sum)
    }
    return offsets
  }
}
