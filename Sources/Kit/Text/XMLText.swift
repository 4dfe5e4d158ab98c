extension String {
  /// The text for the content and for the quoted attributes of XML and HTML; characters that they
  /// do not allow, such as control characters, become U+FFFD.
  package var escapedForXML: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "'": result.append(contentsOf: "&#39;".unicodeScalars)
      // Attributes would otherwise be read back with spaces in their place.
      case "\n", "\t", "\r": result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      case "\u{fffe}", "\u{ffff}": result.append("\u{fffd}")
      case _ where scalar.properties.generalCategory == .control: result.append("\u{fffd}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
