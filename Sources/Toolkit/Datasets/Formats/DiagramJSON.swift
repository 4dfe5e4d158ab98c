internal import Files
internal import JSON

extension JSONDocument {
  /// What `body` makes of the value of a JSON text; errors name `path`.
  static func read<Result>(
    _ bytes: [UInt8], path: String, _ body: (JSONValue) throws(FormatFault) -> Result
  ) throws(FileError) -> Result {
    let document: JSONDocument
    do throws(JSONFault) { document = try JSONDocument(bytes) } catch {
      throw FileError(reading: path, error.description)
    }
    do throws(FormatFault) { return try body(document.root) } catch {
      throw FileError(reading: path, error.description)
    }
  }
}

extension JSONValue {
  /// The value as one of `type`.
  ///
  /// - Throws: `FormatFault` with its path.
  func value<Value: Decodable>(as type: Value.Type = Value.self) throws(FormatFault) -> Value {
    do throws(JSONFault) { return try decoded(type) } catch {
      throw FormatFault(error.description)
    }
  }

  /// A member of an object; nil if it is missing or null.
  func member<Value: Decodable>(
    _ key: String, as type: Value.Type = Value.self
  ) throws(FormatFault) -> Value? {
    guard let member = self[key] else { return nil }
    return try member.value(as: Value?.self)
  }

  /// A member that an object must have.
  func required<Value: Decodable>(
    _ key: String, as type: Value.Type = Value.self
  ) throws(FormatFault) -> Value {
    guard let member = self[key] else { throw wrong("has no \(key)") }
    return try member.value()
  }

  /// The elements of a member that is a list.
  func list(_ key: String) throws(FormatFault) -> [JSONValue] {
    guard let list = self[key]?.elements else { throw wrong("has no list \(key)") }
    return list
  }

  /// The members x and y of an object.
  var place: SIMD2<Double> {
    get throws(FormatFault) { SIMD2(try required("x"), try required("y")) }
  }

  /// The first two elements of a list of numbers.
  var pair: SIMD2<Double> {
    get throws(FormatFault) {
      guard let elements, elements.count >= 2 else { throw wrong("is not a list of two numbers") }
      return SIMD2(try elements[0].value(), try elements[1].value())
    }
  }

  /// What is wrong with the value, named by its path.
  func wrong(_ problem: String) -> FormatFault { FormatFault(fault(problem).description) }
}
