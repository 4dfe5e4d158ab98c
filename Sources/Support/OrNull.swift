/// A value that is encoded as null, with its key, if it is missing.
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
