internal import Files
internal import Foundation
internal import Text

/// Opens addresses in the user's browser.
enum Browser {
  /// Opens an address.
  ///
  /// All users of a machine can see the arguments of all processes. If the address contains a
  /// secret, the browser opens a page in a private folder that redirects to the address.
  ///
  /// - Parameters:
  ///   - url: The address.
  ///   - folder: The folder for that page, until the browser has read it; nil without a secret.
  /// - Throws: An error if the page cannot be written.
  static func open(_ url: String, hiddenIn folder: PrivateTemporaryFolder? = nil) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // Neither the browser nor its child processes get our secrets.
    process.environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("DRAWML_")
    }
    process.arguments = ["xdg-open", try folder.map { try redirectPage(to: url, in: $0) } ?? url]
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { process in
      if process.terminationStatus != 0 { tellNone(of: url) }
    }
    do { try process.run() } catch { tellNone(of: url) }
  }

  private static func tellNone(of url: String) {
    printToStandardError("No browser could be opened: open \(url) yourself.")
  }

  /// The path of a page that redirects to an address.
  private static func redirectPage(to url: String, in folder: PrivateTemporaryFolder) throws
    -> String
  {
    let path = folder.path + "/studio.html"
    let address = url.escapedForXML
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
