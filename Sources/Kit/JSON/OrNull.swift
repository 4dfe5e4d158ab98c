/// A value that is encoded as null, with its key, if it is nil. Null and a missing key are decoded as
/// nil.
@propertyWrapper
package struct OrNull<Value: Encodable>: Encodable {
  package var wrappedValue: Value?

  package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension OrNull: Sendable where Value: Sendable {}
extension OrNull: Equatable where Value: Equatable {}

extension OrNull: Decodable where Value: Decodable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init(wrappedValue: container.decodeNil() ? nil : try container.decode(Value.self))
  }
}

extension KeyedDecodingContainer {
  /// Decodes a member that may be null or missing, for which there is no synthesized decoding.
  package func decode<Value: Codable>(
    _ type: OrNull<Value>.Type, forKey key: Key
  ) throws -> OrNull<Value> {
    guard contains(key) else { return OrNull(wrappedValue: nil) }
    return try OrNull(from: superDecoder(forKey: key))
  }
}
