internal import Files
internal import Foundation
package import Ink
internal import Pictures
package import Report

/// A notebook's output: text and pictures in order, as a page and on the terminal.
///
/// Pictures are separate files next to `index.html`, so that each can be used elsewhere.
package struct Page {
  /// The folder of the page and the pictures.
  package let folder: String
  /// The names of the pictures so far, in order.
  package private(set) var pictures: [String] = []
  private let title: String
  private let isPrinting: Bool
  private var body = Markup()

  /// An empty page in `folder`, which is created if it is missing.
  ///
  /// - Throws: A system error if the folder cannot be created.
  package init(_ title: String, folder: String, isPrinting: Bool = true) throws {
    self.title = title
    self.folder = folder
    self.isPrinting = isPrinting
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    say("", title, "")
  }

  /// Begins a chapter.
  package mutating func chapter(_ heading: String) {
    body += .tag("h2", [:], Markup(heading))
    say("", "## \(heading)")
  }

  /// Adds a paragraph.
  package mutating func tell(_ paragraph: String) {
    body += .tag("p", [:], Markup(paragraph))
    say(paragraph)
  }

  /// Adds a table; the first cell of a row names it.
  package mutating func table(_ headings: [String], _ rows: [[String]]) {
    func line(_ cells: [String], _ tag: StaticString) -> Markup {
      .tag("tr", [:], .joined(cells.map { .tag(tag, [:], Markup($0)) }))
    }
    body += .tag("table", [:], line(headings, "th"), .joined(rows.map { line($0, "td") }))
    for row in [headings] + rows { say("  " + row.joined(separator: " · ")) }
  }

  /// Adds a vector picture as `name`.svg.
  ///
  /// - Throws: `FileError` when it cannot be written.
  package mutating func show(_ picture: Markup, as name: String, caption: String) throws {
    try add("\(name).svg", Array(picture.html.utf8), caption: caption)
  }

  /// Adds a drawn picture as `name`.svg.
  ///
  /// - Throws: `FileError` when it cannot be written.
  package mutating func show(_ picture: SVG, as name: String, caption: String) throws {
    try show(picture.markup, as: name, caption: caption)
  }

  /// Adds pixels as `name`.png, black on white.
  ///
  /// - Throws: `FileError` when it cannot be written.
  package mutating func show(_ picture: Raster, as name: String, caption: String) throws {
    try add("\(name).png", try picture.png(.blackOnWhite), caption: caption)
  }

  private mutating func add(_ name: String, _ bytes: [UInt8], caption: String) throws {
    try AtomicFile.write(bytes, to: "\(folder)/\(name)")
    pictures.append(name)
    body += .tag(
      "figure", [:], .void("img", ["src": name, "alt": caption]),
      .tag("figcaption", [:], Markup(caption)))
    say("  → \(folder)/\(name): \(caption)")
  }

  /// Writes `index.html`.
  ///
  /// - Throws: `FileError` when it cannot be written.
  package func write() throws {
    let page = Markup.tag(
      "html", ["lang": "en"],
      .tag(
        "head", [:], .void("meta", ["charset": "utf-8"]), .tag("title", [:], Markup(title)),
        .void("meta", ["name": "viewport", "content": "width=device-width"]),
        .tag("style", [:], Self.style)),
      .tag("body", [:], .tag("h1", [:], Markup(title)), body))
    try AtomicFile.write("<!doctype html>\n\(page.html)\n", to: "\(folder)/index.html")
    say("", "The whole story is in \(folder)/index.html.")
  }

  private static let style: Markup = .literal(
    """
    body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; \
    padding: 0 1rem;
      color: #222; background: #fff }
    figure { margin: 1.5rem 0 } img { max-width: 100%; image-rendering: auto }
    figcaption { color: #555; font-size: 0.9rem }
    table { border-collapse: collapse; margin: 1.5rem 0 }
    th, td { padding: 0.2rem 0.9rem; text-align: right; border-bottom: 1px solid #ddd }
    th:first-child, td:first-child { text-align: left; padding-left: 0 }
    """)

  /// Prints lines; write errors are ignored.
  private func say(_ lines: String...) {
    if isPrinting { try? StandardStream.output.write(lines) }
  }
}
