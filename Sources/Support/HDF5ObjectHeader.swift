/// The type of a stored value.
enum HDF5Element: Equatable, CustomStringConvertible {
  case float32, float64, int64, uint8
  /// Text of this many bytes, padded with zeros.
  case text(Int)

  /// The size of one value in bytes.
  var size: Int {
    switch self {
    case .float32: 4
    case .float64, .int64: 8
    case .uint8: 1
    case .text(let length): length
    }
  }

  /// Its name in error messages.
  var description: String {
    switch self {
    case .float32: "32-bit floats"
    case .float64: "64-bit floats"
    case .int64: "64-bit whole numbers"
    case .uint8: "bytes"
    case .text: "text"
    }
  }
}

/// A dataset whose values are contiguous in the file.
struct HDF5Dataset {
  let element: HDF5Element
  /// The length of each axis.
  let shape: [Int]
  /// The byte range of the values, from the file's beginning; exactly as long as the shape needs.
  let place: Range<Int>
}

/// The messages of an object's header (version 1: section IV.A.1.a of the specification named at
/// `HDF5Structure`).
///
/// Only the messages that `HDF5Writer` writes are accepted; the error names any other.
struct HDF5ObjectHeader {
  /// Where a group keeps its members; nil for a dataset.
  private(set) var symbolTable: (tree: Int, heap: Int)?
  private var shape: [Int]?
  private var element: HDF5Element?
  private var place: Range<Int>?

  /// The kinds of messages.
  private enum Kind: UInt64 {
    case empty = 0x00, dataspace = 0x01, linkInfo = 0x02, datatype = 0x03, oldFillValue = 0x04
    case fillValue = 0x05, link = 0x06, externalFiles = 0x07, layout = 0x08, filters = 0x0b
    case attribute = 0x0c, modificationTime = 0x12, continuation = 0x10, symbolTable = 0x11,
      attributeInfo = 0x15

    /// Why such a message is rejected; nil for those that are accepted.
    var refusal: String? {
      switch self {
      case .externalFiles: "lies in another file; only values within the file are read"
      case .link, .linkInfo: "has links of a kind that DrawML does not write"
      case .filters: "is compressed or filtered; save it without"
      case .attribute, .attributeInfo: "has attributes, which DrawML does not write"
      case .oldFillValue: "has a fill value of an older kind than DrawML writes"
      default: nil
      }
    }
  }

  /// Reads the header at `address`.
  ///
  /// - Parameters:
  ///   - file: All bytes.
  ///   - address: Counted from the file's beginning.
  ///   - name: The object's name in error messages.
  ///   - structure: Records which parts were visited already.
  /// - Throws: `HDF5Failure` for what `HDF5Writer` does not write.
  init(
    _ file: borrowing PinnedBytes, at address: Int, of name: String,
    in structure: inout HDF5Structure
  ) throws(HDF5Failure) {
    let start = try structure.meet(file, at: address, length: 16, of: name)
    guard file.matches([1, 0], at: start) else {
      throw HDF5Failure("\(name) has a header of another version than DrawML writes")
    }
    guard file.number(at: start + 4, width: 4) == 1 else {
      throw HDF5Failure("\(name) is linked to more than once")
    }
    let length = file.number(at: start + 8, width: 4).map(Int.init) ?? 0
    let first = try structure.part(file, at: address + 16, length: length, of: name)
    var blocks = [first..<(first + length)]
    var next = 0
    // A continuation adds a block.
    while next < blocks.count {
      guard next < 8 else { throw HDF5Failure("the header of \(name) is in too many pieces") }
      var position = blocks[next].lowerBound
      let end = blocks[next].upperBound
      next += 1
      while end - position >= 8 {
        let size = file.number(at: position + 2, width: 2).map(Int.init) ?? 0
        guard size <= end - position - 8 else {
          throw HDF5Failure("a message of \(name) is longer than its header")
        }
        let kind = file.number(at: position, width: 2) ?? 0
        // Bit 0: the message is constant. Bit 1, the only other bit: it is stored elsewhere.
        guard let flags = file.number(at: position + 4, width: 1), flags <= 1 else {
          throw HDF5Failure("\(name) shares a message with something else")
        }
        let body = (position + 8)..<(position + 8 + size)
        if Kind(rawValue: kind) == .continuation {
          guard size >= 16 else { throw HDF5Failure("the header of \(name) goes on nowhere") }
          let place = try structure.size(file, body.lowerBound, of: name)
          let length = try structure.size(file, body.lowerBound + 8, of: name)
          let more = try structure.meet(file, at: place, length: length, of: name)
          blocks.append(more..<(more + length))
        } else {
          try read(kind, file, body, of: name, in: structure)
        }
        position += 8 + size
      }
    }
    guard symbolTable == nil || (shape == nil && element == nil && place == nil) else {
      throw HDF5Failure("\(name) is a group and a dataset at once")
    }
  }

