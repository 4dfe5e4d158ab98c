/// The first bytes of a file, by which its kind is known.
package struct FileBeginning: Sendable {
  /// The number of bytes of a file that are examined.
  package static let length = 1 << 16

  /// The first `length` bytes, or the whole of a shorter file.
  package let bytes: [UInt8]
  /// The bytes as text without white space, if they may be JSON, XML or HTML; else empty.
  package let text: String
  /// The name of the first element of XML, without its prefix; nil for no XML.
  package let firstElement: Substring?

  /// Examines the first bytes of a file.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let text = String(decoding: bytes, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{feff}" }
    let isMarkup = text.first == "<"
    self.text =
      isMarkup || text.first == "{" || text.first == "[" ? text.filter { !$0.isWhitespace } : ""
    firstElement = isMarkup ? Self.firstElement(of: text) : nil
  }

  /// Whether it may be the beginning of JSON: an object or an array.
  package var isJSON: Bool { text.first == "{" || text.first == "[" }

  private static func firstElement(of text: Substring) -> Substring? {
    for part in text.split(separator: "<").prefix(100) where part.first?.isLetter == true {
      let name = part.prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
      return name.split(separator: ":").last
    }
    return nil
  }
}
