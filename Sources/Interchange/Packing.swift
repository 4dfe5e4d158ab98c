internal import Foundation

// Little-endian numbers and packed lists (protobuf.dev/programming-guides/encoding).

extension Data {
  /// The bytes of 32-bit floats.
  init(packing values: some Sequence<Float>) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * values.underestimatedCount)
    for value in values {
      let bits = value.bitPattern
      for shift in stride(from: UInt32(0), to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
      }
    }
    self.init(bytes)
  }

  /// The bytes of 64-bit integers.
  init(packing values: some Sequence<Int64>) {
    self.init(
      values.flatMap { value in
        stride(from: Int64(0), to: 64, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
      })
  }

  /// A packed list of whole numbers, from 0 up.
  init(varints values: some Sequence<Int>) {
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
  var floats: [Float]? {
    guard count.isMultiple(of: 4) else { return nil }
    let bytes = [UInt8](self)
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      var bits: UInt32 = 0
      for index in (start..<(start + 4)).reversed() { bits = bits << 8 | UInt32(bytes[index]) }
      return Float(bitPattern: bits)
    }
  }

  /// 64-bit integers; nil for a length that is no multiple of 8.
  var longs: [Int]? {
    guard count.isMultiple(of: 8) else { return nil }
    let bytes = [UInt8](self)
    return stride(from: 0, to: bytes.count, by: 8).map { start in
      var bits: UInt64 = 0
      for index in (start..<(start + 8)).reversed() { bits = bits << 8 | UInt64(bytes[index]) }
      return Int(truncatingIfNeeded: bits)
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
