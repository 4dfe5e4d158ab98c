internal import Files

/// The header of a numpy file (`.npy`), versions 1, 2 and 3: numpy's NEP 1 and its additions.
struct NumpyHeader {
  /// The type of the values, such as "<i2" or "|O".
  private(set) var type = ""
  private(set) var isFortranOrder = false
  /// The length of each axis, at least 0.
  private(set) var shape: [Int] = []

  /// Reads a header up to the first value; errors name `path`.
  ///
  /// - Throws: `FileError`, also for another kind of file.
  init(reading cursor: inout ByteCursor, path: String) throws(FileError) {
    func fault(_ what: String) -> FileError {
      FileError(reading: path, what)
    }
    guard let magic = cursor.next(6), Array(magic) == [0x93] + Array("NUMPY".utf8) else {
      throw FileError("read", path: path, reason: .foreign(expected: "numpy file (.npy)"))
    }
    guard let major = cursor.next(UInt8.self), cursor.next(UInt8.self) != nil else {
      throw fault("it ends within the header; it is truncated")
    }
    guard (1...3).contains(major) else {
      throw FileError(
        "read", path: path, reason: .newerVersion(found: Int(major), supported: 3))
    }
    let length =
      major == 1 ? cursor.next(UInt16.self).map(Int.init) : cursor.next(UInt32.self).map(Int.init)
    // numpy's own headers have some hundred bytes.
    guard length ?? 0 <= 1 << 16 else { throw fault("its header is longer than 64 KiB") }
    guard let length, let text = cursor.next(length) else {
      throw fault("it ends within the header; it is truncated")
    }
    try read(text, fault)
  }

  /// Reads the dictionary, which numpy writes as a Python literal.
  private mutating func read(
    _ bytes: ArraySlice<UInt8>, _ fault: (String) -> FileError
  ) throws(FileError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw fault("its header is not text")
    }
    guard let type = Self.value(of: "descr", in: text),
      let order = Self.value(of: "fortran_order", in: text),
      let shape = Self.value(of: "shape", in: text)
    else { throw fault("its header does not give descr, fortran_order and shape") }
    self.type = type.filter { $0 != "'" && $0 != "\"" }
    guard order == "True" || order == "False" else {
      throw fault("its header gives fortran_order \(order.prefix(60)), not True or False")
    }
    isFortranOrder = order == "True"
    for part in shape.dropFirst().dropLast().split(separator: ",") {
      let digits = part.filter { !$0.isWhitespace }
      guard let extent = Int(digits.hasSuffix("L") ? String(digits.dropLast()) : digits),
        extent >= 0
      else { throw fault("its header gives the shape \(shape.prefix(60))") }
      self.shape.append(extent)
      // The most that numpy has.
      guard self.shape.count <= 64 else { throw fault("its header gives more than 64 axes") }
    }
  }

  /// The text of the value for `key`, up to the comma or brace that ends it.
  private static func value(of key: String, in text: String) -> String? {
    for quote in ["'", "\""] {
      let marker = quote + key + quote
      guard let start = text.firstRange(of: marker)?.upperBound else { continue }
      let rest = text[start...].drop { $0 == ":" || $0.isWhitespace }
      var depth = 0
      let value = rest.prefix { character in
        if depth == 0, character == "," || character == "}" { return false }
        if "([{".contains(character) { depth += 1 }
        if ")]}".contains(character) { depth -= 1 }
        return true
      }
      return String(value.reversed().drop(while: \.isWhitespace).reversed())
    }
    return nil
  }
}
