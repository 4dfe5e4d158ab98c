internal import Benchmarks
internal import Foundation

/// Opens addresses in the person's browser.
enum Browser {
  /// Opens an address.
  ///
  /// Everybody on a machine can see the arguments of all programs. Where the address holds a
  /// secret, the browser is given a page in a folder that nobody else can read, and that leads on
  /// to the address.
  ///
  /// - Parameters:
  ///   - url: The address.
  ///   - folder: Where that page can lie until the browser has read it; nil where there is no
  ///     secret.
  /// - Throws: Where the page cannot be written, or no program be started.
  static func open(_ url: String, hiddenIn folder: ScratchFolder? = nil) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["xdg-open", try folder.map { try door(to: url, in: $0) } ?? url]
    try process.run()
  }

  /// The path of a page that leads to an address.
  private static func door(to url: String, in folder: ScratchFolder) throws -> String {
    let path = folder.path + "/studio.html"
    let address = url.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
    let page = """
      <!doctype html>
      <meta charset="utf-8">
      <meta http-equiv="refresh" content="0; url=\(address)">
      <title>DrawML</title>
      <a href="\(address)">The studio</a>

      """
    try Data(page.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }
}
