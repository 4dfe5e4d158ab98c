public import Files
internal import HDF5
public import Ink
internal import Text

extension HDF5Drawings {
  /// The drawings of the file at `path`, which has our header or none.
  ///
  /// - Throws: `FileError`, which distinguishes a foreign, truncated, corrupted or newer file, and
  ///   names the invalid part of an intact one.
  public static func read(_ path: String) throws(FileError) -> [Drawing] {
    let file = try PinnedBytes(path: path)
    let start = HDF5Reader.start(in: file)
    do throws(FileError) { try seal.check(file, named: path) } catch {
      guard let start else { throw error }
      // Other programs do not write our header: only HDF5, perhaps after their own block.
      guard case .foreign = error.reason else { throw changed(error, path) ?? error }
      return try drawings(file, from: start, by: .others, named: path)
    }
    return try drawings(file, from: SealedFile.headerLength, by: .ours, named: path)
  }

  /// What an error about the header of a set of ours means if its HDF5 was changed.
  private static func changed(_ error: FileError, _ path: String) -> FileError? {
    switch error.reason {
    case .checksum: break
    case .wrongLength(let expected, let actual) where actual > expected: break
    default: return nil
    }
    return FileError(
      reading: path,
      "its bytes changed after DrawML wrote it, so that its checksum no longer matches; if h5py "
        + "changed it on purpose, copy what it holds to a file of its own: "
        + copyingOut + path.shellWord + " copy.h5; if not, copy the file again")
  }

  /// A line of shell that copies what a file holds, without our header, to another one that is not
  /// there yet; their names follow.
  private static let copyingOut =
    #"python3 -c "import h5py, sys; a = h5py.File(sys.argv[1]); b = h5py.File(sys.argv[2], 'x'); "#
    + #"[a.copy(name, b) for name in a]" "#

  private static func drawings(
    _ file: consuming PinnedBytes, from start: Int, by origin: HDF5Origin, named path: String
  ) throws(FileError) -> [Drawing] {
    do { return try drawings(file, from: start, by: origin) } catch {
      throw FileError(reading: path, "\(error)")
    }
  }

  private static func drawings(
    _ file: consuming PinnedBytes, from start: Int, by origin: HDF5Origin
  ) throws -> [Drawing] {
    let image = try HDF5Reader(file, from: start, by: origin)
    /// Whether a dataset is read: other programs may leave out what they do not know.
    func has(_ path: String) -> Bool { origin == .ours || image.contains(path) }
    func list(_ path: String, count: Int? = nil) throws -> [Int] {
      let (values, shape) = try image.integers(at: path)
      guard shape.count == 1, count == nil || count == values.count else {
        throw FormatFault("\(path) has the shape \(shape), not [\(count ?? 0)]")
      }
      return values
    }
    func ranges(_ path: String, count: Int, total: Int) throws -> [Range<Int>] {
      let offsets = try list(path, count: count + 1)
      guard offsets.first == 0, offsets.last == total,
        zip(offsets, offsets.dropFirst()).allSatisfy({ $0 <= $1 })
      else { throw FormatFault("\(path) does not rise from 0 to \(total)") }
      return zip(offsets, offsets.dropFirst()).map { $0..<$1 }
    }
    func axis(_ name: String, count: Int) throws -> [Double] {
      let (values, shape) = try image.doubles(at: "/points/\(name)")
      let isValid = values.allSatisfy { Point.readable.contains($0) || name == "t" && $0.isNaN }
      guard shape == [count], isValid else {
        throw FormatFault("/points/\(name) does not hold \(count) numbers from -1e100 to 1e100")
      }
      return values
    }

    let ids = try image.strings(at: "/ids", longest: longestText)
    let classes = try image.strings(at: "/classes", longest: longestText).map(\.inLabelForm)
    let labels = try list("/labels", count: ids.count)
    let guessed =
      has("/guessed")
      ? try list("/guessed", count: ids.count) : [Int](repeating: -1, count: ids.count)
    guard Set(classes).count == classes.count else {
      throw FormatFault("/classes has a label twice")
    }
    guard guessed.allSatisfy({ (-1...1).contains($0) }) else {
      throw FormatFault("/guessed holds other numbers than -1, 0 and 1")
    }
    let (canvas, canvasShape) =
      has("/canvas")
      ? try image.doubles(at: "/canvas")
      : ([Double](repeating: .nan, count: 2 * ids.count), [ids.count, 2])
    guard canvasShape == [ids.count, 2] else {
      throw FormatFault("/canvas has the shape \(canvasShape), not [\(ids.count), 2]")
    }
    for (index, id) in ids.enumerated() {
      let (width, height) = (canvas[2 * index], canvas[2 * index + 1])
      let isKnown = Drawing.Canvas(readWidth: width, height: height) != nil
      guard isKnown || width.isNaN && height.isNaN else {
        throw FormatFault(
          "the canvas of \(id) is \(width) × \(height); it needs \(Drawing.Canvas.requirement)")
      }
    }
    guard labels.allSatisfy({ (-1..<classes.count).contains($0) }) else {
      throw FormatFault("/labels names a class that is not there")
    }

    let strokeCount = try list("/offsets/strokes").last ?? 0
    let pointCount = try list("/offsets/points").last ?? 0
    guard (0..<(1 << 40)).contains(strokeCount), (0..<(1 << 40)).contains(pointCount) else {
      throw FormatFault("/offsets claims \(strokeCount) strokes and \(pointCount) points")
    }
    let strokeRanges = try ranges("/offsets/strokes", count: ids.count, total: strokeCount)
    let pointRanges = try ranges("/offsets/points", count: strokeCount, total: pointCount)
    let x = try axis("x", count: pointCount)
    let y = try axis("y", count: pointCount)
    let t =
      has("/points/t")
      ? try axis("t", count: pointCount) : [Double](repeating: .nan, count: pointCount)

    var drawings: [Drawing] = []
    drawings.reserveCapacity(ids.count)
    for (index, id) in ids.enumerated() {
      let strokes = pointRanges[strokeRanges[index]].map { range in
        Stroke(range.map { Point(x: x[$0], y: y[$0], t: t[$0].isNaN ? nil : t[$0]).flushed })
      }
      let (width, height) = (canvas[2 * index], canvas[2 * index + 1])
      drawings.append(
        Drawing(
          id: id, label: labels[index] < 0 ? nil : classes[labels[index]], strokes: strokes,
          canvas: width.isNaN ? nil : Drawing.Canvas(width: width, height: height),
          wasGuessed: guessed[index] < 0 ? nil : guessed[index] == 1))
    }

    if has("/shapes") {
      let owners = try list("/shapes/drawings")
      let shapeLabels = try list("/shapes/labels", count: owners.count)
      let members = try list("/shapes/strokes")
      let memberRanges = try ranges("/shapes/offsets", count: owners.count, total: members.count)
      for (shape, owner) in owners.enumerated() {
        let strokes = Array(members[memberRanges[shape]])
        guard drawings.indices.contains(owner), classes.indices.contains(shapeLabels[shape]),
          strokes.allSatisfy({ drawings[owner].strokes.indices.contains($0) })
        else { throw FormatFault("shape \(shape) names something that is not there") }
        drawings[owner].shapes.append(
          Drawing.Shape(strokes: strokes, label: classes[shapeLabels[shape]]))
      }
    }

    for index in drawings.indices {
      if drawings[index].label == "" { drawings[index].label = nil }
      do throws(InkError) { try drawings[index].dropEmptyStrokes() } catch {
        throw FormatFault("drawing \(drawings[index].id.prefix(60)): \(error)")
      }
    }
    return drawings
  }
}
