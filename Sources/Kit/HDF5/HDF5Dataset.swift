internal import Files

/// A dataset: what its object header says, before a value is read.
struct HDF5Dataset {
  let element: HDF5Element
  /// The length of each axis; none for a single value.
  let shape: [Int]
  let storage: Storage
  /// The bytes of a value that was never written; zeros if empty.
  let fill: [UInt8]

  /// Where the values are.
  enum Storage {
    /// One after the other in this range of bytes, from the file's beginning.
    case whole(Range<Int>)
    /// In pieces, which may be compressed.
    case chunked(HDF5Chunks)
  }

  /// The length of all values in bytes; nil if it is more than an `Int` can hold.
  static func length(_ shape: [Int], of size: Int) -> Int? {
    var bytes = size
    for length in shape {
      let (product, overflow) = bytes.multipliedReportingOverflow(by: length)
      guard !overflow else { return nil }
      bytes = product
    }
    return bytes
  }

  /// The least that a value counts for when memory is bounded: what a text takes, or a number of
  /// 8 bytes and the bytes that it is made from.
  static let leastCost = 16
}

/// The length of each axis.
struct HDF5Extent {
  /// The lengths now.
  let shape: [Int]
  /// The lengths that it may grow to; the greatest number where there is no limit.
  let greatest: [UInt64]

  /// Reads a dataspace message (IV.A.2.b), versions 1 and 2.
  init(
    _ file: borrowing PinnedBytes, _ body: Range<Int>, of name: String, from origin: HDF5Origin
  ) throws(HDF5Failure) {
    let start = body.lowerBound
    guard body.count >= 4, let version = file.number(at: start, width: 1),
      let rank = file.number(at: start + 1, width: 1).map(Int.init),
      let flags = file.number(at: start + 2, width: 1), flags <= 1, (1...2).contains(version),
      origin == .others || version == 1 && rank > 0, rank <= 4
    else { throw HDF5Failure("\(name) has an extent of a kind that DrawML does not read") }
    // In version 2, type 2 is a null dataspace, which has no values.
    guard version == 1 || file.number(at: start + 3, width: 1) != 2 else {
      throw HDF5Failure("\(name) is empty: it has no extent")
    }
    let first = start + (version == 1 ? 8 : 4)
    guard body.upperBound - first >= rank * (flags == 1 ? 16 : 8) else {
      throw HDF5Failure("\(name) has an extent of a kind that DrawML does not read")
    }
    var (shape, all): ([Int], [UInt64]) = ([], [])
    for axis in 0..<rank {
      let place = first + 8 * axis
      let length = file.number(at: place, width: 8)
      // The greatest lengths follow; where they are more, the dataset may grow.
      let greatest = flags == 0 ? length : file.number(at: place + 8 * rank, width: 8)
      guard let length, let greatest, length <= UInt64(Int32.max),
        origin == .others || greatest == length
      else {
        throw HDF5Failure("\(name) claims an axis of \(length ?? 0) values, which may change")
      }
      guard greatest >= length else {
        throw HDF5Failure("\(name) claims an axis of \(length) values, and at most \(greatest)")
      }
      shape.append(Int(length))
      all.append(greatest)
    }
    (self.shape, greatest) = (shape, all)
  }
}

/// Reads a fill value message (IV.A.2.f), versions 1 to 3.
enum HDF5Fill {
  /// The bytes of the value; none if it is not given.
  static func value(_ file: borrowing PinnedBytes, _ body: Range<Int>) -> [UInt8] {
    let start = body.lowerBound
    guard let version = file.number(at: start, width: 1),
      let flags = file.number(at: start + 1, width: 1)
    else { return [] }
    let isGiven = version == 3 ? flags & 0x20 != 0 : file.number(at: start + 3, width: 1) == 1
    let place = start + (version == 3 ? 2 : 4)
    guard isGiven, let length = file.number(at: place, width: 4).map(Int.init), length <= 1024,
      place + 4 + length <= body.upperBound
    else { return [] }
    return file.array(in: place + 4..<place + 4 + length)
  }
}
