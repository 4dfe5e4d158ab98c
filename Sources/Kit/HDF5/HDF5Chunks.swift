internal import Files

/// The chunks of a dataset, of which all are found, and none is unpacked.
struct HDF5Chunks {
  /// A chunk as it is stored.
  struct Chunk {
    /// Its place in the grid of chunks, row-major.
    let number: Int
    /// Its bytes, from the file's beginning.
    let place: Range<Int>
    /// The filters that were not applied: see `HDF5Filters.undone`.
    let skipped: UInt64
  }

  /// The length of each axis of the dataset.
  private let shape: [Int]
  /// The length of a chunk along each axis.
  private let chunk: [Int]
  /// The size of a value in bytes.
  private let size: Int
  private let filters: HDF5Filters
  private(set) var chunks: [Chunk] = []

  /// The number of chunks along each axis.
  private let grid: [Int]
  /// The number of chunks.
  private let count: Int
  /// The length of a chunk's values in bytes.
  private let chunkLength: Int
  /// The bytes that the values count for.
  let cost: Int

  /// Finds the chunks, which together may unpack to at most `most` bytes, where each value counts as
  /// at least `HDF5Dataset.leastCost`; `structure` records which parts were visited already.
  ///
  /// - Throws: `HDF5Failure`, also for chunks that lie beyond the dataset, overlap or repeat.
  init(
    _ file: borrowing PinnedBytes, _ index: HDF5ChunkIndex, _ filters: HDF5Filters,
    _ extent: HDF5Extent, size: Int, most: Int, of name: String,
    in structure: inout HDF5Structure
  ) throws(HDF5Failure) {
    let shape = extent.shape
    guard index.chunk.count == shape.count else { throw HDF5ChunkIndex.broken(name) }
    (self.shape, chunk, self.size, self.filters) = (shape, index.chunk, size, filters)
    grid = zip(shape, index.chunk).map { ($0 + $1 - 1) / $1 }
    guard let length = HDF5Dataset.length(chunk, of: size), length <= most,
      let all = HDF5Dataset.length(grid, of: length), all <= most,
      let cost = HDF5Dataset.length(shape, of: max(size, HDF5Dataset.leastCost)), cost <= most
    else {
      throw HDF5Failure(
        "\(name) would \(Deflate.tooMuch), where a value counts as at least "
          + "\(HDF5Dataset.leastCost) bytes; write it in one piece, without chunks, compression and "
          + "maxshape")
    }
    self.cost = cost
    (count, chunkLength) = (grid.reduce(1, *), length)
    switch index.kind {
    case .empty: break
    case .tree(let address):
      try readTree(file, at: address, level: nil, of: name, in: &structure)
    case .single(let address, let length, let skipped):
      try add(
        file, 0, at: address, length: length ?? chunkLength, skipped, of: name, in: &structure)
    case .implicit(let address):
      try findImplicit(file, at: address, extent, of: name, in: &structure)
    case .fixedArray(let address):
      try readFixedArray(file, at: address, extent, of: name, in: &structure)
    }
    guard Set(chunks.map(\.number)).count == chunks.count else {
      throw HDF5Failure("\(name) has chunks that overlap")
    }
  }

  private mutating func add(
    _ file: borrowing PinnedBytes, _ number: Int, at address: Int, length: Int, _ skipped: UInt64,
    of name: String, in structure: inout HDF5Structure
  ) throws(HDF5Failure) {
    _ = try structure.store(file, at: address, length: length, of: name)
    guard number < count else { throw HDF5ChunkIndex.broken(name) }
    chunks.append(Chunk(number: number, place: address..<address + length, skipped: skipped))
  }

  // MARK: Indices by number

