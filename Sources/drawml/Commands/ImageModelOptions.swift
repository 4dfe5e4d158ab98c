public import ArgumentParser
internal import Files
public import Remote

/// The image model that makes pictures of sketches.
struct ImageModelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "With --allow gemini: a file whose first line is the key of the image model.",
      discussion: """
        Only you may read it (chmod 600). The environment variable \(Self.key.variable) is another \
        place for the key.
        """))
  var geminiKeyFile: String?
  @Option(help: "With --allow gemini: the server, which speaks Google's protocol.")
  var geminiServer = ImageModel.standardServer
  @Option(help: "With --allow gemini: the model's name.")
  var geminiModel = ImageModel.standardName
  @Option(help: "With --allow gemini: where requests have the key.")
  var geminiKeyPlace = ImageModel.KeyPlace.header

  /// Where the key is.
  static let key = KeySource(variable: "DRAWML_GEMINI_KEY", option: "--gemini-key-file")

  /// What makes pictures: the image model, or nothing without a permit or a key.
  ///
  /// - Throws: `FileError` for the file of the key, `ValidationError` for a wrong address, name or
  ///   key.
  func painting(permits: PermitOptions) throws -> ImagePainting {
    guard permits.permits.contains(.gemini) else {
      return ImagePainting(missingBecause: "Add --allow gemini, and an image model makes pictures.")
    }
    guard let key = try Self.key.read(file: geminiKeyFile) else {
      return ImagePainting(
        missingBecause:
          "Put the image model’s key into \(Self.key.variable), or name its file with "
          + "\(Self.key.option).")
    }
    do {
      return ImagePainting(
        by: try ImageModel(
          at: RemoteAddress(geminiServer), key: key, name: geminiModel, keyPlace: geminiKeyPlace))
    } catch { throw ValidationError("\(error)") }
  }

  /// The options as words of a command; `absolute` makes a path one for any folder.
  func words(absolute: (String) -> String) -> [String] {
    let file = geminiKeyFile.map { ["--gemini-key-file", absolute($0)] } ?? []
    return file + [
      "--gemini-server", geminiServer, "--gemini-model", geminiModel,
      "--gemini-key-place", geminiKeyPlace.rawValue,
    ]
  }
}

extension ImageModel.KeyPlace: ExpressibleByArgument {}
