/// What a JPEG file's frame header says about how the picture is coded.
///
/// Source: ITU-T T.81, "Digital compression and coding of continuous-tone still images", B.1 and
/// B.2.2.
struct JPEGFrame {
  /// The last half byte of the marker, SOF0 … SOF15.
  private let kind: UInt8
  /// Bits per value.
  private let precision: Int

  /// The first frame of the file in `bytes`; nil if there is no frame header.
  init?(of bytes: [UInt8]) {
    for segment in JPEG.segments(of: bytes) where segment.marker & 0xf0 == 0xc0 {
      // Huffman tables, an extension, and arithmetic conditioning.
      guard ![0xc4, 0xc8, 0xcc].contains(segment.marker) else { continue }
      guard let precision = bytes[segment.data].first else { return nil }
      (kind, self.precision) = (segment.marker & 0x0f, Int(precision))
      return
    }
    return nil
  }

  /// What keeps the picture from being read, and what to do; nil if nothing does.
  var problem: String? {
    if [3, 7, 11, 15].contains(kind) {
      return "it is a lossless JPEG, which is not read; save it as PNG"
    }
    if [5, 6, 13, 14].contains(kind) {
      return "it is a hierarchical JPEG, which is not read; save it as PNG or as a baseline JPEG"
    }
    guard precision != 8 else { return nil }
    return "its colors have \(precision) bits, and JPEG is read with 8; save it as PNG, or with 8"
  }
}

extension JPEG {
  /// A marker's segment.
  struct Segment {
    /// The second byte of the marker.
    var marker: UInt8
    /// Its data, behind the two bytes of its length.
    var data: Range<Int>
  }

  /// The segments of the file in `bytes` before its first scan; the last one may be cut off.
  static func segments(of bytes: [UInt8]) -> [Segment] {
    var segments: [Segment] = []
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xff {
      let marker = bytes[position + 1]
      // A marker may be preceded by any number of these.
      guard marker != 0xff else {
        position += 1
        continue
      }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      guard marker != 0xda, length >= 2 else { break }
      let end = min(position + 2 + length, bytes.count)
      segments.append(Segment(marker: marker, data: position + 4..<max(position + 4, end)))
      position = end
    }
    return segments
  }
}
