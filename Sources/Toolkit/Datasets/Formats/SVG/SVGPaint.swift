/// What covers a line or an area.
///
/// Source: Scalable Vector Graphics 2, chapter 13.2, "Specifying paint".
enum SVGPaint: Equatable {
  case none
  case color(SVGColor)
  /// A gradient, a pattern or a color in a notation that is not read: painted, in unknown colors.
  case server

  /// The paint of a value; nil if it is not valid.
  ///
  /// - Parameters:
  ///   - text: The value in lower case.
  ///   - written: The value as it is written: ids are case-sensitive.
  ///   - current: The value of `currentColor`.
  ///   - isServer: Whether an id is that of a gradient or pattern.
  init?(
    _ text: String, written: String, _ current: SVGColor, _ isServer: (String) -> Bool
  ) {
    guard text.hasPrefix("url(") else {
      switch text {
      case "none", "context-fill", "context-stroke": self = .none
      case "currentcolor": self = .color(current)
      default:
        // SVG 1.1 adds the color of a profile: "#cd853f icc-color(…)".
        let color = text.split(separator: " icc-color", maxSplits: 1).first.map(String.init)
        if let found = color.flatMap(SVGColor.init) {
          self = found.alpha > 0 ? .color(found) : .none
        } else if text.contains("("), !text.hasPrefix("rgb"), !text.hasPrefix("hsl") {
          // Such as oklch(…) or var(…): a color, but which one is not known.
          self = .server
        } else {
          return nil
        }
      }
      return
    }
    let parts = written.trimmed.dropFirst(4).split(separator: ")", maxSplits: 1)
    let reference = (parts.first ?? "").trimmed.filter { $0 != "\"" && $0 != "'" }
    if reference.hasPrefix("#"), isServer(String(reference.dropFirst())) {
      self = .server
      return
    }
    // Without a fallback, a reference to nothing paints nothing.
    let fallback = (parts.count > 1 ? parts[1] : "none").trimmed
    guard !fallback.lowercased().hasPrefix("url("),
      let paint = SVGPaint(fallback.lowercased(), written: fallback, current, isServer)
    else {
      self = .none
      return
    }
    self = paint
  }
}
