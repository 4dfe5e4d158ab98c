internal import HDF5

/// Changes what an HDF5 file holds, so that its structure stays sound: values, lengths, texts,
/// datasets that are gone or new. Changing its bytes is left to the fuzzer.
enum HDF5Edits {
  private enum Values {
    case floats([Float]), doubles([Double]), integers([Int]), bytes([UInt8])
    case texts([String])
  }

  /// The file after the changes that `script` says.
  static func apply(_ script: inout EditScript, to file: [UInt8]) throws -> [UInt8] {
    var parts = try parts(of: file)
    var edits = 0
    while !script.isEmpty, edits < 32 {
      edits += 1
      let index = script.choice(parts.count)
      switch script.choice(5) {
      case 0: parts.remove(at: index)
      case 1: parts.append((parts[index].path + "x", parts[index].contents))
      case 2: resize(&parts[index].contents, &script)
      default: change(&parts[index].contents, &script)
      }
      if parts.isEmpty { break }
    }
    let writer = try HDF5Writer()
    try write(parts, to: writer)
    return try writer.bytes()
  }

  /// The file with what `add` writes beside what is there.
  static func adding(
    to file: [UInt8], _ add: (borrowing HDF5Writer) throws -> Void
  ) throws -> [UInt8] {
    let writer = try HDF5Writer()
    try write(try parts(of: file), to: writer)
    try add(writer)
    return try writer.bytes()
  }

  private typealias Part = (path: String, contents: (shape: [Int], Values))

  private static func parts(of file: [UInt8]) throws -> [Part] {
    let reader = try HDF5Reader(file)
    var parts: [Part] = []
    for path in reader.paths { parts.append((path, try values(at: path, in: reader))) }
    return parts
  }

  private static func write(_ parts: [Part], to writer: borrowing HDF5Writer) throws {
    for (path, (shape, values)) in parts {
      switch values {
      case .floats(let values): try writer.write(values, shape: shape, at: path)
      case .doubles(let values): try writer.write(values, shape: shape, at: path)
      case .integers(let values): try writer.write(values, shape: shape, at: path)
      case .bytes(let values): try writer.write(values, shape: shape, at: path)
      case .texts(let texts): try writer.write(texts, at: path)
      }
    }
  }

  private static func values(
    at path: String, in file: borrowing HDF5Reader
  ) throws -> (shape: [Int], Values) {
    if let found = try? file.floats(at: path) { return (found.shape, .floats(found.values)) }
    if let found = try? file.doubles(at: path) { return (found.shape, .doubles(found.values)) }
    if let found = try? file.integers(at: path) { return (found.shape, .integers(found.values)) }
    if let found = try? file.octets(at: path) { return (found.shape, .bytes(found.values)) }
    let texts = try file.strings(at: path, longest: .max)
    return ([texts.count], .texts(texts))
  }

  /// Makes the first axis longer or shorter, with zeros behind.
  private static func resize(
    _ part: inout (shape: [Int], Values), _ script: inout EditScript
  ) {
    let rows = script.choice(40)
    let row = part.shape.dropFirst().reduce(1, *)
    func fitted<Value>(_ values: [Value], _ zero: Value) -> [Value] {
      let kept = values.prefix(rows * row)
      return kept + Array(repeating: zero, count: rows * row - kept.count)
    }
    part.shape[0] = rows
    switch part.1 {
    case .floats(let values): part.1 = .floats(fitted(values, 0))
    case .doubles(let values): part.1 = .doubles(fitted(values, 0))
    case .integers(let values): part.1 = .integers(fitted(values, 0))
    case .bytes(let values): part.1 = .bytes(fitted(values, 0))
    case .texts(let texts): part.1 = .texts(fitted(texts, ""))
    }
  }

  /// Changes one value.
  private static func change(
    _ part: inout (shape: [Int], Values), _ script: inout EditScript
  ) {
    func replaced<Value>(_ values: [Value], _ value: Value, _ script: inout EditScript) -> [Value] {
      guard !values.isEmpty else { return values }
      var values = values
      values[script.choice(values.count)] = value
      return values
    }
    switch part.1 {
    case .floats(let values):
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: script.number()))
      part.1 = .floats(replaced(values, value, &script))
    case .doubles(let values):
      part.1 = .doubles(replaced(values, Double(bitPattern: script.number()), &script))
    case .integers(let values):
      part.1 = .integers(replaced(values, Int(truncatingIfNeeded: script.number()), &script))
    case .bytes(let values): part.1 = .bytes(replaced(values, script.byte(), &script))
    case .texts(let texts):
      guard !texts.isEmpty else { return }
      let index = script.choice(texts.count)
      var bytes = Array(texts[index].utf8)
      let start = script.choice(bytes.count + 1)
      let end = min(bytes.count, start + script.choice(12))
      bytes.replaceSubrange(start..<end, with: script.text(64))
      var changed = texts
      changed[index] = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
      part.1 = .texts(changed)
    }
  }
}