  private mutating func read(
    _ number: UInt64, _ file: borrowing PinnedBytes, _ body: Range<Int>, of name: String,
    in structure: HDF5Structure
  ) throws(HDF5Failure) {
    guard let kind = Kind(rawValue: number) else {
      throw HDF5Failure("\(name) has a message of kind \(number), which DrawML does not write")
    }
    if let refusal = kind.refusal { throw HDF5Failure("\(name) \(refusal)") }
    func once(_ isFirst: Bool) throws(HDF5Failure) {
      guard isFirst else { throw HDF5Failure("\(name) is described twice") }
    }
    switch kind {
    case .symbolTable:
      try once(symbolTable == nil && body.count >= 16)
      symbolTable = (
        tree: try structure.size(file, body.lowerBound, of: name),
        heap: try structure.size(file, body.lowerBound + 8, of: name)
      )
    case .dataspace:
      try once(shape == nil)
      shape = try Self.shape(file, body, of: name)
    case .datatype:
      try once(element == nil)
      element = try Self.element(file, body, of: name)
    case .layout:
      try once(place == nil)
      place = try Self.place(file, body, of: name, in: structure)
    default: break
    }
  }

  /// The dataset that the header describes.
  func dataset(of name: String) throws(HDF5Failure) -> HDF5Dataset {
    guard let shape, let element, let place else {
      throw HDF5Failure("\(name) is neither a group nor a whole dataset")
    }
    var bytes = element.size
    for length in shape {
      let (product, overflow) = bytes.multipliedReportingOverflow(by: length)
      guard !overflow else { throw Self.claims(shape, of: name, place) }
      bytes = product
    }
    guard bytes == place.count else { throw Self.claims(shape, of: name, place) }
    return HDF5Dataset(element: element, shape: shape, place: place)
  }

  private static func claims(_ shape: [Int], of name: String, _ place: Range<Int>) -> HDF5Failure {
    HDF5Failure("\(name) claims the extent \(shape) and stores \(place.count) bytes")
  }

  // MARK: Messages

  /// Dataspace, version 1 (IV.A.2.b).
  private static func shape(
    _ file: borrowing PinnedBytes, _ body: Range<Int>, of name: String
  ) throws(HDF5Failure) -> [Int] {
    let rank = file.number(at: body.lowerBound + 1, width: 1).map(Int.init) ?? 0
    let hasMost = file.number(at: body.lowerBound + 2, width: 1) ?? 0
    guard body.count >= 8, file.matches([1], at: body.lowerBound), (1...4).contains(rank),
      hasMost <= 1, body.count >= 8 + rank * (hasMost == 1 ? 16 : 8)
    else { throw HDF5Failure("\(name) has an extent of another kind than DrawML writes") }
    var shape: [Int] = []
    for axis in 0..<rank {
      let place = body.lowerBound + 8 + 8 * axis
      let length = file.number(at: place, width: 8)
      guard let length, length <= UInt64(Int32.max),
        hasMost == 0 || file.number(at: place + 8 * rank, width: 8) == length
      else {
        throw HDF5Failure("\(name) claims an axis of \(length ?? 0) values, which may change")
      }
      shape.append(Int(length))
    }
    return shape
  }

  /// Datatype, version 1 (IV.A.2.d): class and version, bit field, size, and what the class adds.
  private static func element(
    _ file: borrowing PinnedBytes, _ body: Range<Int>, of name: String
  ) throws(HDF5Failure) -> HDF5Element {
    let known: [(HDF5Element, [UInt8])] = [
      (
        .float32,
        [0x11, 0x20, 0x1f, 0, 4, 0, 0, 0, 0, 0, 32, 0, 23, 8, 0, 23, 0x7f, 0, 0, 0]
      ),
      (
        .float64,
        [0x11, 0x20, 0x3f, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0]
      ),
      (.int64, [0x10, 8, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0]),
      (.uint8, [0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0]),
    ]
    for (element, bytes) in known
    where bytes.count <= body.count && file.matches(bytes, at: body.lowerBound) {
      return element
    }
    // UTF-8, or ASCII as other programs write, padded with zeros.
    let texts: [[UInt8]] = [[0x13, 0x11, 0, 0], [0x13, 0x01, 0, 0]]
    guard body.count >= 8, texts.contains(where: { file.matches($0, at: body.lowerBound) }),
      let length = file.number(at: body.lowerBound + 4, width: 4), length > 0
    else { throw HDF5Failure("\(name) holds values of a type that DrawML does not write") }
    return .text(Int(length))
  }

  /// Data layout, version 3 (IV.A.2.i).
  private static func place(
    _ file: borrowing PinnedBytes, _ body: Range<Int>, of name: String,
    in structure: HDF5Structure
  ) throws(HDF5Failure) -> Range<Int> {
    guard body.count >= 4, file.matches([3], at: body.lowerBound) else {
      throw HDF5Failure("\(name) is virtual or stored in another way than DrawML writes")
    }
    switch file.number(at: body.lowerBound + 1, width: 1) {
    case 0:
      let length = file.number(at: body.lowerBound + 2, width: 2).map(Int.init) ?? 0
      guard length <= body.count - 4 else {
        throw HDF5Failure("\(name) is longer than its header")
      }
      let first = body.lowerBound + 4 - structure.start
      return first..<(first + length)
    case 1 where body.count >= 18:
      let length = try structure.size(file, body.lowerBound + 10, of: name)
      if file.number(at: body.lowerBound + 2, width: 8) == HDF5Structure.undefined, length == 0 {
        return 0..<0
      }
      let address = try structure.size(file, body.lowerBound + 2, of: name)
      _ = try structure.part(file, at: address, length: length, of: name)
      return address..<(address + length)
    default:
      throw HDF5Failure("\(name) is stored in chunks; save it in one piece")
    }
  }
}
