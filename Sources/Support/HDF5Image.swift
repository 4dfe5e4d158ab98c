internal import CHDF5
internal import Synchronization

/// Debian's HDF5 is not thread-safe, so one call at a time. The number counts the images made: HDF5 takes
/// two open images of one name for one file.
private let library = Mutex<Int>(0)

/// An HDF5 file in memory: built, then taken as bytes; or read from bytes.
///
/// Both ways go through HDF5's own "core" driver; files on disk are written by `AtomicFile` or
/// `SealedFile`, so a full disk or a killed process never leaves half of one. Objects carry no times:
/// the same contents give the same bytes.
@safe public struct HDF5Image: ~Copyable {
  private let file: hid_t
  /// The bytes of an image that is read; nil for one that is built.
  private let memory: SteadyBytes?
  /// The most bytes that are stored in it.
  private let capacity: hsize_t

  /// Why an image could not be built or read.
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// What HDF5 was asked for.
    public let description: String
  }

  /// An empty image to fill.
  public init() throws {
    capacity = 1 << 40
    memory = nil
    file = try library.withLock { count in
      try quietly()
      count += 1
      let access = try Handle(H5Pcreate(drawml_h5_file_access_list()), "file access list")
      H5Pset_fapl_core(access.id, 1 << 16, false)
      let creation = try Handle(H5Pcreate(drawml_h5_file_create_list()), "file creation list")
      H5Pset_obj_track_times(creation.id, false)
      return try check(
        unsafe H5Fcreate("image \(count)", drawml_h5_truncate(), creation.id, access.id),
        "create an image")
    }
  }

  /// Opens the image in `bytes`.
  ///
  /// - Throws: `Failure` when they are not an HDF5 file.
  public init(_ bytes: [UInt8]) throws {
    try self.init(SteadyBytes(bytes), from: 0)
  }

  /// Opens the image that `bytes` hold from `start` on; it is read where it is.
  ///
  /// - Throws: `Failure` when they are not an HDF5 file.
  public init(_ bytes: consuming SteadyBytes, from start: Int) throws {
    guard start < bytes.count else {
      throw Failure(description: "HDF5 does not take an empty image")
    }
    let capacity = hsize_t(bytes.count - start)
    let file = try unsafe Self.open(
      UnsafeMutableRawBufferPointer(
        mutating: UnsafeRawBufferPointer(rebasing: bytes.bytes[start...])))
    self.init(file: file, memory: bytes, capacity: capacity)
  }

  private init(file: hid_t, memory: consuming SteadyBytes, capacity: hsize_t) {
    self.file = file
    self.memory = consume memory
    self.capacity = capacity
  }

  /// Opens the image at a place that stays until it is closed.
  private static func open(_ image: UnsafeMutableRawBufferPointer) throws -> hid_t {
    try library.withLock { count in
      try quietly()
      count += 1
      let access = try Handle(H5Pcreate(drawml_h5_file_access_list()), "file access list")
      H5Pset_fapl_core(access.id, 1 << 16, false)
      guard unsafe drawml_h5_use_image(access.id, image.baseAddress, image.count) >= 0 else {
        throw Failure(description: "HDF5 does not take the image")
      }
      return try check(
        unsafe H5Fopen("image \(count)", drawml_h5_read_only(), access.id), "open the image")
    }
  }

  deinit {
    let file = file
    library.withLock { _ in _ = H5Fclose(file) }
  }

  /// The image's bytes.
  public func bytes() throws -> [UInt8] {
    try library.withLock { _ in
      guard H5Fflush(file, H5F_SCOPE_LOCAL) >= 0 else {
        throw Failure(description: "HDF5 could not flush the image")
      }
      let size = H5Fget_file_image(file, nil, 0)
      guard size > 0 else { throw Failure(description: "HDF5 gives no image") }
      var bytes = [UInt8](repeating: 0, count: size)
      guard unsafe H5Fget_file_image(file, &bytes, size) == size else {
        throw Failure(description: "HDF5 gives half an image")
      }
      return bytes
    }
  }

  // MARK: Writing

  /// Writes `values` of the given `shape` (row-major) as 32-bit floats at `path`, such as "/head/weights".
  public func write(_ values: [Float], shape: [Int], at path: String) throws {
    try write(
      values, shape: shape, at: path, stored: drawml_h5_ieee_f32le(),
      memory: drawml_h5_native_float())
  }

  /// Writes `values` of the given `shape` (row-major) as 64-bit floats at `path`.
  public func write(_ values: [Double], shape: [Int], at path: String) throws {
    try write(
      values, shape: shape, at: path, stored: drawml_h5_ieee_f64le(),
      memory: drawml_h5_native_double())
  }

  /// Writes `values` of the given `shape` (row-major) as 64-bit whole numbers at `path`.
  public func write(_ values: [Int], shape: [Int], at path: String) throws {
    try write(
      values, shape: shape, at: path, stored: drawml_h5_std_i64le(),
      memory: drawml_h5_native_int64())
  }

  /// Writes `values` of the given `shape` (row-major) as bytes at `path`.
  public func write(_ values: [UInt8], shape: [Int], at path: String) throws {
    try write(
      values, shape: shape, at: path, stored: drawml_h5_std_u8le(),
      memory: drawml_h5_native_uint8())
  }

  /// Writes `texts` at `path` as UTF-8 strings of one length, padded with zero bytes.
  ///
  /// - Throws: `Failure` also for a text with a zero byte in it, which would be cut off there.
  public func write(_ texts: [String], at path: String) throws {
    let rows = texts.map { Array($0.utf8) }
    if let index = rows.firstIndex(where: { $0.contains(0) }) {
      throw Failure(description: "text \(index) of \(path) has a zero byte in it")
    }
    let length = max(1, rows.map(\.count).max() ?? 1)
    let block = rows.flatMap { $0 + [UInt8](repeating: 0, count: length - $0.count) }
    try library.withLock { _ in
      let type = try stringType(length: length)
      try put(block, shape: [texts.count], at: path, stored: type.id, memory: type.id)
    }
  }

  private func write<Value: BitwiseCopyable>(
    _ values: [Value], shape: [Int], at path: String, stored: @autoclosure () -> hid_t,
    memory: @autoclosure () -> hid_t
  ) throws {
    precondition(
      values.count == shape.reduce(1, *),
      "shape \(shape) needs \(shape.reduce(1, *)) values, got \(values.count)")
    try library.withLock { _ in
      try put(values, shape: shape, at: path, stored: stored(), memory: memory())
    }
  }

  private func put<Value: BitwiseCopyable>(
    _ values: [Value], shape: [Int], at path: String, stored: hid_t, memory: hid_t
  ) throws {
    let extent = shape.map { hsize_t($0) }
    let space = try Handle(
      unsafe H5Screate_simple(Int32(shape.count), extent, nil), "the extent of \(path)")
    let creation = try Handle(H5Pcreate(drawml_h5_dataset_create_list()), "dataset list")
    H5Pset_obj_track_times(creation.id, false)
    // Groups on the way are made as the path needs them.
    let links = try Handle(H5Pcreate(drawml_h5_link_create_list()), "link list")
    H5Pset_create_intermediate_group(links.id, 1)
    let dataset = try Handle(
      unsafe H5Dcreate2(
        file, path, stored, space.id, links.id, creation.id, drawml_h5_default()),
      "make \(path)")
    guard !values.isEmpty else { return }
    let status = unsafe values.withUnsafeBytes { buffer in
      unsafe H5Dwrite(
        dataset.id, memory, drawml_h5_all(), drawml_h5_all(), drawml_h5_default(),
        buffer.baseAddress)
    }
    guard status >= 0 else { throw Failure(description: "HDF5 could not write \(path)") }
  }

  // MARK: Reading

  /// The 32-bit floats at `path` and their shape.
  public func floats(at path: String) throws -> (values: [Float], shape: [Int]) {
    try read(path, type: H5T_FLOAT, zero: 0) { drawml_h5_native_float() }
  }

  /// The 64-bit floats at `path` and their shape.
  public func doubles(at path: String) throws -> (values: [Double], shape: [Int]) {
    try read(path, type: H5T_FLOAT, zero: 0) { drawml_h5_native_double() }
  }

  /// The whole numbers at `path` and their shape.
  public func integers(at path: String) throws -> (values: [Int], shape: [Int]) {
    try read(path, type: H5T_INTEGER, zero: 0) { drawml_h5_native_int64() }
  }

  /// The bytes at `path` and their shape.
  public func octets(at path: String) throws -> (values: [UInt8], shape: [Int]) {
    try read(path, type: H5T_INTEGER, zero: 0) { drawml_h5_native_uint8() }
  }

  /// The strings at `path`.
  public func strings(at path: String) throws -> [String] {
    try library.withLock { _ in
      let dataset = try open(path)
      let type = try Handle(H5Dget_type(dataset.id), "the type of \(path)")
      guard H5Tget_class(type.id) == H5T_STRING, H5Tis_variable_str(type.id) == 0 else {
        throw Failure(description: "\(path) holds no strings of one length")
      }
      let length = H5Tget_size(type.id)
      let shape = try extent(of: dataset, elementSize: length, path)
      guard shape.count == 1, length > 0 else {
        throw Failure(description: "\(path) is no list of strings")
      }
      var block = [UInt8](repeating: 0, count: shape[0] * length)
      try fill(&block, from: dataset, as: type.id, path)
      return try (0..<shape[0]).map { row in
        let bytes = block[(row * length)..<((row + 1) * length)].prefix { $0 != 0 }
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw Failure(description: "row \(row) of \(path) is not UTF-8")
        }
        return text
      }
    }
  }

  /// Whether there is something at `path`.
  public func contains(_ path: String) -> Bool {
    library.withLock { _ in
      // Every part of the path must be a link before the next one may be asked for.
      var prefix = ""
      for part in path.split(separator: "/") {
        prefix += "/" + part
        guard unsafe H5Lexists(file, prefix, drawml_h5_default()) > 0 else { return false }
      }
      return true
    }
  }

  private func read<Value: BitwiseCopyable & Sendable>(
    _ path: String, type expected: H5T_class_t, zero: Value, as memory: () -> hid_t
  ) throws -> (values: [Value], shape: [Int]) {
    try library.withLock { _ in
      let dataset = try open(path)
      let type = try Handle(H5Dget_type(dataset.id), "the type of \(path)")
      guard H5Tget_class(type.id) == expected else {
        throw Failure(description: "\(path) holds another kind of values")
      }
      let shape = try extent(of: dataset, elementSize: MemoryLayout<Value>.size, path)
      var values = [Value](repeating: zero, count: shape.reduce(1, *))
      try fill(&values, from: dataset, as: memory(), path)
      return (values, shape)
    }
  }

  private func open(_ path: String) throws -> Handle {
    try Handle(unsafe H5Dopen2(file, path, drawml_h5_default()), "find \(path)")
  }

  /// A stored byte stands for at most so many values' bytes: no compression that HDF5 has does more.
  private static let greatestExpansion: hsize_t = 1100

  private func extent(
    of dataset: borrowing Handle, elementSize: Int, _ path: String
  ) throws -> [Int] {
    let space = try Handle(H5Dget_space(dataset.id), "the extent of \(path)")
    let rank = H5Sget_simple_extent_ndims(space.id)
    guard rank >= 0 else { throw Failure(description: "\(path) has no extent") }
    var extent = [hsize_t](repeating: 0, count: Int(rank))
    unsafe H5Sget_simple_extent_dims(space.id, &extent, nil)
    // A file may claim any size: what it cannot hold is refused before memory is asked for.
    let limit =
      (min(H5Dget_storage_size(dataset.id), capacity) + 1024) * Self.greatestExpansion
    var bytes = hsize_t(elementSize)
    for length in extent {
      let (product, overflow) = bytes.multipliedReportingOverflow(by: length)
      guard !overflow, product <= limit, length <= hsize_t(Int32.max) else {
        throw Failure(
          description: "\(path) claims the extent \(extent), more than the file holds")
      }
      bytes = product
    }
    return extent.map { Int($0) }
  }

  private func fill<Value: BitwiseCopyable>(
    _ values: inout [Value], from dataset: borrowing Handle, as memory: hid_t, _ path: String
  ) throws {
    guard !values.isEmpty else { return }
    let id = dataset.id
    let status = unsafe values.withUnsafeMutableBytes { buffer in
      unsafe H5Dread(
        id, memory, drawml_h5_all(), drawml_h5_all(), drawml_h5_default(), buffer.baseAddress)
    }
    guard status >= 0 else { throw Failure(description: "HDF5 could not read \(path)") }
  }

  private func stringType(length: Int) throws -> Handle {
    let type = try Handle(H5Tcopy(drawml_h5_c_string()), "a string type")
    H5Tset_size(type.id, length)
    H5Tset_cset(type.id, H5T_CSET_UTF8)
    H5Tset_strpad(type.id, H5T_STR_NULLPAD)
    return type
  }
}

/// An HDF5 identifier that is given back when it goes.
private struct Handle: ~Copyable {
  let id: hid_t

  init(_ id: hid_t, _ what: String) throws {
    self.id = try check(id, what)
  }

  deinit {
    H5Idec_ref(id)
  }
}

private func check(_ id: hid_t, _ what: String) throws -> hid_t {
  guard id >= 0 else { throw HDF5Image.Failure(description: "HDF5 could not \(what)") }
  return id
}

/// HDF5 prints its error stack by default; ours are thrown instead.
private func quietly() throws {
  guard H5Eset_auto2(0, nil, nil) >= 0 else {
    throw HDF5Image.Failure(description: "HDF5 could not be set up")
  }
}
