/// Refuses protocol buffers that would take far more memory or time as messages than as bytes.
///
/// A field of two bytes may become a message of hundreds, and SwiftProtobuf copies what it has of a
/// message when a further part of it comes. So the fields of a file are counted before it is
/// decoded (protobuf.dev/programming-guides/encoding). No schema is needed: what can be read as
/// fields counts as such.
enum WireLimits {
  /// The maximum number of fields; a network of 100 layers has about 2,000.
  static let fields = 4096
  /// The maximum number of messages around a field.
  static let depth = 16

  /// Counts the fields.
  ///
  /// - Throws: `CoreMLError.unsupported` for too many.
  static func check(_ bytes: [UInt8]) throws(CoreMLError) {
    var count = 0
    try add(bytes[...], depth: depth, to: &count)
  }

  private static func add(
    _ bytes: ArraySlice<UInt8>, depth: Int, to count: inout Int
  ) throws(CoreMLError) {
    var rest = bytes
    while let tag = varint(&rest), tag >> 3 > 0 {
      count += 1
      guard count <= fields else { throw .unsupported("it has more than \(fields) fields") }
      let length: UInt64
      switch tag & 7 {
      case 0:
        guard varint(&rest) != nil else { return }
        continue
      case 1: length = 8
      case 5: length = 4
      case 2:
        guard let count = varint(&rest) else { return }
        length = count
      default: return
      }
      guard length <= UInt64(rest.count) else { return }
      if tag & 7 == 2, depth > 1 {
        try add(rest.prefix(Int(length)), depth: depth - 1, to: &count)
      }
      rest = rest.dropFirst(Int(length))
    }
  }

  private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      value |= UInt64(byte & 0x7f) << shift
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}
