internal import ArgumentParser
internal import Artwork
internal import Files
internal import Pictures
internal import Report
internal import Training

extension Sketch {
  /// The sketch in a file: a JSON object, or that of a line.
  ///
  /// - Throws: `FileError`, with the stroke and the point that are wrong.
  fileprivate init(path: String, line number: Int?) throws {
    let bytes: [UInt8]
    if let number = number ?? (path.hasSuffix(".ndjson") ? 1 : nil) {
      var lines = try LineReader(path: path)
      var line: [UInt8]?
      for _ in 0..<number { line = try lines.next() }
      guard let line else { throw JobProblem("\(path) has fewer than \(number) lines") }
      bytes = line
    } else {
      bytes = try AtomicFile.read(path == "-" ? "/dev/stdin" : path)
    }
    do throws(SketchError) { self = try Sketch.parse(bytes) } catch {
      throw FileError(reading: path, "\(error)")
    }
  }
}

struct PictureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "picture",
    abstract: "Draw a sketch in its colors, as a PNG of 1,024 × 1,024.",
    discussion: """
      A sketch is a drawing with a color, a width and a tool for each stroke; strokes without them \
      are black. The picture is white behind the strokes, and has no metadata.

      Examples:
        drawml picture sketch.json --output picture.png
        drawml picture drawings.ndjson --number 12 --output picture.png
      """)

  @Argument(help: "A sketch or a drawing as JSON; '-' is standard input.")
  var sketch: String
  @Option(name: .shortAndLong, help: "The PNG file to write.")
  var output: String
  @Option(help: "The sketch's line in a file with one on each.", in: 1...1_000_000_000)
  var number: Int?
  @OptionGroup var overwrite: OverwriteOption

  func validate() throws { try PictureFile.check(output, "--output") }

  func run() throws {
    try overwrite.check(output, for: .picture, reading: [sketch])
    let picture = SketchPicture.picture(of: try Sketch(path: sketch, line: number))
    try AtomicFile.write(try picture.png(), to: output)
  }
}

struct TransformCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transform",
    abstract: "Make a picture of a sketch, in one of ten styles.",
    discussion: """
      The pictures are made on this machine, by drawing programs that know the strokes and what they \
      enclose; no image model is asked. The same sketch, style and seed give the same file. A style \
      may be named by its beginning.

      Examples:
        drawml transform sketch.json --style watercolor --output art.png
        drawml transform sketch.json --style oil --seed 7 --output art.png
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
  @Option(help: "Selects the textures.", in: 0...UInt64.max)
  var seed: UInt64 = 0
  @Flag(help: "List the styles.")
  var list = false
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
  }

  func run() throws {
    guard !list, let sketch, let output,
      let filter = style.flatMap(ArtStyle.named)?.filter
    else {
      return try printToStandardOutput(
        ArtFilter.allCases.map { "\($0.style.emoji)  \($0.style.id): \($0.summary)" })
    }
    try overwrite.check(output, for: .picture, reading: [sketch])
    let picture = filter.picture(of: try Sketch(path: sketch, line: number), seed: seed)
    try AtomicFile.write(try picture.png(), to: output)
  }
}
