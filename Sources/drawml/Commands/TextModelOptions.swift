internal import ArgumentParser
internal import Files
internal import Remote

/// The text model that drafts posts.
struct TextModelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "With --allow openai: a file whose first line is the key of the text model.",
      discussion: """
        Only you may read it (chmod 600). The environment variable \(Self.key.variable) is another \
        place for the key.
        """))
  var openaiKeyFile: String?
  @Option(help: "With --allow openai: the server, which speaks OpenAI's protocol.")
  var openaiServer = "https://api.openai.com"
  @Option(help: "With --allow openai: the model's name.")
  var openaiModel = "gpt-4o-mini"

  /// Where the key is.
  static let key = KeySource(variable: "DRAWML_OPENAI_KEY", option: "--openai-key-file")

  /// What drafts posts: the text model, or examples without a permit or a key.
  ///
  /// - Throws: `FileError` for the file of the key, `ValidationError` for a wrong address or key.
  func drafting(permits: PermitOptions) throws -> Drafting {
    guard permits.permits.contains(.openai) else {
      return Drafting(examplesBecause: "Add --allow openai, and a text model writes them.")
    }
    guard let key = try Self.key.read(file: openaiKeyFile) else {
      return Drafting(
        examplesBecause: "Put the text model’s key into \(Self.key.variable), or name its file "
          + "with \(Self.key.option).")
    }
    do {
      return Drafting(
        by: try TextModel(at: RemoteAddress(openaiServer), key: key, name: openaiModel))
    } catch { throw ValidationError("\(error)") }
  }
}
