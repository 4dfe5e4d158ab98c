internal import Foundation
public import Text

/// Why a text cannot be a label.
public enum LabelError: DescribedError, Equatable {
  /// It has only white space and invisible characters.
  case empty
  /// It has more characters than `limit`, or too many bytes per character.
  case tooLong(limit: Int)
  /// It is "." or "..", which URLs treat as the current or parent folder.
  case dots
  /// It has a control character, a line separator or a bidirectional formatting character.
  case controlCharacter(Unicode.Scalar)

  /// What is wrong, as the end of a sentence that begins with "the label".
  public var description: String {
    switch self {
    case .empty: "is empty"
    case .tooLong(let limit): "is too long: \(limit) characters at most"
    case .dots: "is nothing but dots; name it in words"
    case .controlCharacter(let scalar):
      "has the control character U+" + Self.hexadecimal(scalar)
        + ", which cannot be seen; take it out"
    }
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

/// The rules for a label, whatever its source: datasets, the workspace, model files.
///
/// White space within a label and emojis of several scalars are fine: "The Eiffel Tower", "👩‍🚀".
public enum LabelRule {
  /// The maximum number of characters in a label.
  public static let maxCharacters = 64
  /// The maximum bytes per character on average: a letter with a thousand accents is one character.
  private static let maxBytesPerCharacter = 8
  /// The maximum number of bytes in a label.
  package static let maxBytes = maxCharacters * maxBytesPerCharacter

  /// The label for `text`, in label form (`inLabelForm`).
  ///
  /// - Throws: `LabelError` for a text that cannot be a label.
  public static func label(_ text: String) throws(LabelError) -> String {
    let label = text.inLabelForm
    try check(label)
    if label == "." || label == ".." { throw .dots }
    return label
  }

  /// The spelling of a label in a list: models and workspaces of older programs may have an emoji
  /// without its variation selectors.
  ///
  /// - Returns: The equivalent label in the list, preferably an exact match; otherwise `label` in
  ///   label form.
  package static func spelling(
    of label: String, among labels: @autoclosure () throws -> [String]
  ) rethrows -> String {
    let form = label.inLabelForm
    guard form.unicodeScalars.contains(.emojiPresentation) else { return form }
    let labels = try labels()
    for exact in [label.inNormalFormC, form] where labels.contains(exact) { return exact }
    return labels.first { $0.inLabelForm == form } ?? form
  }

  /// Checks a text without changing it.
  ///
  /// - Throws: `LabelError` for a text that cannot be a label.
  public static func check(_ text: String) throws(LabelError) {
    try check(text, maxCharacters: maxCharacters)
  }

  /// Checks a label, or a name with the same rules but another maximum length.
  package static func check(_ text: String, maxCharacters: Int) throws(LabelError) {
    // Bytes first: counting the characters of a very long text takes time.
    guard text.utf8.count <= maxCharacters * maxBytesPerCharacter, text.count <= maxCharacters
    else { throw .tooLong(limit: maxCharacters) }
    let isSeen = text.unicodeScalars.contains {
      !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
    }
    guard isSeen else { throw .empty }
    if let scalar = text.unicodeScalars.first(where: \.isTerminalControl) {
      throw .controlCharacter(scalar)
    }
  }
}

extension String {
  /// The text without leading and trailing white space.
  package var trimmed: String {
    guard unicodeScalars.contains(where: \.isWhiteSpace) else { return self }
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

extension String {
  /// The text without white space around it, in normal form C, and fully qualified if it is of
  /// emojis only: “❤” and “❤\u{fe0f}” are one label.
  ///
  /// Fully qualified means that U+FE0F follows each character that would otherwise be shown as
  /// text, unless a skin tone follows it (Unicode Technical Standard 51, ED-18).
  package var inLabelForm: String {
    let text = trimmed.inNormalFormC
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    let scalars = Array(text.unicodeScalars).filter { $0 != .emojiPresentation }
    guard scalars.allSatisfy(\.isPartOfEmoji) else { return text }
    var qualified = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      qualified.append(scalar)
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      let properties = scalar.properties
      if !properties.isEmojiPresentation, properties.isEmoji, !scalar.isASCII || next == .keycap,
        next?.properties.isEmojiModifier != true
      {
        qualified.append(.emojiPresentation)
      }
    }
    return String(qualified)
  }

  /// The text in Unicode normal form C, so that equal texts have equal bytes.
  package var inNormalFormC: String {
    unicodeScalars.allSatisfy(\.isInert) ? self : precomposedStringWithCanonicalMapping
  }
}

extension Unicode.Scalar {
  fileprivate static let emojiPresentation: Unicode.Scalar = "\u{fe0f}"
  /// Turns the preceding digit into a keycap.
  fileprivate static let keycap: Unicode.Scalar = "\u{20e3}"

  /// `properties.isWhitespace`, without the search in its table.
  fileprivate var isWhiteSpace: Bool {
    switch value {
    case 0x09...0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000...0x200a, 0x2028, 0x2029, 0x202f, 0x205f,
      0x3000:
      true
    default: false
    }
  }

  /// Whether texts of such scalars are in normal form C: they have no decomposition, and none
  /// combines with another. ASCII, Latin-1 and nearly all emojis are; others may be, too.
  fileprivate var isInert: Bool {
    switch value {
    case 0..<0x300, 0x200d, 0x2600..<0x27c0, 0xfe00..<0xfe10, 0x1f000..<0x1fb00: true
    default: false
    }
  }

  /// Whether it can be part of an emoji: a character, a joiner, a keycap, or a tag of a flag.
  fileprivate var isPartOfEmoji: Bool {
    properties.isEmoji || self == "\u{200d}" || self == .keycap
      || ("\u{e0020}"..."\u{e007f}").contains(self)
  }
}
