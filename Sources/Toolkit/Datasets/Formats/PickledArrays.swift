internal import Files

/// The arrays of numbers within an array of objects that numpy wrote (`.npy`).
///
/// numpy pickles such an array. A pickle is a program for a small stack machine, which may import
/// and call whatever Python can. This reader has only the instructions and the five functions that
/// arrays need, of protocols 2 to 5; it calls nothing: a "call" notes its arguments. Anything else
/// is refused by name.
///
/// What a pickle of n bytes can make takes at most a few n bytes: the stack is short, there is one
/// list, tuples do not nest, and what is remembered by number is bounded.
///
/// Source: CPython, `Lib/pickletools.py`, for the instructions; numpy, `ndarray.__reduce__`,
/// `__reduce_ex__` and `dtype.__reduce__`, for what they build. Python 2 writes bytes as strings,
/// and Python 3 with protocol 2 as text that is to be encoded.
struct PickledArrays {
  /// The elements of the array of objects.
  let elements: [NumpyNumbers]
  /// The file, and behind it the bytes that were text.
  private let bytes: [UInt8]

  /// The bytes of an element's numbers.
  func bytes(of element: NumpyNumbers) -> ArraySlice<UInt8> { bytes[element.place] }

  /// Reads a numpy file; errors name `path`.
  ///
  /// - Throws: `FileError`, with the byte.
  init(_ bytes: [UInt8], path: String) throws(FileError) {
    var cursor = ByteCursor(bytes)
    let header = try NumpyHeader(reading: &cursor, path: path)
    guard header.type == "|O" || header.type == "O", header.shape.count == 1 else {
      throw FileError(
        reading: path,
        "it has the type '\(header.type)' and \(header.shape.count) axes; the drawings of "
          + "sketch-rnn are one axis of objects ('|O'), an array for each drawing")
    }
    var machine = PickleMachine(bytes, cursor, path: path)
    elements = try machine.run()
    guard elements.count == header.shape[0] else {
      throw FileError(
        reading: path, "its header says \(header.shape[0]) arrays, and it has \(elements.count)")
    }
    self.bytes = machine.bytes
  }
}

/// What a pickle may name.
private enum PickledName: String {
  case reconstruct = "numpy.core.multiarray._reconstruct"
  case fromBuffer = "numpy.core.numeric._frombuffer"
  case array = "numpy.ndarray"
  case type = "numpy.dtype"
  case encode = "_codecs.encode"
}

private enum PickledValue {
  case none
  case number(Int)
  /// Text or bytes: where they are.
  case bytes(Range<Int>)
  case tuple([PickledValue])
  case name(PickledName)
  /// A type, by its number: it is completed after others may refer to it.
  case type(Int)
  /// An array, by its number.
  case array(Int)
  /// The one list.
  case list
  /// What is remembered, but is never referred to.
  case forgotten
}

/// An array as far as the pickle has told it.
private enum PickledArray {
  case empty
  case numbers(NumpyNumbers)
  /// The array of objects.
  case objects
}

private struct PickleMachine {
  /// The file, and behind it the bytes that were text.
  private(set) var bytes: [UInt8]
  private let path: String
  private let length: Int
  private var cursor: ByteCursor
  /// Where the instruction begins.
  private var place = 0

  private var stack: [PickledValue] = []
  /// How much of the stack lies below each mark.
  private var marks: [Int] = []
  private var memo: [PickledValue] = []
  private var types: [NumpyType] = []
  private var arrays: [PickledArray] = []
  /// The list's arrays, by their numbers; nil before there is a list.
  private var list: [Int]?

  /// Pickles push the elements of a list a thousand at a time.
  private static let deepestStack = 4096
  private static let mostMarks = 16
  /// A type's state has 8 or 9 parts.
  private static let longestTuple = 16
  /// numpy's own take 12 bytes and more for each.
  private static let bytesPerMemory = 6

  init(_ bytes: [UInt8], _ cursor: ByteCursor, path: String) {
    (self.bytes, self.cursor, self.path, length) = (bytes, cursor, path, bytes.count)
  }

  private func fault(_ what: String) -> FileError {
    FileError(reading: path, "byte \(place): \(what)")
  }

