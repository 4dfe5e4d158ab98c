internal import Files

/// The messages of an object's header (IV.A.1 of the specification named at `HDF5Structure`):
/// version 1, and of others' files version 2.
///
/// Of our files only the messages that `HDF5Writer` writes are accepted; the error names any other.
/// Of others' files, messages that say nothing about the values, such as attributes, are passed
/// over.
struct HDF5ObjectHeader {
  /// Where a group keeps its members; nil for a dataset, and a group that lists them itself.
  private(set) var symbolTable: (tree: Int, heap: Int)?
  /// The members that a group lists itself.
  private(set) var links: [HDF5Link] = []
  /// Whether the object is a group.
  var isGroup: Bool { symbolTable != nil || listsMembers }
  private var listsMembers = false
  private var extent: HDF5Extent?
  private var element: HDF5Element?
  private var layout: HDF5Layout?
  private var filters = HDF5Filters()
  private var fill: [UInt8] = []

  /// The kinds of messages.
  private enum Kind: UInt64 {
    case empty = 0x00, dataspace = 0x01, linkInfo = 0x02, datatype = 0x03, oldFillValue = 0x04
    case fillValue = 0x05, link = 0x06, externalFiles = 0x07, layout = 0x08, filters = 0x0b
    case attribute = 0x0c, modificationTime = 0x12, continuation = 0x10, symbolTable = 0x11,
      attributeInfo = 0x15

