internal import ArgumentParser
internal import Foundation
internal import Support

/// The studio's token, from the one of three places that has it.
struct TokenOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      What every request must know: 16 or more letters, digits, "-" and "_" (default: none on this machine, \
      a random one with --host).
      """,
      discussion: """
        Everybody on this machine sees it in the list of processes, so rather use --token-file or the \
        environment variable \(Self.variable).
        """))
  var token: String?
  @Option(
    help: ArgumentHelp(
      "A file whose first line is the token.",
      discussion: "Who may read the file is not checked: 'chmod 600' keeps others out."))
  var tokenFile: String?

  /// What names the token in the environment.
  static let variable = "DRAWML_TOKEN"
  /// A token that can be guessed is none.
  private static let fewestCharacters = 16

  func validate() throws {
    if let token { try Self.check(token, from: "--token") }
  }

  /// The token, or nil where none is given.
  ///
  /// - Parameter environment: The program's.
  /// - Throws: `ValidationError` for more than one token or one that is too weak, and `FileError`.
  func read(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws -> String? {
    let variable = environment[Self.variable]
    let given = [
      token.map { _ in "--token" }, tokenFile.map { _ in "--token-file" },
      variable.map { _ in Self.variable },
    ].compactMap(\.self)
    guard given.count < 2 else {
      throw ValidationError(
        "The token is given by \(given.joined(separator: " and ")): say it in one way only.")
    }
    if let variable { try Self.check(variable, from: Self.variable) }
    return try token ?? variable ?? tokenFile.map(Self.firstLine)
  }

  private static func firstLine(of path: String) throws -> String {
    var lines = try LineReader(path: path, limit: 1 << 12)
    let line = String(decoding: try lines.next() ?? [], as: UTF8.self)
      .trimmingCharacters(in: .whitespaces)
    guard !line.isEmpty else {
      throw FileError(
        "read", path: path,
        reason: .malformed("its first line is empty, where the token should be"))
    }
    try check(line, from: "The token in \(path)")
    return line
  }

  /// Says nothing of the token itself.
  private static func check(_ token: String, from place: String) throws {
    let isSound = token.utf8.allSatisfy { byte in
      switch UnicodeScalar(byte) {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
      default: false
      }
    }
    guard token.utf8.count >= fewestCharacters, isSound else {
      throw ValidationError(
        "\(place) must have \(fewestCharacters) or more letters, digits, \"-\" and \"_\".")
    }
  }

  /// 128 bits that nobody can guess.
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
