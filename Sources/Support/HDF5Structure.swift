/// The contents of an HDF5 file and their addresses, found by walking its groups without trusting
/// any of its numbers.
///
/// Follows "HDF5 File Format Specification Version 3.0" (The HDF Group, support.hdfgroup.org):
/// superblock version 0 (section II.A), B-trees version 1 (III.A.1), symbol tables (III.B, III.C)
/// and local heaps (III.D); `HDF5ObjectHeader` reads object headers. Each structure may be visited
/// only once, so the walk terminates in time linear in the file's length.
struct HDF5Structure {
  /// The offset of the file within the bytes; its addresses are relative to it.
  let start: Int
  /// The datasets by their paths, such as "/samples/id".
  private(set) var datasets: [String: HDF5Dataset] = [:]
  /// The paths of the groups, without the root.
  private(set) var groups: Set<String> = []
  private var met: Set<Int> = []
  private var storedBytes = 0

  /// The "undefined address" of the format.
  static let undefined = UInt64.max
  /// The maximum nesting of groups, from the root; a model file has 4.
  private static let deepest = 6
  /// The maximum number of groups and datasets; the base model has about 120.
  private static let mostObjects = 4096
  private static let longestName = 128

  init(start: Int) {
    self.start = start
  }

  /// Reads the structure of all of `file`.
  mutating func read(_ file: borrowing PinnedBytes) throws(HDF5Failure) {
    guard file.matches(HDF5Reader.signature, at: start) else {
      throw HDF5Failure("it is not an HDF5 file")
    }
    let superblock = try part(file, at: 0, length: 96, of: "its superblock")
    // Versions of superblock, free space, root group and shared messages; addresses and lengths of
    // 8 bytes.
    guard file.matches([0, 0, 0, 0, 0, 8, 8, 0], at: superblock + 8) else {
      throw HDF5Failure("it has a superblock of another version than DrawML writes")
    }
    guard file.number(at: superblock + 24, width: 8) == 0,
      file.number(at: superblock + 40, width: 8) == UInt64(file.count - start)
    else { throw HDF5Failure("its superblock says that it begins or ends elsewhere") }
    guard file.number(at: superblock + 32, width: 8) == Self.undefined,
      file.number(at: superblock + 48, width: 8) == Self.undefined
    else { throw HDF5Failure("its superblock asks for a driver or has free space of its own") }
    try readObject(file, at: size(file, superblock + 64, of: "the root group"), path: "")
  }

  /// Reads the group or dataset whose header is at `address`.
  private mutating func readObject(
    _ file: borrowing PinnedBytes, at address: Int, path: String
  ) throws(HDF5Failure) {
    let name = path.isEmpty ? "the root group" : path
    guard datasets.count + groups.count < Self.mostObjects else {
      throw HDF5Failure("it holds more than \(Self.mostObjects) groups and datasets")
    }
    let header = try HDF5ObjectHeader(file, at: address, of: name, in: &self)
    if let table = header.symbolTable {
      guard path.utf8.count(where: { $0 == UInt8(ascii: "/") }) < Self.deepest else {
        throw HDF5Failure("\(name) lies deeper than \(Self.deepest - 1) groups")
      }
      if !path.isEmpty { groups.insert(path) }
      let heap = try heap(file, at: table.heap, of: name)
      try readTree(file, at: table.tree, level: nil, names: heap, path: path)
    } else if path.isEmpty {
      throw HDF5Failure("its root is not a group")
    } else {
      let dataset = try header.dataset(of: name)
      storedBytes += dataset.place.count
      guard storedBytes <= file.count - start else {
        throw HDF5Failure("its datasets overlap: they claim more bytes than it has")
      }
      datasets[path] = dataset
    }
  }

  /// The names of a group's members: the data segment of a local heap.
  private mutating func heap(
    _ file: borrowing PinnedBytes, at address: Int, of name: String
  ) throws(HDF5Failure) -> Range<Int> {
    let place = try meet(file, at: address, length: 32, of: name)
    guard file.matches(Array("HEAP".utf8) + [0, 0, 0, 0], at: place) else {
      throw HDF5Failure("\(name) has no local heap")
    }
    let length = try size(file, place + 8, of: name)
    let data = try self.size(file, place + 24, of: name)
    let first = try part(file, at: data, length: length, of: name)
    return first..<(first + length)
  }