  /// The number of chunks along each axis, and of all, if the dataset had its greatest extent: some
  /// indices have a place for each of these, row-major.
  private func room(
    _ extent: HDF5Extent, of name: String
  ) throws(HDF5Failure) -> (axes: [Int], count: Int) {
    var axes: [Int] = []
    for (greatest, length) in zip(extent.greatest, chunk) {
      guard greatest <= UInt64(Int32.max) else { throw HDF5ChunkIndex.broken(name) }
      axes.append((Int(greatest) + length - 1) / length)
    }
    guard let count = HDF5Dataset.length(axes, of: 1) else { throw HDF5ChunkIndex.broken(name) }
    return (axes, count)
  }

  /// The number of the chunk at `place` of an index that has `room` along each axis; nil if it lies
  /// beyond the dataset's end.
  private func number(at place: Int, in room: [Int]) -> Int? {
    var (number, scale, rest) = (0, 1, place)
    for axis in room.indices.reversed() {
      let index = rest % room[axis]
      guard index < grid[axis] else { return nil }
      number += index * scale
      scale *= grid[axis]
      rest /= room[axis]
    }
    return number
  }

  /// Finds chunks that are stored one after the other, all that there may ever be.
  private mutating func findImplicit(
    _ file: borrowing PinnedBytes, at address: Int, _ extent: HDF5Extent, of name: String,
    in structure: inout HDF5Structure
  ) throws(HDF5Failure) {
    let room = try room(extent, of: name)
    // An entry here takes more memory than a chunk of a few bytes in the file.
    guard filters.isEmpty, room.count <= 4096 || chunkLength >= 16,
      let all = HDF5Dataset.length(room.axes, of: chunkLength)
    else { throw HDF5ChunkIndex.broken(name) }
    _ = try structure.store(file, at: address, length: all, of: name)
    for place in 0..<room.count {
      guard let number = number(at: place, in: room.axes) else { continue }
      let first = address + place * chunkLength
      chunks.append(Chunk(number: number, place: first..<first + chunkLength, skipped: 0))
    }
  }

  /// Reads the chunks below a node of a B-tree. A key is a chunk's stored length (4), its mask of
  /// filters (4), and its first value's place along each axis and within a value (8 each).
  private mutating func readTree(
    _ file: borrowing PinnedBytes, at address: Int, level expected: Int?, of name: String,
    in structure: inout HDF5Structure
  ) throws(HDF5Failure) {
    let start = try structure.part(file, at: address, length: 24, of: name)
    let level = file.number(at: start + 5, width: 1).map(Int.init) ?? 0
    let count = file.number(at: start + 6, width: 2).map(Int.init) ?? 0
    let key = 8 + 8 * (shape.count + 1)
    guard file.matches(Array("TREE".utf8) + [1], at: start), level == expected ?? level, level < 8
    else { throw HDF5ChunkIndex.broken(name) }
    _ = try structure.meet(file, at: address, length: 24 + (key + 8) * count + key, of: name)
    for entry in 0..<count {
      let place = start + 24 + (key + 8) * entry
      let child = try structure.size(file, place + key, of: name)
      if level > 0 {
        try readTree(file, at: child, level: level - 1, of: name, in: &structure)
        continue
      }
      var number = 0
      for axis in shape.indices {
        let offset = try structure.place(file, place + 8 + 8 * axis, below: shape[axis], of: name)
        guard offset % chunk[axis] == 0 else { throw HDF5ChunkIndex.broken(name) }
        number = number * grid[axis] + offset / chunk[axis]
      }
      try add(
        file, number, at: child, length: file.number(at: place, width: 4).map(Int.init) ?? 0,
        file.number(at: place + 4, width: 4) ?? 0, of: name, in: &structure)
    }
  }

