internal import Files

/// What was done to each chunk of a dataset before it was stored (message 0x0b, IV.A.2.l).
struct HDF5Filters: Equatable {
  enum Filter: Equatable {
    case deflate, checksum
    /// The bytes of values of this size are stored by their place within the value.
    case shuffle(Int)
  }

  /// In the order in which they were applied.
  private(set) var filters: [Filter] = []

  /// None.
  init() {}

  /// Whether values are stored without a filter.
  var isEmpty: Bool { filters.isEmpty }

  /// Reads the message, versions 1 and 2.
  init(
    _ file: borrowing PinnedBytes, _ body: Range<Int>, of name: String
  ) throws(HDF5Failure) {
    let version = file.number(at: body.lowerBound, width: 1)
    let count = file.number(at: body.lowerBound + 1, width: 1) ?? 0
    var position = body.lowerBound + (version == 1 ? 8 : 2)
    guard version == 1 || version == 2, count <= 8 else { throw Self.broken(name) }
    for _ in 0..<count {
      guard let kind = file.number(at: position, width: 2) else { throw Self.broken(name) }
      // Names are there only of filters that HDF5 does not know, and before version 2.
      let hasName = version == 1 || kind >= 256
      let nameLength = hasName ? file.number(at: position + 2, width: 2).map(Int.init) ?? 0 : 0
      position += hasName ? 4 : 2
      let values = file.number(at: position + 2, width: 2).map(Int.init) ?? 0
      position += 4 + (version == 1 ? (nameLength + 7) / 8 * 8 : nameLength)
      let first = file.number(at: position, width: 4).map(Int.init) ?? 0
      position += 4 * values + (version == 1 && values % 2 == 1 ? 4 : 0)
      guard position <= body.upperBound else { throw Self.broken(name) }
      switch kind {
      case 1 where !filters.contains(.deflate): filters.append(.deflate)
      case 2 where values >= 1 && first >= 1: filters.append(.shuffle(first))
      case 3: filters.append(.checksum)
      default:
        throw HDF5Failure(
          "\(name) is compressed in a way that is not read; write it with compression='gzip', "
            + "or without")
      }
    }
  }

  private static func broken(_ name: String) -> HDF5Failure {
    HDF5Failure("\(name) does not say how it is compressed")
  }

  /// The values of a chunk of `count` bytes that is stored as `stored`; nil if they are damaged.
  /// Bit i of `skipped` is set if filter i was not applied to this chunk.
  func undone(_ stored: [UInt8], count: Int, skipped: UInt64) -> [UInt8]? {
    var bytes = stored
    for index in filters.indices.reversed() where skipped >> UInt64(index) & 1 == 0 {
      let sums = filters.indices.prefix(index).count {
        filters[$0] == .checksum && skipped >> UInt64($0) & 1 == 0
      }
      switch filters[index] {
      case .checksum:
        guard bytes.count >= 4 else { return nil }
        let stored = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        bytes.removeLast(4)
        guard HDF5Checksum.fletcher32(bytes).contains(stored) else { return nil }
      case .deflate:
        guard let unpacked = Deflate.unpacked(bytes, count: count + 4 * sums) else { return nil }
        bytes = unpacked
      case .shuffle(let size):
        guard size <= bytes.count else { return nil }
        bytes = Self.unshuffled(bytes, size)
      }
    }
    return bytes.count == count ? bytes : nil
  }

  private static func unshuffled(_ bytes: [UInt8], _ size: Int) -> [UInt8] {
    let values = bytes.count / size
    // What is left after the last whole value stays at the end.
    var result = bytes
    for byte in 0..<size {
      for value in 0..<values { result[value * size + byte] = bytes[byte * values + value] }
    }
    return result
  }
}