    /// Why such a message is rejected; nil for those that are accepted.
    func refusal(from origin: HDF5Origin) -> String? {
      switch self {
      case .externalFiles:
        "is in another file; only values within the file are read: copy it with h5repack"
      case _ where origin == .others: nil
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
  /// - Throws: `HDF5Failure` for what is not read.
  init(
    _ file: borrowing PinnedBytes, at address: Int, of name: String,
    in structure: inout HDF5Structure
  ) throws(HDF5Failure) {
    let start = try structure.part(file, at: address, length: 16, of: name)
    var blocks: [Range<Int>]
    let messages: MessageForm
    if structure.origin == .others, file.matches(Array("OHDR".utf8) + [2], at: start) {
      let (form, first) = try MessageForm.version2(file, start, of: name)
      _ = try structure.meet(file, at: address, length: first.upperBound + 4 - start, of: name)
      guard HDF5Checksum.isRight(file, in: start..<first.upperBound) else {
        throw HDF5Failure("the header of \(name) is damaged")
      }
      (messages, blocks) = (form, [first])
    } else {
      guard file.matches([1, 0], at: start) else {
        throw HDF5Failure("\(name) has a header of another version than DrawML reads")
      }
      guard structure.origin == .others || file.number(at: start + 4, width: 4) == 1 else {
        throw HDF5Failure("\(name) is linked to more than once")
      }
      let length = file.number(at: start + 8, width: 4).map(Int.init) ?? 0
      let first = try structure.meet(file, at: address, length: 16 + length, of: name) + 16
      (messages, blocks) = (.version1, [first..<(first + length)])
    }
    var next = 0
    // A continuation adds a block.
    while next < blocks.count {
      guard next < (structure.origin == .ours ? 8 : 64) else {
        throw HDF5Failure("the header of \(name) is in too many pieces")
      }
      var position = blocks[next].lowerBound
      let end = blocks[next].upperBound
      next += 1
      while end - position >= messages.headerLength {
        let message = messages.message(file, at: position)
        guard message.size <= end - position - messages.headerLength else {
          throw HDF5Failure("a message of \(name) is longer than its header")
        }
        let first = position + messages.headerLength
        let body = first..<(first + message.size)
        position = body.upperBound
        // Bit 0: the message is constant. Bit 1: it is stored elsewhere. Others: for programs that
        // change the file.
        guard message.flags & 2 == 0, structure.origin == .others || message.flags <= 1 else {
          throw HDF5Failure(
            "\(name) shares a message with something else, such as a named type"
              + HDF5Failure.remedy(name))
        }
        if Kind(rawValue: message.kind) == .continuation {
          guard body.count >= 16 else {
            throw HDF5Failure("the header of \(name) continues nowhere")
          }
          let place = try structure.size(file, body.lowerBound, of: name)
          let length = try structure.size(file, body.lowerBound + 8, of: name)
          let more = try structure.meet(file, at: place, length: length, of: name)
          blocks.append(try messages.block(file, more..<(more + length), of: name))
        } else {
          try read(message.kind, file, body, of: name, in: structure)
        }
      }
    }
    guard !isGroup || (extent == nil && element == nil && layout == nil) else {
      throw HDF5Failure("\(name) is a group and a dataset at once")
    }
  }

  private mutating func read(
    _ number: UInt64, _ file: borrowing PinnedBytes, _ body: Range<Int>, of name: String,
    in structure: HDF5Structure
  ) throws(HDF5Failure) {
    guard let kind = Kind(rawValue: number) else {
      if structure.origin == .others { return }
      throw HDF5Failure("\(name) has a message of kind \(number), which DrawML does not write")
    }
    if let refusal = kind.refusal(from: structure.origin) {
      throw HDF5Failure("\(name) \(refusal)")
    }
    func once(_ isFirst: Bool) throws(HDF5Failure) {
      guard isFirst else { throw HDF5Failure("\(name) has two messages of one kind") }
    }
    switch kind {
    case .symbolTable:
      try once(symbolTable == nil && body.count >= 16)
      symbolTable = (
        tree: try structure.size(file, body.lowerBound, of: name),
        heap: try structure.size(file, body.lowerBound + 8, of: name)
      )
    case .dataspace:
      try once(extent == nil)
      extent = try HDF5Extent(file, body, of: name, from: structure.origin)
    case .datatype:
      try once(element == nil)
      let element = try HDF5Element(file, body, of: name)
      guard structure.origin == .others || element.isOurs else {
        throw HDF5Failure("\(name) holds values of a type that DrawML does not write")
      }
      self.element = element
    case .layout:
      try once(layout == nil)
      layout = try HDF5Layout(file, body, of: name, in: structure)
    case .linkInfo:
      listsMembers = true
      try HDF5Link.checkInfo(file, body, of: name)
    case .link:
      listsMembers = true
      links.append(try HDF5Link(file, body, of: name, in: structure))
    case .filters:
      try once(filters.isEmpty)
      filters = try HDF5Filters(file, body, of: name)
    case .fillValue: fill = HDF5Fill.value(file, body)
    default: break
    }
  }

  /// The dataset that the header describes.
  func dataset(
    _ file: borrowing PinnedBytes, of name: String, in structure: inout HDF5Structure
  ) throws(HDF5Failure) -> HDF5Dataset {
    guard let extent, let element, let layout else {
      throw HDF5Failure("\(name) is neither a group nor a whole dataset")
    }
    let storage: HDF5Dataset.Storage
    switch layout {
    case .whole(let place):
      guard filters.isEmpty, HDF5Dataset.length(extent.shape, of: element.size) == place.count
      else {
        throw HDF5Failure(
          "\(name) claims the extent \(extent.shape) and stores \(place.count) bytes")
      }
      storage = .whole(place)
    case .chunked(let index):
      storage = .chunked(
        try HDF5Chunks(
          file, index, filters, extent, size: element.size, most: structure.unpackable, of: name,
          in: &structure))
    }
    return HDF5Dataset(element: element, shape: extent.shape, storage: storage, fill: fill)
  }
}

/// How messages follow each other in a header.
private enum MessageForm {
  case version1
  /// Whether each message says when it was made.
  case version2(isOrdered: Bool)

  /// The length of what comes before a message's body.
  var headerLength: Int {
    switch self {
    case .version1: 8
    case .version2(let isOrdered): isOrdered ? 6 : 4
    }
  }

  /// Reads what comes before a body: kind, size and flags.
  func message(
    _ file: borrowing PinnedBytes, at position: Int
  ) -> (kind: UInt64, size: Int, flags: UInt64) {
    func number(_ offset: Int, _ width: Int) -> UInt64 {
      file.number(at: position + offset, width: width) ?? 0
    }
    switch self {
    case .version1: return (number(0, 2), Int(number(2, 2)), number(4, 1))
    case .version2: return (number(0, 1), Int(number(1, 2)), number(3, 1))
    }
  }

  /// Reads the beginning of a header of version 2: signature, version, flags, by them times and
  /// numbers of attributes, then the length of the messages. A checksum follows these.
  static func version2(
    _ file: borrowing PinnedBytes, _ start: Int, of name: String
  ) throws(HDF5Failure) -> (MessageForm, Range<Int>) {
    let flags = file.number(at: start + 5, width: 1) ?? 0
    let place = start + 6 + (flags & 0x20 != 0 ? 16 : 0) + (flags & 0x10 != 0 ? 4 : 0)
    let width = 1 << Int(flags & 3)
    guard let length = file.number(at: place, width: width), length <= UInt64(file.count) else {
      throw HDF5Failure("the header of \(name) is damaged")
    }
    let first = place + width
    return (.version2(isOrdered: flags & 4 != 0), first..<first + Int(length))
  }

  /// The messages of a further block.
  func block(
    _ file: borrowing PinnedBytes, _ place: Range<Int>, of name: String
  ) throws(HDF5Failure) -> Range<Int> {
    guard case .version2 = self else { return place }
    guard place.count >= 8, file.matches(Array("OCHK".utf8), at: place.lowerBound),
      HDF5Checksum.isRight(file, in: place.lowerBound..<place.upperBound - 4)
    else { throw HDF5Failure("the header of \(name) is damaged") }
    return place.lowerBound + 4..<place.upperBound - 4
  }
}
