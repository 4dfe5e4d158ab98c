// Labels, ids, names and paths are untrusted, and a terminal interprets some characters as commands
// instead of showing them.

extension Unicode.Scalar {
  /// Whether a terminal may interpret it: clear the screen, move the cursor, reverse the order of a
  /// line.
  public var isTerminalControl: Bool {
    switch value {
    case 0...0x1f, 0x7f...0x9f: true  // C0, DEL and C1
    case 0x2028, 0x2029: true  // line and paragraph separator
    case 0x202a...0x202e, 0x2066...0x2069: true  // bidirectional embeddings, overrides and isolates
    default: false
    }
  }
}

extension StringProtocol {
  /// The text as one line that is safe for a terminal: control characters are escaped, as in `\n`
  /// and `\u{1b}`.
  ///
  /// Tabs, emojis and right-to-left letters are kept.
  public var visible: String {
    replacing({ $0 != "\t" }) { $0 == "\n" ? "\\n" : "\\u{\(String($0.value, radix: 16))}" }
  }

  /// The equivalent JSON text that is safe for a terminal. Its line feeds and tabs are kept.
  public var visibleJSON: String {
    replacing({ $0 != "\n" && $0 != "\t" }) { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }

  private func replacing(
    _ isWanted: (Unicode.Scalar) -> Bool, by spelling: (Unicode.Scalar) -> String
  ) -> String {
    func isReplaced(_ scalar: Unicode.Scalar) -> Bool {
      scalar.isTerminalControl && isWanted(scalar)
    }
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
