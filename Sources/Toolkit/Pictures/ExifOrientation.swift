/// How a camera was held: what a picture's first row and column show.
///
/// Source: Exif 2.32 (CIPA DC-008), 4.6.4 A, tag 274, "Orientation".
public enum ExifOrientation: UInt16, Sendable, CaseIterable {
  /// The first row is the top, the first column the left side; the names of the others say what
  /// makes the picture upright.
  case upright = 1
  case mirror, halfTurn, flip, transpose, quarterTurn, transverse, threeQuarterTurn

  /// The orientation that a JPEG file's Exif segment gives; nil if it gives none that is valid.
  ///
  /// No more than the segments' headers and the first directory are read.
  public init?(ofJPEG bytes: [UInt8]) {
    for segment in JPEG.segments(of: bytes) where segment.marker == 0xe1 {
      let data = bytes[segment.data]
      guard data.starts(with: Self.segmentStart) else { continue }
      self.init(ofTIFF: Array(data.dropFirst(Self.segmentStart.count)))
      return
    }
    return nil
  }

  /// The orientation that the first `eXIf` chunk of a PNG file gives; nil if it gives none that is
  /// valid, or is damaged.
  ///
  /// Source: "Extensions to the PNG 1.2 Specification, Version 1.5.0", 3.7. Some programs write the
  /// six bytes that begin a JPEG file's Exif segment before it.
  public init?(ofPNG bytes: [UInt8]) {
    for chunk in PNG.chunks(of: bytes) where bytes[chunk.name].elementsEqual("eXIf".utf8) {
      guard PNG.isIntact(chunk, of: bytes) else { return nil }
      let data = bytes[chunk.data]
      self.init(
        ofTIFF: Array(
          data.starts(with: Self.segmentStart) ? data.dropFirst(Self.segmentStart.count) : data))
      return
    }
    return nil
  }

  /// What begins a JPEG file's Exif segment.
  private static let segmentStart: [UInt8] = Array("Exif".utf8) + [0, 0]

  private init?(ofTIFF bytes: [UInt8]) {
    let isBig = bytes.starts(with: [0x4d, 0x4d, 0, 42])
    guard isBig || bytes.starts(with: [0x49, 0x49, 42, 0]) else { return nil }
    func number(_ at: Int, _ count: Int) -> Int? {
      guard at >= 0, at + count <= bytes.count else { return nil }
      let digits = bytes[at..<(at + count)]
      return isBig
        ? digits.reduce(0) { $0 << 8 | Int($1) } : digits.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    // A directory: the number of its entries, then for each tag, type, count and value.
    guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
    for entry in 0..<count {
      let at = directory + 2 + entry * 12
      guard let tag = number(at, 2) else { return nil }
      guard tag == 274 else { continue }
      guard number(at + 2, 2) == 3, let value = number(at + 8, 2) else { return nil }
      self.init(rawValue: UInt16(value))
      return
    }
    return nil
  }

  /// The upright picture of `values`, row-major, shape [height, width, channels].
  func applied(
    to values: [UInt8], width: Int, height: Int, channels: Int
  ) -> (values: [UInt8], width: Int, height: Int) {
    let isTurned = rawValue > 4
    let (columns, rows) = isTurned ? (height, width) : (width, height)
    guard self != .upright else { return (values, width, height) }
    var result: [UInt8] = []
    result.reserveCapacity(values.count)
    for row in 0..<rows {
      for column in 0..<columns {
        let (x, y) =
          switch self {
          case .upright: (column, row)
          case .mirror: (width - 1 - column, row)
          case .halfTurn: (width - 1 - column, height - 1 - row)
          case .flip: (column, height - 1 - row)
          case .transpose: (row, column)
          case .quarterTurn: (row, height - 1 - column)
          case .transverse: (width - 1 - row, height - 1 - column)
          case .threeQuarterTurn: (width - 1 - row, column)
          }
        let pixel = (y * width + x) * channels
        for channel in 0..<channels { result.append(values[pixel + channel]) }
      }
    }
    return (result, columns, rows)
  }
}
