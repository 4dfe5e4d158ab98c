public import Files

/// Gray pictures from a numpy file (`.npy`), such as the 28 × 28 bitmaps of Quick, Draw!.
///
/// They have no strokes, so they suit uses that need only pictures, such as testing a network, and
/// cannot be redrawn in another size or pen width.
public struct NumpyBitmaps: Hashable, Sendable {
  /// The number of pictures, N.
  public let count: Int
  /// Rows of a picture.
  public let height: Int
  /// Columns of a picture.
  public let width: Int
  /// Ink, row-major, shape [count, height, width], 0 none … 255 full.
  public let values: [UInt8]

  /// The pixels of picture `index`, row-major, shape [height, width].
  public subscript(index: Int) -> ArraySlice<UInt8> {
    precondition((0..<count).contains(index), "there are \(count) pictures, no \(index)")
    return values[(index * height * width)..<((index + 1) * height * width)]
  }

  /// The pictures in the file at `path`.
  ///
  /// - Throws: `FileError` when it cannot be read or `init(_:path:)` rejects it.
  public init(path: String) throws(FileError) {
    try self.init(AtomicFile.readUnpacked(path), path: path)
  }

  /// The pictures in the `bytes` of a numpy file; errors name `path`.
  ///
  /// Accepts versions 1, 2 and 3 of the format (numpy's NEP 1 and its additions) with numbers in C
  /// order, of shape [N, H, W], or [N, D] where D is a square number, as in [N, 784]. Ink is from 0
  /// to 255 or, if no value is over 1, from 0 to 1.
  ///
  /// - Throws: `FileError` that says what the file contains instead, and what to save.
  public init(_ bytes: [UInt8], path: String) throws(FileError) {
    func fault(_ what: String) -> FileError {
      FileError(reading: path, what)
    }
    var cursor = ByteCursor(bytes)
    let header = try NumpyHeader(reading: &cursor, path: path)
    guard let type = NumpyType(description: header.type), !type.isObject else {
      throw fault(Self.foreign(header))
    }
    guard !header.isFortranOrder else {
      throw fault("its values are in Fortran order; save numpy.ascontiguousarray(array)")
    }
    if let advice = Self.coordinates(header.shape) { throw fault(advice) }
    (count, height, width) = try Self.extent(header.shape, fault)
    let (total, overflow) = (height * width).multipliedReportingOverflow(by: count)
    let (expected, tooLong) = total.multipliedReportingOverflow(by: type.size)
    guard !overflow, !tooLong, cursor.remaining == expected else {
      let (length, tooLong) = expected.addingReportingOverflow(cursor.offset)
      throw FileError(
        "read", path: path,
        reason: .wrongLength(
          expected: overflow || tooLong || expected < total ? .max : length, actual: bytes.count))
    }
    let ink = bytes.dropFirst(cursor.offset)
    guard !type.isByte else {
      let isBinary = count > 0 && ink.allSatisfy { $0 <= 1 }
      values = isBinary ? ink.map { $0 * 255 } : Array(ink)
      return
    }
    values = try Self.scaled(ink, type, fault)
  }

  /// Numbers of other types than bytes as ink from 0 to 255.
  private static func scaled(
    _ bytes: ArraySlice<UInt8>, _ type: NumpyType, _ fault: (String) -> FileError
  ) throws(FileError) -> [UInt8] {
    func number(_ index: Int) -> Double {
      let start = bytes.startIndex + index * type.size
      return type.number(in: bytes[start..<(start + type.size)])
    }
    let count = bytes.count / type.size
    var (least, most) = (0.0, 0.0)
    for index in 0..<count {
      let value = number(index)
      guard value.isFinite else { throw fault("it has a value that is not a number: \(value)") }
      (least, most) = (min(least, value), max(most, value))
    }
    guard least >= 0, most <= 255 else {
      throw fault(
        "its values are from \(least) to \(most), not ink from 0 to 1 or from 0 to 255; save "
          + "(array - array.min()) / (array.max() - array.min()), with ink lighter than paper")
    }
    let factor = most <= 1 ? 255.0 : 1
    return (0..<count).map { UInt8((number($0) * factor).rounded()) }
  }

  /// What is said of a file whose values are no numbers.
  private static func foreign(_ header: NumpyHeader) -> String {
    let type = "its values have the type '\(header.type.prefix(60))', "
    if NumpyType(description: header.type)?.isObject == true {
      return type + "Python's objects; if they are drawings of sketch-rnn, save "
        + "numpy.savez('cat.npz', train=array)"
    }
    return type + "not numbers of bitmaps"
      + (header.type.hasPrefix("[") ? "; save one of its fields, array['name']" : "")
  }

  /// What is said of an array whose shape is that of points, not of pictures; nil for others.
  private static func coordinates(_ shape: [Int]) -> String? {
    let points =
      "its shape is (\(shape.map(String.init).joined(separator: ", "))), as of points, not "
    switch (shape.count, shape.last ?? 0) {
    case (2, 2), (2, 3), (2, 4):
      return points + "bitmaps; save a table, numpy.savetxt('points.csv', array, delimiter=',', "
        + "header='\(["x,y", "x,y,t", "x,y,t,stroke"][shape[1] - 2])', comments='')"
    case (3, 2):
      return points + "bitmaps; save stroke JSON, open('a.ndjson', 'w').writelines(json.dumps("
        + "{'strokes': [a.T.tolist()]}) + '\\n' for a in array)"
    case (3, 3):
      return points + "bitmaps; save the steps dx, dy, pen lifted as numpy.savez('cat.npz', "
        + "train=array), or x, y, t as stroke JSON, open('a.ndjson', 'w').writelines(json.dumps("
        + "{'strokes': [a.T.tolist()]}) + '\\n' for a in array)"
    default: return nil
    }
  }

  private static func extent(
    _ shape: [Int], _ fault: (String) -> FileError
  ) throws(FileError) -> (Int, Int, Int) {
    let text = "(" + shape.map(String.init).joined(separator: ", ") + ")"
    guard shape.count == 2 || shape.count == 3 else {
      throw fault("its shape is \(text), not [N, 784] or [N, 28, 28]")
    }
    let sides = shape.count == 3 ? Array(shape.dropFirst()) : square(shape[1])
    guard let height = sides.first, let width = sides.last else {
      let isPicture = readable.contains(shape[0]) && readable.contains(shape[1])
      throw fault(
        "its shape is \(text), and \(shape[1]) is not the square of a picture's side"
          + (isPicture ? "; if it is one picture, save array[None]" : ""))
    }
    guard readable.contains(height), readable.contains(width) else {
      throw fault(
        "its shape is \(text); a picture has \(readable.lowerBound) to \(readable.upperBound) rows "
          + "and columns")
    }
    return (shape[0], height, width)
  }

  /// The accepted rows and columns of a picture. Smaller ones show nothing, and a file of them
  /// would take many times its size as drawings.
  private static let readable = 8...(1 << 14)

  /// The height and width of a square picture of `count` pixels; empty if `count` is not a square.
  private static func square(_ count: Int) -> [Int] {
    let side = Int(Double(count).squareRoot())
    return side <= readable.upperBound && side * side == count ? [side, side] : []
  }
}
