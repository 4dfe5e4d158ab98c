internal import ArgumentParser
internal import Capture
internal import Datasets
internal import Files
internal import Ink
internal import Pictures
internal import Recognition
internal import Report
internal import Segmentation
internal import Text
internal import Training
internal import Vectorizing
internal import Workspace

struct CaptureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Turn photos of paper into drawings or text.",
    discussion: """
      Examples:
        drawml capture photo.jpg --output samples.ndjson
        drawml capture class/*.jpg --output samples.ndjson --preview seen.png
        drawml capture words page.jpg
        drawml capture drafts excerpt.txt
      """,
    subcommands: [
      CaptureDrawingsCommand.self, CaptureWordsCommand.self, CaptureDraftsCommand.self,
    ],
    defaultSubcommand: CaptureDrawingsCommand.self)
}

struct CaptureDrawingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drawings",
    abstract: "Turn photos of worksheets, or of any paper, into drawings.",
    discussion: """
      Reads photos (JPEG or PNG) of pages that 'drawml worksheet' made, one page in each: finds the \
      page, straightens it, reads the labels from its header, and traces what is in each box. Empty \
      boxes are no drawings. The page may lie at any angle; all four black squares must be seen.

      With --free the paper is any: the sheet is found by its edges, or else all of the photo is \
      read, and the strokes are grouped into shapes. A shape has a label if the model knows it.

      --preview shows the straightened pages in light gray, and over them the strokes, each in its \
      own color.

      Examples:
        drawml capture drawings photo.jpg --output samples.ndjson
        drawml capture drawings class/*.jpg --output samples.ndjson --preview seen.png
        drawml capture drawings sketches.jpg --free --output shapes.ndjson
        drawml train samples.ndjson --output class.drawml
      """)

  @Argument(help: "JPEG or PNG files, or folders of them.")
  var photos: [String]
  @Option(
    name: [.short, .long, .customLong("to")],
    help: "The file of drawings to write: .ndjson, .json, .h5 or .inkml.")
  var output: String
  @Option(help: "Write a PNG of the strokes found here.")
  var preview: String?
  @Flag(help: "The paper has no boxes: find the drawings on it.")
  var free = false
  @Option(
    help: "With --free: the model that tells shapes apart (default: the one of everyday things).")
  var model: String?
  @Flag(help: "Leave out photos that cannot be read, and say which.")
  var skipInvalid = false
  @OptionGroup var overwrite: OverwriteOption
  @OptionGroup var format: FormatOption

  func validate() throws {
    guard DatasetFormat(path: output)?.isWritable ?? false else {
      throw ValidationError("--output is a .ndjson, .json, .h5 or .inkml file.")
    }
    guard free || model == nil else { throw ValidationError("--model goes with --free.") }
    try PictureFile.check(preview, "--preview")
    try OverwriteOption.requireDistinct(output, preview)
  }

  func run() throws {
    let replacement = try overwrite.check(output, for: nil, reading: photos)
    let sources = try DatasetFiles.expand(photos, as: [.png, .jpeg])
    try overwrite.check(preview, for: .picture, reading: photos)
    var seen = preview.map { _ in StrokePreview(count: sources.count) }
    let read = try reading()
    var contents = DatasetFiles.Contents()
    var reports: [CaptureReport] = []
    var skipped = 0
    let bar = ProgressBar("Reading")
    defer { bar.finish() }
    for (index, source) in sources.enumerated() {
      do {
        let photo = try Photo(
          try AtomicFile.read(source.path == "-" ? "/dev/stdin" : source.path), source)
        let found: Found
        do { found = try read(photo) } catch let error as any DescribedError {
          throw FileError(reading: source.path, "\(error)")
        }
        reports.append(found.report)
        for drawing in found.drawings {
          contents.drawings.append(drawing)
          contents.origins.append(.init(path: source.path))
        }
        seen?.add(found.ink, on: found.picture)
      } catch let error as FileError where skipInvalid {
        bar.note("skipped: \(error)")
        skipped += 1
      }
      if sources.count > 1 { bar.update(index + 1, of: sources.count) }
    }
    guard !contents.drawings.isEmpty else {
      throw JobProblem("no drawing was found; \(output) is not written")
    }
    contents.distinguishIDs()
    try DatasetFiles.write(contents.drawings, to: output, replacing: replacement)
    if let preview, let seen { try AtomicFile.write(seen.png(), to: preview) }
    try format.print(reports, reports.flatMap(\.lines), outputs: [output, preview])
    bar.note("\(output): \(counted(contents.drawings.count, "drawing"))")
    if skipped > 0 { bar.note("skipped \(counted(skipped, "photo")) that could not be used") }
  }

  /// What was found in a photo.
  private struct Found {
    var drawings: [Drawing]
    var picture: GrayPicture
    var ink: Drawing
    var report: CaptureReport
  }

  /// A photo, in luma and in the tones that show its ink best.
  private struct Photo {
    let path: String
    let luma: GrayPicture
    let ink: GrayPicture
    /// What the ids of its drawings begin with: cameras use names again.
    let name: String

    init(_ bytes: [UInt8], _ source: DatasetFiles.Source) throws {
      path = source.path
      luma = try GrayPicture(file: bytes, named: path, as: .luma)
      ink = try GrayPicture(file: bytes, named: path)
      name = source.pictureID + "-" + Fingerprint.sha256(bytes).prefix(8)
    }
  }

  /// What reads a photo.
  private func reading() throws -> (Photo) throws -> Found {
    guard free else {
      let reader = WorksheetReader()
      return { photo in
        let sheet = try reader(photo.luma, ink: photo.ink)
        return Found(
          drawings: sheet.drawings(named: photo.name), picture: sheet.picture, ink: sheet.ink,
          report: CaptureReport(photo.path, sheet))
      }
    }
    let recognizer =
      if let model { try ModelFile.read(model) } else { try BaseModel.everyday.recognizer() }
    let reader = FreePageReader(recognizer: recognizer, model: try .standard())
    return { photo in
      guard !WorksheetReader().finds(photo.luma) else {
        throw JobProblem("\(photo.path) shows a worksheet: leave out --free")
      }
      let page = try reader(photo.luma, ink: photo.ink)
      let drawings = page.drawings(named: photo.name)
      return Found(
        drawings: drawings, picture: page.picture, ink: page.ink,
        report: CaptureReport(photo.path, page, drawings))
    }
  }
}
