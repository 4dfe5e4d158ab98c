public import Files
public import Text

/// Why an HDF5 image could not be built or read.
public struct HDF5Failure: DescribedError, Equatable {
  /// What is wrong, and in which part.
  public let description: String

  init(_ description: String) {
    self.description = description
  }

  /// The end of a sentence: a line of Python that writes a dataset's values so that they are read.
  static func remedy(_ path: String) -> String { "; write file['\(path)'] = dataset[...]" }
}

/// Reads an HDF5 file in memory, without the HDF5 library.
///
/// ```swift
/// let file = try HDF5Reader(bytes)
/// let (values, shape) = try file.floats(at: "/samples/vector")
/// ```
///
/// The library follows whatever a file asks for: it opens other files, decompresses to any size,
/// and is not hardened against hostile input. This reader accepts of our files only the few
/// structures that `HDF5Writer` writes. `init` validates the whole structure before any value is
/// read, and rejects, with an error that names it: external storage, links other than hard ones,
/// virtual, chunked and compressed datasets, attributes, references, other types, and datasets that
/// overlap. Reading all datasets therefore takes no more memory than the file; texts take at least
/// 16 bytes each, and those of a dataset at most `Deflate.mostUnpacked(from:)`.
///
/// Of files of other programs it also reads newer headers, numbers of any width, texts of any
/// length, and chunks, compressed by gzip. The values in chunks together count for at most
/// `Deflate.mostUnpacked(from:)` bytes, each for at least 16. What it cannot read matters only if
/// it is asked for.
public struct HDF5Reader: ~Copyable {
  private let file: PinnedBytes
  private let structure: HDF5Structure

