internal import Foundation

/// A value as JSON, with keys in alphabetical order: the same value gives the same text.
///
/// - Parameters:
///   - value: The value; its numbers must be finite.
///   - isPretty: Whether each member has a line of its own.
/// - Returns: The text, without a line feed at its end.
/// - Throws: `EncodingError`.
package func jsonText(_ value: some Encodable, pretty isPretty: Bool = false) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}
