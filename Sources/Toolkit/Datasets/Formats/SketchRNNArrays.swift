internal import Files

/// The drawings of a part of a sketch-rnn archive, each an array of two axes: what numpy makes of a
/// list of such arrays.
///
/// It is an array of objects or, where all have the same length and so also where there is only
/// one, an array of numbers of the shape [drawings, points, 3].
struct SketchRNNArrays {
  private enum Form {
    case pickled(PickledArrays)
    case stacked(type: NumpyType, rows: Int, columns: Int, start: Int)
  }

  private let form: Form
  private let bytes: [UInt8]
  /// The number of drawings.
  let count: Int

  /// Reads a numpy file; errors name `path`.
  ///
  /// - Throws: `FileError` for arrays of another form, and damaged ones.
  init(_ bytes: [UInt8], path: String) throws(FileError) {
    func fault(_ what: String) -> FileError { FileError(reading: path, what) }
    var cursor = ByteCursor(bytes)
    let header = try NumpyHeader(reading: &cursor, path: path)
    let shape = header.shape
    if shape.count == 1, header.type == "|O" || header.type == "O" {
      let arrays = try PickledArrays(bytes, path: path)
      (form, self.bytes, count) = (.pickled(arrays), [], arrays.elements.count)
      return
    }
    guard let type = NumpyType(description: header.type), !type.isObject,
      shape.count == 3 || shape == [0]
    else {
      let isObject = NumpyType(description: header.type)?.isObject == true
      throw fault(
        "it has the type '\(header.type)' and \(shape.count) axes; the drawings of sketch-rnn are "
          + "one axis of objects ('|O'), an array for each drawing, or numbers of the shape "
          + "[drawings, points, 3]" + (isObject ? "; save array.astype('float32')" : ""))
    }
    guard !header.isFortranOrder else {
      throw fault("its values are in Fortran order; save numpy.ascontiguousarray(array)")
    }
    let (rows, columns) = shape.count == 3 ? (shape[1], shape[2]) : (1, 1)
    // Of drawings without points, the header could claim any number.
    guard shape[0] == 0 || rows > 0 && columns > 0 else {
      throw fault("its drawings have no points")
    }
    var length = type.size
    for extent in [shape[0], rows, columns] {
      let (product, overflow) = length.multipliedReportingOverflow(by: extent)
      length = overflow ? .max : product
    }
    guard length == cursor.remaining else {
      throw FileError(
        "read", path: path,
        reason: .wrongLength(
          expected: length == .max ? .max : length + cursor.offset, actual: bytes.count))
    }
    (count, self.bytes) = (shape[0], bytes)
    form = .stacked(type: type, rows: rows, columns: columns, start: cursor.offset)
  }

  /// The numbers of a drawing, and the bytes that hold them.
  subscript(index: Int) -> (numbers: NumpyNumbers, bytes: ArraySlice<UInt8>)? {
    switch form {
    case .pickled(let arrays):
      let numbers = arrays.elements[index]
      return (numbers, arrays.bytes(of: numbers))
    case .stacked(let type, let rows, let columns, let start):
      let length = rows * columns * type.size
      let place = (start + index * length)..<(start + (index + 1) * length)
      return NumpyNumbers(
        type: type, shape: [rows, columns], isFortranOrder: false, place: place
      ).map { ($0, bytes[place]) }
    }
  }
}
