internal import Foundation
public import Ink
internal import Support

/// What a notebook tells: text and pictures one after the other, as a page and on the terminal.
///
/// Pictures are files of their own beside `index.html`, so that each can be used elsewhere.
public struct Page {
  /// Where page and pictures go.
  public let folder: String
  /// The names of the pictures so far, in order.
  public private(set) var pictures: [String] = []
  private let title: String
  private let isPrinting: Bool
  private var body: [String] = []

  /// An empty page in `folder`, which is made if it is not there.
  ///
  /// - Throws: An error of the system when the folder cannot be made.
  public init(_ title: String, folder: String, isPrinting: Bool = true) throws {
    self.title = title
    self.folder = folder
    self.isPrinting = isPrinting
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    say("", title, "")
  }

  /// Begins a chapter.
  public mutating func chapter(_ heading: String) {
    body.append("<h2>\(escaped(heading))</h2>")
    say("", "## \(heading)")
  }

  /// Adds a paragraph.
  public mutating func tell(_ paragraph: String) {
    body.append("<p>\(escaped(paragraph))</p>")
    say(paragraph)
  }

  /// Adds a table; the first cell of a row names it.
  public mutating func table(_ headings: [String], _ rows: [[String]]) {
    func line(_ cells: [String], _ tag: String) -> String {
      "<tr>" + cells.map { "<\(tag)>\(escaped($0))</\(tag)>" }.joined() + "</tr>"
    }
    body.append(
      "<table>\(line(headings, "th"))\(rows.map { line($0, "td") }.joined(separator: "\n"))</table>"
    )
    for row in [headings] + rows { say("  " + row.joined(separator: " · ")) }
  }

  /// Adds a vector picture as `name`.svg.
  ///
  /// - Throws: `FileError` when it cannot be written.
  public mutating func show(_ picture: SVG, as name: String, caption: String) throws {
    try add("\(name).svg", Array(picture.text.utf8), caption: caption)
  }

  /// Adds pixels as `name`.png, black on white.
  ///
  /// - Throws: `FileError` when it cannot be written.
  public mutating func show(_ picture: Raster, as name: String, caption: String) throws {
    try add("\(name).png", try picture.png(.blackOnWhite), caption: caption)
  }

  private mutating func add(_ name: String, _ bytes: [UInt8], caption: String) throws {
    try AtomicFile.write(bytes, to: "\(folder)/\(name)")
    pictures.append(name)
    body.append(
      "<figure><img src=\"\(name)\" alt=\"\(escaped(caption))\"><figcaption>\(escaped(caption))"
        + "</figcaption></figure>")
    say("  → \(folder)/\(name): \(caption)")
  }

  /// Writes `index.html`.
  ///
  /// - Throws: `FileError` when it cannot be written.
  public func write() throws {
    let text = """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>\(escaped(title))</title>
      <meta name="viewport" content="width=device-width">
      <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem;
        color: #222; background: #fff }
      figure { margin: 1.5rem 0 } img { max-width: 100%; image-rendering: auto }
      figcaption { color: #555; font-size: 0.9rem }
      table { border-collapse: collapse; margin: 1.5rem 0 }
      th, td { padding: 0.2rem 0.9rem; text-align: right; border-bottom: 1px solid #ddd }
      th:first-child, td:first-child { text-align: left; padding-left: 0 }
      </style></head><body>
      <h1>\(escaped(title))</h1>
      \(body.joined(separator: "\n"))
      </body></html>

      """
    try AtomicFile.write(text, to: "\(folder)/index.html")
    say("", "The whole story is in \(folder)/index.html.")
  }

  /// Prints lines; that nobody reads them is no reason to stop.
  private func say(_ lines: String...) {
    if isPrinting { try? StandardStream.output.write(lines) }
  }
}
