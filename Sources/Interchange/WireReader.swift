/// Reads the wire format of Protocol Buffers: a sequence of fields, each a number and a value
/// (protobuf.dev/programming-guides/encoding).
struct WireReader {
  /// The value of a field, by wire type.
  enum Value {
    case varint(UInt64)
    case fixed64(UInt64)
    case bytes(ArraySlice<UInt8>)
    case fixed32(UInt32)
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// The next field, or nil at the end.
  mutating func next() throws(CoreMLError) -> (number: Int, value: Value)? {
    guard !rest.isEmpty else { return nil }
    let tag = try varint()
    let number = Int(truncatingIfNeeded: tag >> 3)
    guard tag >> 3 >= 1, tag >> 3 < 1 << 29 else {
      throw .malformed("a field has the number \(tag >> 3)")
    }
    switch tag & 7 {
    case 0: return (number, .varint(try varint()))
    case 1: return (number, .fixed64(try fixed(8)))
    case 2:
      let count = try varint()
      guard count <= UInt64(rest.count) else {
        throw .malformed("field \(number) says it has \(count) bytes, \(rest.count) are left")
      }
      let end = rest.startIndex + Int(count)
      defer { rest = rest[end...] }
      return (number, .bytes(rest[..<end]))
    case 5: return (number, .fixed32(UInt32(try fixed(4))))
    case let type:
      throw .malformed("field \(number) has the wire type \(type)")
    }
  }

  /// All numbers of a packed list of floats.
  static func floats(_ bytes: ArraySlice<UInt8>) throws(CoreMLError) -> [Float] {
    guard bytes.count.isMultiple(of: 4) else {
      throw .malformed("a list of floats has \(bytes.count) bytes")
    }
    return stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).map { start in
      var bits: UInt32 = 0
      for index in (start..<(start + 4)).reversed() { bits = bits << 8 | UInt32(bytes[index]) }
      return Float(bitPattern: bits)
    }
  }

  /// All numbers of a packed list of whole numbers.
  static func integers(_ bytes: ArraySlice<UInt8>) throws(CoreMLError) -> [UInt64] {
    var reader = WireReader(bytes)
    var values: [UInt64] = []
    while !reader.rest.isEmpty { values.append(try reader.varint()) }
    return values
  }

  private mutating func varint() throws(CoreMLError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      guard let byte = rest.popFirst() else {
        throw .malformed("it ends in the middle of a number")
      }
      guard shift < 63 || byte <= 1 else { break }
      value |= UInt64(byte & 0x7f) << UInt64(shift)
      if byte & 0x80 == 0 { return value }
    }
    throw .malformed("a whole number has more than 64 bits")
  }

  private mutating func fixed(_ count: Int) throws(CoreMLError) -> UInt64 {
    guard rest.count >= count else { throw .malformed("it ends in the middle of a number") }
    var value: UInt64 = 0
    for byte in rest.prefix(count).reversed() { value = value << 8 | UInt64(byte) }
    rest = rest.dropFirst(count)
    return value
  }
}