  /// Reads the members below a node of a group's B-tree.
  private mutating func readTree(
    _ file: borrowing PinnedBytes, at address: Int, level expected: Int?, names: Range<Int>,
    path: String
  ) throws(HDF5Failure) {
    let name = path.isEmpty ? "the root group" : path
    let place = try meet(file, at: address, length: 24, of: name)
    let level = file.number(at: place + 5, width: 1).map(Int.init) ?? 0
    let count = file.number(at: place + 6, width: 2).map(Int.init) ?? 0
    guard file.matches(Array("TREE".utf8) + [0], at: place), level == expected ?? level, level < 8
    else { throw HDF5Failure("\(name) has no tree of members") }
    _ = try part(file, at: address, length: 24 + 16 * count + 8, of: name)
    for index in 0..<count {
      let child = try self.size(file, place + 24 + 16 * index + 8, of: name)
      if level > 0 {
        try readTree(file, at: child, level: level - 1, names: names, path: path)
      } else {
        try readMembers(file, at: child, names: names, path: path)
      }
    }
  }

  /// Reads the members that a symbol table node lists.
  private mutating func readMembers(
    _ file: borrowing PinnedBytes, at address: Int, names: Range<Int>, path: String
  ) throws(HDF5Failure) {
    let group = path.isEmpty ? "the root group" : path
    let place = try meet(file, at: address, length: 8, of: group)
    let count = file.number(at: place + 6, width: 2).map(Int.init) ?? 0
    guard file.matches(Array("SNOD".utf8) + [1, 0], at: place) else {
      throw HDF5Failure("\(group) has no table of members")
    }
    _ = try part(file, at: address, length: 8 + 40 * count, of: group)
    for index in 0..<count {
      let entry = place + 8 + 40 * index
      let offset = try size(file, entry, of: group)
      guard offset < names.count,
        let text = file.text(
          at: names.lowerBound + offset, limit: min(Self.longestName + 1, names.count - offset)),
        !text.isEmpty, text.utf8.count <= Self.longestName, text != ".", !text.contains("/")
      else { throw HDF5Failure("a member of \(group) has an unusable name") }
      let member = "\(path)/\(text)"
      guard datasets[member] == nil, !groups.contains(member) else {
        throw HDF5Failure("\(member) is there twice")
      }
      // 0: nothing cached, 1: a group's tables cached, 2: a symbolic link.
      guard let cached = file.number(at: entry + 16, width: 4), cached <= 1 else {
        throw HDF5Failure("\(member) is a link to another place; only what the file holds is read")
      }
      try readObject(
        file, at: self.size(file, entry + 8, of: member), path: member)
    }
  }

  // MARK: Places

  /// The index of the `length` bytes at `address`; throws unless all of them are within the file.
  func part(
    _ file: borrowing PinnedBytes, at address: Int, length: Int, of name: String
  ) throws(HDF5Failure) -> Int {
    let available = file.count - start
    guard address >= 0, length >= 0, address <= available, length <= available - address else {
      throw HDF5Failure("\(name) says that it lies beyond the end of the file")
    }
    return start + address
  }

  /// As `part`, for a structure that may be referred to only once.
  mutating func meet(
    _ file: borrowing PinnedBytes, at address: Int, length: Int, of name: String
  ) throws(HDF5Failure) -> Int {
    let place = try part(file, at: address, length: length, of: name)
    guard met.insert(address).inserted else {
      throw HDF5Failure("\(name) shares a part with something else in the file")
    }
    return place
  }

  /// The length or address stored at `place`, at most the file's length.
  func size(
    _ file: borrowing PinnedBytes, _ place: Int, of name: String
  ) throws(HDF5Failure) -> Int {
    guard let number = file.number(at: place, width: 8), number <= UInt64(file.count) else {
      throw HDF5Failure("\(name) says that it lies beyond the end of the file")
    }
    return Int(number)
  }
}
