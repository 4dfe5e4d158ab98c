internal import Files
internal import Foundation

/// All numbers of a model in one list, of which the page's script takes parts.
struct WebNumbers {
  /// A part of the list.
  struct Slice: Encodable {
    var start: Int
    var count: Int
  }

  private var values: [Float] = []

  /// Appends numbers.
  mutating func add(_ new: [Float]) -> Slice {
    defer { values += new }
    return Slice(start: values.count, count: new.count)
  }

  /// The list as base64, which `numbers.js` unpacks without loss.
  ///
  /// Weights differ least in sign and exponent. With the sign moved to the lowest bit, the
  /// exponents are bytes of their own; behind each other, the base model's have a third of their
  /// size when deflated. Weights that need fewer bits, such as those of 16-bit floats, take less
  /// room by themselves.
  var packed: String {
    var bytes = [UInt8](repeating: 0, count: 4 * values.count)
    for (place, value) in values.enumerated() {
      let word = value.bitPattern << 1 | value.bitPattern >> 31
      for part in 0..<4 {
        bytes[part * values.count + place] = UInt8(truncatingIfNeeded: word >> (8 * part))
      }
    }
    return Data(Deflate.compressed(bytes)).base64EncodedString()
  }
}
