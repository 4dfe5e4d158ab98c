internal import Files

/// The contents of an HDF5 file and their addresses, found by walking its groups without trusting
/// any of its numbers.
///
/// Follows "HDF5 File Format Specification Version 3.0" (The HDF Group, support.hdfgroup.org), whose
/// sections are named where they are followed: B-trees version 1 (III.A.1), symbol tables (III.B,
/// III.C) and local heaps (III.D) here; `HDF5ObjectHeader` reads object headers. Each structure may
/// be visited only once, and all of them together are no longer than the file, so the walk
/// terminates in time linear in the file's length.
struct HDF5Structure {
  /// Who may have written the file.
  let origin: HDF5Origin
  /// The offset of the file within the bytes; its addresses are relative to it.
  let start: Int
  /// The datasets by their paths, such as "/samples/id".
  private(set) var datasets: [String: HDF5Dataset] = [:]
  /// The paths of the groups; the root's is empty.
  private(set) var groups: Set<String> = []
  /// Why members that others wrote cannot be read, which matters only if they are needed.
  private(set) var failures: [String: HDF5Failure] = [:]
  /// Further paths of what others' files name more than once, with the first one of each.
  private(set) var otherPaths: [String: String] = [:]
  /// The first paths by the addresses of headers.
  private var firstPaths: [Int: String] = [:]
  /// The bytes that the values of chunks may still count for.
  private(set) var unpackable = 0
  private var met: Set<Int> = []
  /// The bytes that structures not met yet may have.
  private var unmet = 0
  /// The bytes that values not found yet may have.
  private var unstored = 0

  /// The "undefined address" of the format.
  static let undefined = UInt64.max
  /// The maximum nesting of groups, from the root; a model file has 4.
  private static let deepest = 6
  /// The maximum number of groups and datasets; the base model has about 120.
  private static let mostObjects = 4096
  private static let longestName = 128

  init(start: Int, from origin: HDF5Origin) {
    (self.start, self.origin) = (start, origin)
  }

  /// Reads the structure of all of `file`.
  mutating func read(_ file: borrowing PinnedBytes) throws(HDF5Failure) {
    guard file.matches(HDF5Reader.signature, at: start) else {
      throw HDF5Failure("it is not an HDF5 file")
    }
    unpackable = Deflate.mostUnpacked(from: file.count)
    (unmet, unstored) = (file.count - start, file.count - start)
    try readObject(file, at: HDF5Superblock(file, in: self).root, path: "")
  }

  /// Reads the member of a group at `path`, of which others' files may have some that are not read.
  private mutating func readMember(
    _ file: borrowing PinnedBytes, at address: Int?, path: String
  ) throws(HDF5Failure) {
    guard datasets[path] == nil, !groups.contains(path), failures[path] == nil,
      otherPaths[path] == nil
    else {
      throw HDF5Failure("\(path) is there twice")
    }
    do throws(HDF5Failure) {
      guard let address else {
        throw HDF5Failure(
          "\(path) is a link to another place; only data within the file are read"
            + HDF5Failure.remedy(path))
      }
      try readObject(file, at: address, path: path)
    } catch {
      guard origin == .others, failures.count < Self.mostObjects else { throw error }
      failures[path] = error
    }
  }

  /// Reads the group or dataset whose header is at `address`.
  private mutating func readObject(
    _ file: borrowing PinnedBytes, at address: Int, path: String
  ) throws(HDF5Failure) {
    let name = path.isEmpty ? "the root group" : path
    guard datasets.count + groups.count + otherPaths.count < Self.mostObjects else {
      throw HDF5Failure("it holds more than \(Self.mostObjects) groups and datasets")
    }
    if origin == .others {
      if let first = firstPaths[address] {
        otherPaths[path] = first
        return
      }
      firstPaths[address] = path
    }
    let header = try HDF5ObjectHeader(file, at: address, of: name, in: &self)
    if header.isGroup {
      guard path.utf8.count(where: { $0 == UInt8(ascii: "/") }) < Self.deepest else {
        throw HDF5Failure("\(name) lies deeper than \(Self.deepest - 1) groups")
      }
      groups.insert(path)
      if let table = header.symbolTable {
        let heap = try heap(file, at: table.heap, of: name)
        try readTree(file, at: table.tree, level: nil, names: heap, path: path)
      }
      for link in header.links {
        guard Self.isUsable(link.name) else { continue }
        try readMember(file, at: link.address, path: "\(path)/\(link.name)")
      }
    } else if path.isEmpty {
      throw HDF5Failure("its root is not a group")
    } else {
      let dataset = try header.dataset(file, of: name, in: &self)
      switch dataset.storage {
      case .whole(let place):
        _ = try store(file, at: place.lowerBound, length: place.count, of: name)
      case .chunked(let chunks): unpackable -= chunks.cost
      }
      datasets[path] = dataset
    }
  }