  // MARK: Instructions

  /// Runs to the end; gives the elements of the array of objects.
  mutating func run() throws(FileError) -> [NumpyNumbers] {
    place = cursor.offset
    guard try number(1) == 0x80, case let version = try number(1), (2...5).contains(version) else {
      throw fault("it is not pickled by protocol 2, 3, 4 or 5")
    }
    while true {
      place = cursor.offset
      let code = try number(1)
      if code == UInt8(ascii: ".") { break }
      try execute(UInt8(code))
      guard stack.count <= Self.deepestStack, marks.count <= Self.mostMarks else {
        throw fault("its stack is deeper than arrays need")
      }
    }
    guard cursor.isAtEnd else { throw fault("it has data after the pickle's end") }
    guard stack.count == 1, case .array(let index) = stack[0], case .objects = arrays[index] else {
      throw fault("it makes no array of objects")
    }
    return try elements()
  }

  /// The list's arrays.
  private func elements() throws(FileError) -> [NumpyNumbers] {
    var elements: [NumpyNumbers] = []
    var left = bytes.count
    for (index, number) in (list ?? []).enumerated() {
      guard case .numbers(let numbers) = arrays[number] else {
        throw fault("element \(index) is no array of numbers")
      }
      // Arrays may share bytes: a small file could make very many points.
      left -= numbers.place.count
      guard left >= 0 else { throw fault("its arrays share bytes, more than the file has") }
      elements.append(numbers)
    }
    return elements
  }

  private mutating func execute(_ code: UInt8) throws(FileError) {
    switch code {
    // Numbers.
    case UInt8(ascii: "N"): stack.append(.none)
    case 0x88: stack.append(.number(1))
    case 0x89: stack.append(.number(0))
    case UInt8(ascii: "K"): stack.append(.number(try number(1)))
    case UInt8(ascii: "M"): stack.append(.number(try number(2)))
    case UInt8(ascii: "J"):
      stack.append(.number(Int(Int32(truncatingIfNeeded: try number(4)))))
    case 0x8a:
      let size = try number(1)
      guard size < 8 else { throw fault("it has a number of \(size) bytes") }
      let value = try number(size)
      let unused = 64 - 8 * size
      stack.append(.number((value << unused) >> unused))
    // Bytes and text, whose lengths have 1, 4 or 8 bytes.
    case UInt8(ascii: "U"), UInt8(ascii: "C"), 0x8c: try pushBytes(try number(1))
    case UInt8(ascii: "T"), UInt8(ascii: "B"), UInt8(ascii: "X"): try pushBytes(try number(4))
    case 0x8d, 0x8e, 0x96: try pushBytes(try number(8))
    // Tuples and the list.
    case UInt8(ascii: "("): marks.append(stack.count)
    case UInt8(ascii: ")"): stack.append(.tuple([]))
    case 0x85...0x87: try pushTuple(try pop(Int(code - 0x84)))
    case UInt8(ascii: "t"): try pushTuple(try popToMark())
    case UInt8(ascii: "]"):
      guard list == nil else { throw fault("it has a second list") }
      list = []
      stack.append(.list)
    case UInt8(ascii: "a"): try extendList(try pop(1))
    case UInt8(ascii: "e"): try extendList(try popToMark())
    // What is remembered.
    case UInt8(ascii: "q"): try remember(at: try number(1))
    case UInt8(ascii: "r"): try remember(at: try number(4))
    case 0x94: try remember(at: memo.count)
    case UInt8(ascii: "h"): try recall(try number(1))
    case UInt8(ascii: "j"): try recall(try number(4))
    // Names and calls.
    case UInt8(ascii: "c"): try pushName(try line(), try line())
    case 0x93:
      let parts = try pop(2)
      try pushName(try text(parts[0]), try text(parts[1]))
    case UInt8(ascii: "R"):
      let parts = try pop(2)
      try call(parts[0], parts[1])
    case UInt8(ascii: "b"):
      let parts = try pop(2)
      try complete(parts[0], with: parts[1])
    // A frame only says how many bytes to read ahead.
    case 0x95: _ = try number(8)
    default:
      throw fault(
        "it has the instruction 0x\(String(code, radix: 16)) of Python's pickle, which arrays of "
          + "drawings do not need; nothing was run")
    }
  }