  /// Reads a fixed array: a header (version, client, size of an entry, page bits, number of
  /// entries, address of the data), and a data block of addresses, with filters also of lengths
  /// and masks.
  private mutating func readFixedArray(
    _ file: borrowing PinnedBytes, at address: Int, _ extent: HDF5Extent, of name: String,
    in structure: inout HDF5Structure
  ) throws(HDF5Failure) {
    let room = try room(extent, of: name)
    let header = try structure.meet(file, at: address, length: 28, of: name)
    let isFiltered = file.number(at: header + 5, width: 1) == 1
    let size = file.number(at: header + 6, width: 1).map(Int.init) ?? 0
    let pageBits = file.number(at: header + 7, width: 1) ?? 0
    guard file.matches(Array("FAHD".utf8) + [0], at: header),
      HDF5Checksum.isRight(file, in: header..<header + 24),
      isFiltered ? (13...20).contains(size) : size == 8,
      file.number(at: header + 8, width: 8) == UInt64(room.count)
    else { throw HDF5ChunkIndex.broken(name) }
    guard pageBits < 32, room.count <= 1 << pageBits else {
      throw HDF5Failure("\(name) has \(room.count) chunks; write it with larger ones, or without")
    }
    if file.number(at: header + 16, width: 8) == HDF5Structure.undefined { return }
    let data = try structure.size(file, header + 16, of: name)
    let block = try structure.meet(file, at: data, length: 18 + size * room.count, of: name)
    guard file.matches(Array("FADB".utf8) + [0], at: block),
      HDF5Checksum.isRight(file, in: block..<block + 14 + size * room.count)
    else { throw HDF5ChunkIndex.broken(name) }
    for index in 0..<room.count {
      let entry = block + 14 + size * index
      guard let number = number(at: index, in: room.axes) else { continue }
      if file.number(at: entry, width: 8) == HDF5Structure.undefined { continue }
      let place = try structure.size(file, entry, of: name)
      let length = isFiltered ? file.number(at: entry + 8, width: size - 12) ?? 0 : 0
      guard length <= UInt64(file.count) else { throw HDF5ChunkIndex.broken(name) }
      try add(
        file, number, at: place, length: isFiltered ? Int(length) : chunkLength,
        isFiltered ? file.number(at: entry + size - 4, width: 4) ?? 0 : 0, of: name,
        in: &structure)
    }
  }

  // MARK: Values

  /// All values, row-major; those of chunks that were never written are `fill`.
  func values(
    _ file: borrowing PinnedBytes, start: Int, fill: [UInt8], of name: String
  ) throws(HDF5Failure) -> [UInt8] {
    let values = shape.reduce(1, *)
    var result = [UInt8](repeating: 0, count: values * size)
    if fill.count == size, fill.contains(where: { $0 != 0 }) {
      for value in 0..<values {
        result.replaceSubrange(value * size..<(value + 1) * size, with: fill)
      }
    }
    for chunk in chunks {
      let stored = file.array(in: start + chunk.place.lowerBound..<start + chunk.place.upperBound)
      guard let bytes = filters.undone(stored, count: chunkLength, skipped: chunk.skipped) else {
        throw HDF5Failure("chunk \(chunk.number) of \(name) is damaged")
      }
      copy(bytes, of: chunk.number, into: &result)
    }
    return result
  }

  /// Copies a chunk's rows to their places; what lies beyond the dataset's end is left out.
  private func copy(_ bytes: [UInt8], of number: Int, into result: inout [UInt8]) {
    var (first, rest) = ([Int](repeating: 0, count: shape.count), number)
    for axis in shape.indices.reversed() {
      first[axis] = rest % grid[axis] * chunk[axis]
      rest /= grid[axis]
    }
    let last = shape.count - 1
    let rowLength = min(chunk[last], shape[last] - first[last]) * size
    for row in 0..<(chunk.dropLast().reduce(1, *)) {
      var (target, scale, rest) = (first[last], shape[last], row)
      var isWithin = true
      for axis in (0..<last).reversed() {
        let place = first[axis] + rest % chunk[axis]
        rest /= chunk[axis]
        isWithin = isWithin && place < shape[axis]
        target += place * scale
        scale *= shape[axis]
      }
      guard isWithin else { continue }
      let source = row * chunk[last] * size
      result.replaceSubrange(
        target * size..<target * size + rowLength, with: bytes[source..<source + rowLength])
    }
  }
}
