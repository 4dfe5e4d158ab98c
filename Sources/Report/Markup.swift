/// HTML that is safe and well nested by construction: text enters through `init(_:)`, which escapes
/// it, and elements through `tag`, which closes what it opens.
package struct Markup: Sendable {
  /// The HTML.
  package private(set) var html: String

  /// Empty markup.
  package init() { html = "" }

  /// Escaped text: labels and names come from untrusted files.
  package init(_ text: String) { html = Self.escaped(text) }

  private init(html: String) { self.html = html }

  /// An element.
  ///
  /// - Parameters:
  ///   - name: The element's name.
  ///   - attributes: Names and values; the values are escaped.
  ///   - content: The content.
  /// - Returns: The element with its end tag.
  package static func tag(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:],
    _ content: Markup...
  ) -> Markup {
    var html = "<\(name)"
    for (key, value) in attributes { html += " \(key)=\"\(escaped(value))\"" }
    html += ">"
    for part in content { html += part.html }
    return Markup(html: html + "</\(name)>")
  }

  /// An element without content and end tag, such as `meta`.
  package static func void(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String>
  ) -> Markup {
    var html = "<\(name)"
    for (key, value) in attributes { html += " \(key)=\"\(escaped(value))\"" }
    return Markup(html: html + ">")
  }

  /// A standalone SVG file on a white background.
  package static func picture(width: Double, height: Double, _ content: Markup) -> Markup {
    let size = [width, height].map { ReportNumbers.decimal($0, 1) }
    return .tag(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(size[0]) \(size[1])",
        "width": size[0], "height": size[1], "font-family": "system-ui, sans-serif",
      ], .tag("rect", ["width": "100%", "height": "100%", "fill": "#ffffff"]), content)
  }

  /// HTML from this program's source: `StaticString` excludes any other string.
  package static func literal(_ html: StaticString) -> Markup { Markup(html: "\(html)") }

  /// Adds `other` at the end.
  package static func += (first: inout Markup, other: Markup) { first.html += other.html }

  /// All `parts` in their order.
  package static func joined(_ parts: some Sequence<Markup>) -> Markup {
    parts.reduce(into: Markup()) { $0 += $1 }
  }

  /// `text` for content and for attributes in double quotes; control characters, which HTML does
  /// not allow, become U+FFFD.
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "'": result.append(contentsOf: "&#39;".unicodeScalars)
      case "\n", "\t": result.append(scalar)
      case _ where scalar.properties.generalCategory == .control: result.append("\u{fffd}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
