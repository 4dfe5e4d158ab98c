internal import Files
internal import Text

/// How the chunks of a dataset are found.
struct HDF5ChunkIndex {
  enum Kind {
    /// No chunk was written.
    case empty
    /// A B-tree, version 1 (III.A.1), at this address.
    case tree(Int)
    /// One chunk at this address, of this stored length.
    case single(Int, length: Int?, skipped: UInt64)
    /// All chunks one after the other, from this address on.
    case implicit(Int)
    /// A fixed array (VII.B), at this address.
    case fixedArray(Int)
  }

  /// The length of a chunk along each axis of the dataset.
  let chunk: [Int]
  let kind: Kind

  /// Reads the rest of a layout message of version 3: the number of axes and one, the address of a
  /// B-tree, and the lengths, of which the last one is a value's.
  init(
    version3 file: borrowing PinnedBytes, _ body: Range<Int>, of name: String,
    in structure: HDF5Structure
  ) throws(HDF5Failure) {
    let start = body.lowerBound
    let axes = file.number(at: start + 2, width: 1).map(Int.init) ?? 0
    guard (2...5).contains(axes), body.count >= 11 + 4 * axes else { throw Self.broken(name) }
    chunk = try Self.lengths(file, start + 11, width: 4, count: axes - 1, of: name)
    let isEmpty = file.number(at: start + 3, width: 8) == HDF5Structure.undefined
    kind = isEmpty ? .empty : .tree(try structure.size(file, start + 3, of: name))
  }

  /// Reads the rest of one of version 4: flags, number of axes and one, bytes of a length, lengths,
  /// kind of index, what that adds, and an address.
  init(
    version4 file: borrowing PinnedBytes, _ body: Range<Int>, of name: String,
    in structure: HDF5Structure
  ) throws(HDF5Failure) {
    let start = body.lowerBound
    let flags = file.number(at: start + 2, width: 1) ?? 0
    let axes = file.number(at: start + 3, width: 1).map(Int.init) ?? 0
    let width = file.number(at: start + 4, width: 1).map(Int.init) ?? 0
    guard (2...5).contains(axes), (1...8).contains(width),
      body.count >= 6 + width * axes
    else { throw Self.broken(name) }
    chunk = try Self.lengths(file, start + 5, width: width, count: axes - 1, of: name)
    let index = start + 5 + width * axes
    func address(after count: Int) throws(HDF5Failure) -> Int? {
      let place = index + 1 + count
      guard place + 8 <= body.upperBound else { throw Self.broken(name) }
      if file.number(at: place, width: 8) == HDF5Structure.undefined { return nil }
      return try structure.size(file, place, of: name)
    }
    switch file.number(at: index, width: 1) {
    case 1 where flags & 2 != 0:
      let length = try structure.size(file, index + 1, of: name)
      let skipped = file.number(at: index + 9, width: 4) ?? 0
      kind = try address(after: 12).map { .single($0, length: length, skipped: skipped) } ?? .empty
    case 1: kind = try address(after: 0).map { .single($0, length: nil, skipped: 0) } ?? .empty
    case 2: kind = try address(after: 0).map { .implicit($0) } ?? .empty
    case 3: kind = try address(after: 1).map { .fixedArray($0) } ?? .empty
    default:
      throw HDF5Failure(
        "\(name) is resizable with an index of chunks that is not read; write it without "
          + "maxshape, or the file without libver='latest'")
    }
  }

  private static func lengths(
    _ file: borrowing PinnedBytes, _ start: Int, width: Int, count: Int, of name: String
  ) throws(HDF5Failure) -> [Int] {
    var lengths: [Int] = []
    for axis in 0..<count {
      guard let length = file.number(at: start + width * axis, width: width), length > 0,
        length <= UInt64(Int32.max)
      else { throw broken(name) }
      lengths.append(Int(length))
    }
    return lengths
  }

  static func broken(_ name: String) -> HDF5Failure {
    HDF5Failure("\(name) does not say where its chunks are")
  }
}
