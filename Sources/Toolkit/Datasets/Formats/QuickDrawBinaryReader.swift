public import Files
public import Ink

/// Reads Quick, Draw! drawings in the set's binary format (`.bin`), one category per file.
///
/// Little-endian, drawings one after the other, no header:
///
/// | field | bytes |
/// |---|---|
/// | key id | 8, unsigned |
/// | country | 2, letters |
/// | recognized | 1, 0 or 1 |
/// | timestamp | 4, unsigned, seconds since 1970 |
/// | number of strokes | 2, unsigned |
/// | for each stroke: number of points n | 2, unsigned |
/// | … all x, then all y | n each, 0…255, y down |
///
/// Source: "The Quick, Draw! Dataset", Google, its description of the simplified binary files.
/// Country and timestamp are discarded.
public struct QuickDrawBinaryReader {
  private let path: String
  private let label: String?
  private var cursor: ByteCursor

  /// The number of drawings read or rejected so far.
  public private(set) var drawingCount = 0

  /// A reader of the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The file; it is read whole.
  ///   - label: The drawings' label; by default it is taken from the file's name.
  /// - Throws: `FileError` when the file cannot be read or is empty.
  public init(path: String, label: String? = nil) throws(FileError) {
    try self.init(
      AtomicFile.readUnpacked(path), path: path, label: label ?? Self.label(fromPath: path))
  }

  /// A reader of `bytes`; errors name `path`.
  ///
  /// - Throws: `FileError` when there are no bytes.
  public init(_ bytes: [UInt8], path: String, label: String?) throws(FileError) {
    guard !bytes.isEmpty else {
      throw FileError(reading: path, "it is empty")
    }
    self.path = path
    self.label = label
    cursor = ByteCursor(bytes)
  }

  /// The category from a file's name: "cat" for `full_binary_cat.bin` and for `cat.bin`.
  public static func label(fromPath path: String) -> String {
    let stem = DatasetFormat.stem(of: path)
    for prefix in ["full_binary_", "full_simplified_", "full_raw_", "full_numpy_bitmap_"]
    where stem.hasPrefix(prefix) {
      return String(stem.dropFirst(prefix.count)).inLabelForm
    }
    return stem.inLabelForm
  }

  /// The next drawing, or nil at the end.
  ///
  /// - Throws: `FileError` that names the drawing, counted from 0, and the byte of the fault. After
  ///   a drawing without strokes or points the next call continues with the following one; after a
  ///   truncated one or invalid fields it returns nil, since the start of the next drawing is
  ///   unknown.
  public mutating func next() throws(FileError) -> Drawing? {
    guard !cursor.isAtEnd else { return nil }
    defer { drawingCount += 1 }
    let keyID = try number("its key id", UInt64.self)
    _ = try number("its country", UInt16.self)
    let recognizedAt = cursor.offset
    let recognized = try number("its recognized flag", UInt8.self)
    guard recognized <= 1 else {
      cursor.skipToEnd()
      throw fault("the recognized flag is \(recognized), not 0 or 1", at: recognizedAt)
    }
    _ = try number("its timestamp", UInt32.self)
    let countAt = cursor.offset
    let strokeCount = Int(try number("its number of strokes", UInt16.self))
    var strokes: [Stroke] = []
    strokes.reserveCapacity(min(strokeCount, cursor.remaining / 4 + 1))
    var emptyStroke: (index: Int, offset: Int)?
    for index in 0..<strokeCount {
      let offset = cursor.offset
      let pointCount = Int(try number("the number of points of stroke \(index)", UInt16.self))
      if pointCount == 0, emptyStroke == nil { emptyStroke = (index, offset) }
      let x = try coordinates(pointCount, "x", stroke: index)
      let y = try coordinates(pointCount, "y", stroke: index)
      strokes.append(Stroke(zip(x, y).map { Point(x: Double($0), y: Double($1)) }))
    }
    guard strokeCount > 0 else { throw fault("it has no strokes", at: countAt) }
    if let emptyStroke {
      throw fault("stroke \(emptyStroke.index) has no points", at: emptyStroke.offset)
    }
    return Drawing(
      id: String(keyID), label: label, strokes: strokes, wasGuessed: recognized == 1)
  }

  private mutating func number<Number: FixedWidthInteger>(
    _ what: String, _ type: Number.Type
  ) throws(FileError) -> Number {
    let offset = cursor.offset
    guard let number = cursor.next(type) else {
      let left = cursor.remaining
      cursor.skipToEnd()
      throw fault(
        "the file ends within \(what) (\(left) of \(Number.bitWidth / 8) bytes); it is truncated",
        at: offset)
    }
    return number
  }

  private mutating func coordinates(
    _ count: Int, _ axis: String, stroke: Int
  ) throws(FileError) -> ArraySlice<UInt8> {
    let offset = cursor.offset
    guard let values = cursor.next(count) else {
      let left = cursor.remaining
      cursor.skipToEnd()
      throw fault(
        "the file ends within the \(axis) of stroke \(stroke) (\(left) of \(count) bytes); "
          + "it is truncated", at: offset)
    }
    return values
  }

  private func fault(_ what: String, at offset: Int) -> FileError {
    FileError(reading: path, "drawing \(drawingCount), byte \(offset): \(what)")
  }
}
