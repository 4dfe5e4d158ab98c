internal import Text

/// HTML that is safe and well nested by construction: text enters through `init(_:)`, which escapes
/// it, and elements through `tag`, which closes what it opens.
package struct Markup: Sendable {
  /// The HTML.
  package private(set) var html: String

  /// Empty markup.
  package init() { html = "" }

  /// Escaped text: labels and names come from untrusted files.
  package init(_ text: String) { html = text.escapedForXML }

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
    for (key, value) in attributes { html += " \(key)=\"\(value.escapedForXML)\"" }
    html += ">"
    for part in content { html += part.html }
    return Markup(html: html + "</\(name)>")
  }

  /// An element without content and end tag, such as `meta`.
  package static func void(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String>
  ) -> Markup {
    var html = "<\(name)"
    for (key, value) in attributes { html += " \(key)=\"\(value.escapedForXML)\"" }
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
}
