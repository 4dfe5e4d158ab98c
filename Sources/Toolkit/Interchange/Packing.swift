internal import Foundation

// Little-endian numbers, as this program's processors have them, and packed lists
// (protobuf.dev/programming-guides/encoding).

extension Data {
  /// The bytes of numbers, as they are in memory.
  init(packing values: some Sequence<some BitwiseCopyable>) {
    self = unsafe Array(values).withUnsafeBytes { unsafe Data($0) }
  }

  /// A packed list of whole numbers, from 0 up.
  init(varints values: some Sequence<some BinaryInteger>) {
    var bytes: [UInt8] = []
    for value in values {
      var rest = UInt64(value)
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    self.init(bytes)
  }

  /// The floats of a packed list; nil for a length that is no multiple of 4.
  var floats: [Float]? { numbers() }

  /// 64-bit integers; nil for a length that is no multiple of 8.
  var longs: [Int]? { numbers() }

  private func numbers<Number: BitwiseCopyable>() -> [Number]? {
    let size = MemoryLayout<Number>.size
    guard count.isMultiple(of: size) else { return nil }
    return unsafe withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: size).map {
        unsafe bytes.loadUnaligned(fromByteOffset: $0, as: Number.self)
      }
    }
  }

  /// The whole numbers of a packed list; nil if one has more than 64 bits or ends too early, or
  /// there are more than `limit`.
  func varints(atMost limit: Int) -> [UInt64]? {
    var values: [UInt64] = []
    var (value, shift) = (UInt64(0), UInt64(0))
    for byte in self {
      guard shift < 63 || shift == 63 && byte <= 1, values.count < limit else { return nil }
      value |= UInt64(byte & 0x7f) << shift
      shift += 7
      if byte & 0x80 == 0 {
        values.append(value)
        (value, shift) = (0, 0)
      }
    }
    return shift == 0 ? values : nil
  }
}