  /// The first bytes of every HDF5 file that begins with HDF5.
  static let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]

  /// The longest user block, behind which HDF5 may begin.
  private static let longestUserBlock = 1 << 16

  /// Where HDF5 begins in a file: 0, 512, 1024 and so on; nil if it does not.
  package static func start(in file: borrowing PinnedBytes) -> Int? {
    var start = 0
    while start <= longestUserBlock {
      if file.matches(signature, at: start) { return start }
      start = start == 0 ? SealedFile.headerLength : 2 * start
    }
    return nil
  }

  /// Opens the file in `bytes`.
  ///
  /// - Throws: `HDF5Failure` when the bytes are not a file that `HDF5Writer` could have written.
  public init(_ bytes: [UInt8]) throws(HDF5Failure) {
    try self.init(PinnedBytes(bytes), from: 0)
  }

  /// Opens the file that `bytes` hold from `start` on; it is read where it is.
  ///
  /// - Throws: `HDF5Failure` when the bytes are not a file that `HDF5Writer`, or with
  ///   `origin` another program, could have written.
  public init(
    _ bytes: consuming PinnedBytes, from start: Int, by origin: HDF5Origin = .ours
  ) throws(HDF5Failure) {
    var structure = HDF5Structure(start: start, from: origin)
    try structure.read(bytes)
    file = bytes
    self.structure = structure
  }

  /// The paths of all datasets that can be read, ascending; those in a group of several names by one
  /// of these.
  public var paths: [String] {
    let others = structure.otherPaths.filter { structure.datasets[$0.value] != nil }.keys
    return (Array(structure.datasets.keys) + others).sorted()
  }

  /// Whether there is a dataset or group at `path`, such as "/head/weights", even if it cannot be
  /// read.
  public func contains(_ path: String) -> Bool {
    let path = structure.firstPath(of: path)
    return structure.datasets[path] != nil || structure.groups.contains(path)
      || structure.failures[path] != nil
  }

  /// The 32-bit floats at `path` and their shape.
  public func floats(at path: String) throws(HDF5Failure) -> (values: [Float], shape: [Int]) {
    let dataset = try dataset(at: path)
    if let values = copy(of: dataset, as: .float32, zero: Float(0)) {
      return (values, dataset.shape)
    }
    let (values, shape) = try numbers(at: path, as: .float32)
    return (values.map(Float.init), shape)
  }

  /// The 64-bit floats at `path` and their shape.
  public func doubles(at path: String) throws(HDF5Failure) -> (values: [Double], shape: [Int]) {
    let dataset = try dataset(at: path)
    if let values = copy(of: dataset, as: .float64, zero: Double(0)) {
      return (values, dataset.shape)
    }
    return try numbers(at: path, as: .float64)
  }

  /// The whole numbers at `path` and their shape.
  public func integers(at path: String) throws(HDF5Failure) -> (values: [Int], shape: [Int]) {
    let dataset = try dataset(at: path)
    if let values = copy(of: dataset, as: .int64, zero: 0) { return (values, dataset.shape) }
    return try wholeNumbers(at: path)
  }

  /// The bytes at `path` and their shape.
  public func octets(at path: String) throws(HDF5Failure) -> (values: [UInt8], shape: [Int]) {
    let dataset = try dataset(at: path)
    guard dataset.element == .uint8 else {
      throw HDF5Failure("\(path) holds \(dataset.element), not bytes")
    }
    return (try bytes(of: dataset, at: path), dataset.shape)
  }

  /// The strings at `path`.
  ///
  /// - Parameters:
  ///   - path: A dataset of one axis.
  ///   - longest: The most bytes that a string may take.
  /// - Returns: The strings, without what pads them.
  /// - Throws: `HDF5Failure` for another kind of values, longer strings, and bytes that are not
  ///   UTF-8.
  public func strings(at path: String, longest: Int) throws(HDF5Failure) -> [String] {
    let dataset = try dataset(at: path)
    guard dataset.shape.count == 1 else { throw Self.noTexts(path) }
    switch dataset.element {
    case .text(let length, let isPaddedWithSpaces):
      guard length <= longest || structure.origin == .others else {
        throw HDF5Failure(
          "\(path) has room for strings of \(length) bytes; at most \(longest) are read")
      }
      let bytes = try bytes(of: dataset, at: path)
      return try texts(dataset.shape[0], longest: longest, at: path) { row in
        let text = bytes[row * length..<(row + 1) * length].prefix { $0 != 0 }
        guard isPaddedWithSpaces else { return text }
        return text[..<(text.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? text.startIndex)]
      }
    case .variableText:
      let references = try bytes(of: dataset, at: path)
      var heap = HDF5GlobalHeap(structure)
      let size = HDF5GlobalHeap.referenceLength
      return try texts(dataset.shape[0], longest: longest, at: path) { row throws(HDF5Failure) in
        let reference = references[row * size..<(row + 1) * size]
        return try heap.bytes(file, reference, longest: longest, of: path)[...]
      }
    default: throw Self.noTexts(path)
    }
  }

  private static func noTexts(_ path: String) -> HDF5Failure {
    HDF5Failure("\(path) holds no list of texts; write it by array.astype('S100')")
  }

  /// The texts of a dataset's rows, which together may take as much as what is unpacked. The
  /// shortest ones take more memory than in the file.
  private func texts(
    _ count: Int, longest: Int, at path: String,
    _ bytes: (Int) throws(HDF5Failure) -> ArraySlice<UInt8>
  ) throws(HDF5Failure) -> [String] {
    var texts: [String] = []
    var left = Deflate.mostUnpacked(from: file.count)
    guard count <= left / HDF5Dataset.leastCost else {
      throw HDF5Failure("the texts of \(path) \(Deflate.tooMuch)")
    }
    texts.reserveCapacity(count)
    for row in 0..<count {
      let bytes = try bytes(row)
      left -= max(bytes.count, HDF5Dataset.leastCost)
      guard left >= 0 else { throw HDF5Failure("the texts of \(path) \(Deflate.tooMuch)") }
      guard bytes.count <= longest else {
        throw HDF5Failure(
          "\(path) has a text of \(bytes.count) bytes; at most \(longest) are read")
      }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw HDF5Failure("row \(row) of \(path) is not UTF-8")
      }
      texts.append(text)
    }
    return texts
  }

  /// Whether numbers are read in any form.
  var readsAnyNumber: Bool { structure.origin == .others }

  /// The dataset at `path`.
  ///
  /// - Throws: `HDF5Failure` if it is not there, or why it or a group above it cannot be read.
  func dataset(at path: String) throws(HDF5Failure) -> HDF5Dataset {
    let first = structure.firstPath(of: path)
    if let dataset = structure.datasets[first] { return dataset }
    var above = first[...]
    while let end = above.lastIndex(of: "/") {
      if let failure = structure.failures[String(above)] { throw failure }
      above = above[..<end]
    }
    throw HDF5Failure("it has no \(path)")
  }

  /// All values of a dataset, row-major, as they are stored.
  func bytes(of dataset: HDF5Dataset, at path: String) throws(HDF5Failure) -> [UInt8] {
    switch dataset.storage {
    case .whole(let place):
      let first = structure.start + place.lowerBound
      return file.array(in: first..<first + place.count)
    case .chunked(let chunks):
      return try chunks.values(file, start: structure.start, fill: dataset.fill, of: path)
    }
  }

  /// The values of a dataset that are stored as they are in memory; nil if others are.
  private func copy<Value: BitwiseCopyable>(
    of dataset: HDF5Dataset, as element: HDF5Element, zero: Value
  ) -> [Value]? {
    guard dataset.element == element, case .whole(let place) = dataset.storage else { return nil }
    var values = [Value](repeating: zero, count: dataset.shape.reduce(1, *))
    file.copy(from: structure.start + place.lowerBound, into: &values)
    return values
  }
}
