extension HDF5Reader {
  /// The numbers at `path` and their shape, of any width and order of bytes; in files of ours only
  /// those that are stored as `expected`.
  func numbers(
    at path: String, as expected: HDF5Element
  ) throws(HDF5Failure) -> (values: [Double], shape: [Int]) {
    let dataset = try dataset(at: path)
    guard readsAnyNumber else {
      throw HDF5Failure("\(path) holds \(dataset.element), not \(expected)")
    }
    let bytes = try bytes(of: dataset, at: path)
    switch dataset.element {
    case .integer(let size, let isSigned, let isBigEndian):
      let values = stride(from: 0, to: bytes.count, by: size).map { start in
        let pattern = Self.pattern(bytes, start, size, isBigEndian)
        return isSigned ? Double(Self.signed(pattern, size)) : Double(pattern)
      }
      return (values, dataset.shape)
    case .float(let size, let isBigEndian):
      let values = stride(from: 0, to: bytes.count, by: size).map { start in
        let pattern = Self.pattern(bytes, start, size, isBigEndian)
        return switch size {
        case 2: Self.half(UInt16(truncatingIfNeeded: pattern))
        case 4: Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern)))
        default: Double(bitPattern: pattern)
        }
      }
      return (values, dataset.shape)
    case .text, .variableText: throw HDF5Failure("\(path) holds text, not numbers")
    }
  }

  /// The whole numbers at `path` and their shape, of any width and order of bytes, also as floats.
  func wholeNumbers(at path: String) throws(HDF5Failure) -> (values: [Int], shape: [Int]) {
    let dataset = try dataset(at: path)
    guard readsAnyNumber, case .integer(let size, let isSigned, let isBigEndian) = dataset.element
    else {
      let (numbers, shape) = try numbers(at: path, as: .int64)
      var values: [Int] = []
      values.reserveCapacity(numbers.count)
      for (row, number) in numbers.enumerated() {
        guard let value = Int(exactly: number) else {
          throw HDF5Failure("row \(row) of \(path) is \(number), not a whole number")
        }
        values.append(value)
      }
      return (values, shape)
    }
    let bytes = try bytes(of: dataset, at: path)
    var values: [Int] = []
    values.reserveCapacity(bytes.count / size)
    for start in stride(from: 0, to: bytes.count, by: size) {
      let pattern = Self.pattern(bytes, start, size, isBigEndian)
      let value = isSigned ? Self.signed(pattern, size) : Int(exactly: pattern)
      guard let value else {
        throw HDF5Failure("\(path) holds \(pattern), which is more than a 64-bit whole number")
      }
      values.append(value)
    }
    return (values, dataset.shape)
  }

  /// The bits of the number of `size` bytes from `start` on.
  private static func pattern(
    _ bytes: [UInt8], _ start: Int, _ size: Int, _ isBigEndian: Bool
  ) -> UInt64 {
    (0..<size).reduce(0) { pattern, index in
      pattern << 8 | UInt64(bytes[start + (isBigEndian ? index : size - 1 - index)])
    }
  }

  /// The two's complement number of `size` bytes.
  private static func signed(_ pattern: UInt64, _ size: Int) -> Int {
    let unused = UInt64(64 - 8 * size)
    return Int(truncatingIfNeeded: Int64(bitPattern: pattern << unused) >> Int64(unused))
  }

  /// A float of 16 bits (IEEE 754, binary16): sign, 5 bits of exponent, 10 of the significand.
  private static func half(_ bits: UInt16) -> Double {
    let (exponent, significand) = (Int(bits >> 10 & 0x1f), Double(bits & 0x3ff))
    let magnitude =
      switch exponent {
      case 0: significand * 0x1p-24
      case 31: significand == 0 ? Double.infinity : .nan
      default: Double(sign: .plus, exponent: exponent - 15, significand: 1 + significand / 1024)
      }
    return bits >> 15 == 0 ? magnitude : -magnitude
  }
}