  /// The first path of what is at `path`: it, and the groups above it, may have several.
  func firstPath(of path: String) -> String {
    var first = ""
    for name in path.split(separator: "/") {
      first += "/\(name)"
      if let other = otherPaths[first] { first = other }
    }
    return first
  }

  private static func isUsable(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= longestName && name != "." && !name.contains("/")
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
    let place = try part(file, at: address, length: 24, of: name)
    let level = file.number(at: place + 5, width: 1).map(Int.init) ?? 0
    let count = file.number(at: place + 6, width: 2).map(Int.init) ?? 0
    guard file.matches(Array("TREE".utf8) + [0], at: place), level == expected ?? level, level < 8
    else { throw HDF5Failure("\(name) has no tree of members") }
    _ = try meet(file, at: address, length: 24 + 16 * count + 8, of: name)
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
    let place = try part(file, at: address, length: 8, of: group)
    let count = file.number(at: place + 6, width: 2).map(Int.init) ?? 0
    guard file.matches(Array("SNOD".utf8) + [1, 0], at: place) else {
      throw HDF5Failure("\(group) has no table of members")
    }
    _ = try meet(file, at: address, length: 8 + 40 * count, of: group)
    for index in 0..<count {
      let entry = place + 8 + 40 * index
      let offset = try size(file, entry, of: group)
      let text =
        offset < names.count
        ? file.text(
          at: names.lowerBound + offset, limit: min(Self.longestName + 1, names.count - offset))
        : nil
      guard let text, Self.isUsable(text) else {
        if origin == .others { continue }
        throw HDF5Failure("a member of \(group) has an unusable name")
      }
      let member = "\(path)/\(text)"
      // 0: nothing cached, 1: a group's tables cached, 2: a symbolic link.
      let isHard = file.number(at: entry + 16, width: 4).map { $0 <= 1 } ?? false
      try readMember(
        file, at: isHard ? self.size(file, entry + 8, of: member) : nil, path: member)
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

  /// As `part`, for a structure, which may be referred to only once. Those of a sound file do not
  /// overlap: the time to read them is bounded by the sum of their lengths.
  mutating func meet(
    _ file: borrowing PinnedBytes, at address: Int, length: Int, of name: String
  ) throws(HDF5Failure) -> Int {
    let place = try part(file, at: address, length: length, of: name)
    guard length <= unmet, met.insert(address).inserted else {
      throw HDF5Failure("\(name) shares a part with something else in the file")
    }
    unmet -= length
    return place
  }

  /// As `part`, for the values of a dataset, which are no other one's.
  mutating func store(
    _ file: borrowing PinnedBytes, at address: Int, length: Int, of name: String
  ) throws(HDF5Failure) -> Int {
    let place = try part(file, at: address, length: length, of: name)
    guard length <= unstored else {
      throw HDF5Failure("its datasets overlap: they claim more bytes than it has")
    }
    unstored -= length
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

  /// The number stored at `place`, which must be below `limit`.
  func place(
    _ file: borrowing PinnedBytes, _ place: Int, below limit: Int, of name: String
  ) throws(HDF5Failure) -> Int {
    guard let number = file.number(at: place, width: 8), number < UInt64(limit) else {
      throw HDF5Failure("\(name) has values beyond its extent")
    }
    return Int(number)
  }
}

/// Who may have written a file.
public enum HDF5Origin: Sendable {
  /// `HDF5Writer`: everything else is refused before a value is read.
  case ours
  /// Another program, as h5py: what is not needed may be of any kind.
  case others
}
