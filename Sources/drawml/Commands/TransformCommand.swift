internal import ArgumentParser
internal import Artwork
internal import Files
internal import Pictures
internal import Recognition
internal import Report
internal import Segmentation
internal import Training
internal import Workspace

struct TransformCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transform",
    abstract: "Make a picture of a sketch, in one of ten styles.",
    discussion: """
      The pictures are made on this machine, by drawing programs that know the strokes and what they \
      enclose. Shapes drawn in black or gray that a model recognizes have their natural colors, such \
      as yellow for a sun. The same sketch, style, model and seed give the same file. A style may be \
      named by one of its words, or a word's beginning.

      With --allow gemini and a key, which is never an argument, an image model makes the picture: \
      the sketch, as 'drawml picture' draws it, and a prompt for the style leave this machine. It \
      may take half a minute, and each picture is another one.

      Examples:
        drawml transform sketch.json --style watercolor --output art.png
        drawml transform sketch.json --style oil --seed 7 --output art.png
        drawml transform sketch.json --style oil --allow gemini --output art.png
        drawml transform --list
      """)

  @Argument(help: "A sketch or a drawing as JSON; '-' is standard input.")
  var sketch: String?
  @Option(help: "The sketch's line in a file with one on each.", in: 1...1_000_000_000)
  var number: Int?
  @Option(help: "The style, such as watercolor; --list shows all.")
  var style: String?
  @Option(name: .shortAndLong, help: "The PNG file to write.")
  var output: String?
  @Option(help: "Selects the textures; 0 by default.", in: 0...UInt64.max)
  var seed: UInt64?
  @Option(
    help: "The model that recognizes shapes, for their colors (default: that of everyday things).")
  var model: String?
  @Flag(help: "List the styles.")
  var list = false
  @OptionGroup var permits: PermitOptions
  @OptionGroup var imageModel: ImageModelOptions
  @OptionGroup var overwrite: OverwriteOption

  func validate() throws {
    guard !list else { return }
    guard sketch != nil, output != nil, style != nil else {
      throw ValidationError("Name a sketch, a --style and an --output; or --list the styles.")
    }
    try PictureFile.check(output, "--output")
    guard style.flatMap(ArtStyle.named)?.filter != nil else {
      throw ValidationError(
        "There is no single style “\(style ?? "")”; choose one of "
          + ArtStyle.all.map(\.id).joined(separator: ", ") + ".")
    }
    guard seed == nil && model == nil || !asksModel else {
      throw ValidationError(
        "--seed and --model are for pictures made on this machine, without --allow gemini.")
    }
  }

  private var asksModel: Bool { permits.permits.contains(.gemini) }

  func run() async throws {
    guard !list, let sketch, let output,
      let style = style.flatMap(ArtStyle.named), let filter = style.filter
    else {
      return try printToStandardOutput(
        ArtFilter.allCases.map { "\($0.style.emoji)  \($0.style.id): \($0.summary)" })
    }
    try overwrite.check(output, for: .picture, reading: [sketch])
    let drawing = try Sketch(path: sketch, line: number)
    if imageModel.geminiKeyFile != nil, !asksModel {
      printToStandardError(
        "Without --allow gemini the key is not used: the picture is made on this machine.")
    }
    let picture =
      asksModel
      ? try await self.picture(of: drawing, style: style)
      : filter.picture(of: drawing, tints: try tints(of: drawing), seed: seed ?? 0)
    try AtomicFile.write(try picture.png(), to: output)
  }

  /// The natural colors of the shapes that the model recognizes.
  private func tints(of sketch: Sketch) throws -> [SketchTint] {
    let recognizer = try model.map { try ModelFile.read($0) } ?? BaseModel.everyday.recognizer()
    return try SketchReading(sketch, by: recognizer, segmenter: .standard()).tints
  }

  /// The picture that the image model makes.
  private func picture(of sketch: Sketch, style: ArtStyle) async throws -> RGBPicture {
    let painting = try imageModel.painting(permits: permits)
    guard let model = painting.model else { throw ValidationError(painting.reason ?? "") }
    printToStandardError("Transforming into \(style.name), by \(model.name) at \(model.server) …")
    return try await interruptible(hint: { "no picture was made" }) {
      try await painting.picture(of: sketch, style: style)
    }
  }
}
