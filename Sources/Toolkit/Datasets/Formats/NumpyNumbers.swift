/// The type of an array's elements, as numpy's `dtype` names it.
struct NumpyType {
  private enum Kind { case signed, unsigned, floatingPoint, objects }

  private let kind: Kind
  /// Bytes of a number: 1, 2, 4 or 8.
  let size: Int
  var isBigEndian = false

  /// The type of a code such as "i2" or "O8"; nil for one that no drawing needs.
  init?(code: String) {
    switch code {
    case "i1", "i2", "i4", "i8": kind = .signed
    case "u1", "u2", "u4", "u8", "b1": kind = .unsigned
    case "f2", "f4", "f8": kind = .floatingPoint
    case "O", "O4", "O8": kind = .objects
    default: return nil
    }
    size = Int(code.dropFirst()) ?? 8
  }

  /// The type of a header's description, such as "<i2" or "|O"; nil for one that no drawing needs.
  init?(description: String) {
    let order = description.first.flatMap { "<>=|".contains($0) ? $0 : nil }
    self.init(code: String(order == nil ? description[...] : description.dropFirst()))
    isBigEndian = order == ">"
  }

  var isObject: Bool { kind == .objects }

  /// Whether its numbers are from 0 to 255, in a byte each.
  var isByte: Bool { kind == .unsigned && size == 1 }

  /// The number in the first `size` of `bytes`, which must be that many.
  func number(in bytes: ArraySlice<UInt8>) -> Double {
    var bits: UInt64 = 0
    for index in 0..<size {
      let byte = UInt64(bytes[bytes.startIndex + index])
      bits |= byte << UInt64(8 * (isBigEndian ? size - 1 - index : index))
    }
    switch kind {
    case .floatingPoint where size == 2:
      return Double(Float16(bitPattern: UInt16(truncatingIfNeeded: bits)))
    case .floatingPoint where size == 4:
      return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .floatingPoint: return Double(bitPattern: bits)
    case .signed:
      let unused = 64 - 8 * size
      return Double(Int64(bitPattern: bits << UInt64(unused)) >> Int64(unused))
    case .unsigned, .objects: return Double(bits)
    }
  }
}

/// An array of numbers, of one or two axes, whose bytes are elsewhere.
struct NumpyNumbers {
  let type: NumpyType
  /// The length of each axis.
  let rows: Int
  /// Nil for an array of one axis.
  let columns: Int?
  let isFortranOrder: Bool
  /// Where its numbers are.
  let place: Range<Int>

  /// Nil if the numbers of such a shape do not fill the place.
  init?(type: NumpyType, shape: [Int], isFortranOrder: Bool, place: Range<Int>) {
    guard let rows = shape.first, shape.count <= 2, shape.allSatisfy({ $0 >= 0 }) else {
      return nil
    }
    columns = shape.count == 2 ? shape[1] : nil
    let (count, overflow) = rows.multipliedReportingOverflow(by: columns ?? 1)
    let (length, tooLong) = count.multipliedReportingOverflow(by: type.size)
    guard !overflow, !tooLong, length == place.count, !type.isObject else { return nil }
    (self.type, self.rows, self.isFortranOrder, self.place) = (type, rows, isFortranOrder, place)
  }

  /// The shape as numpy writes it.
  var shape: String { columns.map { "(\(rows), \($0))" } ?? "(\(rows),)" }

  /// The number at a row and column within `bytes`, which are those of the place.
  func number(row: Int, column: Int, in bytes: ArraySlice<UInt8>) -> Double {
    let index = isFortranOrder ? column * rows + row : row * (columns ?? 1) + column
    let start = bytes.startIndex + index * type.size
    return type.number(in: bytes[start..<(start + type.size)])
  }
}
