public import Support

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
  /// Accepts versions 1, 2 and 3 of the format (numpy's NEP 1 and its additions) with unsigned
  /// bytes in C order, of shape [N, H, W], or [N, D] where D is a square number, as in [N, 784].
  ///
  /// - Throws: `FileError` that says what the file contains instead.
  public init(_ bytes: [UInt8], path: String) throws(FileError) {
    func fault(_ what: String) -> FileError {
      FileError(reading: path, what)
    }
    var cursor = ByteCursor(bytes)
    let header = try NumpyHeader(reading: &cursor, path: path)
    guard ["|u1", "<u1", ">u1", "=u1", "u1"].contains(header.type) else {
      throw fault(
        "its values have the type '\(header.type)', not unsigned bytes ('|u1'); "
          + "save array.astype('uint8')")
    }
    guard !header.isFortranOrder else {
      throw fault("its values are in Fortran order; save numpy.ascontiguousarray(array)")
    }
    (count, height, width) = try Self.extent(header.shape, fault)
    let (expected, overflow) = (height * width).multipliedReportingOverflow(by: count)
    guard !overflow, cursor.remaining == expected else {
      let (total, tooLong) = expected.addingReportingOverflow(cursor.offset)
      throw FileError(
        "read", path: path,
        reason: .wrongLength(expected: overflow || tooLong ? .max : total, actual: bytes.count))
    }
    values = Array(bytes.dropFirst(cursor.offset))
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
      throw fault("its shape is \(text), and \(shape[1]) is not the square of a picture's side")
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
