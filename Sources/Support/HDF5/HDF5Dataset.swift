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

  /// The length of all values in bytes.
  var length: Int { shape.reduce(element.size, *) }
}

/// Reads a dataspace message: the length of each axis (IV.A.2.b), versions 1 and 2.
enum HDF5Extent {
  static func shape(
    _ file: borrowing PinnedBytes, _ body: Range<Int>, of name: String, from origin: HDF5Origin
  ) throws(HDF5Failure) -> [Int] {
    let start = body.lowerBound
    guard body.count >= 4, let version = file.number(at: start, width: 1),
      let rank = file.number(at: start + 1, width: 1).map(Int.init),
      let flags = file.number(at: start + 2, width: 1), flags <= 1, (1...2).contains(version),
      origin == .others || version == 1 && rank > 0, rank <= 4
    else { throw HDF5Failure("\(name) has an extent of another kind than DrawML reads") }
    // Version 2 says whether there is a value at all: 2 is none.
    guard version == 1 || file.number(at: start + 3, width: 1) != 2 else {
      throw HDF5Failure("\(name) is empty: it has no extent")
    }
    let first = start + (version == 1 ? 8 : 4)
    guard body.upperBound - first >= rank * (flags == 1 ? 16 : 8) else {
      throw HDF5Failure("\(name) has an extent of another kind than DrawML reads")
    }
    var shape: [Int] = []
    for axis in 0..<rank {
      let place = first + 8 * axis
      let length = file.number(at: place, width: 8)
      // The greatest lengths follow; where they are more, the dataset may grow.
      guard let length, length <= UInt64(Int32.max),
        origin == .others || flags == 0 || file.number(at: place + 8 * rank, width: 8) == length
      else {
        throw HDF5Failure("\(name) claims an axis of \(length ?? 0) values, which may change")
      }
      shape.append(Int(length))
    }
    return shape
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
