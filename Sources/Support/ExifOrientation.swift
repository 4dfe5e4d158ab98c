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
    var position = 2
    // Each segment: 0xff, its kind, its length with these two bytes, big-endian.
    while position + 4 <= bytes.count, bytes[position] == 0xff {
      let kind = bytes[position + 1]
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      // The picture's data follow the start of a scan.
      guard kind != 0xda, length >= 2 else { return nil }
      let end = min(position + 2 + length, bytes.count)
      let segment = bytes[min(position + 4, end)..<end]
      if kind == 0xe1, segment.starts(with: [0x45, 0x78, 0x69, 0x66, 0, 0]) {
        self.init(ofTIFF: Array(segment.dropFirst(6)))
        return
      }
      position = end
    }
    return nil
  }

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
