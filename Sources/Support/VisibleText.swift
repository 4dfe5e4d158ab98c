// Labels, ids, names and paths come from others, and a terminal obeys some characters instead of
// showing them.

extension Unicode.Scalar {
  /// Whether a terminal may do something for it: clear the screen, go elsewhere, turn the order of
  /// a line around.
  public var isObeyed: Bool {
    switch value {
    case 0...0x1f, 0x7f...0x9f: true  // C0, DEL and C1
    case 0x2028, 0x2029: true  // line and paragraph separator
    case 0x202a...0x202e, 0x2066...0x2069: true  // bidirectional embeddings, overrides and isolates
    default: false
    }
  }
}

extension StringProtocol {
  /// The text as one line that a terminal only shows: what it would obey is spelled out, as in `\n`
  /// and `\u{1b}`.
  ///
  /// Tabs stay, and so does what emojis and right-to-left letters are made of.
  public var visible: String {
    replacing({ $0 != "\t" }) { $0 == "\n" ? "\\n" : "\\u{\(String($0.value, radix: 16))}" }
  }

  /// The JSON text with the same value that a terminal only shows. Its own line feeds and tabs
  /// stay.
  public var visibleJSON: String {
    replacing({ $0 != "\n" && $0 != "\t" }) { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }

  private func replacing(
    _ isWanted: (Unicode.Scalar) -> Bool, by spelling: (Unicode.Scalar) -> String
  ) -> String {
    func isReplaced(_ scalar: Unicode.Scalar) -> Bool { scalar.isObeyed && isWanted(scalar) }
    guard unicodeScalars.contains(where: isReplaced) else { return String(self) }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if isReplaced(scalar) {
        result.append(contentsOf: spelling(scalar).unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
