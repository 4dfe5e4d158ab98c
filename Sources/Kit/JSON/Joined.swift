/// Two values as one JSON object, which has the keys of both; a missing second value adds none.
package struct Joined<First: Encodable, Second: Encodable>: Encodable {
  private var first: First
  private var second: Second?

  package init(_ first: First, _ second: Second?) { (self.first, self.second) = (first, second) }

  package func encode(to encoder: any Encoder) throws {
    try first.encode(to: encoder)
    try second?.encode(to: encoder)
  }
}
