internal import CHDF5
internal import Synchronization

/// Debian's HDF5 is not thread-safe, so calls are serialized. The number counts the images made:
/// HDF5 treats two open images of the same name as one file. It also looks for a file of that name
/// on the disk, so the name is one that no file can have.
private let library = Mutex<Int>(0)

/// Builds an HDF5 file in memory and returns its bytes.
///
/// It uses the library's "core" driver; `AtomicFile` or `SealedFile` write the bytes to disk, so a
/// full disk or a killed process never leaves half a file. Objects carry no timestamps: the same
/// contents give the same bytes. `HDF5Reader` reads them.
@safe public struct HDF5Writer: ~Copyable {
  private let file: hid_t

  /// An empty image to fill.
  public init() throws {
    file = try library.withLock { count in
      try silenceErrorStack()
      count += 1
      let access = try Handle(H5Pcreate(drawml_h5_file_access_list()), "file access list")
      H5Pset_fapl_core(access.id, 1 << 16, false)
      // `HDF5Reader` knows only the oldest format, which may stop being the library's default.
      H5Pset_libver_bounds(access.id, H5F_LIBVER_EARLIEST, drawml_h5_latest_version())
      let creation = try Handle(H5Pcreate(drawml_h5_file_create_list()), "file creation list")
      H5Pset_obj_track_times(creation.id, false)
      return try check(
        unsafe H5Fcreate("/dev/null/image \(count)", drawml_h5_truncate(), creation.id, access.id),
        "create an image")
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
        throw HDF5Failure("HDF5 could not flush the image")
      }
      let size = H5Fget_file_image(file, nil, 0)
      guard size > 0 else { throw HDF5Failure("HDF5 gives no image") }
      var bytes = [UInt8](repeating: 0, count: size)
      guard unsafe H5Fget_file_image(file, &bytes, size) == size else {
        throw HDF5Failure("HDF5 gives half an image")
      }
      return bytes
    }
  }

  // MARK: Writing

  /// Writes `values` of the given `shape` (row-major) as 32-bit floats at `path`, such as
  /// "/head/weights".
  public func write(_ values: [Float], shape: [Int], at path: String) throws {
    try write(values, shape: shape, at: path, as: drawml_h5_ieee_f32le())
  }

  /// Writes `values` of the given `shape` (row-major) as 64-bit floats at `path`.
  public func write(_ values: [Double], shape: [Int], at path: String) throws {
    try write(values, shape: shape, at: path, as: drawml_h5_ieee_f64le())
  }

  /// Writes `values` of the given `shape` (row-major) as 64-bit whole numbers at `path`.
  public func write(_ values: [Int], shape: [Int], at path: String) throws {
    try write(values, shape: shape, at: path, as: drawml_h5_std_i64le())
  }

  /// Writes `values` of the given `shape` (row-major) as bytes at `path`.
  public func write(_ values: [UInt8], shape: [Int], at path: String) throws {
    try write(values, shape: shape, at: path, as: drawml_h5_std_u8le())
  }

  /// Writes `texts` at `path` as UTF-8 strings of one length, padded with zero bytes.
  ///
  /// - Throws: `HDF5Failure`, also for a text that contains a zero byte, which would truncate it.
  public func write(_ texts: [String], at path: String) throws {
    let rows = texts.map { Array($0.utf8) }
    if let index = rows.firstIndex(where: { $0.contains(0) }) {
      throw HDF5Failure("text \(index) of \(path) has a zero byte in it")
    }
    let length = max(1, rows.map(\.count).max() ?? 1)
    let block = rows.flatMap { $0 + [UInt8](repeating: 0, count: length - $0.count) }
    try library.withLock { _ in
      let type = try stringType(length: length)
      try put(block, shape: [texts.count], at: path, as: type.id)
    }
  }

  private func write<Value: BitwiseCopyable>(
    _ values: [Value], shape: [Int], at path: String, as type: @autoclosure () -> hid_t
  ) throws {
    precondition(
      values.count == shape.reduce(1, *),
      "shape \(shape) needs \(shape.reduce(1, *)) values, got \(values.count)")
    try library.withLock { _ in
      try put(values, shape: shape, at: path, as: type())
    }
  }

  /// Writes values that are in memory as the file has them.
  private func put<Value: BitwiseCopyable>(
    _ values: [Value], shape: [Int], at path: String, as type: hid_t
  ) throws {
    let extent = shape.map { hsize_t($0) }
    let space = try Handle(
      unsafe H5Screate_simple(Int32(shape.count), extent, nil), "the extent of \(path)")
    let creation = try Handle(H5Pcreate(drawml_h5_dataset_create_list()), "dataset list")
    H5Pset_obj_track_times(creation.id, false)
    // Creates the groups that the path needs.
    let links = try Handle(H5Pcreate(drawml_h5_link_create_list()), "link list")
    H5Pset_create_intermediate_group(links.id, 1)
    let dataset = try Handle(
      unsafe H5Dcreate2(
        file, path, type, space.id, links.id, creation.id, drawml_h5_default()),
      "make \(path)")
    guard !values.isEmpty else { return }
    let status = unsafe values.withUnsafeBytes { buffer in
      unsafe H5Dwrite(
        dataset.id, type, drawml_h5_all(), drawml_h5_all(), drawml_h5_default(),
        buffer.baseAddress)
    }
    guard status >= 0 else { throw HDF5Failure("HDF5 could not write \(path)") }
  }

  private func stringType(length: Int) throws -> Handle {
    let type = try Handle(H5Tcopy(drawml_h5_c_string()), "a string type")
    H5Tset_size(type.id, length)
    H5Tset_cset(type.id, H5T_CSET_UTF8)
    H5Tset_strpad(type.id, H5T_STR_NULLPAD)
    return type
  }
}

/// An HDF5 identifier, released on deinitialization.
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
  guard id >= 0 else { throw HDF5Failure("HDF5 could not \(what)") }
  return id
}

/// Stops HDF5 from printing its error stack: failures are thrown instead.
private func silenceErrorStack() throws {
  guard H5Eset_auto2(0, nil, nil) >= 0 else {
    throw HDF5Failure("HDF5 could not be set up")
  }
}
