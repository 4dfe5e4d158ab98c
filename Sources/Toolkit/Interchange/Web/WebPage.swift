internal import Files
internal import Foundation

/// Puts the files of the page into one.
enum WebPage {
  /// The page's modules; each after those that it imports.
  static let modules = [
    "dom.js", "icons.js", "ink-trace.js", "ink-picture.js", "sheet-view.js",
    "stray-presses.js", "ink-surface.js",
    "draw-pixels.js", "stroke-points.js", "views.js", "numbers.js", "network.js", "decision.js",
    "app.js",
  ]

  private static let styles = [
    "tokens.css", "base.css", "parts.css", "ink-surface.css", "page.css", "forced-colors.css",
  ]

  /// The page of a `WebModel`, given as JSON, with its packed numbers.
  static func html(model: String, numbers: String) -> String {
    let (theme, scripts, styles) = (WebFiles.text("theme.js"), script, style)
    let parts = [
      "policy": policy(scripts: [theme, scripts], style: styles),
      "icon": dataURL("icon.svg", type: "image/svg+xml"),
      "theme": theme, "styles": styles, "scripts": scripts, "model": model, "numbers": numbers,
    ]
    // "…[[name]]…": inserted text is not searched for names.
    let pieces = WebFiles.text("index.html").components(separatedBy: "[[")
    return pieces[0]
      + pieces.dropFirst().map { piece in
        guard let end = piece.range(of: "]]"), let part = parts[String(piece[..<end.lowerBound])]
        else { preconditionFailure("index.html wants an unknown part: \(piece.prefix(20))") }
        return part + piece[end.upperBound...]
      }.joined()
  }

  /// Only our own scripts and style sheet are allowed, by their digests, and no request.
  private static func policy(scripts: [String], style: String) -> String {
    func digests(_ texts: [String]) -> String {
      texts.map { text in
        var fingerprint = Fingerprint()
        fingerprint.update(Array(text.utf8))
        return "'sha256-\(Data(fingerprint.digest()).base64EncodedString())'"
      }.joined(separator: " ")
    }
    return [
      "default-src 'none'", "script-src \(digests(scripts))", "style-src \(digests([style]))",
      "img-src data:", "font-src data:", "base-uri 'none'", "form-action 'none'",
    ].joined(separator: "; ")
  }

  private static var style: String {
    let license = "/* \(WebFiles.text("license-typeface.txt")) */\n"
    let sheets = license + styles.map(WebFiles.text).joined(separator: "\n")
    return ["typeface-medium.woff2", "typeface-bold.woff2"].reduce(sheets) { sheets, face in
      sheets.replacingOccurrences(
        of: "url(\"/\(face)\")", with: "url(\(dataURL(face, type: "font/woff2")))")
    }
  }

  private static var script: String {
    "const modules = {};\n" + modules.map(function).joined(separator: "\n")
  }

  /// A module as a function that returns what it exports, because modules in a page cannot import
  /// each other. `exports` is how modules of Node.js export.
  private static func function(_ name: String) -> String {
    var names: [Substring] = []
    let source = WebFiles.text(name)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if let export = line.firstMatch(of: /^export (?:async )?(?:function|class|const) (\w+)/) {
        names.append(export.output.1)
        return String(line.dropFirst("export ".count))
      }
      return String(line).replacing(/^import \{/, with: "const {")
        .replacing(/\} from "\.\/(.+)";$/) { "} = modules[\"\($0.output.1)\"];" }
    }
    return """
      modules["\(name)"] = (() => {
      const exports = {};
      \(lines.joined(separator: "\n"))
      return Object.assign(exports, { \(names.joined(separator: ", ")) });
      })();
      """
  }

  private static func dataURL(_ file: String, type: String) -> String {
    "data:\(type);base64,\(Data(WebFiles.bytes(file)).base64EncodedString())"
  }
}