  // MARK: Numbers, bytes and text

  /// The little-endian number of `width` bytes, 0...8, that comes next.
  private mutating func number(_ width: Int) throws(FileError) -> Int {
    guard let next = cursor.next(width) else { throw fault("it is truncated; copy it again") }
    return Int(
      truncatingIfNeeded: next.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private mutating func pushBytes(_ count: Int) throws(FileError) {
    let start = cursor.offset
    guard cursor.next(count) != nil else { throw fault("it is truncated; copy it again") }
    stack.append(.bytes(start..<(start + count)))
  }

  /// The longest name of a module, function or code.
  private static let longestText = 64

  /// The text up to a line feed.
  private mutating func line() throws(FileError) -> String {
    var text: [UInt8] = []
    while text.count <= Self.longestText {
      let byte = UInt8(try number(1))
      if byte == 0x0a { return String(decoding: text, as: UTF8.self) }
      text.append(byte)
    }
    throw fault("it has a name longer than \(Self.longestText) bytes")
  }

  private func text(_ value: PickledValue) throws(FileError) -> String {
    guard case .bytes(let range) = value, range.count <= Self.longestText else {
      throw fault("a name is no short text")
    }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  // MARK: Tuples, the list, and what is remembered

  private mutating func pop(_ count: Int) throws(FileError) -> [PickledValue] {
    guard stack.count - (marks.last ?? 0) >= count else { throw fault("its stack is empty") }
    defer { stack.removeLast(count) }
    return Array(stack.suffix(count))
  }

  private mutating func popToMark() throws(FileError) -> [PickledValue] {
    guard let mark = marks.last else { throw fault("its stack has no mark") }
    defer { marks.removeLast() }
    return try pop(stack.count - mark)
  }

  private mutating func pushTuple(_ values: [PickledValue]) throws(FileError) {
    // Of tuples that hold tuples, arguments hold shapes.
    func depth(_ value: PickledValue) -> Int {
      guard case .tuple(let values) = value else { return 0 }
      return 1 + (values.map(depth).max() ?? 0)
    }
    guard values.count <= Self.longestTuple, values.allSatisfy({ depth($0) <= 1 }) else {
      throw fault("it has longer or deeper tuples than arrays need")
    }
    stack.append(.tuple(values))
  }

  private mutating func extendList(_ values: [PickledValue]) throws(FileError) {
    guard case .list = try pop(1)[0] else { throw fault("it extends something other than a list") }
    for value in values {
      guard case .array(let index) = value else {
        throw fault("its list holds something other than arrays")
      }
      list?.append(index)
    }
    stack.append(.list)
  }

  private mutating func remember(at index: Int) throws(FileError) {
    // Python 2 counts from 1.
    guard index == memo.count || index == memo.count + 1,
      memo.count <= length / Self.bytesPerMemory + 64
    else { throw fault("it memorizes more than arrays need, or not in order") }
    guard let value = stack.last, stack.count > (marks.last ?? 0) else {
      throw fault("its stack is empty")
    }
    if index > memo.count { memo.append(.forgotten) }
    if case .tuple(let values) = value, !values.isEmpty {
      memo.append(.forgotten)
    } else {
      memo.append(value)
    }
  }

  private mutating func recall(_ index: Int) throws(FileError) {
    guard memo.indices.contains(index) else { throw fault("it recalls what it did not memorize") }
    if case .forgotten = memo[index] { throw fault("it recalls a tuple, which arrays do not") }
    stack.append(memo[index])
  }

  // MARK: Names and calls

  private mutating func pushName(_ module: String, _ name: String) throws(FileError) {
    // numpy 2 has moved what earlier versions have.
    let full = (module + "." + name).replacing("numpy._core.", with: "numpy.core.")
    guard let known = PickledName(rawValue: full) else {
      throw fault(
        "it names \(module).\(name), which arrays of drawings do not need; nothing was run")
    }
    stack.append(.name(known))
  }

  private mutating func call(
    _ function: PickledValue, _ arguments: PickledValue
  ) throws(FileError) {
    guard case .name(let name) = function, case .tuple(let values) = arguments else {
      throw fault("it calls something other than a function of numpy")
    }
    switch (name, values.count) {
    case (.type, 1...):
      let code = try text(values[0])
      guard let type = NumpyType(code: code) else {
        throw fault("it has values of the type '\(code)'; drawings are integers or floats")
      }
      stack.append(.type(types.count))
      types.append(type)
    case (.reconstruct, 3):
      guard case .name(.array) = values[0] else { throw fault("it makes no plain array") }
      stack.append(.array(arrays.count))
      arrays.append(.empty)
    case (.fromBuffer, 4):
      let order = try text(values[3])
      stack.append(.array(arrays.count))
      arrays.append(try array(values[1], values[2], isFortranOrder: order == "F", of: values[0]))
    case (.encode, 2):
      guard try text(values[1]) == "latin1" else { throw fault("its bytes are not in latin1") }
      stack.append(.bytes(try encoded(values[0])))
    default:
      throw fault("it calls \(name.rawValue) with other arguments than numpy does")
    }
  }

  /// The place of the bytes whose values are the characters of a text in UTF-8.
  private mutating func encoded(_ text: PickledValue) throws(FileError) -> Range<Int> {
    guard case .bytes(let range) = text else { throw fault("it encodes what is no text") }
    let start = bytes.count
    // The same text could be encoded again and again.
    guard start - length + range.count <= length else {
      throw fault("it encodes more text than the file has")
    }
    var place = range.lowerBound
    while place < range.upperBound {
      let byte = bytes[place]
      let next = place + 1 < range.upperBound ? bytes[place + 1] : 0
      if byte < 0x80 {
        bytes.append(byte)
        place += 1
      } else {
        guard byte == 0xc2 || byte == 0xc3, next & 0xc0 == 0x80 else {
          throw fault("its bytes are not in latin1")
        }
        bytes.append(byte << 6 | next & 0x3f)
        place += 2
      }
    }
    return start..<bytes.count
  }

  /// Completes a type or an array that a call made.
  private mutating func complete(
    _ value: PickledValue, with state: PickledValue
  ) throws(FileError) {
    guard case .tuple(let values) = state else { throw fault("it completes something unknown") }
    switch value {
    case .type(let index) where values.count >= 8:
      // Version, order of bytes, then what types of records and texts have.
      let isPlain = values[2...4].allSatisfy {
        if case .none = $0 { true } else { false }
      }
      guard isPlain else { throw fault("it has values of several parts") }
      types[index].isBigEndian = try text(values[1]) == ">"
    case .array(let index) where values.count == 5:
      guard case .empty = arrays[index], case .number(let order) = values[3] else {
        throw fault("it completes an array twice")
      }
      arrays[index] = try array(values[2], values[1], isFortranOrder: order != 0, of: values[4])
    default: throw fault("it completes something unknown")
    }
    stack.append(value)
  }

  /// The array of a type, a shape and numbers or objects.
  private func array(
    _ type: PickledValue, _ shape: PickledValue, isFortranOrder: Bool, of data: PickledValue
  ) throws(FileError) -> PickledArray {
    guard case .type(let index) = type, case .tuple(let axes) = shape else {
      throw fault("an array has no type or no shape")
    }
    let lengths = axes.compactMap { if case .number(let length) = $0 { length } else { nil } }
    switch data {
    case .list where types[index].isObject && lengths.count == 1 && axes.count == 1:
      guard lengths[0] == list?.count else {
        throw fault("an array of \(lengths[0]) objects holds \(list?.count ?? 0)")
      }
      return .objects
    case .bytes(let range) where lengths.count == axes.count:
      guard
        let numbers = NumpyNumbers(
          type: types[index], shape: lengths, isFortranOrder: isFortranOrder, place: range)
      else {
        throw fault(
          "an array of the shape (\(lengths.map(String.init).joined(separator: ", "))) has "
            + "\(range.count) bytes")
      }
      return .numbers(numbers)
    default: throw fault("an array holds something other than numbers")
    }
  }
}
