internal import ArgumentParser
internal import Files
internal import Foundation

/// The studio's token, from one of three sources.
struct TokenOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The secret that every request must carry: 16 or more letters, digits, "-" and "_" (default: \
      none on this machine, a random one with --host).
      """,
      discussion: """
        Everybody on this machine sees it in the list of processes; prefer --token-file or the \
        environment variable \(Self.variable).
        """))
  var token: String?
  @Option(
    help: ArgumentHelp(
      "A file whose first line is the token.",
      discussion: "The file's permissions are not checked: 'chmod 600' keeps others out."))
  var tokenFile: String?

  /// The environment variable of the token.
  static let variable = "DRAWML_TOKEN"
  /// The minimum length of a token, so that it cannot be guessed.
  private static let fewestCharacters = 16

  func validate() throws {
    let given = [
      ("--token", token), ("--token-file", tokenFile), (Self.variable, Self.fromEnvironment),
    ].filter { $0.1 != nil }.map(\.0)
    guard given.count < 2 else {
      throw ValidationError(
        "The token is given by \(given.joined(separator: " and ")): give it only once.")
    }
    guard let place = given.first, let token = token ?? Self.fromEnvironment else { return }
    guard Self.isValid(token) else { throw ValidationError("\(place) \(Self.rule)") }
  }

  /// The token; nil if none is given.
  ///
  /// - Throws: `FileError` for a file without a valid token.
  func read() throws(FileError) -> String? {
    guard let path = tokenFile else { return token ?? Self.fromEnvironment }
    var lines = try LineReader(path: path, limit: 1 << 12)
    let line = String(decoding: try lines.next() ?? [], as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard Self.isValid(line) else {
      // The message omits the text: it may be part of a secret.
      throw FileError(
        "read", path: path, reason: .malformed("its first line, the token, \(Self.rule)"))
    }
    return line
  }

  private static var fromEnvironment: String? { ProcessInfo.processInfo.environment[variable] }

  private static let rule =
    "must have \(fewestCharacters) or more letters, digits, \"-\" and \"_\"."

  private static func isValid(_ token: String) -> Bool {
    token.utf8.count >= fewestCharacters
      && token.utf8.allSatisfy { byte in
        switch UnicodeScalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
      }
  }

  /// A cryptographically random token of 128 bits, in hexadecimal.
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
