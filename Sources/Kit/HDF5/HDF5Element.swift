internal import Files

/// The type of a stored value.
enum HDF5Element: Equatable, CustomStringConvertible {
  /// A whole number of 1 to 8 bytes.
  case integer(bytes: Int, isSigned: Bool, isBigEndian: Bool)
  /// A float of IEEE 754 of 2, 4 or 8 bytes.
  case float(bytes: Int, isBigEndian: Bool)
  /// Text of this many bytes, padded with zeros, or with spaces.
  case text(Int, isPaddedWithSpaces: Bool)
  /// Text of any length, which lies elsewhere.
  case variableText

  static let float32 = HDF5Element.float(bytes: 4, isBigEndian: false)
  static let float64 = HDF5Element.float(bytes: 8, isBigEndian: false)
  static let int64 = HDF5Element.integer(bytes: 8, isSigned: true, isBigEndian: false)
  static let uint8 = HDF5Element.integer(bytes: 1, isSigned: false, isBigEndian: false)

  /// The size of one value in bytes; that of a text elsewhere is the size of its reference.
  var size: Int {
    switch self {
    case .integer(let bytes, _, _): bytes
    case .float(let bytes, _): bytes
    case .text(let length, _): length
    case .variableText: HDF5GlobalHeap.referenceLength
    }
  }

  /// Its name in error messages.
  var description: String {
    switch self {
    case .uint8: "bytes"
    case .integer(let bytes, _, _): "\(8 * bytes)-bit whole numbers"
    case .float(let bytes, _): "\(8 * bytes)-bit floats"
    case .text, .variableText: "text"
    }
  }

  /// Whether `HDF5Writer` writes it.
  var isOurs: Bool {
    switch self {
    case .float32, .float64, .int64, .uint8, .text(_, isPaddedWithSpaces: false): true
    default: false
    }
  }
}

extension HDF5Element {
  /// The classes of types: fixed-point, floating-point, string, enumerated, variable-length.
  private enum Class: UInt64 {
    case integer = 0, float = 1, text = 3, enumeration = 8, variable = 9
  }

  /// Reads a datatype message, versions 1 to 3 (IV.A.2.d): class and version, 24 bits that depend
  /// on the class, the size, and what the class adds.
  init(
    _ file: borrowing PinnedBytes, _ body: Range<Int>, of name: String
  ) throws(HDF5Failure) {
    let start = body.lowerBound
    guard body.count >= 8, let first = file.number(at: start, width: 1),
      let bits = file.number(at: start + 1, width: 3),
      let size = file.number(at: start + 4, width: 4).map(Int.init), size > 0,
      (1...3).contains(first >> 4)
    else { throw Self.unknown(name) }
    let rest = (start + 8)..<body.upperBound
    switch Class(rawValue: first & 0x0f) {
    case .integer:
      // No padding: all bits count.
      guard (1...8).contains(size), bits & ~0b1001 == 0, rest.count >= 4,
        file.number(at: rest.lowerBound, width: 2) == 0,
        file.number(at: rest.lowerBound + 2, width: 2) == UInt64(8 * size)
      else { throw Self.unknown(name) }
      self = .integer(bytes: size, isSigned: bits & 8 != 0, isBigEndian: bits & 1 != 0)
    case .float:
      // Offset and precision in bits; place and size of exponent and mantissa; the bias.
      let layouts: [Int: [UInt8]] = [
        2: [0, 0, 16, 0, 10, 5, 0, 10, 15, 0, 0, 0], 4: [0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0],
        8: [0, 0, 64, 0, 52, 11, 0, 52, 255, 3, 0, 0],
      ]
      // The leading bit of the mantissa is implied; then the place of the sign.
      guard let layout = layouts[size], rest.count >= 12, file.matches(layout, at: rest.lowerBound),
        bits & ~1 == UInt64(8 * size - 1) << 8 | 0x20
      else { throw Self.unknown(name) }
      self = .float(bytes: size, isBigEndian: bits & 1 != 0)
    case .text:
      // Padding: 0 ends with a zero, 1 zeros, 2 spaces. Characters: 0 ASCII, 1 UTF-8.
      guard bits & 0x0f <= 2, bits >> 4 <= 1 else { throw Self.unknown(name) }
      self = .text(size, isPaddedWithSpaces: bits & 0x0f == 2)
    case .enumeration:
      // As h5py writes truth values. The type of the numbers comes first; it is a fixed-point one,
      // so that types do not nest.
      guard let base = file.number(at: rest.lowerBound, width: 1), !rest.isEmpty,
        base & 0x0f == Class.integer.rawValue
      else { throw Self.unknown(name) }
      self = try HDF5Element(file, rest, of: name)
      guard self.size == size else { throw Self.unknown(name) }
    case .variable:
      guard bits & 0x0f == 1, size == HDF5GlobalHeap.referenceLength else {
        throw Self.unknown(name)
      }
      self = .variableText
    case nil: throw Self.unknown(name)
    }
  }

  private static func unknown(_ name: String) -> HDF5Failure {
    HDF5Failure(
      "\(name) holds values of a type that is not read; write numbers by "
        + "array.astype('float64') or 'int64', texts by dtype='S100'")
  }
}
