/// Why an HDF5 image could not be built or read.
public struct HDF5Failure: DescribedError, Equatable {
  /// What is wrong, and in which part.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Reads an HDF5 file in memory, without the HDF5 library.
///
/// ```swift
/// let file = try HDF5Reader(bytes)
/// let (values, shape) = try file.floats(at: "/samples/vector")
/// ```
///
/// The library follows whatever a file asks for: it opens other files, decompresses to any size,
/// and is not hardened against hostile input. This reader accepts only the few structures that
/// `HDF5Writer` writes. `init` validates the whole structure before any value is read, and rejects,
/// with an error that names it: external storage, links other than hard ones, virtual, chunked and
/// compressed datasets, attributes, references, other types, and datasets that overlap. Reading all
/// datasets therefore takes no more memory than the file.
public struct HDF5Reader: ~Copyable {
  private let file: PinnedBytes
  private let start: Int
  private let datasets: [String: HDF5Dataset]
  private let groups: Set<String>

  /// The first bytes of every HDF5 file that begins with HDF5.
  static let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]

  /// Where HDF5 begins in a file: 0, or behind a header of ours.
  public static func start(in file: borrowing PinnedBytes) -> Int {
    file.matches(signature, at: 0) ? 0 : SealedFile.headerLength
  }

  /// Opens the file in `bytes`.
  ///
  /// - Throws: `HDF5Failure` when the bytes are not a file that `HDF5Writer` could have written.
  public init(_ bytes: [UInt8]) throws(HDF5Failure) {
    try self.init(PinnedBytes(bytes), from: 0)
  }

  /// Opens the file that `bytes` hold from `start` on; it is read where it is.
  ///
  /// - Throws: `HDF5Failure` when the bytes are not a file that `HDF5Writer` could have written.
  public init(_ bytes: consuming PinnedBytes, from start: Int) throws(HDF5Failure) {
    var structure = HDF5Structure(start: start)
    try structure.read(bytes)
    file = bytes
    self.start = start
    datasets = structure.datasets
    groups = structure.groups
  }

  /// The paths of all datasets, ascending.
  public var paths: [String] { datasets.keys.sorted() }

  /// Whether there is a dataset or group at `path`, such as "/head/weights".
  public func contains(_ path: String) -> Bool {
    datasets[path] != nil || groups.contains(path)
  }

  /// The 32-bit floats at `path` and their shape.
  public func floats(at path: String) throws(HDF5Failure) -> (values: [Float], shape: [Int]) {
    try values(at: path, as: .float32, zero: 0)
  }

  /// The 64-bit floats at `path` and their shape.
  public func doubles(at path: String) throws(HDF5Failure) -> (values: [Double], shape: [Int]) {
    try values(at: path, as: .float64, zero: 0)
  }

  /// The whole numbers at `path` and their shape.
  public func integers(at path: String) throws(HDF5Failure) -> (values: [Int], shape: [Int]) {
    try values(at: path, as: .int64, zero: 0)
  }

  /// The bytes at `path` and their shape.
  public func octets(at path: String) throws(HDF5Failure) -> (values: [UInt8], shape: [Int]) {
    try values(at: path, as: .uint8, zero: 0)
  }

  /// The strings at `path`.
  ///
  /// - Parameters:
  ///   - path: A dataset of one axis.
  ///   - longest: The most bytes that a string may take.
  /// - Returns: The strings, without the zeros that pad them.
  /// - Throws: `HDF5Failure` for another kind of values, longer strings, and bytes that are not
  ///   UTF-8.
  public func strings(at path: String, longest: Int) throws(HDF5Failure) -> [String] {
    let dataset = try dataset(at: path)
    guard case .text(let length) = dataset.element, dataset.shape.count == 1 else {
      throw HDF5Failure("\(path) holds no list of strings of one length")
    }
    guard length <= longest else {
      throw HDF5Failure(
        "\(path) has room for strings of \(length) bytes; at most \(longest) are read")
    }
    var texts: [String] = []
    texts.reserveCapacity(dataset.shape[0])
    for row in 0..<dataset.shape[0] {
      let place = start + dataset.place.lowerBound + row * length
      guard let text = file.text(at: place, limit: length) else {
        throw HDF5Failure("row \(row) of \(path) is not UTF-8")
      }
      texts.append(text)
    }
    return texts
  }

  private func dataset(at path: String) throws(HDF5Failure) -> HDF5Dataset {
    guard let dataset = datasets[path] else { throw HDF5Failure("it has no \(path)") }
    return dataset
  }

  private func values<Value: BitwiseCopyable>(
    at path: String, as element: HDF5Element, zero: Value
  ) throws(HDF5Failure) -> (values: [Value], shape: [Int]) {
    let dataset = try dataset(at: path)
    guard dataset.element == element else {
      throw HDF5Failure("\(path) holds \(dataset.element), not \(element)")
    }
    var values = [Value](repeating: zero, count: dataset.shape.reduce(1, *))
    file.copy(from: start + dataset.place.lowerBound, into: &values)
    return (values, dataset.shape)
  }
}
