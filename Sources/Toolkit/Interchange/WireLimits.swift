/// Refuses protocol buffers that would take far more memory or time as messages than as bytes.
///
/// A field of two bytes may become a message of hundreds, and SwiftProtobuf copies what it has of a
/// message when a further part of it comes. So the fields of a file are counted before it is
/// decoded (protobuf.dev/programming-guides/encoding). No schema is needed: what can be read as
/// fields counts as such, but for the members of known long lists and known fields without any.
struct WireLimits {
  /// The maximum number of fields; a network of 100 layers has about 2,000.
  static let fields = 4096
  /// The maximum number of messages around a field.
  static let depth = 16
  /// The maximum number of members of the long lists.
  static let members = 1 << 18
  /// The maximum number of parts of the messages that hold the long lists: each further one may
  /// copy the list.
  static let parts = 64

  private var fieldCount = 0
  private var memberCount = 0
  private var partCount = 0

  /// The rest of a path that leads through a message.
  private struct Path {
    var rest: ArraySlice<UInt64>
    var isList: Bool
  }

  /// Counts the fields.
  ///
  /// - Parameters:
  ///   - bytes: A message.
  ///   - lists: The paths of lists with as many members as a model has samples, as field numbers
  ///     from the outermost message on; members have no messages within.
  ///   - leaves: The paths of texts and numbers, and of messages that the schema leaves out: each
  ///     counts as one field, whatever is in it.
  /// - Throws: `ImportError.unsupported` for too many.
  static func check(
    _ bytes: [UInt8], lists: [[UInt64]] = [], leaves: [[UInt64]] = []
  ) throws(ImportError) {
    var limits = WireLimits()
    let paths =
      lists.map { Path(rest: $0[...], isList: true) }
      + leaves.map { Path(rest: $0[...], isList: false) }
    try limits.add(bytes[...], depth: depth, paths)
  }

  /// Counts the fields of a message; `paths` has the rests of those that lead through it.
  private mutating func add(
    _ bytes: ArraySlice<UInt8>, depth: Int, _ paths: [Path]
  ) throws(ImportError) {
    if paths.contains(where: { $0.isList && $0.rest.count == 1 }) {
      try Self.count(&partCount, Self.parts, "parts of lists")
    }
    var rest = bytes
    while let tag = Self.varint(&rest), tag >> 3 > 0 {
      let inner = paths.filter { $0.rest.first == tag >> 3 }.map {
        Path(rest: $0.rest.dropFirst(), isList: $0.isList)
      }
      let end = inner.first(where: \.rest.isEmpty)
      if end?.isList == true {
        try Self.count(&memberCount, Self.members, "samples and labels of samples")
      } else {
        try Self.count(&fieldCount, Self.fields, "fields")
      }
      let length: UInt64
      switch tag & 7 {
      case 0:
        guard Self.varint(&rest) != nil else { return }
        continue
      case 1: length = 8
      case 5: length = 4
      case 2:
        guard let count = Self.varint(&rest) else { return }
        length = count
      default: return
      }
      guard length <= UInt64(rest.count) else { return }
      if tag & 7 == 2, depth > 1, end == nil {
        try add(rest.prefix(Int(length)), depth: depth - 1, inner)
      }
      rest = rest.dropFirst(Int(length))
    }
  }

  private static func count(
    _ number: inout Int, _ limit: Int, _ what: String
  ) throws(ImportError) {
    number += 1
    guard number <= limit else { throw .unsupported("it has more than \(limit) \(what)") }
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
