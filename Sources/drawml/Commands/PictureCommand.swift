internal import ArgumentParser
internal import Artwork
internal import Files
internal import Pictures
internal import Report

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
