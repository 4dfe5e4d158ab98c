internal import ArgumentParser
internal import Datasets
internal import Files
internal import Ink
internal import Pictures
internal import Recognition
internal import Report
internal import Text
internal import Training

struct RasterizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rasterize",
    abstract: "Draw a drawing as pixels, as the model sees it.",
    discussion: """
      Examples:
        drawml rasterize star.json --output star.png
        drawml rasterize drawings.ndjson --number 12 --size 512 --stroke-width 12 --output big.png
        drawml rasterize star.json --model shapes.drawml --enlarge 10 --output seen.png
        drawml rasterize scan.png --model shapes.drawml --enlarge 10 --output seen.png
        drawml rasterize drawings.ndjson --sheet 60 --size 96 --stroke-width 3 --output sheet.png
      """)

  @Argument(help: "A file of drawings; '-' is standard input.")
  var drawing: String
  @Option(name: .shortAndLong, help: "The PNG file to write.")
  var output: String
  @Option(help: "The number of the drawing in the file.", in: 1...1_000_000_000)
  var number = 1
  @Option(
    help: "Show this many drawings side by side, starting with --number.", in: 1...10_000)
  var sheet: Int?
  @Option(help: "Use the rasterizer of this model.")
  var model: String?
  @Option(help: "Rows and columns of a picture, in pixels.", in: 1...Rasterizer.maxChosenSide)
  var size: Int?
  @Option(help: "The thickness of strokes, in pixels of the picture.", in: 0.01...4096)
  var strokeWidth: Double?
  @Option(help: "Minimum distance between ink and the picture's edge, in pixels.", in: 0...2048)
  var margin: Double?
  @Option(help: "Enlarge each pixel to a square of this many rows and columns.", in: 1...64)
  var enlarge = 1
  @Flag(help: "White ink on black, as the network gets it, instead of black on white.")
  var whiteOnBlack = false
  @OptionGroup var overwrite: OverwriteOption

  func validate() throws {
    try PictureFile.check(output, "--output")
    guard model == nil || (size == nil && strokeWidth == nil && margin == nil) else {
      throw ValidationError("A --model brings its own --size, --stroke-width and --margin.")
    }
    let (size, strokeWidth, margin) = (size ?? 28, strokeWidth ?? 1.5, margin ?? 1)
    guard strokeWidth + 2 * margin < Double(size) else {
      throw ValidationError(
        "A picture of \(size) pixels has no room for --stroke-width \(strokeWidth) "
          + "and --margin \(margin).")
    }
  }

  /// The maximum number of pixels of a picture; encoding a PNG of that size takes about a gigabyte.
  private static let mostPixels = 1 << 26

  func run() throws {
    try overwrite.check(output, for: .picture, reading: [drawing])
    let rasterizer =
      if let model {
        try ModelFile.read(model).embedding.rasterizer
      } else {
        Rasterizer(
          width: size ?? 28, height: size ?? 28, strokeWidth: strokeWidth ?? 1.5,
          margin: margin ?? 1)
      }
    let drawings = try drawings()
    let columns = Int(Double(drawings.count).squareRoot().rounded(.up))
    let (width, height) = (
      columns * rasterizer.width * enlarge,
      (drawings.count + columns - 1) / columns * rasterizer.height * enlarge
    )
    guard width * height <= Self.mostPixels else {
      throw JobProblem(
        "a picture of \(width) × \(height) pixels is too large: \(grouped(Self.mostPixels)) at "
          + "most; choose a smaller --size, --sheet or --enlarge")
    }
    let raster = Raster(sheetOf: try drawings.map { try rasterizer($0) }, columns: columns)
    try AtomicFile.write(
      raster.enlarged(enlarge).png(whiteOnBlack ? .whiteOnBlack : .blackOnWhite), to: output)
  }

  private func drawings() throws -> [Drawing] {
    var reader = try DatasetReader(path: drawing)
    let last = number - 1 + (sheet ?? 1)
    var found: [Drawing] = []
    var count = 0
    while count < last, let drawing = try reader.next() {
      count += 1
      if count >= number { found.append(drawing) }
    }
    printToStandardError(reader.notes, of: drawing)
    guard !found.isEmpty else {
      throw JobProblem(
        "\(drawing) has \(counted(count, "drawing")), so there is no number \(number)")
    }
    return found
  }
}
